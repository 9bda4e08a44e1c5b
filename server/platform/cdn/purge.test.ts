import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { serve } from '../../../testkit/network.ts'
import { startPurgeReceiver } from '../../../testkit/receivers.ts'
import { GiveUp } from '../jobs/queue.ts'
import { readPurgeUrl } from './address.ts'
import { purgeAt, repeatPurges } from './purge.ts'

const cache = await startPurgeReceiver()

/** A clock controlled by the test. */
function waitsByHand() {
  const waits: { milliseconds: number; over: () => void }[] = []
  const wait = (milliseconds: number) => new Promise<void>((over) => waits.push({ milliseconds, over }))
  const pass = async () => {
    const { milliseconds, over } = waits.shift()!
    over()
    await new Promise(setImmediate)
    return milliseconds
  }
  return { wait, pass }
}

/** Fastly and Cloudflare as documented: tokens, limits, refusals. */

const zone = '0123456789abcdef0123456789abcdef'
const received: { path: string; headers: IncomingHttpHeaders; body: { surrogate_keys?: string[]; tags?: string[] } }[] =
  []
let busy = false
let refuses = false

const { base: host } = await serve(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
  const { url: path = '', headers, method } = request
  received.push({ path, headers, body })
  const answer = (status: number, said: object, more = {}) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(said))
  if (busy) return answer(429, { success: false }, { 'retry-after': '1' })
  if (method !== 'POST' || headers['content-type'] !== 'application/json') return answer(405, {})
  if (path === '/service/SU1Z0isxPaozGVKXdv0eY/purge') {
    if (headers['fastly-key'] !== 't0ken') return answer(401, { msg: 'Provided credentials are missing or invalid' })
    if (!body.surrogate_keys || body.surrogate_keys.length > 256) return answer(400, { msg: 'Bad request' })
    return answer(200, Object.fromEntries(body.surrogate_keys.map((key: string) => [key, '108-1391560174-974124'])))
  }
  if (path === `/zones/${zone}/purge_cache`) {
    if (headers.authorization !== 'Bearer t0ken') return answer(403, { success: false, errors: [{ code: 10000 }] })
    if (!body.tags || body.tags.length > 100) return answer(400, { success: false })
    return answer(200, { success: !refuses, errors: [], result: { id: zone } })
  }
  answer(404, {})
})
const at = (url: string) => purgeAt(readPurgeUrl(url), { fastly: host, cloudflare: host })

const many = Array.from({ length: 600 }, (_, number) => `piece-${number}`)

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

test('each purge is repeated a second later, with others of the same quarter second, before its worker ends', async () => {
  const sent: string[][] = []
  const { wait, pass } = waitsByHand()
  const { purge, stop } = repeatPurges(
    async (tags) => void sent.push([...tags]),
    () => assert.fail(),
    wait,
  )
  await purge(['a', 'b'])
  await purge(['b', 'c'])
  assert.equal(await pass(), 250)
  await purge(['d'])
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  const first = [['a', 'b'], ['b', 'c'], ['d']]
  assert.deepEqual(sent, first)
  assert.equal(await pass(), 1000)
  assert.deepEqual(sent, [...first, ['a', 'b', 'c']])
  assert.equal(isStopped, false)
  assert.deepEqual([await pass(), await pass()], [250, 1000])
  await stopped
  assert.deepEqual(sent, [...first, ['a', 'b', 'c'], ['d']])
})

test('a purge that failed is not repeated, and one that fails when repeated was done the first time', async () => {
  const troubles: unknown[] = []
  let calls = 0
  const { purge, stop } = repeatPurges(
    async () => {
      calls += 1
      if (calls !== 2) throw new Error(`call ${calls}`)
    },
    (trouble) => troubles.push(trouble),
    async () => {},
  )
  await assert.rejects(purge(['a']), /call 1/)
  await stop()
  assert.equal(calls, 1)
  await purge(['a'])
  await stop()
  assert.match(String(troubles[0]), /call 3/)
})

test('Fastly gets the keys, 256 a call, and nothing is left to be served stale', async () => {
  received.length = 0
  await at('fastly://:t0ken@SU1Z0isxPaozGVKXdv0eY')(many)
  assert.deepEqual(
    received.map(({ body }) => body.surrogate_keys?.length),
    [256, 256, 88],
  )
  assert.deepEqual(
    received.flatMap(({ body }) => body.surrogate_keys),
    many,
  )
  for (const { headers } of received) assert.equal(headers['fastly-soft-purge'], undefined)
})

test('Cloudflare gets the tags, 100 a call', async () => {
  received.length = 0
  await at(`cloudflare://:t0ken@${zone}`)(many)
  assert.equal(received.length, 6)
  assert.deepEqual(
    received.flatMap(({ body }) => body.tags),
    many,
  )
})

test('a token that is none, too many calls and a refusal with 200 are failures, which do not tell the token', async () => {
  const refused = async (url: string, status: number) =>
    assert.rejects(at(url)(['piece-1']), ({ message }: Error) => {
      assert.match(message, new RegExp(`answered ${status}`))
      return !/t0ken|wr0ng/.test(message)
    })
  await refused('fastly://:wr0ng@SU1Z0isxPaozGVKXdv0eY', 401)
  await refused(`cloudflare://:wr0ng@${zone}`, 403)
  busy = true
  await refused('fastly://:t0ken@SU1Z0isxPaozGVKXdv0eY', 429)
  await refused(`cloudflare://:t0ken@${zone}`, 429)
  busy = false
  refuses = true
  await refused(`cloudflare://:t0ken@${zone}`, 200)
  refuses = false
})

test('PURGE_URL is one cache or several of any kind, and nothing else', () => {
  assert.deepEqual(readPurgeUrl(`http://u:p%20w@10.0.0.1:6083/, fastly://:a%2Fb@Ab1,cloudflare://:t@${zone}`), [
    {
      kind: 'varnish',
      url: 'http://10.0.0.1:6083/',
      authorization: `Basic ${Buffer.from('u:p w').toString('base64')}`,
    },
    { kind: 'fastly', service: 'Ab1', token: 'a/b' },
    { kind: 'cloudflare', zone, token: 't' },
  ])
  for (const odd of [
    ...[
      'nowhere',
      'ftp://x',
      'http://x,',
      ',',
      'fastly://Ab1',
      'fastly://user:t@Ab1',
      'fastly://:t@',
      'fastly://:t@Ab1/x',
    ],
    ...[
      'fastly://:t%0a@Ab1',
      'http://%zz@x',
      'cloudflare://:t@zone',
      `cloudflare://${zone}`,
      `cloudflare://:t@${zone}?x`,
    ],
  ])
    assert.equal(readPurgeUrl(odd), undefined, odd)
})
