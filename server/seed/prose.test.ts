import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeAuthor, writers } from './authors.ts'
import { model } from './bigram-model.ts'
import { familyNames, givenNames } from './non-words.ts'
import { writePiece } from './prose.ts'
import { randomFrom } from './random.ts'

const pieces = Array.from({ length: 2_000 }, (_, index) => writePiece(1, index))
const ranked = countWords(pieces.map(({ text }) => text))
const total = ranked.reduce((sum, [, count]) => sum + count, 0)

test('a seed and an index always give the same piece and the same author', () => {
  const again = [40, 7, 1_999].map((index) => writePiece(1, index))
  assert.deepEqual(again, [pieces[40], pieces[7], pieces[1_999]])
  assert.deepEqual(writeAuthor(1, 40), writeAuthor(1, 40))
})

test('another index or another seed gives another piece', () => {
  assert.equal(new Set(pieces.map(({ text }) => text)).size, pieces.length)
  assert.notEqual(writePiece(2, 0).text, writePiece(1, 0).text)
})

test('a stream does not depend on what its neighbours drew', () => {
  const alone = randomFrom(1, 5)
  const beside = randomFrom(1, 5)
  randomFrom(1, 4).bits()
  assert.deepEqual([alone.bits(), alone.uuid()], [beside.bits(), beside.uuid()])
  assert.notEqual(randomFrom(1, 5).uuid(), randomFrom(1, 6).uuid())
  assert.notEqual(randomFrom(1, 5).uuid(), randomFrom(1 + 2 ** 32, 5).uuid())
})

test('a uuid is one of version 4', () => {
  const random = randomFrom(3, 0)
  const ids = Array.from({ length: 500 }, () => random.uuid())
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(ids).size, ids.length)
})

test('nine bodies in ten have three to six thousand characters, one in a hundred at most is a long read, and none is a stub', () => {
  const lengths = pieces.map(({ bodyMd }) => bodyMd.length)
  assertBetween(
    share(lengths, (length) => length >= 3_000 && length <= 6_000),
    0.88,
    1,
  )
  assertBetween(Math.min(...lengths), 1_000, 3_000)
  assertBetween(
    share(lengths, (length) => length > 9_000),
    0,
    0.01,
  )
  assertBetween(Math.max(...lengths), 5_500, 41_000)
})

test('headlines and standfirsts keep to their lengths, and one piece in ten has no standfirst', () => {
  for (const { headline, sub } of pieces) {
    assertBetween(headline.length, 20, 110)
    assert.match(headline, /^[\p{Lu}\d]/u)
    if (sub !== null) assertBetween(sub.length, 20, 300)
  }
  assertBetween(
    share(pieces, ({ sub }) => sub === null),
    0.07,
    0.13,
  )
})

test('tags are at most five, distinct and in lower case', () => {
  for (const { tags } of pieces) {
    assertBetween(tags.length, 0, 5)
    assert.equal(new Set(tags).size, tags.length)
    for (const tag of tags) assert.match(tag, /^[a-z]+(-[a-z]+)*$/)
  }
})

test('the model has thirty thousand words, and two thousand pieces use two thirds of them', () => {
  assertBetween(new Set(model().words).size, 30_000, Number.POSITIVE_INFINITY)
  assertBetween(ranked.length, 20_000, Number.POSITIVE_INFINITY)
})

test('the commonest words have their English shares, and frequency falls by about one over rank', () => {
  const shares = new Map(ranked.map(([word, count]) => [word, count / total]))
  assert.equal(ranked[0]?.[0], 'the')
  assertBetween(shares.get('the'), 0.05, 0.07)
  assertBetween(shares.get('of'), 0.02, 0.04)
  assertBetween(shares.get('and'), 0.02, 0.04)
  assertBetween(
    slope(
      ranked.map(([, count]) => count),
      10,
      5_000,
    ),
    -1.2,
    -0.8,
  )
})

test('words cluster: one of middling frequency comes twice where it comes at all', () => {
  const holding = new Map<string, number>()
  for (const { text } of pieces) {
    for (const [word] of countWords([text])) holding.set(word, (holding.get(word) ?? 0) + 1)
  }
  const middling = ranked.filter(([, count]) => count >= 100 && count <= 500)
  const perPiece = middling.map(([word, count]) => count / (holding.get(word) ?? count))
  assertBetween(mean(perPiece), 1.5, 4)
})

test('blocks and scripts come in their shares', () => {
  const having = (mark: RegExp) => share(pieces, ({ html }) => mark.test(html))
  assertBetween(having(/[\u3040-\u30ff\u4e00-\u9fff]/), 0.03, 0.08)
  assertBetween(having(/<h2 /), 0.25, 0.35)
  assertBetween(having(/<ul>/), 0.07, 0.13)
  assertBetween(having(/<pre>/), 0.01, 0.03)
  // Bare addresses, which are links too, come by themselves.
  assertBetween(having(/<(em|strong|code)>|<a [^>]*>(?!https:)/), 0.08, 0.16)
  assertBetween(having(/\d%/), 0.3, 1)
  assertBetween(having(/[a-z]_[a-z]/), 0.1, 1)
  assertBetween(
    share(pieces, ({ bodyMd }) => bodyMd.includes('\\')),
    0.005,
    0.05,
  )
})

test('five thousand authors have five thousand valid slugs, none of them a path of the site', () => {
  const paths = `search recent trending me api desk embed author feed admin login sign-in well-known llms shop p about
    developers products`.split(/\s+/)
  const slugs = Array.from({ length: 5_000 }, (_, index) => writeAuthor(1, index).slug)
  for (const slug of [...slugs, writeAuthor(1, 3_000_000).slug]) {
    assert.match(slug, /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
    assert.ok(!paths.includes(slug))
  }
  assert.equal(new Set(slugs).size, slugs.length)
})

test('no two pairs of names give the same slug, however many authors there are', () => {
  const everyone = givenNames.length * familyNames.length
  const slugs = new Set(Array.from({ length: everyone + 100 }, (_, index) => writeAuthor(1, index).slug))
  assert.equal(slugs.size, everyone + 100)
  for (const { slug } of writers) assert.ok(!slugs.has(slug), `${slug} would not be the only one of that name`)
})

function countWords(texts: readonly string[]): [word: string, count: number][] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const [word] of text
      .toLowerCase()
      .matchAll(/[\p{Script=Latin}\p{N}]+(?:['_.,-][\p{Script=Latin}\p{N}]+)*/gu)) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** The slope of log count against log rank, by least squares. */
function slope(counts: readonly number[], first: number, last: number): number {
  const points = counts.slice(first - 1, last).map((count, i) => [Math.log(first + i), Math.log(count)] as const)
  const x = mean(points.map(([rank]) => rank))
  const y = mean(points.map(([, count]) => count))
  const across = points.reduce((sum, [rank, count]) => sum + (rank - x) * (count - y), 0)
  return across / points.reduce((sum, [rank]) => sum + (rank - x) ** 2, 0)
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function share<T>(list: readonly T[], holds: (item: T) => boolean): number {
  return list.filter(holds).length / list.length
}

function assertBetween(value: number | undefined, least: number, most: number): void {
  assert.ok(value !== undefined && value >= least && value <= most, `${value} is not within ${least} and ${most}`)
}
