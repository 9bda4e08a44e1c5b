import assert from 'node:assert/strict'
import type { Sent } from './messages.ts'
import type { Json } from './site.ts'

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

interface Answered {
  readonly statusCode: number
  readonly body: string
}

/** Holds an answer against the rules; says which of them it was, and hands on what a tool answered. */
export function judge(sent: Sent, { statusCode: status, body }: Answered, onResult: (result: Json) => void): string {
  const { what, id } = expected({ ...sent, body: sent.body.toWellFormed() })
  const outcome = what === 'answer' || what === 'latest' ? `${what} ${status}` : what
  isAsRuled({ what, id, status, body }, onResult)
  return outcome
}

interface Ruled {
  readonly what: Expected
  readonly id: unknown
  readonly status: number
  readonly body: string
}

function isAsRuled({ what, id, status, body }: Ruled, onResult: (result: Json) => void): void {
  if (what === 'silence') {
    assert.deepEqual([status, body], [202, ''])
    return
  }
  const json = JSON.parse(body)
  assert.equal(json.jsonrpc, '2.0')
  assert.deepEqual(json.id, id)
  assert.equal('result' in json, !('error' in json))
  if (what === 'silence refused') {
    assert.deepEqual([status, json.error.code], [400, -32602])
    return
  }
  if (what === 'version') {
    assert.deepEqual([status, json.error.code], [400, -32022])
    return
  }
  if (what === 'latest') {
    assert.equal(status === 404, json.error.code === -32601)
    assert.ok([200, 400, 404].includes(status), `${status}`)
    assert.ok([-32602, -32601, -32020, -32022].includes(json.error.code), json.error.code)
    return
  }
  assert.equal(status, 200)
  if (what !== 'answer') {
    assert.equal(json.error.code, codes[what])
    return
  }
  if (json.error) {
    assert.ok([-32601, -32602, -32002].includes(json.error.code), body)
    assert.doesNotMatch(body, /node_modules|at \w+ \(|syntax error|invalid byte|svc_/)
    return
  }
  onResult(json.result)
}
