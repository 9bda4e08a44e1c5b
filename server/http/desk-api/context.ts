import type { onRequestHookHandler } from 'fastify'
import Type from 'typebox'
import type { AccountContext } from '#features/accounts/context.ts'
import type { PublishingContext } from '#features/pieces/publish.ts'
import type { DeskContext } from '#platform/context.ts'
import type { LimitName } from '#platform/http/limits.ts'
import type { Weight } from '#platform/http/priority.ts'

/** What the doors for people at the desk are given. */
export interface DeskRoutesContext {
  readonly desk: DeskContext
  readonly accounts: AccountContext
  readonly publishing: PublishingContext
  /** Who may come in just now: refused when the site is too busy for this kind, or the caller asks too often. */
  readonly gate: (weight: Weight, limit: LimitName) => onRequestHookHandler[]
  /** Where people reach the site, such as https://example.org. Only its own pages may act at the desk. */
  readonly origin: string
}

/** The desk's API is for its own pages: not in the public description, and free to change with them. */
export const ownPages = { hide: true } as object

export const refusals = { '4xx': Type.Ref('Error'), '5xx': Type.Ref('Error') }
