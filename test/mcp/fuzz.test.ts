import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '../../server/testing/app.ts'
import { unhurried } from '../openapi-check.ts'
import { base, furnish, type Json } from './house.ts'
import { anyMessage, type Sent } from './messages.ts'

/** Whatever is sent as a message, the answer is the one the rules name. `MESSAGES=50000` is the long form. */

const messages = Number(process.env['MESSAGES'] ?? 2000)
const { url, pieces, products, draft } = await furnish()
const app = await testApp(url)

const first = async (path: string): Promise<string> => (await app.inject(`${path}limit=1`)).json().next_cursor
const facts = {
  base,
  slugs: ['ada-okafor', 'bo', 'nobody'],
  ids: [...pieces.slice(0, 5), ...products.slice(0, 3), draft],
  cursors: [await first('/api/public/pieces/recent?'), await first('/api/public/authors/search?q=a&')],
}

/** The rules of the envelope, written once more and in another way than the server has them. */
type Expected = 'parse' | 'request' | 'params' | 'silence' | 'silence refused' | 'version' | 'latest' | 'answer'

function expected({ body, headers }: Sent): { what: Expected; id: unknown } {
  let message: Json
  try {
    message = body.startsWith('\uFEFF') ? JSON.parse('') : JSON.parse(body)
  } catch {
    return { what: 'parse', id: null }
  }
  if (message === null || typeof message !== 'object' || Array.isArray(message)) return { what: 'request', id: null }
  const own = (name: string): Json => (Object.hasOwn(message, name) ? message[name] : undefined)
  const isSayable = own('id') === null || typeof own('id') === 'string' || Number.isSafeInteger(own('id'))
  const said = isSayable && own('id') !== undefined ? own('id') : null
  if (own('jsonrpc') !== '2.0') return { what: 'request', id: said }
  if (typeof own('method') !== 'string') {
    const isReply =
      !Object.hasOwn(message, 'method') && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))
    return isReply ? { what: 'silence', id: null } : { what: 'request', id: said }
  }
  const params = own('params')
  const areWell =
    !Object.hasOwn(message, 'params') || (typeof params === 'object' && params !== null && !Array.isArray(params))
  const version = headers['mcp-protocol-version']
  if (!Object.hasOwn(message, 'id')) {
    if (version !== undefined && !['2025-06-18', '2025-11-25', '2026-07-28'].includes(version))
      return { what: 'version', id: null }
    return { what: areWell ? 'silence' : 'silence refused', id: null }
  }
  if (!isSayable) return { what: 'request', id: null }
  if (!areWell) return { what: 'params', id: said }
  const isInitialize = own('method') === 'initialize'
  const isMarked =
    typeof params?._meta === 'object' &&
    params._meta !== null &&
    Object.hasOwn(params._meta, 'io.modelcontextprotocol/protocolVersion')
  if (isMarked || (version === '2026-07-28' && !isInitialize)) return { what: 'latest', id: said }
  if (version !== undefined && !isInitialize && !['2025-06-18', '2025-11-25'].includes(version))
    return { what: 'version', id: said }
  return { what: 'answer', id: said }
}

const codes = { parse: -32700, request: -32600, params: -32602 } as const
const seen = new Map<string, number>()

async function isAnsweredWell(sent: Sent): Promise<void> {
  const answer = await unhurried(app, {
    method: 'POST',
    url: '/api/mcp',
    headers: { 'content-type': 'application/json', ...sent.headers },
    payload: Buffer.from(sent.body.toWellFormed()),
  })
  const { what, id } = expected({ ...sent, body: sent.body.toWellFormed() })
  const { statusCode: status, body } = answer
  const outcome = what === 'answer' || what === 'latest' ? `${what} ${status}` : what
  seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  if (what === 'silence') return assert.deepEqual([status, body], [202, ''])
  const json = JSON.parse(body)
  assert.equal(json.jsonrpc, '2.0')
  assert.deepEqual(json.id, id)
  assert.equal('result' in json, !('error' in json))
  if (what === 'silence refused') return assert.deepEqual([status, json.error.code], [400, -32602])
  if (what === 'version') return assert.deepEqual([status, json.error.code], [400, -32022])
  if (what === 'latest') {
    assert.equal(status === 404, json.error.code === -32601)
    assert.ok([200, 400, 404].includes(status), `${status}`)
    return assert.ok([-32602, -32601, -32020, -32022].includes(json.error.code), json.error.code)
  }
  assert.equal(status, 200)
  if (what !== 'answer') return assert.equal(json.error.code, codes[what])
  if (json.error) {
    assert.ok([-32601, -32602, -32002].includes(json.error.code), body)
    return assert.doesNotMatch(body, /node_modules|at \w+ \(|syntax error|invalid byte|svc_/)
  }
  isToolResultWell(json.result)
}

/** No failure of ours, and nothing half said. */
function isToolResultWell(result: Json): void {
  if (!result.content) return
  if (result.isError) {
    assert.deepEqual(Object.keys(result), ['content', 'isError'])
    assert.doesNotMatch(result.content[0].text, /could not answer now/)
    return
  }
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
  assert.equal(result.structuredContent.ok, true)
}

test(`${messages} messages, valid, broken and hostile, are answered as the rules say, and never by 5xx`, async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
  await fc.assert(fc.asyncProperty(anyMessage(facts), isAnsweredWell), { numRuns: messages, seed })
  const kinds = [...seen].sort(([a], [b]) => a.localeCompare(b)).map(([what, times]) => `${what} × ${times}`)
  console.log(`${messages} messages, seed ${seed}: ${kinds.join(', ')}`)
  assert.ok(seen.size >= 7)
  assert.equal((await app.inject('/healthz')).statusCode, 200)
})
