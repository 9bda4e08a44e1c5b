import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { exchange } from '../../testkit/http.ts'
import { asking, listening } from './site.ts'

/** /api/mcp over HTTP: methods, types, sizes, origins and hosts. */

const { url, app } = await testSite()
const { ask, post, rpc } = asking(app)
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

describe('POST', () => {
  test('is 200, JSON, kept by nobody, open to every origin, and says what is left', async () => {
    const { status, headers } = await rpc('ping')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['mcp-session-id'], undefined)
    assert.match(String(headers['ratelimit-policy']), /^"tools";q=\d+;w=60$/)
  })

  for (const accept of ['*/*', 'application/json', 'text/html', 'text/event-stream'])
    test(`does not mind Accept: ${accept}`, async () => {
      assert.equal((await rpc('ping', {}, { headers: { accept } })).status, 200)
    })

  test('ignores a session, a cookie and a key', async () => {
    const headers = { 'mcp-session-id': 'x', cookie: 'a=b', authorization: 'Bearer nothing' }
    assert.deepEqual((await rpc('ping', {}, { headers })).json.result, {})
  })

  for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/jsonp'])
    test(`of ${type} is 415`, async () => {
      const { status, json, headers } = await post(ping, { 'content-type': type })
      assert.deepEqual([status, json.id, json.error.code], [415, null, -32600])
      assert.equal(headers['access-control-allow-origin'], '*')
    })

  test('of more than 64 KiB is 413, and of just that much is answered', async () => {
    const padded = (size: number) => ping.replace('ping"', `ping","x":"${'x'.repeat(size - ping.length - 7)}"`)
    assert.equal(Buffer.byteLength(padded(65_536)), 65_536)
    assert.equal((await post(padded(65_536))).status, 200)
    const { status, json } = await post(padded(65_537))
    assert.deepEqual([status, json.id, json.error.code], [413, null, -32600])
  })

  test('with a version that is not served is 400, names those that are, and echoes the id', async () => {
    const { status, json } = await rpc('tools/list', {}, { id: 'a', headers: { 'mcp-protocol-version': '1999-01-01' } })
    assert.deepEqual([status, json.id, json.error.code], [400, 'a', -32022])
    assert.deepEqual(json.error.data, {
      supported: ['2025-06-18', '2025-11-25', '2026-07-28'],
      requested: '1999-01-01',
    })
  })

  for (const version of ['2025-06-18', '2025-11-25'])
    test(`with version ${version} is served`, async () => {
      assert.equal((await rpc('tools/list', {}, { headers: { 'mcp-protocol-version': version } })).status, 200)
    })

  test('of initialize ignores the version in the header', async () => {
    for (const version of ['1999-01-01', '2026-07-28']) {
      const { status, json } = await rpc('initialize', {}, { headers: { 'mcp-protocol-version': version } })
      assert.deepEqual([status, json.result.protocolVersion], [200, '2025-06-18'])
    }
  })
})

describe('GET', () => {
  for (const accept of ['*/*', 'application/json', 'text/html'])
    test(`of ${accept} is the discovery object`, async () => {
      const answer = await ask({ url: '/api/mcp', headers: { accept } })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['cache-control'], 'public, max-age=300')
      assert.equal(answer.headers['vary'], 'Accept')
      assert.equal(answer.json().ok, true)
      const etag = String(answer.headers['etag'])
      const again = await ask({ url: '/api/mcp', headers: { accept, 'if-none-match': etag } })
      assert.equal(again.statusCode, 304)
    })

  for (const accept of ['text/event-stream', 'application/json, text/event-stream', 'Text/Event-Stream;q=0.5'])
    test(`of ${accept} is 405: there is no stream`, async () => {
      const answer = await ask({ url: '/api/mcp', headers: { accept } })
      assert.equal(answer.statusCode, 405)
      assert.equal(answer.headers['allow'], 'POST')
      assert.equal(answer.headers['vary'], 'Accept')
      assert.equal(answer.headers['cache-control'], 'no-store')
    })
})

for (const method of ['DELETE', 'PUT', 'PATCH'] as const)
  test(`${method} is 405`, async () => {
    const answer = await ask({ method, url: '/api/mcp' })
    assert.equal(answer.statusCode, 405)
    assert.equal(answer.headers['allow'], 'GET, POST, OPTIONS')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  })

test('OPTIONS lets every origin send what a client sends', async () => {
  const wanted = 'content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name'
  const answer = await ask({
    method: 'OPTIONS',
    url: '/api/mcp',
    headers: {
      origin: 'https://elsewhere.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': wanted,
    },
  })
  assert.equal(answer.statusCode, 204)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.equal(answer.headers['access-control-allow-methods'], 'GET, POST, OPTIONS')
  assert.equal(answer.headers['access-control-allow-headers'], wanted)
  assert.equal(answer.headers['access-control-max-age'], '86400')
})

describe('an Origin', () => {
  for (const origin of ['https://elsewhere.test', 'null', 'http://localhost:5173', 'vscode-webview://abc'])
    test(`${origin} may ask`, async () => {
      assert.equal((await rpc('ping', {}, { headers: { origin } })).status, 200)
    })
  for (const origin of ['elsewhere', 'https://a b', 'https://a.test/path', 'https://user@a.test', ''])
    test(`${JSON.stringify(origin)} is none, and is 403`, async () => {
      const { status, json } = await rpc('ping', {}, { headers: { origin } })
      assert.deepEqual([status, json.error.code], [403, -32600])
    })
})

describe('over a loopback socket', async () => {
  const { base } = await listening(url, { BASE_URL: 'https://site.test', MCP_ALLOWED_HOSTS: 'App, other.test' })
  const port = Number(new URL(base).port)
  const statusAt = (host: string, method = 'POST'): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { host, 'content-type': 'application/json' }
      const asked = httpRequest({ host: '127.0.0.1', port, path: '/api/mcp', method, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode!))
      })
      asked.on('error', reject).end(method === 'POST' ? ping : undefined)
    })

  for (const host of [
    'localhost',
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    'site.test',
    'SITE.test:443',
    'app',
    'other.test:1',
  ])
    test(`the Host ${host} is ours`, async () => assert.equal(await statusAt(host), 200))
  for (const host of [
    'evil.example',
    'site.test.evil.example',
    'localhost.evil.example',
    'evil.example:80',
    '127.0.0.1.evil',
  ])
    test(`the Host ${host} is 403, by POST and GET`, async () => {
      assert.equal(await statusAt(host), 403)
      assert.equal(await statusAt(host, 'GET'), 403)
    })
  test('a foreign Origin at the right Host is served', async () => {
    const answer = await fetch(`${base}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://elsewhere.test' },
      body: ping,
    })
    assert.equal(answer.status, 200)
  })
  test('no Host at all is 403', async () => {
    const head = `POST /api/mcp HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${ping.length}\r\n\r\n`
    assert.equal((await exchange(port, head + ping)).status, 403)
  })
})
