import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrateTo } from '../../server/sql/migrate.ts'
import { scratchDatabase } from '../../testkit/database.ts'
import { codeBlocksIn } from '../../testkit/file-formats.ts'
import { startReceiver } from '../../testkit/receivers.ts'
import {
  checkOutPrevious,
  factoriesOf,
  type Load,
  type Release,
  type Running,
  releaseIn,
  startLoad,
} from './upgrade-site.ts'

/**
 * An upgrade and rollback under load: the previous release on this release's database. It shows that both releases work
 * with a migration, not how long the migration takes on large tables.
 */

const root = join(import.meta.dirname, '../..')
const previous = checkOutPrevious()
const rounds = 4

/** CONTRIBUTING.md's example migration, which has every kind of step, in addition to this release's. */
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const expand = { name: '9990_expand.sql', text: codeBlocksIn(guide).find(({ language }) => language === 'sql')!.code }

const contract = {
  name: '9991_contract.sql',
  text: 'set local role svc_owner; alter table app.pieces drop column frame cascade',
}

const { url, admin } = await scratchDatabase()
const receiver = await startReceiver()
const before = releaseIn(previous, url, receiver)
const now = releaseIn(root, url, receiver)

/** What doctor reports as broken, except the desk, which is not built in a checkout. */
async function brokenTo(release: Release): Promise<string[]> {
  const { output } = await release.run('doctor')
  return output.split('\n').filter((line) => line.startsWith('✗') && !line.includes('desk is not built'))
}

async function begin(): Promise<{ server: Running; worker: Running; load: Load }> {
  for (const command of [['migrate'], ['seed', '--pieces', '20', '--authors', '3']]) {
    const { code, output } = await before.run(...command)
    assert.equal(code, 0, output)
  }
  const [server, worker] = await Promise.all([before.startReady('serve'), before.startReady('worker')])
  const load = await startLoad(admin, await import(join(previous, factoriesOf(previous))), receiver, [server])
  await load.rounds(rounds)
  return { server, worker, load }
}

const { load, ...old } = await begin()

test('from the release before to this one and back, under load, no request fails and everything published is told', async () => {
  assert.deepEqual(load.failures, [], 'the release before, on its own database')
  const server = await now.start('serve')
  const migrated = await now.run('migrate')
  assert.equal(migrated.code, 0, migrated.output)
  await migrateTo(url, [expand])
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'the release before, on the new database')
  assert.equal((await old.server.readyz()).status, 200)
  assert.deepEqual(await Promise.all([brokenTo(before), brokenTo(now)]), [[], []])

  const worker = await now.startReady('worker')
  await server.untilReady()
  load.servers = [old.server, server]
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'both releases at once')
  load.servers = [server]
  await load.rounds(1)
  await Promise.all([old.server.stop(), old.worker.stop()])
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'this release')

  Object.assign(old, { server: await before.startReady('serve'), worker: await before.startReady('worker') })
  load.servers = [server, old.server]
  await load.rounds(rounds)
  load.servers = [old.server]
  await load.rounds(1)
  await Promise.all([server.stop(), worker.stop()])
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'the release before again')
  await load.allDelivered()
  assert.ok(load.published.size >= 3 * 6 * rounds, String(load.published.size))
})

test('a migration that drops a column which the release before reads is found', async () => {
  assert.deepEqual(load.failures, [])
  await migrateTo(url, [contract])
  await load.rounds(rounds)
  assert.match(load.failures[0] ?? '', /: 500 /)
  await load.end()
  await Promise.all([old.server.stop(), old.worker.stop()])
})
