import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { searchPieces } from '#features/pieces/reads.ts'
import type { ReadContext } from '#platform/context.ts'
import { publicPools } from '#platform/db/pools.ts'
import { urlsFor } from '#platform/urls.ts'
import { testDatabase } from '../../../../testkit/database.ts'
import { testConfig } from '../../../../testkit/pooler.ts'
import { loadCorpus } from '../../../../testkit/search-corpus.ts'
import { type OraclePiece, oracle, plainly } from '../../../../testkit/search-oracle.ts'
import { type FilingRules, fileNext } from './indexer.ts'
import { Filing } from './indexer-lock.ts'

/** Search against the brute-force oracle, on corpora and questions that nobody chose. */

const runs = Number(process.env['SEARCH_RUNS'] ?? 200)

const { url } = await testDatabase()
const pools = publicPools(testConfig({ DATABASE_URL: url, PUBLIC_CONNECTIONS: '2', SEARCH_CONNECTIONS: '2' }))
const reads: ReadContext = { ...pools, searchBudget: 60_000, urls: urlsFor('https://site.test') }
const client = new pg.Client({ connectionString: url })
client.on('error', () => {})
await client.connect()
const filing = new Filing(client)
await filing.hold()
after(() => Promise.all([pools.db.close(), pools.searchDb.close(), client.end()]))

const categories = ['building', 'life', 'civic'] as const

/** Few letters, so that random texts do match; and all that is hard: accents, CJK, emoji, wildcards, odd case pairs. */
const letter = fc.constantFrom(
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
const word = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''))
const space = fc.constantFrom(' ', ' ', ' ', '  ', '\n', '\u00A0')
const phrase = (most: number) =>
  fc.array(fc.tuple(word, space), { minLength: 1, maxLength: most }).map((pairs) => pairs.flat().join('').trim() || 'a')

const piece = fc.record({
  headline: phrase(3),
  sub: fc.oneof(fc.constant(''), phrase(4)),
  body: phrase(24),
  category: fc.constantFrom(...categories),
  // Ties in time are settled by the id.
  hour: fc.integer({ min: 0, max: 12 }),
})

const corpus = fc.array(piece, { minLength: 0, maxLength: 14 })
const questions = fc.array(
  fc.record({
    pick: fc.nat(),
    from: fc.nat(),
    length: fc.integer({ min: 1, max: 12 }),
    random: fc.option(phrase(2), { freq: 3 }),
    upper: fc.boolean(),
    category: fc.option(fc.constantFrom(...categories)),
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
  const characters = [...plainly(source)]
  const start = from % characters.length
  const term =
    characters
      .slice(start, start + length)
      .join('')
      .trim() || 'a'
  return upper
    ? [...term]
        .map((one) =>
          [...one.toUpperCase()].length === 1 && plainly(one.toUpperCase()) === one ? one.toUpperCase() : one,
        )
        .join('')
    : term
}

async function allPages(q: string, category: string | null, limit: number) {
  const found: { id: string; site: string }[] = []
  let cursor: string | undefined
  for (let page = 0; page < 40; page += 1) {
    const answer = await searchPieces(reads, {
      q,
      limit,
      ...(category ? { category: category as 'life' } : {}),
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

/** For corpora this small: a string in three pieces is common, and a volume holds a handful. */
const small: FilingRules = {
  mostPieces: () => 2,
  sampled: 100,
  mostFiled: 4,
  fewestFiled: 1,
  mostVolumes: 100,
  longestWait: 0,
}

/** Files so many times what waits, or until nothing is left to do. */
async function file(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    if ((await fileNext(filing, small)) === 'idle') return
  }
}

function checkSnippet({ match_site, snippet }: { match_site: string; snippet: string | null }, q: string): void {
  if (match_site !== 'body') assert.equal(snippet, null)
  else assert.ok(plainly(snippet ?? '').includes(plainly(q)), `the snippet "${snippet}" lacks "${q}"`)
}

test(`search agrees with the oracle on ${runs} random corpora, page by page`, async () => {
  let asked = 0
  await fc.assert(
    fc.asyncProperty(corpus, questions, async (drawn, asks) => {
      const pieces = await loadCorpus(client, drawn)
      for (const ask of asks) {
        // First everything waits, or is filed as it was before; then more and more of it is filed and bound.
        await file(ask.steps)
        const q = termOf(pieces, ask)
        const expected = oracle(pieces, q, ask.category ?? undefined)
        assert.deepEqual(await allPages(q, ask.category, ask.limit), expected, `q = ${JSON.stringify(q)}`)
        asked += 1
      }
    }),
    { numRuns: runs, endOnFailure: true },
  )
  assert.ok(asked >= runs)
})

test('search agrees with the oracle when thousands of pieces are filed, bound, changed and gone', async () => {
  const drawn = fc.sample(piece, { numRuns: 3000, seed: 7 })
  const pieces = await loadCorpus(client, drawn)
  const rules = {
    mostPieces: () => 40,
    sampled: 1000,
    mostFiled: 700,
    fewestFiled: 1,
    mostVolumes: 100,
    longestWait: 0,
  }
  while ((await fileNext(filing, rules)) !== 'idle');
  for (const ask of fc.sample(questions, { numRuns: 80, seed: 8 }).flat()) {
    const q = termOf(pieces, ask)
    const expected = oracle(pieces, q, ask.category ?? undefined).slice(0, 100)
    const answer = await searchPieces(reads, { q, limit: 100, ...(ask.category ? { category: ask.category } : {}) })
    assert.equal(answer.partial, undefined)
    assert.deepEqual(
      answer.results.map((hit) => ({ id: hit.id.slice(-36), site: hit.match_site })),
      expected,
      q,
    )
  }
})
