import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPurgeReceiver } from '../../../testkit/receivers.ts'
import { GiveUp } from '../jobs/queue.ts'
import { readPurgeUrl } from './address.ts'
import { purgeAt } from './purge.ts'

const cache = await startPurgeReceiver()
const at = (url: string) => purgeAt(readPurgeUrl(url))

test('a purge names its tags once each, in xkey, and proves who asks', async () => {
  await at(cache.url.replace('//', '//desk:s%2Fcret@'))(['pieces', 'author-ada', 'pieces'])
  const { method, tags, authorization } = cache.received.at(-1)!
  assert.equal(method, 'PURGE')
  assert.deepEqual(tags, ['pieces', 'author-ada'])
  assert.equal(authorization, `Basic ${Buffer.from('desk:s/cret').toString('base64')}`)
})

test('more tags than a header holds go in several requests, and none is lost', async () => {
  const before = cache.received.length
  const tags = Array.from({ length: 250 }, (_, number) => `piece-${number}`)
  await at(cache.url)(tags)
  const sent = cache.received.slice(before)
  assert.equal(sent.length, 3)
  assert.deepEqual(
    sent.flatMap((one) => one.tags),
    tags,
  )
})

test('anything but 2xx is a failure, and a redirect is not followed', async () => {
  for (const status of [500, 404, 403, 302]) {
    cache.answer(status)
    await assert.rejects(at(cache.url)(['pieces']), new RegExp(String(status)))
  }
  cache.answer(200)
})

test('a cache that is not there is a failure', async () => {
  await assert.rejects(at('http://127.0.0.1:1/')(['pieces']))
})

test('what is not a tag never reaches the header', async () => {
  const before = cache.received.length
  for (const odd of ['a b', 'a\r\nx: y', 'a,b', '', 'é', 'x'.repeat(81)]) {
    await assert.rejects(at(cache.url)(['pieces', odd]), GiveUp)
  }
  assert.equal(cache.received.length, before)
})

test('without a cache, and without tags, nobody is asked', async () => {
  const before = cache.received.length
  await purgeAt(undefined)(['pieces'])
  await at(cache.url)([])
  assert.equal(cache.received.length, before)
})

test('every cache of several is told, and one that does not take it is a failure of all', async () => {
  const [other, third] = [await startPurgeReceiver(), await startPurgeReceiver()]
  const purge = at(`${cache.url}, ${other.url},${third.url}`)
  await purge(['piece-1'])
  for (const one of [cache, other, third]) assert.deepEqual(one.received.at(-1)!.tags, ['piece-1'])
  other.answer(503)
  await assert.rejects(purge(['piece-2']), new RegExp(`${new URL(other.url).host} answered 503`))
  for (const one of [cache, other, third]) assert.deepEqual(one.received.at(-1)!.tags, ['piece-2'])
  third.answer(403)
  await assert.rejects(purge(['piece-3']), /answered 503; .*answered 403/)
})
