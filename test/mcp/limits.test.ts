import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { freezeClock } from '../../testkit/waiting.ts'
import { furnish, type Json } from './site.ts'

/** Rate limits of the tools, and their answers when the site is unavailable. */

freezeClock()
const { url, admin } = await furnish()

const anyAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

const asker = (app: Awaited<ReturnType<typeof testApp>>) => {
  const remoteAddress = anyAddress()
  return async (method: string, params: object = {}): Promise<Json> => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/mcp',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return { status: answer.statusCode, headers: answer.headers, json: answer.json() }
  }
}

describe('messages past the limit', async () => {
  const app = await testApp(url, { RATE_TOOLS: '6', RATE_SEARCH: '2' })

  test('are 429, with when to come back, as a JSON-RPC error', async () => {
    const ask = asker(app)
    const statuses: number[] = []
    for (let number = 0; number < 6; number += 1) statuses.push((await ask('ping')).status)
    const { status, headers, json } = await ask('ping')
    assert.deepEqual([...statuses, status], [200, 200, 200, 200, 200, 200, 429])
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 60)
    assert.match(String(headers['ratelimit-policy']), /^"tools";q=6;w=60$/)
    assert.deepEqual([json.id, json.error.code, json.error.data.retry_after], [null, -32603, seconds])
    assert.equal(headers['access-control-allow-origin'], '*')
  })

  test('that are searches are tool errors before that, so that a model sees them', async () => {
    const ask = asker(app)
    const search = { name: 'search_pieces', arguments: { query: 'tea' } }
    await ask('tools/call', search)
    await ask('tools/call', { name: 'search_authors', arguments: { query: 'tea' } })
    const { status, json } = await ask('tools/call', search)
    assert.equal(status, 200)
    assert.equal(json.result.isError, true)
    assert.match(json.result.content[0].text, /^Too many calls; wait \d+ s\.$/)
    assert.equal((await ask('tools/call', { name: 'recent_pieces' })).json.result.isError, false)
  })
})

test('the text catalogue is written a few at a time for all surfaces together; who comes then is told in words', async () => {
  const app = await testApp(url)
  const ask = asker(app)
  const lock = await admin.connect()
  let inHand: Promise<unknown>[] = []
  try {
    await lock.query('begin; lock table pub.products in access exclusive mode')
    const remoteAddress = anyAddress()
    const asked = Array.from({ length: 30 }, () => app.inject({ url: '/llms-products.txt', remoteAddress }))
    inHand = asked
    const full = asked.map(async (answer) => assert.match((await answer).body, /Too many ask for this at once/))
    await Promise.any(full)
    const { status, headers, json } = await ask('resources/read', { uri: 'https://site.test/llms-products.txt' })
    assert.equal(status, 200)
    assert.deepEqual(json.error, {
      code: -32603,
      message: 'Too many ask for this at once. Try again in a moment.',
      data: { reason: 'overloaded', request_id: headers['x-request-id'], retry_after: 2 },
    })
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  await Promise.all(inHand)
  assert.ok((await ask('resources/read', { uri: 'https://site.test/llms-products.txt' })).json.result)
})

describe('a site without its database', async () => {
  const app = await testApp('postgres://nobody@127.0.0.1:1/none')
  const ask = asker(app)

  test('says so in a tool error, with a reference and without our words', async () => {
    for (const [name, given] of [
      ['get_author', { slug: 'ada' }],
      ['recent_pieces', {}],
      ['search_pieces', { query: 'tea' }],
    ] as const) {
      const { status, json } = await ask('tools/call', { name, arguments: given })
      assert.equal(status, 200)
      assert.equal(json.result.isError, true)
      assert.match(
        json.result.content[0].text,
        /^The service could not answer now \(ref [\w-]+\)\. Try again once; do not change the arguments\.$/,
      )
    }
  })

  test('says so by -32603 where no tool is called, and nothing of what went wrong', async () => {
    const { status, json } = await ask('resources/read', { uri: 'https://site.test/api/public/pieces/recent' })
    assert.equal(status, 200)
    assert.deepEqual([json.error.code, json.error.data.reason], [-32603, 'database_away'])
    assert.match(json.error.data.request_id, /^[\w-]+$/)
    assert.doesNotMatch(JSON.stringify(json), /ECONN|127\.0\.0\.1|postgres|select/i)
  })

  test('still lists and greets', async () => {
    assert.equal((await ask('tools/list')).json.result.tools.length, 8)
    assert.ok((await ask('initialize')).json.result.serverInfo)
  })
})
