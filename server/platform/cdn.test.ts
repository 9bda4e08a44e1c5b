import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPurgeReceiver } from '#testing/purge-receiver.ts'
import { purgeAt } from './cdn.ts'
import { GiveUp } from './jobs/jobs.ts'

const cache = await startPurgeReceiver()

test('a purge names its tags once each, in xkey, and proves who asks', async () => {
  await purgeAt(cache.url.replace('//', '//desk:s%2Fcret@'))(['pieces', 'author-ada', 'pieces'])
  const { method, tags, authorization } = cache.received.at(-1)!
  assert.equal(method, 'PURGE')
  assert.deepEqual(tags, ['pieces', 'author-ada'])
  assert.equal(authorization, `Basic ${Buffer.from('desk:s/cret').toString('base64')}`)
})

test('more tags than a header holds go in several requests, and none is lost', async () => {
  const before = cache.received.length
  const tags = Array.from({ length: 250 }, (_, at) => `piece-${at}`)
  await purgeAt(cache.url)(tags)
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
    await assert.rejects(purgeAt(cache.url)(['pieces']), new RegExp(String(status)))
  }
  cache.answer(200)
})

test('a cache that is not there is a failure', async () => {
  await assert.rejects(purgeAt('http://127.0.0.1:1/')(['pieces']))
})

test('what is not a tag never reaches the header', async () => {
  const before = cache.received.length
  for (const odd of ['a b', 'a\r\nx: y', 'a,b', '', 'é', 'x'.repeat(81)]) {
    await assert.rejects(purgeAt(cache.url)(['pieces', odd]), GiveUp)
  }
  assert.equal(cache.received.length, before)
})

test('without a cache, and without tags, nobody is asked', async () => {
  const before = cache.received.length
  await purgeAt(undefined)(['pieces'])
  await purgeAt(cache.url)([])
  assert.equal(cache.received.length, before)
})
