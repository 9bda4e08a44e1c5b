import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { freezeClock, waitForLockWait } from '../../testkit/waiting.ts'
import {
  caller,
  countRows,
  exchangeRetrying503,
  idOf,
  minimalPiece,
  pieces,
  seen,
  writeApiSite,
} from '../../testkit/write-api.ts'
import { asking, type Headers, type Json } from './site.ts'

/** /api/v1/mcp over HTTP: authentication, limits per key, and answers to unreadable requests. */

freezeClock()
const { url, admin, app, ask, writer, key } = await writeApiSite()
const path = '/api/v1/mcp'
const bearer = (theirs: string) => ({ authorization: `Bearer ${theirs}` })
const { post, rpc } = asking(app, path, bearer(key))
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

describe('the key', async () => {
  const { key: revoked } = await makeKey(admin, writer, { revoked: true })
  const { key: weak } = await makeKey(admin, writer, { scopes: [] })

  test('missing, malformed, dead or weak is refused in the very bytes of the write API, by POST and GET', async () => {
    for (const authorization of [
      undefined,
      'Bearer',
      `Basic ${key}`,
      `Bearer ${revoked}`,
      `Bearer ${weak}`,
      'Bearer x',
    ])
      for (const [method, payload] of [
        ['POST', ping],
        ['POST', '{'],
        ['POST', '[]'],
        ['GET', undefined],
      ] as const) {
        const headers: Headers = authorization === undefined ? {} : { authorization }
        const nobody = caller(ask)
        assert.deepEqual(
          seen(await nobody.send(method, path, payload, headers)),
          seen(await nobody.send('GET', `${pieces}/me`, undefined, headers)),
        )
      }
  })

  test('is looked up before a byte of the body is read', async () => {
    const { port } = await listen(app)
    const head = `POST ${path} HTTP/1.1\r\nHost: site.test\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n`
    for (const [authorization, status] of [
      ['', 401],
      [`Authorization: Bearer ${revoked}\r\n`, 403],
    ] as const) {
      const heard = await exchangeRetrying503(port, `${head}${authorization}\r\n`)
      assert.equal(heard.status, status)
      assert.match(heard.headers.get('www-authenticate')!, /^Bearer realm="api"/)
    }
  })

  test('that is revoked stops with the next message', async () => {
    const { key: mine, id } = await makeKey(admin, writer)
    const { rpc } = asking(app, path, bearer(mine))
    assert.equal((await rpc('ping')).status, 200)
    await admin.query('update app.api_keys set revoked_at = now() where id = $1', [id])
    assert.deepEqual([(await rpc('ping')).status, (await rpc('tools/list')).json.reason], [403, 'invalid_key'])
  })

  for (const [name, mode] of [
    ['update_draft', 'share'],
    ['get_draft', 'access exclusive'],
    ['list_my_pieces', 'access exclusive'],
  ] as const)
    test(`that is revoked while ${name} is at work is 403 like any other, and changes nothing`, async () => {
      const { key: mine, id: keyId } = await makeKey(admin, writer)
      const id = idOf(await caller(ask, mine).create(minimalPiece))
      const given = { update_draft: { id, revision: 1, sub: 'Late' }, get_draft: { id }, list_my_pieces: {} }[name]
      const { asked } = await inTransaction(admin, async (client) => {
        await client.query(`lock table app.pieces in ${mode} mode`)
        const asked = asking(app, path, bearer(mine)).rpc('tools/call', { name, arguments: given })
        await waitForLockWait(admin, 'app.pieces')
        await admin.query('update app.api_keys set revoked_at = now() where id = $1', [keyId])
        return { asked }
      })
      const { status, json } = await asked
      assert.deepEqual([status, json.reason], [403, 'invalid_key'])
      assert.equal(await countRows(admin, 'app.pieces where id = $1 and sub is null', [id]), 1)
    })
})

