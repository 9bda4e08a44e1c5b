import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { readPurgeUrl } from './address.ts'
import { purgeAt } from './purge.ts'

/** Fastly and Cloudflare as documented: tokens, limits, refusals. */

const zone = '0123456789abcdef0123456789abcdef'
const received: { path: string; headers: IncomingHttpHeaders; body: { surrogate_keys?: string[]; tags?: string[] } }[] =
  []
let busy = false
let refuses = false

const server = createServer(async (request, response) => {
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
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const at = (url: string) => purgeAt(readPurgeUrl(url), { fastly: host, cloudflare: host })

const many = Array.from({ length: 600 }, (_, number) => `piece-${number}`)

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
