import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Database } from '../../server/platform/db/database.ts'
import type { ReadRouter, ReadTarget } from '../../server/platform/db/read-routing.ts'
import { ReplicaDatabase } from '../../server/platform/db/replica-database.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { madeUpPositions, missingPostgres, replicaSite, skippedSite } from '../../testkit/replica-site.ts'
import { until } from '../../testkit/waiting.ts'

/** test/nightly/replica.test.ts measures how long reads take meanwhile. FACTOR=1 has the time limits as shipped. */

const factor = process.env['FACTOR']
const site = missingPostgres
  ? skippedSite
  : await replicaSite(factor ? { LOAD_FACTOR: factor, TIMEOUT_FACTOR: factor } : {})

describe('public reads with a replica', { skip: missingPostgres }, () => {
  let desk: Desk

  before(async () => {
    desk = deskOf(site.app, await makeWriter(site.admin))
    await site.untilFresh()
  })

  const { statusOf } = site

  /** Which database served the reads of `work`. */
  const placesOf = async (work: () => Promise<unknown>) => {
    const before = await site.readsByPlace()
    await work()
    const now = await site.readsByPlace()
    return { replica: now.replica - before.replica, primary: now.primary - before.primary }
  }
  /** Repeats successful reads until twenty in a row went there. */
  const readUntilAt = async (place: ReadTarget, id: string) => {
    const other = place === 'replica' ? 'primary' : 'replica'
    await until(async () => {
      const places = await placesOf(async () => {
        for (let count = 0; count < 20; count += 1) assert.equal(await statusOf(id), 200)
      })
      return places[place] >= 20 && places[other] === 0
    }, `all is read at the ${place}`)
  }

  test('whatever is public is read from the replica while it is fresh', async () => {
    const id = await desk.begin()
    await desk.act('publish', id)
    await readUntilAt('replica', id)
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

  test('once a replica is late nobody waits for it any more', async () => {
    const id = await desk.begin()
    await site.pauseReplay()
    await desk.act('publish', id)
    await until(async () => {
      const waited = await site.waits()
      assert.equal(await statusOf(id), 200)
      return (await site.waits()) === waited
    }, 'a read does not wait')
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
    for (const [made, place] of madeUpPositions) {
      const waited = await site.waits()
      const read = () => placesOf(async () => assert.equal(await statusOf(id, made), 200))
      if (place === 'primary') {
        assert.deepEqual(await read(), { replica: 0, primary: 1 })
        assert.equal(await site.waits(), waited, made)
        // On a busy machine the replica's state may be unknown during a read.
      } else await until(async () => (await read()).replica === 1, `${made} is read at the replica`)
    }
  })

  test('what a replica cancels for what it replays is read at the primary', async () => {
    const kind = { role: 'svc_public', connections: 1, statementTimeout: 120_000, readsOnly: true } as const
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
      text: `select pg_is_in_recovery() as there, count(*), case when pg_is_in_recovery() then pg_sleep(120) end
               from pub.pieces group by 1`,
    })
    await until(async () => {
      const asleep = await site.replica.query('postgres', "select from pg_stat_activity where wait_event = 'PgSleep'")
      return asleep.length > 0
    }, 'the replica is at it')
    await site.admin.query('begin; lock table pub.pieces in access exclusive mode; commit')
    assert.deepEqual(
      (await slow).map(({ there }) => there),
      [false],
    )
    assert.deepEqual(places, ['primary'])
    await db.close()
  })

  test('a cache is told although a replica is late, and told again when it has come', async () => {
    const worker = await site.startPurging()
    const id = await desk.begin()
    await site.pauseReplay()
    await desk.act('publish', id)
    await until(() => worker.purgesOf(id) > 0, 'the cache is told')
    await until(worker.hasFailed, 'the purge is not taken for done')
    await site.resumeReplay()
    const before = worker.purgesOf(id)
    await until(() => worker.purgesOf(id) > before, 'the cache is told again')
    await worker.stop()
    await site.untilFresh()
  })

  test('a replica that freezes, dies and comes back fails no read', async () => {
    const id = await desk.begin()
    await desk.act('publish', id)
    await site.untilFresh()
    const readUntil = async (isOver: () => boolean) => {
      do assert.equal(await statusOf(id), 200)
      while (!isOver())
    }
    site.replica.freeze()
    let isLeft = false
    const readers = Array.from({ length: 4 }, () => readUntil(() => isLeft))
    await readUntilAt('primary', id)
    isLeft = true
    await Promise.all(readers)
    site.replica.thaw()
    await site.untilFresh()
    let isStopped = false
    const stopped = site.replica.stop('immediate').finally(() => {
      isStopped = true
    })
    await readUntil(() => isStopped)
    await stopped
    await readUntilAt('primary', id)
    assert.equal((await site.app.admin.inject('/readyz')).statusCode, 200)
    await site.replica.start()
    await site.untilFresh()
  })

  test('reading goes on while there is no primary, and is fresh again when there is', async () => {
    const id = await desk.begin()
    await desk.act('publish', id)
    await site.untilFresh()
    site.primary.freeze()
    await readUntilAt('replica', id)
    site.primary.thaw()
    await site.untilFresh()
    await site.primary.stop('immediate')
    await readUntilAt('replica', id)
    await site.primary.start()
    assert.equal((await desk.act('unpublish', id)).statusCode, 200)
    await until(async () => (await statusOf(id)) === 404, 'what was unpublished is gone')
    await site.untilFresh()
  })
})
