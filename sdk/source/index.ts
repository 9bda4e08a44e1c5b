import { draftsOf } from './client/drafts.ts'
import { authorsOf, piecesOf, productsOf } from './client/reads.ts'
import { type SiteOptions, siteOf } from './client/request.ts'

export type { CreateOptions, Draft, NewDraft, Revised } from './client/drafts.ts'
export { type FieldProblem, StandfirstError } from './client/error.ts'
export type { List } from './client/reads.ts'
export type { CallOptions, OnWait, SiteOptions } from './client/request.ts'
export type * from './types.generated.ts'
export type { PiecePublished, UnknownEvent, WebhookEvent, WebhookPing } from './webhook.ts'
export { type Delivery, type HeaderSource, type Refusal, verifyWebhook, WebhookError } from './webhook.ts'

/** What anyone may read of a site. */
export interface Reader {
  readonly authors: ReturnType<typeof authorsOf>
  readonly pieces: ReturnType<typeof piecesOf>
  readonly products: ReturnType<typeof productsOf>
}

/** Adds what a writer's key allows. */
export interface Drafter extends Reader {
  readonly drafts: ReturnType<typeof draftsOf>
}

/** A client to read from a site and, with a writer's key, to manage drafts. Sends nothing until a method is called. */
export function standfirst(options: SiteOptions & { readonly key: string }): Drafter
export function standfirst(options: SiteOptions): Reader
export function standfirst(options: SiteOptions): Drafter {
  const site = siteOf(options)
  // Present without a key too, so that the site's error explains what is missing instead of "undefined is not an
  // object".
  return { authors: authorsOf(site), pieces: piecesOf(site), products: productsOf(site), drafts: draftsOf(site) }
}
