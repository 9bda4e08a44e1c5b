import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { publicPools } from '../../server/config/pools.ts'
import { runIndexStep } from '../../server/features/pieces/search/indexer.ts'
import { IndexerConnection } from '../../server/features/pieces/search/indexer-lock.ts'
import { searchByWords } from '../../server/features/pieces/words-reads.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { seedSite } from '../../server/seed/seed.ts'
import type { SitePlan } from '../../server/seed/site-plan.ts'
import { testConfig, testDatabase } from '../../testkit/database.ts'
import { labelledQuestions, questionClasses } from '../../testkit/words-questions.ts'

/** Questions as readers type them, in a generated site. `npm run bench:search -- --steps words` asks larger ones. */

const plan: SitePlan = { authors: 20, pieces: 2_000, rng: 1, until: new Date('2026-11-15T00:00:00Z'), unfiled: true }
const { url } = await testDatabase()
await seedSite(url, plan)
const client = new pg.Client({ connectionString: url })
client.on('error', () => {})
await client.connect()
const indexer = new IndexerConnection(client)
await indexer.acquireLease()
while ((await runIndexStep(indexer)) !== 'idle');
const pools = publicPools(testConfig({ DATABASE_URL: url, PUBLIC_CONNECTIONS: '2', SEARCH_CONNECTIONS: '2' }))
const reads = { ...pools, searchBudget: 60_000, urls: urlsFor('https://site.test') }
after(() => Promise.all([pools.db.close(), pools.searchDb.close(), client.end()]))

test('of 300 questions, the piece that is meant is among the first five for 285 or more', async () => {
  const missed: string[] = []
  const asked = labelledQuestions(plan, 20_261_118, 300)
  assert.equal(asked.length, 300)
  for (const { class: kind, q, id } of asked) {
    const { results, partial } = await searchByWords(reads, { q, limit: 5 })
    assert.equal(partial, undefined, q)
    if (!results.some((hit) => hit.id.endsWith(id))) missed.push(`${kind}: ${q}`)
  }
  assert.ok(missed.length <= 15, `${missed.length} missed:\n${missed.join('\n')}`)
  for (const kind of questionClasses)
    assert.ok(missed.filter((one) => one.startsWith(`${kind}:`)).length <= 9, `${kind}:\n${missed.join('\n')}`)
})
