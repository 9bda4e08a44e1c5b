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

/** JSON-RPC 2.0 at /api/mcp, rule by rule: for any JSON the answer is a 200 that says what was wrong. */

async function refused(payload: string | Buffer, code: number, id: unknown, message?: RegExp): Promise<void> {
  const { status, json, headers } = await post(payload)
  assert.deepEqual([status, json.error?.code, json.id], [200, code, id], String(payload).slice(0, 100))
  assert.deepEqual(Object.keys(json), ['jsonrpc', 'id', 'error'])
  assert.equal(json.jsonrpc, '2.0')
  if (message) assert.match(json.error.message, message)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
}

describe('a body that is not JSON', () => {
  const bodies = {
    'is empty': '',
    'is cut off': '{"jsonrpc":"2.0"',
    'is words': 'hello',
    'begins with a byte order mark': '\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}',
    'is not UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    'has a trailing comma': '{"jsonrpc":"2.0","id":1,"method":"ping",}',
  }
  for (const [what, body] of Object.entries(bodies)) {
    test(`and ${what} is -32700`, () => refused(body, -32700, null, /^Parse error: body is not valid JSON$/))
  }
})

describe('JSON that is no message', () => {
  for (const body of ['[]', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'])
    test(`${body.slice(0, 12)} is a batch, which is -32600`, () => refused(body, -32600, null, /^Batching is not/))
  for (const body of ['null', '1', '"ping"', 'true', '{}', '{"id":1}', '{"method":"ping"}'])
    test(`${body} is -32600`, () => refused(body, -32600, body === '{"id":1}' ? 1 : null))
  const echoed: readonly [string, unknown][] = [
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
    ['{"jsonrpc":"2.00","id":7,"method":"ping"}', 7],
    ['{"jsonrpc":2,"id":7,"method":"ping"}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":5}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":null}', 7],
    ['{"jsonrpc":"2.0","id":[1],"method":5}', null],
  ]
  for (const [body, id] of echoed)
    test(`${body} is -32600, and its id is said back if it is one`, () => refused(body, -32600, id))
  for (const id of ['{}', '[]', '1.5', 'true', '1e999', '12345678901234567890'])
    test(`an id ${id} is -32600`, () => refused(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`, -32600, null))
})

describe('a request', () => {
  for (const id of [1, -3, 0, '1', '', 'a\u2028"\\', '\ud800', 'x'.repeat(5000), null])
    test(`with the id ${JSON.stringify(id).slice(0, 20)} is answered with that very id`, async () => {
      const { json } = await rpc('ping', undefined, { id })
      assert.deepEqual(json, { jsonrpc: '2.0', id, result: {} })
    })
  for (const params of ['[]', '"x"', '1', 'null', 'true'])
    test(`with params ${params} is -32602`, () =>
      refused(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`, -32602, 1))
  for (const method of [
    'nothing',
    '',
    'PING',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'logging/setLevel',
    'resources/subscribe',
    'server/discover',
    'subscriptions/listen',
  ])
    test(`of the method ${JSON.stringify(method)} is -32601`, async () => {
      const { status, json } = await rpc(method)
      assert.deepEqual([status, json.error.code, json.error.message], [200, -32601, `Method not found: ${method}`])
    })
  test('with names that poison objects is answered like any other', async () => {
    const { json } = await post(
      '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"x":1},"params":{"__proto__":{}}}',
    )
    assert.deepEqual(json, { jsonrpc: '2.0', id: 1, result: {} })
    assert.equal(({} as Record<string, unknown>)['x'], undefined)
  })
  test('is answered without an initialize before it', async () => {
    assert.ok((await rpc('tools/list')).json.result.tools)
  })
})

describe('what needs no answer', () => {
  const silent = {
    'a notification': '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    'a notification with params': '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    'a notification that nobody knows': '{"jsonrpc":"2.0","method":"constructor"}',
    'a request without an id': '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_author"}}',
    'a posted result': '{"jsonrpc":"2.0","id":1,"result":{}}',
    'a posted error': '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
  }
  for (const [what, body] of Object.entries(silent)) {
    test(`${what} is 202 without a body`, async () => {
      const { status, body: said } = await post(body)
      assert.deepEqual([status, said], [202, ''])
    })
  }
  test('a notification whose params are no object is 400', async () => {
    const { status, json } = await post('{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}')
    assert.deepEqual([status, json.id, json.error.code], [400, null, -32602])
  })
})
