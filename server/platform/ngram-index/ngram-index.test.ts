import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteWriter, type Page, PageReader, PageWriter, readOrdinals, writeOrdinals } from './posting-pages.ts'
import { filterKey, invert, termsOf } from './terms.ts'
import { CommonTrie, trainTrie } from './trie.ts'

/** Few characters, so that strings repeat; one has two UTF-16 units. */
const character = fc.constantFrom('a', 'b', 'c', ' ', '东', '👍')
const text = fc.array(character, { maxLength: 30 }).map((characters) => characters.join(''))

function postingsOf(texts: readonly string[], trie: CommonTrie): Map<number, number[]> {
  const pages: Page[] = []
  const writer = new PageWriter((page) => pages.push(page))
  const documents = texts.map((one) => ({ fields: [one], filters: [one.length] }))
  invert(documents, trie, 1, (key, ordinals, count) => writer.add(key, ordinals, count))
  writer.end()
  const postings = new Map<number, number[]>()
  for (const page of pages) {
    const reader = new PageReader(page)
    while (reader.next()) {
      const ordinals = new Uint32Array(reader.count)
      reader.read(ordinals, 0)
      postings.set(reader.key, [...(postings.get(reader.key) ?? []), ...ordinals])
    }
  }
  return postings
}

test('a string is common exactly if enough texts have it', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), text, (texts, minTexts, long) => {
      const trained = trainTrie(texts, minTexts)
      const restored = new CommonTrie(trained.bytes)
      const query = long.slice(0, 6)
      if (query === '') return
      const isCommon = texts.filter((one) => one.includes(query)).length >= minTexts
      for (const trie of [trained, restored]) assert.equal(termsOf(query, trie).keys.length === 0, isCommon)
    }),
    { numRuns: 1000 },
  )
})

test('a text that contains a query is in all its posting lists and in its key range; for a common query nothing else is', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), text, (texts, minTexts, query) => {
      if (query === '') return
      const trie = trainTrie(texts.slice(0, 8), minTexts)
      const postings = postingsOf(texts, trie)
      const expected = texts.flatMap((one, ordinal) => (one.includes(query) ? [ordinal] : []))
      const { keys, range } = termsOf(query, trie)
      for (const key of keys) for (const ordinal of expected) assert.ok(postings.get(key)?.includes(ordinal))
      if (!range) return
      const within = [...postings].flatMap(([key, some]) => (key >= range.from && key <= range.to ? some : []))
      const found = [...new Set(within)].sort((a, b) => a - b)
      if (keys.length === 0) assert.deepEqual(found, expected)
      else for (const ordinal of expected) assert.ok(found.includes(ordinal))
    }),
    { numRuns: 1000 },
  )
})

test('a posting list longer than a page is split over several, and filters have posting lists', () => {
  const texts = Array.from({ length: 60_000 }, (_, index) => (index % 3 ? 'a' : 'ba'))
  const postings = postingsOf(texts, new CommonTrie())
  assert.equal(postings.get('a'.charCodeAt(0))?.length, 60_000)
  assert.deepEqual(
    postings.get(filterKey(1, 2)),
    texts.flatMap((one, ordinal) => (one.length === 2 ? [ordinal] : [])),
  )
})

/** Gaps of every size, for posting lists that are dense, sparse, and both. */
const gap = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0, max: 900_000 }),
)

test('ordinals are decoded as they were encoded, wherever on a page they are', () => {
  fc.assert(
    fc.property(fc.array(gap, { minLength: 1, maxLength: 60 }), fc.nat(40), (gaps, before) => {
      let last = -1
      const ordinals = Uint32Array.from(gaps, (one) => (last += one + 1))
      const out = new ByteWriter(4)
      for (let at = 0; at < before; at += 1) out.byte(0xff)
      writeOrdinals(out, ordinals, 0, ordinals.length)
      const end = out.length
      out.byte(0xff)
      for (const bytes of [out.bytes.slice(0, end), out.bytes.slice(0, out.length)]) {
        const read = new Uint32Array(ordinals.length + 3)
        readOrdinals(bytes, before, ordinals.length, read, 3)
        assert.deepEqual(read.subarray(3), ordinals)
      }
    }),
    { numRuns: 2000 },
  )
})
