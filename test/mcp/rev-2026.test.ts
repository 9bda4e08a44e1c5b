import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { DiscoverResultSchema, SubscriptionsAcknowledgedNotificationSchema } from '@modelcontextprotocol/core'
import { testApp } from '../../testkit/app.ts'
import { asking, base, furnish, type Headers, listening } from './site.ts'

/** Protocol revision 2026-07-28: no handshake, and headers that repeat the body. */

const { url, pieces } = await furnish()
const { rpc, rest } = asking(await testApp(url))

const key = (name: string) => `io.modelcontextprotocol/${name}`
const meta = { [key('protocolVersion')]: '2026-07-28', [key('clientCapabilities')]: {} }

interface Given {
  readonly params?: Record<string, unknown>
  readonly headers?: Headers
  readonly without?: readonly string[]
}

function ask(method: string, { params = {}, headers = {}, without = [] }: Given = {}) {
  const named = params['name'] ?? params['uri']
  const all: Record<string, string> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(named === undefined ? {} : { 'mcp-name': String(named) }),
    ...headers,
  }
  for (const name of without) delete all[name]
  return rpc(method, { _meta: meta, ...params }, { headers: all })
}

const refused = async (asked: ReturnType<typeof ask>, status: number, code: number) => {
  const { status: answered, json } = await asked
  assert.deepEqual([answered, json.error?.code, json.id], [status, code, 1], JSON.stringify(json))
  return json.error
}

