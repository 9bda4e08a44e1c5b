import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { searchPieces } from '#features/pieces/reads.ts'
import { readConfig } from '#platform/config.ts'
import { publicPools } from '#platform/db/pools.ts'
import { urlsFor } from '#platform/urls.ts'
import { testDatabase } from '../../../../testkit/database.ts'
import { begin } from '../../../../testkit/program.ts'
import { loadCorpus } from '../../../../testkit/search-corpus.ts'
import { drawPieces, drawTerms, readIndex, smallVolumes } from '../../../../testkit/search-index.ts'
import { type OraclePiece, oracle } from '../../../../testkit/search-oracle.ts'
import { until } from '../../../../testkit/until.ts'
import { build } from '../../../commands/search-build.ts'
import { fileNext } from './indexer.ts'
import { openFiling } from './indexer-lock.ts'

/** Processes that file, killed in the middle and started at once: `standfirst search build`. */

const { url, admin } = await testDatabase()
const config = readConfig({ DATABASE_URL: url, PUBLIC_CONNECTIONS: '1', SEARCH_CONNECTIONS: '1' })
const pools = publicPools(config)
const reads = { ...pools, searchBudget: 60_000, urls: urlsFor('https://site.test') }
const filing = await openFiling({ url })
const { client } = filing
after(() => Promise.all([pools.db.close(), pools.searchDb.close(), filing.end()]))

const startBuild = (): ChildProcess => begin({ DATABASE_URL: url }, 'search', 'build')
const endOf = async (child: ChildProcess): Promise<number | null> => child.exitCode ?? (await once(child, 'exit'))[0]

const drawn = drawPieces(300, 3)
const terms = drawTerms(drawn, 20)

async function demandWhole(pieces: readonly OraclePiece[]): Promise<void> {
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

/** All that was filed belongs to a volume, and every piece is filed once. */
async function demandOnce(pieces: readonly OraclePiece[]): Promise<void> {
  const { filed, waiting, strays } = await readIndex(admin)
  assert.deepEqual({ waiting, strays }, { waiting: [], strays: 0 })
  assert.deepEqual(filed, pieces.map(({ id }) => id).sort())
  await demandWhole(pieces)
}

const untouched = (table: string) => `lock table ${table} in share mode`

const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
/** SQL: whether a build has a connection that is also so. */
const connected = (also = 'true') =>
  `exists (select from pg_stat_activity where datname = current_database() and application_name = 'standfirst filing'
     and pid <> ${own[0]!.pid} and ${also})`

/** Kills a build as soon as this is true of the database. It may end first only where `mayEnd` says so. */
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

/** Its connection hears of the end when it next speaks to nobody; its lease ends by the clock. */
async function untilNobodyFiles(): Promise<void> {
  await until(async () => {
    await admin.query("update search.lease set until = '-infinity'")
    return filing.hold()
  }, 'the killed process no longer files')
  await admin.query("update search.lease set until = '-infinity'")
}

/** Kills a build as soon as it wants to write what this statement locks. */
async function killWhenItMeets(lock: string): Promise<void> {
  await client.query('begin')
  await client.query(lock)
  await killWhen(connected("wait_event_type = 'Lock'"))
  await client.query('rollback')
  await untilNobodyFiles()
}

for (const table of ['search.volumes', 'search.members', 'search.pages', 'search.waiting']) {
  test(`a process killed while it files, about to write ${table}, leaves nothing lost or double`, async () => {
    const pieces = await loadCorpus(client, drawn)
    await killWhenItMeets(untouched(table))
    assert.equal((await readIndex(admin)).waiting.length, pieces.length)
    await demandWhole(pieces)
    await build(config)
    await demandOnce(pieces)
  })
}

/** So many volumes that a build has to bind them. */
async function loadInVolumes(): Promise<OraclePiece[]> {
  const pieces = await loadCorpus(client, drawn)
  await untilNobodyFiles()
  while ((await fileNext(filing, { ...smallVolumes, mostFiled: 50 })) !== 'bound')
    if ((await readIndex(admin)).waiting.length === 0) break
  await untilNobodyFiles()
  return pieces
}

const momentsOfBinding = {
  'before it begins': untouched('search.volumes'),
  'when it has a volume without members': untouched('search.members'),
  'when it has a volume without lists': untouched('search.pages'),
  'when all is written and nothing is exchanged': 'select from search.volumes order by id desc limit 1 for update',
}

for (const [moment, lock] of Object.entries(momentsOfBinding)) {
  test(`a process killed while it binds, ${moment}, leaves nothing lost or double`, async () => {
    const pieces = await loadInVolumes()
    await killWhenItMeets(lock)
    await demandWhole(pieces)
    await build(config)
    await demandOnce(pieces)
  })
}

const otherMoments: Readonly<Record<string, (last: number) => string>> = {
  'has connected': () => connected(),
  'has the lease': () => 'exists (select from search.lease where until > clock_timestamp())',
  'writes its first row': () => connected('backend_xid is not null'),
  'has committed a volume': (last) => `exists (select from search.volumes where state = 'ready' and id > ${last})`,
}

for (const [moment, condition] of Object.entries(otherMoments)) {
  test(`a process killed as soon as it ${moment} leaves nothing lost or double`, async () => {
    const pieces = await loadInVolumes()
    await killWhen(condition(await lastVolume()), true)
    await demandWhole(pieces)
    await untilNobodyFiles()
    assert.equal(await endOf(startBuild()), 0)
    await demandOnce(pieces)
  })
}

async function lastVolume(): Promise<number> {
  const { rows } = await admin.query<{ last: number }>('select coalesce(max(id), 0) as last from search.volumes')
  return rows[0]!.last
}

test('two processes that file at once never file the same', async () => {
  const pieces = await loadCorpus(client, drawn)
  await admin.query("update search.volumes set state = 'retired', retired_at = now()")
  const last = await lastVolume()
  assert.deepEqual(await Promise.all([endOf(startBuild()), endOf(startBuild())]), [0, 0])
  const { rows } = await admin.query('select pieces from search.volumes where id > $1', [last])
  assert.deepEqual(
    rows.map((volume) => volume.pieces),
    [pieces.length],
  )
  await demandOnce(pieces)
})
