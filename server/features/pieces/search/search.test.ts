import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { searchPieces } from '#features/pieces/reads.ts'
import { readConfig } from '#platform/config.ts'
import type { ReadContext } from '#platform/context.ts'
import { publicPools } from '#platform/db/pools.ts'
import { urlsFor } from '#platform/urls.ts'
import { loadCorpus } from '#testing/corpus.ts'
import { testDatabase } from '#testing/database.ts'
import { type OraclePiece, oracle, plainly } from '#testing/oracle.ts'
import { findPieces } from './find.ts'
import type { Hit } from './hit.ts'
import type { Planner } from './plan.ts'
import { refreshSample } from './sample.ts'
import { narrowingsOf } from './term.ts'

/** Search against the brute-force oracle, on corpora and questions that nobody chose. */

const runs = Number(process.env['SEARCH_RUNS'] ?? 200)

const { url } = await testDatabase()
const pools = publicPools(readConfig({ DATABASE_URL: url, PUBLIC_CONNECTIONS: '2', SEARCH_CONNECTIONS: '2' }))
const reads: ReadContext = { ...pools, searchBudget: 60_000, urls: urlsFor('https://house.test') }
const client = new pg.Client({ connectionString: url })
client.on('error', () => {})
await client.connect()
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
    ways: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
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

/** Goes on in whatever way it is told to, in windows of a few pieces, so that small corpora meet every kind of statement. */
function anyWay(ways: readonly number[]): Planner {
  let turn = 0
  const way = () => ways[turn++ % ways.length]!
  return {
    firstWindow: 1 + (way() % 3),
    next(progress) {
      const narrowings = narrowingsOf(progress.term, progress.site, progress.sample)
      const narrowing = narrowings[way() % (narrowings.length + 1)]
      if (!narrowing) return { walk: 1 + (way() % 4) }
      taken[narrowing.by] += 1
      return { lookUp: narrowing }
    },
  }
}
const taken = { trigrams: 0, keys: 0 }

async function allPagesAnyWay(q: string, category: string | null, limit: number, ways: readonly number[]) {
  const found: Hit[] = []
  for (let page = 0; page < 40; page += 1) {
    const { hits, partial } = await findPieces(
      pools.searchDb,
      { q, limit: limit + 1, budget: 60_000, category: (category ?? undefined) as 'life', after: found.at(-1) },
      anyWay(ways),
    )
    assert.equal(partial, undefined)
    found.push(...hits.slice(0, limit))
    if (hits.length <= limit) break
  }
  return found.map(({ id, site }) => ({ id, site }))
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
        const q = termOf(pieces, ask)
        const expected = oracle(pieces, q, ask.category ?? undefined)
        assert.deepEqual(await allPages(q, ask.category, ask.limit), expected, `q = ${JSON.stringify(q)}`)
        const anyway = await allPagesAnyWay(q, ask.category, ask.limit, ask.ways)
        assert.deepEqual(anyway, expected, `another way: q = ${JSON.stringify(q)}`)
        asked += 1
      }
    }),
    { numRuns: runs, endOnFailure: true },
  )
  assert.ok(asked >= runs)
  assert.ok(taken.trigrams > runs / 10 && taken.keys > runs / 10, JSON.stringify(taken))
})

test('search agrees with the oracle whichever way its plan goes', async () => {
  const drawn = fc.sample(piece, { numRuns: 3000, seed: 7 })
  const pieces = await loadCorpus(client, drawn)
  await client.query('analyze pub.piece_texts')
  await refreshSample(pools.searchDb)
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
