import Type from 'typebox'
import { described } from '#platform/http/openapi.ts'
import { discovery, Message, messageAnswers, rpcRefusals, transportWords } from '#platform/mcp/openapi.ts'

/** The tool server in the OpenAPI document. */

const refusals = {
  ...transportWords,
  403: 'The Origin is none, or the Host is not ours.',
  413: 'The message is larger than 64 KiB.',
  429: 'Too many messages from this address; `Retry-After` says when to come back.',
} as const

export const asked = {
  operationId: 'callTools',
  tags: ['Tools'],
  summary: 'Ask the tool server',
  description:
    'One JSON-RPC 2.0 message of the Model Context Protocol: revisions 2025-06-18, 2025-11-25 and 2026-07-28. Methods: initialize, ping, tools/list, tools/call, prompts/list, prompts/get, resources/list, resources/templates/list, resources/read, completion/complete; by 2026-07-28 also server/discover and subscriptions/listen, which answers with a stream. Failures of JSON-RPC stand in a 200.',
  body: Message,
  response: { ...messageAnswers, ...rpcRefusals(refusals) },
}

const uri = Type.String({ format: 'uri' })

export const discovered = {
  operationId: 'discoverTools',
  tags: ['Tools'],
  summary: 'What the tool server is',
  response: {
    200: described(
      Type.Object({ ...discovery, manifest: uri, serverCard: uri, documentation: uri }),
      'Where it is and what it offers.',
    ),
    304: { type: 'null', description: 'You have it already.' },
    ...rpcRefusals({
      ...refusals,
      400: 'The request cannot be read.',
      405: 'There is no stream to listen to: POST a message.',
    }),
  },
}
