import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrateTo } from '../../server/platform/db/migrate.ts'
import { scratchDatabase } from '../../testkit/database.ts'
import { fencesIn } from '../../testkit/md-blocks.ts'
import { startReceiver } from '../../testkit/webhook-receiver.ts'
import { checkOutPrevious } from './previous-release.ts'
import { factoriesOf, type Load, type Release, type Running, releaseIn, startLoad } from './upgrade-site.ts'

/**
 * An upgrade and the way back, under load: the release before this one, on the database of this one. What it shows of a
 * migration is that both releases work with it; nothing of how long it takes on large tables.
 */

const root = join(import.meta.dirname, '../..')
const previous = checkOutPrevious()
const rounds = 4

/** The example of CONTRIBUTING.md, which has every kind of step, besides whatever this release brings. */
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const expand = { name: '9990_expand.sql', text: fencesIn(guide).find(({ language }) => language === 'sql')!.code }

const contract = {
  name: '9991_contract.sql',
  text: 'set local role svc_owner; alter table app.pieces drop column frame cascade',
}

const { url, admin } = await scratchDatabase()
const receiver = await startReceiver()
const before = releaseIn(previous, url, receiver)
const now = releaseIn(root, url, receiver)

/** What doctor finds broken, apart from the desk, which is not built in a checkout. */
async function brokenTo(release: Release): Promise<string[]> {
  const { said } = await release.run('doctor')
  return said.split('\n').filter((line) => line.startsWith('✗') && !line.includes('desk is not built'))
}

async function begin(): Promise<{ server: Running; worker: Running; load: Load }> {
  for (const command of [['migrate'], ['seed', '--pieces', '20', '--authors', '3']]) {
    const { code, said } = await before.run(...command)
    assert.equal(code, 0, said)
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
  assert.equal(migrated.code, 0, migrated.said)
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
  await load.allTold()
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