describe('a message', () => {
  test('is answered by JSON-RPC in a 200, kept by nobody, and says what is left', async () => {
    const { status, headers, json } = await rpc('ping')
    assert.deepEqual([status, json], [200, { jsonrpc: '2.0', id: 1, result: {} }])
    assert.deepEqual(
      [headers['cache-control'], headers['vary'], headers['mcp-session-id']],
      ['no-store', 'Authorization', undefined],
    )
    assert.match(String(headers['ratelimit-policy']), /^"read";q=\d+;w=60$/)
    const called = await rpc('tools/call', { name: 'create_draft', arguments: minimalPiece })
    assert.match(String(called.headers['ratelimit-policy']), /^"write";q=\d+;w=60$/)
  })

  for (const [what, body, code] of [
    ['no JSON', '{', -32700],
    ['a batch', `[${ping}]`, -32600],
    ['no message', '{}', -32600],
  ] as const)
    test(`that is ${what} is ${code} in a 200`, async () => {
      const { status, json } = await post(body)
      assert.deepEqual([status, json.error.code, json.id], [200, code, null])
    })

  test('of another type is 415, of more than 1,310,720 bytes 413, and of far too many values 400, by JSON-RPC', async () => {
    const many = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[${'0,'.repeat(40_000)}0]}}`
    for (const [body, headers, status] of [
      [ping, { 'content-type': 'text/plain' }, 415],
      [ping + ' '.repeat(1_310_721 - ping.length), {}, 413],
      [many, {}, 400],
    ] as const) {
      const answer = await post(body, headers)
      assert.deepEqual([answer.status, answer.json.id, answer.json.error.code], [status, null, -32600])
    }
    assert.equal((await post(ping + ' '.repeat(1_310_720 - ping.length))).status, 200)
  })

  test('without an id is 202 and nothing; with a version that is not served 400', async () => {
    const notice = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert.deepEqual([notice.status, notice.body], [202, ''])
    const old = await rpc('ping', {}, { headers: { 'mcp-protocol-version': '1999-01-01' } })
    assert.deepEqual([old.status, old.json.error.code], [400, -32022])
  })

  test('of each of the three revisions is served', async () => {
    for (const version of ['2025-06-18', '2025-11-25']) {
      const { json } = await rpc('initialize', { protocolVersion: version })
      assert.equal(json.result.protocolVersion, version)
      const listed = await rpc('tools/list', {}, { headers: { 'mcp-protocol-version': version } })
      assert.equal(listed.json.result.tools.length, 4)
    }
    const meta = (name: string) => `io.modelcontextprotocol/${name}`
    const _meta = { [meta('protocolVersion')]: '2026-07-28', [meta('clientCapabilities')]: {} }
    const modern = (method: string) =>
      rpc(method, { _meta }, { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method } })
    const { result } = (await modern('server/discover')).json
    assert.deepEqual([result.capabilities, result.cacheScope], [{ tools: {} }, 'private'])
    assert.equal((await modern('tools/list')).json.result.tools.length, 4)
    assert.equal((await modern('prompts/list')).status, 404)
  })
})

describe('GET', () => {
  const get = (accept: string) => ask({ url: path, headers: { ...bearer(key), accept } })

  test('says what it is, to whoever has a key', async () => {
    const answer = await get('application/json')
    assert.deepEqual(
      [answer.statusCode, answer.headers['cache-control'], answer.headers['vary']],
      [200, 'no-store', 'Authorization, Accept'],
    )
    const { name, endpoint, authentication, tools } = answer.json()
    assert.deepEqual([name, endpoint, authentication], ['test.site/drafts', `https://site.test${path}`, 'bearer'])
    assert.deepEqual(tools, ['create_draft', 'update_draft', 'get_draft', 'list_my_pieces'])
  })

  test('of an event stream is 405: there is none', async () => {
    const answer = await get('application/json, text/event-stream')
    assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'POST'])
  })

  test('and POST are all it takes', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const answer = await ask({ method, url: path, headers: bearer(key) })
      assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'POST, GET, HEAD, OPTIONS'])
    }
  })
})

