import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { searchPieces } from '#features/pieces/reads.ts'
import { readConfig } from '#platform/config.ts'
import { publicPools } from '#platform/db/pools.ts'
import { urlsFor } from '#platform/urls.ts'
import { loadCorpus } from '#testing/corpus.ts'
import { testDatabase } from '#testing/database.ts'
import { drawPieces, drawTerms, readIndex, smallVolumes } from '#testing/filing.ts'
import { type OraclePiece, oracle } from '#testing/oracle.ts'
import { begin } from '#testing/program.ts'
import { fileNext } from './filing.ts'
import { holdFiling, openFiling } from './filing-connection.ts'

/** Processes that file, killed in the middle and started at once: the operator's own program. */

const { url, admin } = await testDatabase()
const pools = publicPools(readConfig({ DATABASE_URL: url, PUBLIC_CONNECTIONS: '1', SEARCH_CONNECTIONS: '1' }))
const reads = { ...pools, searchBudget: 60_000, urls: urlsFor('https://house.test') }
const client = await openFiling({ url })
after(() => Promise.all([pools.db.close(), pools.searchDb.close(), client.end()]))

const startBuild = (): ChildProcess => begin({ DATABASE_URL: url }, 'search', 'build')
const endOf = async (child: ChildProcess): Promise<number | null> => child.exitCode ?? (await once(child, 'exit'))[0]

const drawn = drawPieces(600, 3)
const terms = drawTerms(drawn, 30)

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

/** Kills a build as soon as it wants to write what this statement locks. */
async function killWhenItMeets(lock: string): Promise<void> {
  await client.query('begin')
  await client.query(lock)
  const child = startBuild()
  for (;;) {
    const { rowCount } = await admin.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'standfirst filing' and wait_event_type = 'Lock'",
    )
    if (rowCount) break
    assert.equal(child.exitCode, null, 'it ended before it wrote')
    await pause(50)
  }
  child.kill('SIGKILL')
  await endOf(child)
  await client.query('rollback')
  // Its connection hears of it when it next speaks to nobody.
  while (!(await holdFiling(client))) await pause(50)
  await client.query('select pg_advisory_unlock_all()')
}

for (const table of ['search.volumes', 'search.members', 'search.pages', 'search.waiting']) {
  test(`a process killed while it files, about to write ${table}, leaves nothing lost or double`, async () => {
    const pieces = await loadCorpus(client, drawn)
    await killWhenItMeets(untouched(table))
    assert.equal((await readIndex(admin)).waiting.length, pieces.length)
    await demandWhole(pieces)
    assert.equal(await endOf(startBuild()), 0)
    await demandOnce(pieces)
  })
}

/** So many volumes that a build has to bind them. */
async function loadInVolumes(): Promise<OraclePiece[]> {
  const pieces = await loadCorpus(client, drawn)
  while ((await fileNext(client, { ...smallVolumes, mostFiled: 100 })) !== 'bound')
    if ((await readIndex(admin)).waiting.length === 0) break
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
    assert.equal(await endOf(startBuild()), 0)
    await demandOnce(pieces)
  })
}

test('a process killed at any other moment leaves nothing lost or double', async () => {
  for (const milliseconds of [900, 1100, 1300, 1600]) {
    const pieces = await loadInVolumes()
    const child = startBuild()
    await pause(milliseconds)
    child.kill('SIGKILL')
    await endOf(child)
    await demandWhole(pieces)
    assert.equal(await endOf(startBuild()), 0)
    await demandOnce(pieces)
  }
})

test('two processes that file at once never file the same', async () => {
  const pieces = await loadCorpus(client, drawn)
  await admin.query("update search.volumes set state = 'retired', retired_at = now()")
  const { rows: before } = await admin.query('select coalesce(max(id), 0) as last from search.volumes')
  assert.deepEqual(await Promise.all([endOf(startBuild()), endOf(startBuild())]), [0, 0])
  const { rows } = await admin.query('select pieces from search.volumes where id > $1', [before[0].last])
  assert.deepEqual(
    rows.map((volume) => volume.pieces),
    [pieces.length],
  )
  await demandOnce(pieces)
})
