/** JSON-RPC 2.0: parsing messages and writing responses. */

export const codes = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  /** In revisions with a handshake; later ones use `params`. */
  resource: -32_002,
  /** In revision 2026-07-28. */
  headers: -32_020,
  version: -32_022,
} as const

export type Id = string | number | null
export type Params = Readonly<Record<string, unknown>>

/** A protocol error, not one of a tool. Its message is one sentence; data for programs is in `data`. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** The parser's result for a body that is not JSON. */
export const unreadable: unique symbol = Symbol('unreadable')

export type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Params }
  /** Needs no response: a notification, or a response to a request we never send. */
  | { readonly kind: 'notice'; readonly isValid: boolean }
  | { readonly kind: 'broken'; readonly id: Id; readonly error: RpcError }

export function readMessage(body: unknown): Message {
  if (body === unreadable || body === undefined) return broken(null, codes.parse, 'Parse error: body is not valid JSON')
  if (Array.isArray(body)) return broken(null, codes.request, 'Batching is not supported; send one message per POST')
  if (!isObject(body)) return broken(null, codes.request, 'Invalid request: a message is a JSON object')
  const { jsonrpc, method, id, params } = body
  const echoed = isId(id) ? id : null
  if (jsonrpc !== '2.0') return broken(echoed, codes.request, 'Invalid request: jsonrpc must be "2.0"')
  if (typeof method !== 'string') {
    const isAnswer = !Object.hasOwn(body, 'method') && (Object.hasOwn(body, 'result') || Object.hasOwn(body, 'error'))
    if (isAnswer) return { kind: 'notice', isValid: true }
    return broken(echoed, codes.request, 'Invalid request: method must be a string')
  }
  const hasParams = Object.hasOwn(body, 'params')
  if (!Object.hasOwn(body, 'id')) return { kind: 'notice', isValid: !hasParams || isObject(params) }
  if (!isId(id)) return broken(null, codes.request, 'Invalid request: id must be a string, an integer or null')
  if (hasParams && !isObject(params)) return broken(id, codes.params, 'Invalid params: params must be an object')
  return { kind: 'request', id, method, params: hasParams ? (params as Params) : {} }
}

const broken = (id: Id, code: number, message: string): Message => ({
  kind: 'broken',
  id,
  error: new RpcError(code, message),
})

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A larger integer could not be echoed exactly. */
const isId = (id: unknown): id is Id => id === null || typeof id === 'string' || Number.isSafeInteger(id)

/** `result` is already JSON. */
export const written = (id: Id, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

export const errorResponse = (id: Id, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
