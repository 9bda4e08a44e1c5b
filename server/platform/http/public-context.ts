import type { onRequestHookHandler } from 'fastify'
import type { ReadContext } from '../context.ts'
import type { SiteInfo } from '../site.ts'
import type { LimitName } from './limits.ts'
import { refusals } from './openapi.ts'
import type { Weight } from './priority.ts'

/** What the surfaces to public data are given. */
export interface PublicContext {
  readonly reads: ReadContext
  /** Who may come in just now: refused when the site is too busy for this kind, or the caller asks too often. */
  readonly gate: (weight: Weight, limit: LimitName) => onRequestHookHandler[]
  /** The site, wherever it speaks of itself. */
  readonly siteInfo: SiteInfo
  readonly onPartial: () => void
}

const words = {
  400: 'A parameter is missing or out of its range; `errors` names each.',
  404: 'There is no such thing, or it is not public.',
  429: 'Too many requests from this address; `Retry-After` says when to come back.',
  503: 'The service is busy; `Retry-After` says when to come back.',
} as const

/** The refusals of a route, beside those that any route may give. */
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
