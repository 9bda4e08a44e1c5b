import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { readConfig } from '#config/config.ts'
import { publicPools } from '#config/pools.ts'
import { searchPieces } from '#features/pieces/reads.ts'
import { urlsFor } from '#features/urls.ts'
import { spawnCli } from '../../../../testkit/cli.ts'
import { testDatabase } from '../../../../testkit/database.ts'
import {
  loadCorpus,
  makePieces,
  makeTerms,
  type OraclePiece,
  oracle,
  readIndex,
  smallSegments,
} from '../../../../testkit/search.ts'
import { until } from '../../../../testkit/waiting.ts'
import { build } from '../../../commands/search.ts'
import { runIndexStep } from './indexer.ts'
import { openIndexerConnection } from './indexer-lock.ts'

/** Indexer processes that are killed halfway, or started at the same time: `standfirst search build`. */

const { url, admin } = await testDatabase()
const config = readConfig({ DATABASE_URL: url, PUBLIC_CONNECTIONS: '1', SEARCH_CONNECTIONS: '1' })
const pools = publicPools(config)
const reads = { ...pools, searchBudget: 60_000, urls: urlsFor('https://site.test') }
const indexer = await openIndexerConnection({ url })
const { client } = indexer
after(() => Promise.all([pools.db.close(), pools.searchDb.close(), indexer.end()]))

const startBuild = (): ChildProcess => spawnCli({ DATABASE_URL: url }, 'search', 'build')
const endOf = async (child: ChildProcess): Promise<number | null> => child.exitCode ?? (await once(child, 'exit'))[0]

const corpus = makePieces(300, 3)
const terms = makeTerms(corpus, 20)

async function assertComplete(pieces: readonly OraclePiece[]): Promise<void> {
  for (const q of terms) {
    const { results, partial } = await searchPieces(reads, { q, limit: 100 })
    assert.equal(partial, undefined)
    const expected = oracle(pieces, q).slice(0, 100)
    assert.deepEqual(
      results.map((hit) => ({ id: hit.id.slice(-36), site: hit.match_site })),
      expected,
      q,
    )
  }
}

/** All rows of the index belong to a segment, and every piece is indexed once. */
async function assertIndexedOnce(pieces: readonly OraclePiece[]): Promise<void> {
  const { indexed, waiting, orphans } = await readIndex(admin)
  assert.deepEqual({ waiting, orphans }, { waiting: [], orphans: 0 })
  assert.deepEqual(indexed, pieces.map(({ id }) => id).sort())
  await assertComplete(pieces)
}

const lockTable = (table: string) => `lock table ${table} in share mode`

const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
/** SQL condition: a build has a connection for which `condition` holds. */
const connected = (condition = 'true') =>
  `exists (select from pg_stat_activity where datname = current_database() and application_name = 'standfirst indexer'
     and pid <> ${own[0]!.pid} and ${condition})`

/** Kills a build as soon as the condition holds in the database. It may end before only with `mayEnd`. */
async function killWhen(condition: string, mayEnd = false): Promise<void> {
  const child = startBuild()
  await until(async () => {
    if (mayEnd && child.exitCode !== null) return true
    assert.equal(child.exitCode, null, 'it ended before it could be killed')
    return (await admin.query(`select where ${condition}`)).rowCount
  }, condition)
  child.kill('SIGKILL')
  await endOf(child)
}

/** PostgreSQL notices the death of a process only when it next writes to it; the lease is made to expire here. */
async function untilNoIndexer(): Promise<void> {
  await until(async () => {
    await admin.query("update search.lease set until = '-infinity'")
    return indexer.acquireLease()
  }, 'the killed process no longer indexes')
  await admin.query("update search.lease set until = '-infinity'")
}

/** Kills a build as soon as it waits for this lock. */
async function killAtLock(lock: string): Promise<void> {
  await client.query('begin')
  await client.query(lock)
  await killWhen(connected("wait_event_type = 'Lock'"))
  await client.query('rollback')
  await untilNoIndexer()
}

for (const table of ['search.volumes', 'search.members', 'search.pages', 'search.waiting']) {
  test(`a process killed while it indexes, about to write ${table}, leaves nothing lost or double`, async () => {
    const pieces = await loadCorpus(client, corpus)
    await killAtLock(lockTable(table))
    assert.equal((await readIndex(admin)).waiting.length, pieces.length)
    await assertComplete(pieces)
    await build(config)
    await assertIndexedOnce(pieces)
  })
}

/** With so many segments that a build has to merge them. */
async function loadInSegments(): Promise<OraclePiece[]> {
  const pieces = await loadCorpus(client, corpus)
  await untilNoIndexer()
  while ((await runIndexStep(indexer, { ...smallSegments, maxBatch: 50 })) !== 'merged')
    if ((await readIndex(admin)).waiting.length === 0) break
  await untilNoIndexer()
  return pieces
}

const mergeMoments = {
  'before it begins': lockTable('search.volumes'),
  'when it has a segment without docs': lockTable('search.members'),
  'when it has a segment without postings': lockTable('search.pages'),
  'when all is written and nothing is exchanged': 'select from search.volumes order by id desc limit 1 for update',
}

for (const [moment, lock] of Object.entries(mergeMoments)) {
  test(`a process killed while it merges, ${moment}, leaves nothing lost or double`, async () => {
    const pieces = await loadInSegments()
    await killAtLock(lock)
    await assertComplete(pieces)
    await build(config)
    await assertIndexedOnce(pieces)
  })
}

const otherMoments: Readonly<Record<string, (last: number) => string>> = {
  'has connected': () => connected(),
  'has the lease': () => 'exists (select from search.lease where until > clock_timestamp())',
  'writes its first row': () => connected('backend_xid is not null'),
  'has committed a segment': (last) => `exists (select from search.volumes where state = 'ready' and id > ${last})`,
}

for (const [moment, condition] of Object.entries(otherMoments)) {
  test(`a process killed as soon as it ${moment} leaves nothing lost or double`, async () => {
    const pieces = await loadInSegments()
    await killWhen(condition(await lastSegment()), true)
    await assertComplete(pieces)
    await untilNoIndexer()
    assert.equal(await endOf(startBuild()), 0)
    await assertIndexedOnce(pieces)
  })
}

async function lastSegment(): Promise<number> {
  const { rows } = await admin.query<{ last: number }>('select coalesce(max(id), 0) as last from search.volumes')
  return rows[0]!.last
}

test('two processes that index at once never index the same', async () => {
  const pieces = await loadCorpus(client, corpus)
  await admin.query("update search.volumes set state = 'retired', retired_at = now()")
  const last = await lastSegment()
  assert.deepEqual(await Promise.all([endOf(startBuild()), endOf(startBuild())]), [0, 0])
  const { rows } = await admin.query('select pieces from search.volumes where id > $1', [last])
  assert.deepEqual(
    rows.map((segment) => segment.pieces),
    [pieces.length],
  )
  await assertIndexedOnce(pieces)
})
