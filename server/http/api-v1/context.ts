import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { WriteContext } from '#platform/context.ts'
import type { ServiceError } from '#platform/errors.ts'
import { type Counter, perDay, perMinute, type Quota, quotaHeaders, tooMany } from '#platform/http/limits.ts'
import { holderOf } from './api-key-auth.ts'

/** What the context for keys is given. */
export interface ApiContext {
  readonly writes: WriteContext
  /** Who may come near at all, before their key is looked at. */
  readonly gate: readonly onRequestHookHandler[]
  readonly quotas: Quotas
  /** Told of each member that was sent and ignored because the site alone decides it: who sends one hopes for more. */
  readonly onIgnored: (member: SiteMember) => void
}

/** Members of a body that only the site decides. */
const siteMembers = ['status', 'editor_status', 'id', 'writer_id'] as const
type SiteMember = (typeof siteMembers)[number]

/** Looks for such members among the names of what was sent and not taken. */
export const ignoring =
  (onIgnored: ApiContext['onIgnored']) =>
  (names: readonly string[]): void => {
    for (const member of siteMembers) if (names.includes(member)) onIgnored(member)
  }

/** Counts one, and refuses where it was one too many. A hook, or a step of the work. */
type Spending = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** How much one key may do. */
export interface Quotas {
  /** For reads with a key. */
  readonly reading: Spending
  readonly writing: Spending
  /**
   * Work that may save: a new draft or a change, each of which is kept. It is told whether the day has one left, and
   * tells whether it saved. Counted before it is done, so that many at once cannot slip through, and given back if not.
   */
  saving<Done extends { readonly saved: boolean }>(
    request: FastifyRequest,
    work: (left: boolean) => Promise<Done>,
  ): Promise<Done>
  /** None is left today. */
  noneLeft(): ServiceError
}

export interface QuotaSettings {
  readonly reads: number
  readonly writes: number
  readonly draftsADay: number
}

export function quotasOf({ reads, writes, draftsADay }: QuotaSettings, counter: Counter): Quotas {
  const drafts = perDay('drafts', draftsADay, 'drafts and changes')
  return {
    reading: spend(perMinute('read', reads), counter),
    writing: spend(perMinute('write', writes), counter),
    async saving(request, work) {
      const counted = `drafts:${holderOf(request).keyId}`
      const left = (await counter.hit(counted, drafts.window)) <= draftsADay
      let saved = false
      try {
        const done = await work(left)
        saved = done.saved
        return done
      } finally {
        if (!saved) await counter.giveBack(counted, drafts.window)
      }
    },
    noneLeft: () => tooMany(drafts),
  }
}

/** Answers of this context are nobody else's, so each tells its caller what is left. */
const spend =
  (quota: Quota, counter: Counter): Spending =>
  async (request, reply) => {
    const used = await counter.hit(`key-${quota.name}:${holderOf(request).keyId}`, quota.window)
    reply.headers(quotaHeaders(quota, used))
    if (used > quota.allowed) throw tooMany(quota)
  }
