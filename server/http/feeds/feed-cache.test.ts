import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlsFor } from '#features/urls.ts'
import { type Feed, feedOf, siteChannel } from './feed.ts'
import { createFeedCache } from './feed-cache.ts'

const urls = urlsFor('https://site.test')
const channel = siteChannel(urls, { name: 'Site', description: '', language: 'en' } as never)
const feed = (edition: string): Feed => feedOf(channel, [], { cursor: undefined, nextCursor: null, edition })

/** A channel whose pieces change on request; counts reads. */
function counted(most?: number) {
  const read: string[] = []
  const { newest } = createFeedCache(({ edition }) => Buffer.from(edition.padEnd(1000)), most)
  const ask = (name: string, edition: string, found = edition) =>
    newest(
      name,
      async () => edition,
      async () => {
        read.push(name)
        return feed(found)
      },
    ).then(({ bytes }) => String(bytes).trim())
  return { ask, read }
}

test('a feed that is as it was is not read again', async () => {
  const { ask, read } = counted()
  for (let times = 0; times < 3; times += 1) assert.equal(await ask('/a', 'one'), 'one')
  assert.deepEqual(read, ['/a'])
})

test('a change is written at once, and so is the way back', async () => {
  const { ask } = counted()
  for (const edition of ['tea', 'tee', 'tea']) assert.equal(await ask('/a', edition), edition)
})

test('what a lagging replica gave is not taken for what was asked for', async () => {
  const { ask, read } = counted()
  assert.equal(await ask('/a', 'old'), 'old')
  assert.equal(await ask('/a', 'new', 'old'), 'old')
  assert.equal(await ask('/a', 'new'), 'new')
  assert.equal(read.length, 3)
})

test('the least recently used feed is evicted when the cache is full', async () => {
  const { ask, read } = counted(16_000)
  const names = Array.from({ length: 16 }, (_, index) => `/${index}`)
  for (const name of [...names, '/0', '/16', '/0', '/1']) await ask(name, 'one')
  assert.deepEqual(read.slice(16), ['/16', '/1'])
})

test('a feed larger than the cache is sent and not stored', async () => {
  const { ask, read } = counted(10_000)
  for (let times = 0; times < 2; times += 1) assert.equal(await ask('/a', 'one'), 'one')
  assert.equal(read.length, 2)
})