describe('results', () => {
  test('server/discover says what there is', async () => {
    const { json } = await ask('server/discover')
    DiscoverResultSchema.parse(json.result)
    assert.deepEqual(json.result.supportedVersions, ['2026-07-28'])
    assert.deepEqual(json.result.capabilities, { tools: {}, prompts: {}, resources: {}, completions: {} })
    assert.equal(json.result._meta[key('serverInfo')].name, 'test.site/content')
  })

  for (const method of ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
    test(`${method} is complete, and may be kept by anyone for an hour`, async () => {
      const { json } = await ask(method)
      assert.equal(json.result.resultType, 'complete')
      assert.deepEqual([json.result.ttlMs, json.result.cacheScope], [3_600_000, 'public'])
    })

  test('tools/call answers the REST body', async () => {
    const { json } = await ask('tools/call', { params: { name: 'get_piece', arguments: { id: pieces[0] } } })
    assert.equal(json.result.resultType, 'complete')
    assert.deepEqual(json.result.structuredContent, await rest(`/api/public/pieces/${pieces[0]}`))
    assert.equal(json.result.ttlMs, undefined)
  })

  test('resources/read says for how long it may be kept', async () => {
    const { json } = await ask('resources/read', { params: { uri: `${base}/llms.txt` } })
    assert.deepEqual([json.result.ttlMs, json.result.cacheScope], [30_000, 'public'])
  })
})

describe('refusals', () => {
  for (const method of ['initialize', 'ping', 'nothing', 'constructor', 'logging/setLevel'])
    test(`${method} is 404`, () => refused(ask(method), 404, -32601))
  for (const header of ['mcp-protocol-version', 'mcp-method'])
    test(`without ${header} is 400`, () => refused(ask('tools/list', { without: [header] }), 400, -32020))
  test('without Mcp-Name is 400 where one thing is asked for', async () => {
    const params = { name: 'recent_pieces' }
    await refused(ask('tools/call', { params, without: ['mcp-name'] }), 400, -32020)
    await refused(ask('resources/read', { params: { uri: 'x' }, without: ['mcp-name'] }), 400, -32020)
  })
  test('headers that say something else are 400', async () => {
    await refused(ask('tools/list', { headers: { 'mcp-method': 'prompts/list' } }), 400, -32020)
    await refused(ask('tools/list', { headers: { 'mcp-protocol-version': '2025-11-25' } }), 400, -32020)
    await refused(ask('tools/call', { params: { name: 'a' }, headers: { 'mcp-name': 'b' } }), 400, -32020)
  })
  test('a name in Base64 is read', async () => {
    const encoded = `=?base64?${Buffer.from('recent_pieces').toString('base64')}?=`
    const { status } = await ask('tools/call', { params: { name: 'recent_pieces' }, headers: { 'mcp-name': encoded } })
    assert.equal(status, 200)
  })
  test('a version that is not served is 400, and names the one that is', async () => {
    const params = { _meta: { ...meta, [key('protocolVersion')]: '2027-01-01' } }
    const error = await refused(
      ask('tools/list', { params, headers: { 'mcp-protocol-version': '2027-01-01' } }),
      400,
      -32022,
    )
    assert.deepEqual(error.data, { supported: ['2026-07-28'], requested: '2027-01-01' })
  })
  test('without _meta, or without what must stand in it, is 400', async () => {
    await refused(ask('tools/list', { params: { _meta: undefined } }), 400, -32602)
    await refused(ask('tools/list', { params: { _meta: { [key('protocolVersion')]: '2026-07-28' } } }), 400, -32602)
  })
  test('an unknown tool, prompt or resource is -32602 inside a 200: the message itself was well', async () => {
    await refused(ask('tools/call', { params: { name: 'nothing' } }), 200, -32602)
    await refused(ask('prompts/get', { params: { name: 'nothing' } }), 200, -32602)
    await refused(ask('resources/read', { params: { uri: `${base}/nothing` } }), 200, -32602)
  })
})

describe('subscriptions/listen', async () => {
  const { app, endpoint } = await listening(url)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  }
  const listen = async (id: number) => {
    const leaving = new AbortController()
    const params = { _meta: meta, notifications: { toolsListChanged: true } }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params })
    const answer = await fetch(endpoint, { method: 'POST', headers, body, signal: leaving.signal })
    return { answer, leave: () => leaving.abort() }
  }
  const events = (text: string) => [...text.matchAll(/^data: (.+)$/gm)].map(([, json = '']) => JSON.parse(json))

  test('says that it is heard, and nothing that was not asked for; four of one address at most', async () => {
    const open = await Promise.all([1, 2, 3, 4].map(listen))
    for (const [at, { answer }] of open.entries()) {
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/event-stream')
      const { value } = await answer.body!.getReader().read()
      const heard = events(new TextDecoder().decode(value))
      SubscriptionsAcknowledgedNotificationSchema.parse(heard[0])
      assert.deepEqual(heard, [
        {
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: { _meta: { [key('subscriptionId')]: at + 1 }, notifications: {} },
        },
      ])
    }
    const refusal = (await listen(5)).answer
    assert.equal(refusal.status, 429)
    assert.equal(refusal.headers.get('retry-after'), '60')
    for (const { leave } of open) leave()
    for (;;) {
      const { answer, leave } = await listen(6)
      leave()
      if (answer.status === 200) break
    }
  })

  test('ends well when the site closes', async () => {
    for (;;) {
      const { answer } = await listen(7)
      if (answer.status !== 200) continue
      const closing = app.close()
      const all = events(await answer.text())
      assert.deepEqual(all.at(-1), {
        jsonrpc: '2.0',
        id: 7,
        result: { resultType: 'complete', _meta: { [key('subscriptionId')]: 7 } },
      })
      await closing
      return
    }
  })
})

test('a client that leaves in the middle of a stream leaves nothing behind', async () => {
  const { app, endpoint } = await listening(url)
  const { hostname, port } = new URL(endpoint)
  const { connect } = await import('node:net')
  const params = { _meta: meta, notifications: {} }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params })
  const head = `POST /api/mcp HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\nContent-Length: ${body.length}\r\n\r\n`
  for (let number = 0; number < 12; number += 1) {
    for (let heard = ''; !heard.includes('acknowledged'); ) {
      const socket = connect(Number(port), hostname)
      socket.write(head + body)
      ;[heard] = (await once(socket.setEncoding('utf8'), 'data')) as [string]
      if (heard.startsWith('HTTP/1.1 200') && !heard.includes('acknowledged'))
        [heard] = (await once(socket, 'data')) as [string]
      socket.destroy()
    }
  }
  await app.close()
})
