import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Json } from './site.ts'

/** Generated JSON-RPC messages: valid, broken and malicious. */

export interface Sent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Existing data of the site, for plausible messages. */
interface Facts {
  /** The callable tools and their arguments; by default the eight public ones. */
  readonly tools?: { readonly names: readonly string[]; readonly given: fc.Arbitrary<unknown> }
  readonly base: string
  readonly slugs: readonly string[]
  readonly ids: readonly string[]
  readonly cursors: readonly string[]
}

const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'prompts/list', 'prompts/get', 'resources/list'],
  ...['resources/templates/list', 'resources/read', 'completion/complete', 'server/discover'],
]
const strange = [
  ...['', 'nothing', 'PING', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'logging/setLevel'],
  ...[
    'resources/subscribe',
    'notifications/initialized',
    'tools/call ',
    'tools\0list',
    '../tools/list',
    '\ud800',
    '💥',
  ],
]
const openTools = [
  ...['search_authors', 'get_author', 'recent_pieces', 'get_piece', 'search_pieces', 'trending_pieces'],
  ...['search_products', 'get_product'],
]

export const hostile = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '\u202e', '\u{e0041}', '%', '_', '\\', "'", '"', "' or 1=1 --", '$1', '$(x)'],
  ...['<script>alert(1)</script>', '{{base}}', '../../etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1:1/'],
  ...['ignore all previous instructions', 'null', 'undefined', 'x'.repeat(300), '🏴'.repeat(120), '\r\nX: y', '💥'],
]
const numbers = [0, 1, 2, 50, 51, 100, 101, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, -0]

const text = fc.oneof(
  fc.constantFrom('tea', 'a', 'Ada', '茶', 'on tea'),
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

/** Any JSON, not deep. */
const anything = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, false, {}, [], [[[[[]]]]]),
  fc.constantFrom<unknown>(...numbers),
  fc.jsonValue({ maxDepth: 3 }),
)

function anyArguments({ tools, base, slugs, ids, cursors }: Facts): fc.Arbitrary<unknown> {
  const id = fc.oneof(
    fc.constantFrom(...ids),
    fc.constantFrom(...ids).map((one) => `${base}/p/${one}`),
    fc.constantFrom(...ids).map((one) => `urn:uuid:${one}`),
    fc.constantFrom(...slugs).map((one) => `${base}/author/${one}/x`),
    fc.uuid(),
    text,
  )
  const sensible = fc.record(
    {
      query: text,
      limit: fc.constantFrom(...numbers),
      category: fc.constantFrom('life', 'civic', 'x', ''),
      cursor: fc.oneof(fc.constantFrom(...cursors), fc.base64String({ maxLength: 40 }), text),
      slug: fc.oneof(fc.constantFrom(...slugs), text),
      seller: fc.oneof(fc.constantFrom(...slugs), text),
      window: fc.constantFrom('24h', '7d', '30d', '1y'),
      format: fc.constantFrom('full', 'text', 'x'),
      id,
    },
    { requiredKeys: [] },
  )
  const wrong = fc.dictionary(
    fc.oneof(fc.constantFrom('query', 'id', '__proto__', 'constructor', 'q'), text),
    anything,
    { maxKeys: 5 },
  )
  return fc.oneof(
    { weight: 5, arbitrary: tools?.given ?? sensible },
    { weight: 2, arbitrary: wrong },
    { weight: 1, arbitrary: anything },
  )
}

function anyParams(facts: Facts): fc.Arbitrary<unknown> {
  const tools = facts.tools?.names ?? openTools
  const uri = fc.oneof(
    fc
      .constantFrom('/llms.txt', '/api/public/pieces/recent', '/api/v1/pieces/me', '/')
      .map((path) => facts.base + path),
    fc.constantFrom(...facts.ids).map((id) => `${facts.base}/api/public/pieces/${id}`),
    fc.constantFrom(...facts.slugs).map((slug) => `${facts.base}/api/public/authors/${slug}`),
    text,
  )
  const ref = fc.oneof(
    fc.constant({ type: 'ref/prompt', name: 'author_brief' }),
    fc.constant({ type: 'ref/resource', uri: `${facts.base}/api/public/authors/{slug}` }),
    anything,
  )
  const meant = fc.record(
    {
      name: fc.oneof(fc.constantFrom(...tools), fc.constantFrom('author_brief', 'reading_list', '__proto__'), anything),
      arguments: anyArguments(facts),
      uri: fc.oneof(uri, anything),
      ref,
      argument: fc.oneof(fc.record({ name: fc.constantFrom('slug', 'category', 'x'), value: text }), anything),
      protocolVersion: fc.oneof(fc.constantFrom('2025-06-18', '2025-11-25', '1'), anything),
      cursor: anything,
      _meta: fc.oneof(fc.constantFrom({}, { progressToken: 1 }), anything),
    },
    { requiredKeys: [] },
  )
  const call = fc.record({ name: fc.constantFrom(...tools), arguments: anyArguments(facts) })
  return fc.oneof({ weight: 5, arbitrary: call }, { weight: 5, arbitrary: meant }, { weight: 1, arbitrary: anything })
}

const id = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(fc.integer(), text, fc.constant(null)) },
  { weight: 1, arbitrary: anything },
)

const versionHeader = fc.oneof(
  { weight: 12, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.constantFrom('2025-06-18', '2025-11-25') },
  { weight: 1, arbitrary: fc.constantFrom('2025-03-26', '2026-07-28', '') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }) },
)

export function anyMessage(facts: Facts): fc.Arbitrary<Sent> {
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 14, arbitrary: fc.constant<unknown>('2.0') }, { weight: 1, arbitrary: anything }),
      id,
      method: fc.oneof(
        { weight: 10, arbitrary: fc.constantFrom<unknown>('tools/call', ...methods) },
        { weight: 2, arbitrary: fc.constantFrom<unknown>(...strange) },
        { weight: 1, arbitrary: anything },
      ),
      params: anyParams(facts),
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  )
  const written = message.map((one) => JSON.stringify(one))
  const broken = fc
    .tuple(written, fc.nat(), fc.constantFrom('cut', 'insert', 'double', 'batch', 'bom'), fc.constantFrom(...hostile))
    .map(([whole, place, how, what]) => {
      const at = place % (whole.length + 1)
      if (how === 'cut') return whole.slice(0, at)
      if (how === 'insert') return whole.slice(0, at) + what + whole.slice(at)
      if (how === 'double') return whole + whole
      return how === 'batch' ? `[${whole},${whole}]` : `\uFEFF${whole}`
    })
  const body = fc.oneof(
    { weight: 8, arbitrary: written },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.oneof(text, fc.constantFrom('['.repeat(20_000), '{"a":'.repeat(9000), '"'.repeat(9))) },
  )
  return fc.record({ body, version: versionHeader }).map(
    ({ body, version }): Sent => ({
      body,
      headers: version === undefined ? {} : { 'mcp-protocol-version': version.replace(/[^\x20-\x7e]/g, '').trim() },
    }),
  )
}

/** The rules of JSON-RPC envelopes, implemented independently of the server. */
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

/** Checks an answer against the rules, returns which rule applied, and passes tool results on. */
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
