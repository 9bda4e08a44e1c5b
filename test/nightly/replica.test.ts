import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { madeUpPositions, missingPostgres, replicaSite, skippedSite } from '../../testkit/replica-site.ts'

/** How long reads take while a replica is late or gone; test/system/replica.test.ts has the rest of it. */

const site = missingPostgres ? skippedSite : await replicaSite({ LOAD_FACTOR: '1', TIMEOUT_FACTOR: '1' })

describe('public reads with a replica', { skip: missingPostgres }, () => {
  let desk: Desk

  before(async () => {
    desk = deskOf(site.app, await makeWriter(site.admin))
    await site.untilFresh()
  })

  const { statusOf } = site

  test('public data is read from the replica while it is fresh', async () => {
    const id = await desk.begin()
    await desk.act('publish', id)
    await site.untilFresh()
    const { replica, primary } = await site.readsByPlace()
    for (let count = 0; count < 20; count += 1) assert.equal(await statusOf(id), 200)
    const now = await site.readsByPlace()
    assert.deepEqual([now.replica - replica, now.primary - primary], [20, 0])
  })

  test('a read waits at most a tenth of a second for a late replica, and later reads do not wait', async () => {
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

  test('a writer’s own WAL position is respected, a made-up one costs no time, and an invalid one is ignored', async () => {
    const id = await desk.begin()
    const published = await desk.act('publish', id)
    const [cookie] = String(published.headers['set-cookie']).split(';')
    assert.equal(await statusOf(id, cookie), 200)
    await site.untilFresh()
    for (const [made, place] of madeUpPositions) {
      const earlier = await site.readsByPlace()
      const waited = await site.waits()
      assert.equal(await statusOf(id, made), 200)
      assert.equal((await site.readsByPlace())[place], earlier[place] + 1, made)
      assert.ok((await site.waits()) - waited < 0.09, made)
    }
  })

  test('a cache is purged although a replica is late, and again when the replica has caught up', async () => {
    const worker = await site.startPurging()
    const id = await desk.begin()
    const until = async (what: string, isSo: () => boolean, within: number) => {
      const end = Date.now() + within
      while (!isSo()) {
        assert.ok(Date.now() < end, what)
        await pause(50)
      }
    }
    await site.pauseReplay()
    await desk.act('publish', id)
    await until('the cache was not told', () => worker.purgesOf(id) > 0, 10_000)
    await until('the purge was taken for done', worker.hasFailed, 10_000)
    await site.resumeReplay()
    const before = worker.purgesOf(id)
    await until('the cache was not told again', () => worker.purgesOf(id) > before, 20_000)
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

  test('reads continue while there is no primary, and are fresh again when there is one', async () => {
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
