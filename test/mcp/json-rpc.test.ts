import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { asking } from './site.ts'

/** JSON-RPC 2.0 at /api/mcp, rule by rule: for any JSON the answer is a 200 that says what was wrong. */

const { url } = await testDatabase()
const { post, rpc } = asking(await testApp(url))

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
