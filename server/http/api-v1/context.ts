import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { WriteContext } from '#features/context.ts'
import { invalid, type ServiceError } from '#platform/errors.ts'
import { type Counter, perDay, perMinute, type Quota, quotaHeaders, tooMany } from '#platform/http/limits.ts'
import { holderOf } from './api-key-auth.ts'

/** What the write API's routes need. */
export interface ApiContext {
  readonly writes: WriteContext
  /** Hooks that run before the key is looked up. */
  readonly gate: readonly onRequestHookHandler[]
  readonly quotas: Quotas
  /**
   * Called for each field that was sent and ignored because only the server sets it, which hints at someone trying to
   * gain rights.
   */
  readonly onIgnored: (member: ServerOnlyField) => void
}

/** Fields of a body that only the server sets. */
const serverOnlyFields = ['status', 'editor_status', 'id', 'writer_id'] as const
type ServerOnlyField = (typeof serverOnlyFields)[number]

/** Reports such fields among the names that were sent and ignored. */
export const reportIgnored =
  (onIgnored: ApiContext['onIgnored']) =>
  (names: readonly string[]): void => {
    for (const member of serverOnlyFields) if (names.includes(member)) onIgnored(member)
  }

/** Counts one request and rejects it if the quota is used up. Used as a hook or as a step. */
type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** The quotas of one key. */
export interface Quotas {
  readonly reading: CountRequest
  readonly writing: CountRequest
  /**
   * Runs work that may save a draft. `work` gets whether today's quota has one left, and returns whether it saved.
   * Counted before the work, so that concurrent requests cannot exceed the quota, and given back if nothing was saved.
   */
  saving<Done extends { readonly saved: boolean }>(
    request: FastifyRequest,
    work: (left: boolean) => Promise<Done>,
  ): Promise<Done>
  /** The error when today's quota is used up. */
  noneLeft(): ServiceError
}

export interface QuotaSettings {
  readonly reads: number
  readonly writes: number
  readonly draftsADay: number
}

export function createQuotas({ reads, writes, draftsADay }: QuotaSettings, counter: Counter): Quotas {
  const drafts = perDay('drafts', draftsADay, 'drafts and changes')
  return {
    reading: limitByKey(perMinute('read', reads), counter),
    writing: limitByKey(perMinute('write', writes), counter),
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

/** Responses here are never shared, so each tells its caller what is left. */
const limitByKey =
  (quota: Quota, counter: Counter): CountRequest =>
  async (request, reply) => {
    const used = await counter.hit(`key-${quota.name}:${holderOf(request).keyId}`, quota.window)
    reply.headers(quotaHeaders(quota, used))
    if (used > quota.allowed) throw tooMany(quota)
  }

const visible = /^[\x21-\x7e]{1,255}$/
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** Reads `Idempotency-Key` as a bare token or a quoted string of 1 to 255 visible ASCII characters; null if absent. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  const text = String(given).trim()
  const key = quoted.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text
  return assertVisibleAscii(key, '/Idempotency-Key')
}

/** The same check for a key passed as an argument. */
export function assertVisibleAscii(key: string, pointer: string): string {
  if (visible.test(key)) return key
  throw invalid([{ pointer, code: 'malformed', detail: 'must be 1 to 255 visible ASCII characters, such as a UUID' }])
}
