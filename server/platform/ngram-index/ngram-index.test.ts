import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fileDocuments, markKey } from './invert.ts'
import { type Page, PageReader, PageWriter } from './posting-pages.ts'
import { wantedFor } from './terms.ts'
import { learnCommon } from './train-trie.ts'
import { CommonStrings } from './trie.ts'

/** Few letters, so that strings repeat; one of two units. */
const letter = fc.constantFrom('a', 'b', 'c', ' ', '东', '👍')
const text = fc.array(letter, { maxLength: 30 }).map((letters) => letters.join(''))

function listsOf(texts: readonly string[], common: CommonStrings): Map<number, number[]> {
  const pages: Page[] = []
  const writer = new PageWriter((page) => pages.push(page))
  const documents = texts.map((one) => ({ texts: [one], marks: [one.length] }))
  fileDocuments(documents, common, 1, (key, ordinals, count) => writer.add(key, ordinals, count))
  writer.end()
  const lists = new Map<number, number[]>()
  for (const page of pages) {
    const reader = new PageReader(page)
    while (reader.next()) {
      const numbers = new Uint32Array(reader.count)
      reader.read(numbers, 0)
      lists.set(reader.key, [...(lists.get(reader.key) ?? []), ...numbers])
    }
  }
  return lists
}

test('a string is common exactly if enough texts have it', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), text, (texts, least, term) => {
      const common = learnCommon(texts, least)
      const kept = new CommonStrings(common.bytes)
      const asked = term.slice(0, 6)
      if (asked === '') return
      const isCommon = texts.filter((one) => one.includes(asked)).length >= least
      for (const tree of [common, kept]) assert.equal(wantedFor(asked, tree).lists.length === 0, isCommon)
    }),
    { numRuns: 1000 },
  )
})

test('whatever contains a term is in all of its lists and in its span, and of a common term nothing else is', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), text, (texts, least, term) => {
      if (term === '') return
      const common = learnCommon(texts.slice(0, 8), least)
      const lists = listsOf(texts, common)
      const having = texts.flatMap((one, ordinal) => (one.includes(term) ? [ordinal] : []))
      const { lists: keys, span } = wantedFor(term, common)
      for (const key of keys) for (const ordinal of having) assert.ok(lists.get(key)?.includes(ordinal))
      if (!span) return
      const within = [...lists].flatMap(([key, numbers]) => (key >= span.from && key <= span.to ? numbers : []))
      const found = [...new Set(within)].sort((a, b) => a - b)
      if (keys.length === 0) assert.deepEqual(found, having)
      else for (const ordinal of having) assert.ok(found.includes(ordinal))
    }),
    { numRuns: 1000 },
  )
})

test('a list longer than a page goes on over several, and marks have lists of their own', () => {
  const texts = Array.from({ length: 60_000 }, (_, place) => (place % 3 ? 'a' : 'ba'))
  const lists = listsOf(texts, new CommonStrings())
  assert.equal(lists.get('a'.charCodeAt(0))?.length, 60_000)
  const marked = lists.get(markKey(1, 2))
  assert.deepEqual(
    marked,
    texts.flatMap((one, ordinal) => (one.length === 2 ? [ordinal] : [])),
  )
})
