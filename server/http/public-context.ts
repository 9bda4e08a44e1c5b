import type { onRequestHookHandler } from 'fastify'
import type { SiteInfo } from '#config/site-info.ts'
import type { ReadContext } from '#features/context.ts'
import { refusals } from '#platform/common-schemas.ts'
import type { Priority } from '#platform/http/admission.ts'
import type { LimitName } from '#platform/http/limits.ts'

/** Dependencies of the public surfaces. */
export interface PublicContext {
  readonly reads: ReadContext
  /** Hooks that refuse a request: the site is too busy for this kind, or the client sends too many. */
  readonly gate: (priority: Priority, limit: LimitName) => onRequestHookHandler[]
  readonly siteInfo: SiteInfo
  readonly onPartial: () => void
}

const words = {
  400: 'A parameter is missing or out of its range; `errors` names each.',
  404: 'There is no such thing, or it is not public.',
  429: 'Too many requests from this address; `Retry-After` says when to come back.',
  503: 'The service is busy; `Retry-After` says when to come back.',
} as const

/** The error responses of a route, with those that every route has. */
export function failures(...statuses: (keyof typeof words)[]) {
  const all = [...statuses, 429, 503] as const
  return {
    304: { type: 'null', description: 'You have it already: its ETag is one of your If-None-Match.' },
    ...refusals({
      ...Object.fromEntries(all.map((status) => [status, words[status]])),
      '4xx': 'The request cannot be read, or is too long.',
    }),
  }
}
