import Type from 'typebox'
import { described } from '#platform/http/describing.ts'

/** The tool server in the OpenAPI document; what it says of itself by JSON-RPC is in tools/list. */

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
  { $id: 'RpcFailure', description: 'What the tool server answers to a message that fails.' },
)

const Answered = Type.Union([
  Type.Object({ jsonrpc: Type.Literal('2.0'), id, result: Type.Unsafe<object>({ type: 'object' }) }),
  Type.Ref('RpcFailure'),
])

const refusing = (words: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(words).map(([status, description]) => [status, Type.Ref('RpcFailure', { description })]),
  )

const refusals = {
  '4xx': 'The request cannot be read.',
  400: 'The MCP-Protocol-Version is not served, a notification cannot be read, or the headers of 2026-07-28 do not fit.',
  403: 'The Origin is none, or the Host is not ours.',
  404: 'By 2026-07-28: there is no such method.',
  413: 'The message is larger than 64 KiB.',
  415: 'Only application/json is read.',
  429: 'Too many messages from this address; `Retry-After` says when to come back.',
  503: 'The service is busy; `Retry-After` says when to come back.',
} as const

export const asked = {
  operationId: 'callTools',
  tags: ['Tools'],
  summary: 'Ask the tool server',
  description:
    'One JSON-RPC 2.0 message of the Model Context Protocol: revisions 2025-06-18, 2025-11-25 and 2026-07-28. Methods: initialize, ping, tools/list, tools/call, prompts/list, prompts/get, resources/list, resources/templates/list, resources/read, completion/complete; by 2026-07-28 also server/discover and subscriptions/listen, which answers with a stream. Failures of JSON-RPC stand in a 200.',
  body: Type.Object({
    jsonrpc: Type.Literal('2.0'),
    method: Type.String({ examples: ['tools/list'] }),
    id: Type.Optional(id),
    params: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  }),
  response: {
    200: described(Answered, 'The answer: a result, or an error.'),
    202: { type: 'null', description: 'A notification was taken.' },
    ...refusing(refusals),
  },
}

const text = Type.String()

export const discovered = {
  operationId: 'discoverTools',
  tags: ['Tools'],
  summary: 'What the tool server is',
  response: {
    200: described(
      Type.Object({
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
        manifest: Type.String({ format: 'uri' }),
        serverCard: Type.String({ format: 'uri' }),
        documentation: Type.String({ format: 'uri' }),
      }),
      'Where it is and what it offers.',
    ),
    304: { type: 'null', description: 'You have it already.' },
    ...refusing({
      ...refusals,
      400: 'The request cannot be read.',
      405: 'There is no stream to listen to: POST a message.',
    }),
  },
}
