import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../../server/config/config.ts'
import { startWorker } from '../../server/main/worker.ts'
import { Database } from '../../server/platform/db/database.ts'
import type { ReadRouter, ReadTarget } from '../../server/platform/db/read-routing.ts'
import { ReplicaDatabase } from '../../server/platform/db/replica-database.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { silentLog } from '../../testkit/log.ts'
import { startPurgeReceiver } from '../../testkit/receivers.ts'
import { missingPostgres, replicaSite, skippedSite } from '../../testkit/replica-site.ts'

const site = missingPostgres ? skippedSite : await replicaSite({ LOAD_FACTOR: '1', TIMEOUT_FACTOR: '1' })

describe('public reads with a replica', { skip: missingPostgres }, () => {
  let desk: Desk

  before(async () => {
    desk = deskOf(site.app, await makeWriter(site.admin))
    await site.untilFresh()
  })

  const statusOf = async (id: string, cookie?: string): Promise<number> =>
    (await site.app.inject({ url: `/api/public/pieces/${id}`, headers: cookie ? { cookie } : {} })).statusCode

  test('whatever is public is read from the replica while it is fresh', async () => {
    const id = await desk.begin()
    await desk.act('publish', id)
    await site.untilFresh()
    const { replica, primary } = await site.readsByPlace()
    for (let count = 0; count < 20; count += 1) assert.equal(await statusOf(id), 200)
    const now = await site.readsByPlace()
    assert.deepEqual([now.replica - replica, now.primary - primary], [20, 0])
  })

  test('what is published while the replica stands still is read at once, and what is unpublished is gone', async () => {
    const [shown, hidden] = [await desk.begin({ headline: 'Shown while it stands still' }), await desk.begin()]
    await desk.act('publish', hidden)
    await site.untilFresh()
    await site.pauseReplay()
    assert.equal((await desk.act('publish', shown)).statusCode, 200)
    assert.equal(await statusOf(shown), 200)
    assert.equal((await desk.act('unpublish', hidden)).statusCode, 200)
    assert.equal(await statusOf(hidden), 404)
    const recent = await site.app.inject('/api/public/pieces/recent')
    assert.match(recent.body, new RegExp(shown))
    assert.doesNotMatch(recent.body, new RegExp(hidden))
    const found = await site.app.inject('/api/public/pieces/search?q=stands%20still')
    assert.match(found.body, new RegExp(shown))
    await site.resumeReplay()
    await site.untilFresh()
    assert.equal(await statusOf(shown), 200)
  })

  test('whoever waits for a late replica waits for a tenth of a second, and nobody after them', async () => {
    const id = await desk.begin()
    await site.pauseReplay()
    await desk.act('publish', id)
    const waited = await site.waits()
    assert.equal(await statusOf(id), 200)
    assert.ok((await site.waits()) - waited < 0.2)
    await pause(100)
    const now = await site.waits()
    for (let count = 0; count < 5; count += 1) assert.equal(await statusOf(id), 200)
    assert.equal(await site.waits(), now)
    await site.resumeReplay()
    await site.untilFresh()
  })

  test('an act before readers’ eyes answers with the position of its writer’s own work, and another does not', async () => {
    const id = await desk.begin()
    const saved = await desk.ask('PATCH', `pieces/${id}`, { headline: 'Another' }, { 'if-match': '"1"' })
    assert.equal(saved.statusCode, 200, saved.body)
    assert.equal(saved.headers['set-cookie'], undefined)
    const shape = /^__Host-wrote=[0-9A-F]{1,8}\/[0-9A-F]{1,8}; Path=\/; Max-Age=30; HttpOnly; SameSite=Lax; Secure$/
    for (const act of ['publish', 'unpublish'] as const)
      assert.match(String((await desk.act(act, id)).headers['set-cookie']), shape)
    const named = await desk.ask('PATCH', 'profile', { bio: 'Somebody.' })
    assert.match(String(named.headers['set-cookie']), shape)
  })

  test('a position of a writer’s own work is seen, one that is made up costs no time, and nonsense is nothing', async () => {
    const id = await desk.begin()
    const published = await desk.act('publish', id)
    const [cookie] = String(published.headers['set-cookie']).split(';')
    assert.equal(await statusOf(id, cookie), 200)
    await site.untilFresh()
    for (const [made, place] of [
      ['__Host-wrote=FFFFFFFF/FFFFFFFF', 'primary'],
      ['__Host-wrote=not/one', 'replica'],
      ['__Host-wrote=0/0', 'replica'],
      ['__Host-wrote=', 'replica'],
      ['__Host-wrote=1/2/3', 'replica'],
      ['__Host-wrote=0000000000/1', 'replica'],
      ["__Host-wrote=0/1'; drop table x", 'replica'],
    ] as const) {
      const earlier = await site.readsByPlace()
      const waited = await site.waits()
      assert.equal(await statusOf(id, made), 200)
      assert.equal((await site.readsByPlace())[place], earlier[place] + 1, made)
      assert.ok((await site.waits()) - waited < 0.09, made)
    }
  })

  test('what a replica cancels for what it replays is read at the primary', async () => {
    const kind = { role: 'svc_public', connections: 1, statementTimeout: 5000, readsOnly: true } as const
    const primary = new Database({ ...kind, name: 'primary', url: site.atPrimary() })
    const places: ReadTarget[] = []
    const freshness = { current: 'replica', move: (place: ReadTarget) => places.push(place), doubtReplica: () => {} }
    const { role: _, ...signedIn } = kind
    const db = new ReplicaDatabase(
      { ...signedIn, name: 'replica', url: site.atReplica() },
      primary,
      freshness as unknown as ReadRouter,
    )
    const slow = db.run<{ there: boolean }>({
      text: 'select pg_is_in_recovery() as there, count(*), pg_sleep(2) from pub.pieces group by 1',
    })
    await pause(300)
    await site.admin.query('begin; lock table pub.pieces in access exclusive mode; commit')
    assert.deepEqual(
      (await slow).map(({ there }) => there),
      [false],
    )
    assert.deepEqual(places, ['primary'])
    await db.close()
  })

  test('a cache is told although a replica is late, and told again when it has come', async () => {
    const cache = await startPurgeReceiver()
    const config = readConfig({
      DATABASE_URL: site.atPrimary(),
      REPLICA_DATABASE_URL: site.atReplica(),
      BASE_URL: 'https://site.test',
      AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
      SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
      PURGE_URL: cache.url,
    })
    const failures: unknown[] = []
    const log = silentLog()
    log.warn = (line: { event?: string }) => void failures.push(line.event)
    const worker = await startWorker(config, log)
    const id = await desk.begin()
    const purges = () => cache.received.filter(({ tags }) => tags.some((tag) => tag.includes(id))).length
    const until = async (what: string, isSo: () => boolean, within: number) => {
      const end = Date.now() + within
      while (!isSo()) {
        assert.ok(Date.now() < end, what)
        await pause(50)
      }
    }
    await site.pauseReplay()
    await desk.act('publish', id)
    await until('the cache was not told', () => purges() > 0, 10_000)
    await until('the purge was taken for done', () => failures.includes('job_failed'), 10_000)
    await site.resumeReplay()
    const before = purges()
    await until('the cache was not told again', () => purges() > before, 20_000)
    await worker.stop()
    await site.untilFresh()
  })

  test('a replica that freezes, dies and comes back fails no read', async () => {
    const id = await desk.begin()
    await desk.act('publish', id)
    await site.untilFresh()
    let longest = 0
    const readFor = async (milliseconds: number) => {
      for (const end = Date.now() + milliseconds; Date.now() < end; ) {
        const start = performance.now()
        assert.equal(await statusOf(id), 200)
        longest = Math.max(longest, performance.now() - start)
      }
    }
    site.replica.freeze()
    await Promise.all([readFor(2500), readFor(2500), readFor(2500), readFor(2500)])
    site.replica.thaw()
    await site.untilFresh()
    const stopped = site.replica.stop('immediate')
    await readFor(500)
    await stopped
    await readFor(500)
    assert.equal((await site.app.admin.inject('/readyz')).statusCode, 200)
    await site.replica.start()
    await site.untilFresh()
    assert.ok(longest < 2000, `a read took ${longest} ms`)
  })

  test('reading goes on while there is no primary, and is fresh again when there is', async () => {
    const id = await desk.begin()
    await desk.act('publish', id)
    await site.untilFresh()
    site.primary.freeze()
    for (const end = Date.now() + 2500; Date.now() < end; await pause(20)) assert.equal(await statusOf(id), 200)
    site.primary.thaw()
    await site.untilFresh()
    await site.primary.stop('immediate')
    for (const end = Date.now() + 1000; Date.now() < end; await pause(20)) assert.equal(await statusOf(id), 200)
    await site.primary.start()
    assert.equal((await desk.act('unpublish', id)).statusCode, 200)
    await pause(500)
    assert.equal(await statusOf(id), 404)
    await site.untilFresh()
  })
})
