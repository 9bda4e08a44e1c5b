import { refusals } from '#platform/http/describing.ts'

const words = {
  400: 'A member is missing or out of its limits; `errors` names each.',
  404: 'You have no piece with this id.',
  409: 'The piece is past being a draft, or the same Idempotency-Key is being worked on this moment.',
  412: 'The piece has changed since you read it: your `If-Match` names an older revision.',
  413: 'The body is larger than 1,310,720 bytes.',
  415: 'The body is not JSON in UTF-8, or it is compressed.',
  422: 'This Idempotency-Key was used with another body.',
  428: '`If-Match` is missing.',
} as const

const always = {
  401: 'The Authorization header is missing or malformed.',
  403: 'The key is unknown, revoked, expired or lacks the scope.',
  429: 'Too many requests with this key; `Retry-After` says when to come back.',
  503: 'The service is busy; `Retry-After` says when to come back.',
  '4xx': 'The request cannot be read, or is too long.',
} as const

/** The refusals of a route, beside those that any route of this door may give. */
export const failures = (...statuses: (keyof typeof words)[]) =>
  refusals({ ...Object.fromEntries(statuses.map((status) => [status, words[status]])), ...always })
