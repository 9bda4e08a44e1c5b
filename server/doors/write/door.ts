import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify'
import type { WriteContext } from '#platform/context.ts'
import { type Counter, perDay, perMinute, type Quota, quotaHeaders, tooMany } from '#platform/http/limits.ts'
import { holderOf } from './bearer.ts'

/** What the door for keys is given. */
export interface WriteDoor {
  readonly writes: WriteContext
  /** Who may come near at all, before their key is looked at. */
  readonly gate: readonly onRequestHookHandler[]
  readonly quotas: Quotas
}

/** How much one key may do. */
export interface Quotas {
  /** For reads with a key. */
  readonly reading: onRequestAsyncHookHandler
  readonly writing: onRequestAsyncHookHandler
  readonly drafts: Quota
  /** Takes one of the day's drafts; false if there is none left. Counted before it is made, so that many at once cannot slip through. */
  takeDraft(request: FastifyRequest): Promise<boolean>
  /** None was made after all. */
  giveBackDraft(request: FastifyRequest): Promise<void>
}

export interface QuotaSettings {
  readonly reads: number
  readonly writes: number
  readonly draftsADay: number
}

export function quotasOf({ reads, writes, draftsADay }: QuotaSettings, counter: Counter): Quotas {
  const drafts = perDay('drafts', draftsADay)
  const draftsOf = (request: FastifyRequest) => `drafts:${holderOf(request).keyId}`
  return {
    reading: spend(perMinute('read', reads), counter),
    writing: spend(perMinute('write', writes), counter),
    drafts,
    takeDraft: async (request) => (await counter.hit(draftsOf(request), drafts.window)) <= draftsADay,
    giveBackDraft: async (request) => counter.giveBack(draftsOf(request), drafts.window),
  }
}

/** Answers of this door are nobody else's, so each tells its caller what is left. */
const spend =
  (quota: Quota, counter: Counter): onRequestAsyncHookHandler =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    const used = await counter.hit(`key-${quota.name}:${holderOf(request).keyId}`, quota.window)
    reply.headers(quotaHeaders(quota, used))
    if (used > quota.allowed) throw tooMany(quota)
  }
