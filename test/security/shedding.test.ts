import assert from 'node:assert/strict'
import { test } from 'node:test'
import { style } from '../../server/platform/page/style.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makePiece, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { until, waitForLockWait } from '../../testkit/waiting.ts'

/** A process whose event loop was blocked, as shipped except for time limits. */

const { admin, app } = await testSite({ LOAD_FACTOR: '1' })
const writer = await makeWriter(admin, { slug: 'ada' })
const piece = await makePiece(admin, writer, { headline: 'On tea', body_md: 'Some tea.' })
const { port } = await listen(app)

/** Longer than the allowed event loop delay. */
const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)

async function statusOf(path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  await answer.arrayBuffer()
  return answer.status
}

const pages = ['/search?q=tea', '/', '/author/ada', '/shop', '/developers']
const assets = ['/favicon.svg', '/embed.js', '/developers/embeds.js', style().path, style().fonts.first[0]!]

test('one client that asks one thing after the other is never refused', async () => {
  for (let times = 0; times < 3; times += 1) {
    block()
    for (const path of [...pages, ...assets]) assert.equal(await statusOf(path), 200, path)
  }
})

test('beside others pages are refused while the loop is late, and what they are made of is not', async () => {
  await inTransaction(admin, async (client) => {
    await client.query('lock table pub.pieces in access exclusive mode')
    const held = fetch(`http://127.0.0.1:${port}/api/public/pieces/${piece}`)
    await waitForLockWait(admin, 'pub.pieces')
    await until(async () => {
      block()
      for (const path of assets) assert.equal(await statusOf(path), 200, path)
      return (await statusOf('/developers')) === 503
    }, 'a page is refused')
    await client.query('rollback')
    assert.equal((await held).status, 200)
  })
})
