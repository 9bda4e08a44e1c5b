import Type from 'typebox'
import { described } from '#platform/common-schemas.ts'

/** MCP servers in the OpenAPI document; their own description is in tools/list. */

const id = Type.Unsafe<string | number | null>({
  type: ['string', 'integer', 'null'],
  description: 'Said back as it was sent. A message without one is a notification: 202, and no answer.',
})

export const RpcFailure = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id,
    error: Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
  },
  { $id: 'RpcFailure', description: 'What a tool server answers to a message that fails.' },
)

const Answered = Type.Union([
  Type.Object({ jsonrpc: Type.Literal('2.0'), id, result: Type.Unsafe<object>({ type: 'object' }) }),
  Type.Ref('RpcFailure'),
])

/** One message as a body. */
export const Message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    method: Type.String({ examples: ['tools/list'] }),
    id: Type.Optional(id),
    params: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  },
  { examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] },
)

export const messageAnswers = {
  200: described(Answered, 'The answer: a result, or an error.'),
  202: { type: 'null', description: 'A notification was taken.' },
}

const text = Type.String()
/** The response to GET. */
export const discovery = {
  ok: Type.Literal(true),
  name: text,
  title: text,
  version: text,
  description: text,
  protocolVersion: text,
  supportedProtocolVersions: Type.Array(text),
  transport: text,
  endpoint: Type.String({ format: 'uri' }),
  authentication: text,
  tools: Type.Array(text),
} as const

/** Error responses by status, as JSON-RPC errors. */
export const rpcRefusals = (words: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(words).map(([status, description]) => [status, Type.Ref('RpcFailure', { description })]),
  )

/** Errors that any message may get. */
export const transportWords = {
  '4xx': 'The request cannot be read.',
  400: 'The MCP-Protocol-Version is not served, a notification cannot be read, or the headers of 2026-07-28 do not fit.',
  404: 'By 2026-07-28: there is no such method.',
  415: 'Only application/json is read.',
  503: 'The service is busy; `Retry-After` says when to come back.',
} as const
