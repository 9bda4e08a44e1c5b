import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { publicPools } from '#config/pools.ts'
import type { ReadContext } from '#features/context.ts'
import { searchPieces } from '#features/pieces/reads.ts'
import { urlsFor } from '#features/urls.ts'
import { testConfig, testDatabase } from '../../../../testkit/database.ts'
import { foldNaively, loadCorpus, type OraclePiece, oracle } from '../../../../testkit/search.ts'
import { type IndexingRules, runIndexStep } from './indexer.ts'
import { IndexerConnection } from './indexer-lock.ts'
import type { SearchFilter } from './segment.ts'

/** Search against the brute-force oracle, on random corpora and queries. */

const runs = Number(process.env['SEARCH_RUNS'] ?? 200)

const { url } = await testDatabase()
const pools = publicPools(testConfig({ DATABASE_URL: url, PUBLIC_CONNECTIONS: '2', SEARCH_CONNECTIONS: '2' }))
const reads: ReadContext = { ...pools, searchBudget: 60_000, urls: urlsFor('https://site.test') }
const client = new pg.Client({ connectionString: url })
client.on('error', () => {})
await client.connect()
const indexer = new IndexerConnection(client)
await indexer.acquireLease()
after(() => Promise.all([pools.db.close(), pools.searchDb.close(), client.end()]))

const categories = ['building', 'life', 'civic'] as const
/** Some are names of categories too. */
const locales = ['en', 'en-GB', 'EN_us', 'de', 'de-AT', 'civic', 'culture'] as const
const languages = ['en', 'de', 'civic', 'ja'] as const

/** Few characters, so that random texts do match, and the hard ones: accents, CJK, emoji, wildcards, odd case pairs. */
const character = fc.constantFrom(
  ...'aabbeett',
  'é',
  'É',
  'ß',
  'İ',
  'ı',
  'Σ',
  'ς',
  'σ',
  '东',
  '京',
  '都',
  'カ',
  'ー',
  '한',
  '\u0958',
  '\u2067',
  '\u00AD',
  '👍',
  '👩‍💻',
  '%',
  '_',
  '\\',
  "'",
  '.',
  '-',
)
const word = fc.array(character, { minLength: 1, maxLength: 5 }).map((characters) => characters.join(''))
const space = fc.constantFrom(' ', ' ', ' ', '  ', '\n', '\u00A0')
const phrase = (max: number) =>
  fc.array(fc.tuple(word, space), { minLength: 1, maxLength: max }).map((pairs) => pairs.flat().join('').trim() || 'a')

const piece = fc.record({
  headline: phrase(3),
  sub: fc.oneof(fc.constant(''), phrase(4)),
  body: phrase(24),
  category: fc.constantFrom(...categories),
  locale: fc.constantFrom(...locales),
  // Few values, for ties, which the id breaks.
  hour: fc.integer({ min: 0, max: 12 }),
})

const corpus = fc.array(piece, { minLength: 0, maxLength: 14 })
const queries = fc.array(
  fc.record({
    pick: fc.nat(),
    from: fc.nat(),
    length: fc.integer({ min: 1, max: 12 }),
    random: fc.option(phrase(2), { freq: 3 }),
    upper: fc.boolean(),
    category: fc.option(fc.constantFrom(...categories), { nil: undefined }),
    language: fc.option(fc.constantFrom(...languages), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 8 }),
    steps: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 2, maxLength: 2 },
)

/** A part of some text of the corpus, or a random phrase. */
function termOf(
  pieces: readonly OraclePiece[],
  {
    pick,
    from,
    length,
    random,
    upper,
  }: { pick: number; from: number; length: number; random: string | null; upper: boolean },
): string {
  const texts = pieces.flatMap((one) => [one.headline, one.sub, one.body]).filter(Boolean)
  const source = random ?? texts[pick % Math.max(texts.length, 1)] ?? 'a'
  const characters = [...foldNaively(source)]
  const start = from % characters.length
  const term =
    characters
      .slice(start, start + length)
      .join('')
      .trim() || 'a'
  return upper
    ? [...term]
        .map((one) =>
          [...one.toUpperCase()].length === 1 && foldNaively(one.toUpperCase()) === one ? one.toUpperCase() : one,
        )
        .join('')
    : term
}

async function allPages(q: string, filter: SearchFilter, limit: number) {
  const found: { id: string; site: string }[] = []
  let cursor: string | undefined
  for (let page = 0; page < 40; page += 1) {
    const answer = await searchPieces(reads, {
      q,
      limit,
      ...filter,
      ...(cursor ? { cursor } : {}),
    })
    assert.equal(answer.partial, undefined, 'a corpus this small is never answered in part')
    assert.equal(answer.count, answer.results.length)
    found.push(...answer.results.map((hit) => ({ id: hit.id.slice(-36), site: hit.match_site })))
    for (const hit of answer.results) checkSnippet(hit, q)
    if (answer.next_cursor === null) return found
    assert.equal(answer.count, limit, 'a page before the last is full')
    cursor = answer.next_cursor
  }
  return found
}

const filterOf = ({ category, language }: SearchFilter): SearchFilter => ({ category, language })

/** For corpora this small: a string in three pieces is common, and a segment has up to four docs. */
const small: IndexingRules = {
  maxPostings: () => 2,
  sampleSize: 100,
  maxBatch: 4,
  minBatch: 1,
  maxSegments: 100,
  maxWait: 0,
}

/** Runs so many index steps, or until nothing is left to do. */
async function runSteps(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    if ((await runIndexStep(indexer, small)) === 'idle') return
  }
}

function checkSnippet({ match_site, snippet }: { match_site: string; snippet: string | null }, q: string): void {
  if (match_site !== 'body') assert.equal(snippet, null)
  else assert.ok(foldNaively(snippet ?? '').includes(foldNaively(q)), `the snippet "${snippet}" lacks "${q}"`)
}

test(`search agrees with the oracle on ${runs} random corpora, page by page`, async () => {
  let asked = 0
  await fc.assert(
    fc.asyncProperty(corpus, queries, async (drawn, asks) => {
      const pieces = await loadCorpus(client, drawn)
      for (const ask of asks) {
        // First everything waits, or is indexed in an older state; then more and more of it is indexed and merged.
        await runSteps(ask.steps)
        const q = termOf(pieces, ask)
        const expected = oracle(pieces, q, ask)
        assert.deepEqual(await allPages(q, filterOf(ask), ask.limit), expected, `q = ${JSON.stringify(q)}`)
        asked += 1
      }
    }),
    { numRuns: runs, endOnFailure: true },
  )
  assert.ok(asked >= runs)
})

test('search agrees with the oracle when thousands of pieces are indexed, merged, changed and gone', async () => {
  const drawn = fc.sample(piece, { numRuns: 3000, seed: 7 })
  const pieces = await loadCorpus(client, drawn)
  const rules = {
    maxPostings: () => 40,
    sampleSize: 1000,
    maxBatch: 700,
    minBatch: 1,
    maxSegments: 100,
    maxWait: 0,
  }
  while ((await runIndexStep(indexer, rules)) !== 'idle');
  for (const ask of fc.sample(queries, { numRuns: 80, seed: 8 }).flat()) {
    const q = termOf(pieces, ask)
    const expected = oracle(pieces, q, ask).slice(0, 100)
    const answer = await searchPieces(reads, { q, limit: 100, ...filterOf(ask) })
    assert.equal(answer.partial, undefined)
    assert.deepEqual(
      answer.results.map((hit) => ({ id: hit.id.slice(-36), site: hit.match_site })),
      expected,
      q,
    )
  }
})
