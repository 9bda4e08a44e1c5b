import Type from 'typebox'
import { described, refusals } from '#platform/common-schemas.ts'
import { discovery, Message, messageAnswers, rpcRefusals, transportWords } from '#platform/mcp/openapi.ts'

const refusalTexts = {
  400: 'A member is missing or out of its limits; `errors` names each.',
  404: 'You have no piece with this id.',
  409: 'The piece is past being a draft, or the same Idempotency-Key is being worked on this moment.',
  412: 'The piece has changed since you read it: your `If-Match` names an older revision.',
  413: 'The body is larger than 1,310,720 bytes.',
  415: 'The body is not JSON in UTF-8, or it is compressed.',
  422: 'This Idempotency-Key was used with another body.',
  428: '`If-Match` is missing.',
} as const

const commonRefusals = {
  401: 'The Authorization header is missing or malformed.',
  403: 'The key is unknown, revoked or expired (`invalid_key`), or lacks the scope for this draft (`insufficient_scope`).',
  429: 'Too many requests with this key; `Retry-After` says when to come back.',
  503: 'The service is busy; `Retry-After` says when to come back.',
  '4xx': 'The request cannot be read, or is too long.',
} as const

/** The error responses of a route, plus those every route here may send. */
export const failures = (...statuses: (keyof typeof refusalTexts)[]) =>
  refusals({ ...Object.fromEntries(statuses.map((status) => [status, refusalTexts[status]])), ...commonRefusals })

const common = { tags: ['Drafts'], security: [{ key: [] }] }
const authRefusals = refusals({ 401: commonRefusals[401], 403: commonRefusals[403] })

/** The MCP server for drafts. */
export const callDraftToolsSchema = {
  ...common,
  operationId: 'callDraftTools',
  summary: 'Draft by tools',
  description:
    'One JSON-RPC 2.0 message of the Model Context Protocol, with a key: revisions 2025-06-18, 2025-11-25 and 2026-07-28. The tools are create_draft, update_draft, get_draft and list_my_pieces; none publishes. Methods: initialize, ping, tools/list, tools/call; by 2026-07-28 also server/discover and subscriptions/listen, which answers with a stream. Failures of JSON-RPC and of tools stand in a 200.',
  body: Message,
  response: {
    ...messageAnswers,
    ...rpcRefusals({ ...transportWords, 413: refusalTexts[413].replace('body', 'message'), 429: commonRefusals[429] }),
    ...authRefusals,
  },
}

export const discoverDraftToolsSchema = {
  ...common,
  operationId: 'discoverDraftTools',
  summary: 'What the tool server for drafts is',
  response: {
    200: described(
      Type.Object({ ...discovery, documentation: Type.String({ format: 'uri' }) }),
      'Where it is and what it offers.',
    ),
    ...rpcRefusals({
      '4xx': transportWords['4xx'],
      400: transportWords['4xx'],
      405: 'There is no stream to listen to: POST a message.',
      429: commonRefusals[429],
      503: commonRefusals[503],
    }),
    ...authRefusals,
  },
}
