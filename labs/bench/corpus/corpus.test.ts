import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from '../../../server/platform/text/fold.ts'
import { writePiece } from '../../../server/seed/prose.ts'
import { answersOf, type OracleQuery, recordsOf, type SearchRecord, searchedSite } from './oracle.ts'
import { drawQueries } from './queries.ts'
import { countStrings } from './strings.ts'

const plan = searchedSite(1, 2_000)
const records = [...recordsOf(plan)]

function naive({ q, category, limit }: OracleQuery): { ids: string[]; total: number } {
  const term = fold(q)
  const siteOf = ({ headlineFolded, subFolded, bodyFolded }: SearchRecord) =>
    [headlineFolded, subFolded, bodyFolded].findIndex((text) => text.includes(term))
  const found = records
    .filter((one) => category === undefined || one.category === category)
    .map((one) => ({ ...one, site: siteOf(one) }))
    .filter(({ site }) => site !== -1)
    .sort((a, b) => a.site - b.site || b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1))
  return { ids: found.slice(0, limit).map(({ id }) => id), total: found.length }
}

test('one pass answers every question as looking through all texts for each does', async () => {
  const queries = drawQueries(20_261_115, plan.rng, plan.pieces, 400)
  const answers = await answersOf(queries, records)
  for (const [index, query] of queries.entries()) assert.deepEqual(answers[index], naive(query), query.q)
  assert.ok(answers.filter(({ total }) => total === 0).length > 20)
  assert.ok(answers.filter(({ total }) => total > 0).length > 250)
})

test('a term that ends within another, or twice in a text, is found once', async () => {
  const queries = ['he', 'she', 'hers', 'e', 's'].map((q) => ({ class: 'word', q, limit: 3 }))
  const text = { category: 'life', headlineFolded: 'ushers', subFolded: 'she', bodyFolded: '' }
  const answers = await answersOf(queries, [
    { ...text, id: 'a', publishedAt: 2 },
    { ...text, id: 'b', publishedAt: 1, headlineFolded: 'he', subFolded: 'ushers' },
  ])
  const both = { ids: ['a', 'b'], total: 2 }
  assert.deepEqual(answers, [both, both, both, both, both])
})

test('records out of order are refused', async () => {
  await assert.rejects(answersOf([{ class: 'word', q: 'a', limit: 1 }], records.toReversed()), /newest first/)
})

test('a piece is the same whenever it is made, and another for another seed or number', () => {
  assert.deepEqual(writePiece(1, 7), writePiece(1, 7))
  assert.notEqual(writePiece(1, 7).text, writePiece(1, 8).text)
  assert.notEqual(writePiece(1, 7).text, writePiece(2, 7).text)
})

test('headlines, standfirsts and bodies keep their lengths', () => {
  for (let index = 0; index < 1_000; index += 1) {
    const { headline, sub, text } = writePiece(3, index)
    assert.ok(headline.length >= 30 && headline.length <= 90, headline)
    assert.ok(sub === null || (sub.length >= 80 && sub.length <= 200), sub ?? '')
    assert.ok(text.length >= 2_800 && text.length <= 41_000)
  }
})

test('strings are counted by the texts that contain them', () => {
  const texts = ['abab', 'abc', 'bcd', 'xyz']
  const counts = new Map<string, number>()
  for (const text of texts) {
    const found = new Set<string>()
    for (let from = 0; from < text.length; from += 1) {
      for (let to = from + 1; to <= Math.min(text.length, from + 3); to += 1) found.add(text.slice(from, to))
    }
    for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  const over = (share: number) => [...counts.values()].filter((count) => count > share * texts.length).length
  assert.deepEqual(countStrings(texts, 3, [0.2, 0.3, 0.5]), [over(0.2), over(0.3), over(0.5)])
})