test('the manifest of the tool server says where this one is, and that it needs a key', async () => {
  const { drafting, tools, authentication } = (await ask('/.well-known/mcp.json')).json()
  assert.deepEqual([tools.length, authentication], [8, { required: false }])
  assert.equal(drafting.endpoint, `https://site.test${path}`)
  assert.deepEqual([drafting.authentication.required, drafting.authentication.schemes], [true, ['bearer']])
  assert.deepEqual(drafting.tools, ['create_draft', 'update_draft', 'get_draft', 'list_my_pieces'])
})

describe('one key may do there what it may in the write API', async () => {
  const few = await testApp(url, { RATE_WRITE: '3' })
  const daily = await testApp(url, { DRAFTS_PER_DAY: '3' })
  const seldom = await testApp(url, { RATE_READ: '3' })
  const agent = async (site: typeof few, owner = writer) => {
    const { key: theirs } = await makeKey(admin, owner)
    const { call, rpc } = asking(site, path, bearer(theirs))
    const resultOf = async (name: string, given: object): Promise<Json> =>
      JSON.parse((await call(name, given)).content[0].text)
    return { resultOf, rpc, rest: caller((request) => site.inject(request as never) as never, theirs) }
  }

  test('writes a minute, by tool and by REST together; then the model is told how long to wait', async () => {
    const { resultOf, rpc, rest } = await agent(few)
    assert.equal((await resultOf('create_draft', minimalPiece)).ok, true)
    assert.equal((await resultOf('create_draft', {})).reason, 'validation_failed')
    idOf(await rest.create(minimalPiece))
    const { reason, detail } = await resultOf('create_draft', minimalPiece)
    assert.equal(reason, 'rate_limited')
    assert.match(detail, /^Too many requests\. You can send up to 3 a minute\. Try again in \d+ seconds?\.$/)
    assert.equal((await rest.create(minimalPiece)).statusCode, 429)
    assert.equal((await resultOf('list_my_pieces', {})).ok, true)
    assert.equal((await rpc('ping')).status, 200)
  })

  test('drafts and changes a day; repetitions and what changes nothing are free', async () => {
    const owner = await makeWriter(admin)
    const { resultOf, rest } = await agent(daily, owner)
    const { id } = await resultOf('create_draft', { ...minimalPiece, idempotency_key: 'a' })
    for (let times = 0; times < 4; times += 1) await resultOf('create_draft', { ...minimalPiece, idempotency_key: 'a' })
    assert.equal((await resultOf('update_draft', { id, revision: 1, headline: minimalPiece.headline })).revision, 1)
    assert.equal((await resultOf('update_draft', { id, revision: 1, sub: 'x' })).revision, 2)
    idOf(await rest.create(minimalPiece))
    for (const refused of [
      await resultOf('create_draft', minimalPiece),
      await resultOf('update_draft', { id, revision: 2, sub: 'y' }),
    ]) {
      assert.equal(refused.reason, 'rate_limited')
      assert.match(refused.detail, /^At most 3 drafts and changes a day\./)
    }
    assert.equal((await resultOf('create_draft', { ...minimalPiece, idempotency_key: 'a' })).id, id)
    assert.equal(await countRows(admin, 'app.pieces where writer_id = $1', [owner.id]), 2)
  })

  test('messages a minute; then 429, with when to come back, by JSON-RPC', async () => {
    const { rpc } = await agent(seldom)
    for (let times = 0; times < 3; times += 1) assert.equal((await rpc('ping')).status, 200)
    const { status, headers, json } = await rpc('ping')
    assert.deepEqual([status, json.id, json.error.code, json.error.data.reason], [429, null, -32603, 'rate_limited'])
    assert.equal(json.error.data.retry_after, Number(headers['retry-after']))
  })
})
