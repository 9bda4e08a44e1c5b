import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { type EmailOrder, type QueuedEmail, queuedKinds } from '#features/emails/templates.ts'
import { currentWrite } from '#platform/db/wal-position.ts'
import { type AddOptions, addJob, type JobRules, type JobTransaction } from '#platform/jobs/queue.ts'

/**
 * Background jobs, and the limits of each. A job is committed with the change that causes it, runs at least once, and
 * may run again after a crash.
 */
export interface Jobs {
  /** The address is looked up when the email is sent, and never stored in the queue. */
  mail: QueuedEmail & { readonly to: { readonly account: string } }
  /** An address entered to sign up or to reset a password: the worker checks whether there is an account. */
  'account.letter': {
    readonly email: string
    readonly asked: 'sign_up' | 'reset'
    /** The hash of the invitation, if there was one. */
    readonly invitation?: string
    /** In which the form was shown, for people who have not chosen one. */
    readonly language?: string
  }
  /**
   * Emails about a change of an account's address (requested, to be confirmed, changed), or its deletion. The worker
   * reads the addresses from the database.
   */
  'account.email': { readonly account: string; readonly email: 'asked' | 'confirm' | 'changed' | 'deletion' }
  /** Notifies a writer of their suspension. The worker reads the reason from the database. */
  'account.suspended': { readonly account: string }
  /** The result of a review, to the writer. The worker reads the headline and the note from the database. */
  'review.email': { readonly piece: string; readonly template: ReviewEmail }
  /** A translator asks the author of the original, or gets the answer. The worker reads both headlines from the database. */
  'translation.email': { readonly piece: string; readonly original: string; readonly about: 'asked' | 'answered' }
  /** A writer invites a co-author, or gets the answer. The worker reads the headline from the database. */
  'co_author.email': { readonly piece: string; readonly writer: string; readonly about: 'invited' | 'answered' }
  /** A scheduled piece was published, or will not be. The worker reads headline and reason from the database. */
  'schedule.email': { readonly piece: string; readonly about: 'published' | 'void' }
  /** Publishes scheduled pieces whose time has come, and notifies writers whose schedules became void. */
  'schedules.publish': Nothing
  /** Drafts that keys created for a writer. The worker reads the headlines from the database. */
  'drafts.email': { readonly account: string; readonly count: number }
  /** New comments on a piece. The worker reads headline and names from the database. */
  'comments.email': { readonly piece: string; readonly account: string }
  /** To an address that no account has any more, so it cannot be looked up. */
  'mail.former': FormerAddressEmail
  /** To a person invited by a moderator or the operator. */
  'mail.invited': InvitationEmail
  /** A moderation decision, to the writer; or the result of an appeal, to the moderator who decided first. */
  'decision.email': { readonly decision: string; readonly to: 'writer' | 'moderator' }
  /** To the address left with a report, which no longer has it. */
  'mail.reporter': ReporterOrder & { readonly email: string }
  /** Purges responses with these tags from the edge caches. Enqueued by everything that changes something public. */
  'cache.purge': { readonly tags: readonly string[] }
  /** Checks whether the writer's website contains their verification token. */
  'website.check': { readonly writer: string }
  /** Fetches the titles and pictures of the links that stand alone in a public piece; where another left off, after that. */
  'links.fetch': { readonly piece: string; readonly after?: string }
  /** Enqueues the `website.check` jobs that are due. */
  'websites.due': Nothing
  /** Makes smaller copies of images that have become public. */
  'media.variants': Nothing
  'site.sweep': Nothing
  /** Adds the followers of a list that a writer agreed to. */
  'followers.import': { readonly import: string }
  /** Notifies writers whose keys have created drafts. */
  'drafts.tell': Nothing
  /** Notifies writers of comments on their pieces, and commenters of replies. */
  'comments.tell': Nothing
  /** Finds what to read after a piece that was published or changed. */
  'piece.relate': { readonly piece: string }
  /** Finds it again for the pieces where it was found longest ago. */
  'related.refresh': Nothing
  /** Recomputes the most read pieces. */
  'trending.score': Nothing
  /** Counts the pieces of each topic. */
  'topics.count': Nothing
  /** Verifies the hash chain of every account's security history. */
  'history.check': Nothing
  /** Thins out and compresses saves older than a day. */
  'history.pack': Nothing
}

const reviewEmails = ['approved', 'changes-requested'] as const
export type ReviewEmail = (typeof reviewEmails)[number]

/** To the former address of a deleted account. */
type FormerAddressEmail = Extract<EmailOrder, { template: 'account-deleted' }> & {
  readonly email: string
  /** That of the account, which is gone. */
  readonly language?: string
}

type InvitationEmail = Extract<EmailOrder, { template: 'invitation' }> & { readonly email: string }

/** Results of a report. */
const reporterEmails = ['report-taken-down', 'report-kept', 'listing-report-taken-down', 'listing-report-kept'] as const
export type ReporterOrder = Extract<EmailOrder, { template: (typeof reporterEmails)[number] }>

type Nothing = Readonly<Record<string, never>>

export type JobName = keyof Jobs

const rules: { readonly [Name in JobName]: JobRules } = {
  // Retried for a day. The parameters of an email may contain a token, so they are deleted soon after it is sent.
  mail: { atOnce: 4, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'account.letter': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'account.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'account.suspended': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'mail.former': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'mail.invited': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'decision.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'review.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'co_author.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'translation.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'schedule.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  // Not alone: after a worker was killed, the next minute does not wait for its job. The database publishes each piece once.
  'schedules.publish': { atOnce: 1, longest: 300, retries: 0, pause: 10, longestPause: 60, kept: 3600 },
  'drafts.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'comments.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'mail.reporter': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  // Ten minutes: by then every cache has dropped what it keeps for 30 s.
  'cache.purge': { atOnce: 2, longest: 30, retries: 25, pause: 1, longestPause: 30, kept: 3600 },
  // Whatever the other server does is a result; retries are for our own failures.
  'website.check': { atOnce: 4, longest: 60, retries: 3, pause: 5, longestPause: 60, kept: 3600 },
  // Has a budget, which the last link may exceed: its page and picture, of servers that take all the time they are given.
  'links.fetch': { atOnce: 1, longest: 180, retries: 3, pause: 5, longestPause: 60, kept: 3600 },
  'websites.due': { atOnce: 1, longest: 60, retries: 2, pause: 60, longestPause: 300, kept: 3600, alone: true },
  // Seven seconds for each; the rest is left to the next minute.
  'media.variants': { atOnce: 1, longest: 900, retries: 0, pause: 10, longestPause: 60, kept: 3600, alone: true },
  'site.sweep': { atOnce: 1, longest: 600, retries: 2, pause: 60, longestPause: 300, kept: 86_400, alone: true },
  // Goes on where it was interrupted.
  'followers.import': { atOnce: 2, longest: 300, retries: 100, pause: 2, longestPause: 900, kept: 3600 },
  'drafts.tell': { atOnce: 1, longest: 60, retries: 2, pause: 10, longestPause: 60, kept: 3600, alone: true },
  'comments.tell': { atOnce: 1, longest: 60, retries: 2, pause: 10, longestPause: 60, kept: 3600, alone: true },
  // Readers get the newest of the author and section meanwhile.
  'piece.relate': { atOnce: 1, longest: 60, retries: 2, pause: 30, longestPause: 300, kept: 3600 },
  'related.refresh': { atOnce: 1, longest: 240, retries: 1, pause: 30, longestPause: 60, kept: 3600, alone: true },
  'trending.score': { atOnce: 1, longest: 120, retries: 1, pause: 30, longestPause: 60, kept: 3600, alone: true },
  'topics.count': { atOnce: 1, longest: 120, retries: 1, pause: 30, longestPause: 60, kept: 3600, alone: true },
  // Ten million rows take less.
  'history.check': { atOnce: 1, longest: 3600, retries: 2, pause: 60, longestPause: 300, kept: 86_400, alone: true },
  // The rest is left to the next hour.
  'history.pack': { atOnce: 1, longest: 3000, retries: 2, pause: 60, longestPause: 300, kept: 86_400, alone: true },
}

const Language = Type.String({ maxLength: 35 })
const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

const payloads: { readonly [Name in JobName]: TSchema } = {
  mail: Type.Object({
    to: Type.Object({ account: Uuid }),
    template: Type.Enum(queuedKinds),
    params: Type.Object({}),
  }),
  'account.letter': Type.Object({
    email: Type.String({ maxLength: 254 }),
    asked: Type.Union([Type.Literal('sign_up'), Type.Literal('reset')]),
    invitation: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    language: Type.Optional(Language),
  }),
  'account.email': Type.Object({ account: Uuid, email: Type.Enum(['asked', 'confirm', 'changed', 'deletion']) }),
  'account.suspended': Type.Object({ account: Uuid }),
  'mail.former': Type.Object({
    email: Type.String({ maxLength: 254 }),
    template: Type.Literal('account-deleted'),
    params: Type.Object({}),
    language: Type.Optional(Language),
  }),
  'mail.invited': Type.Object({
    email: Type.String({ maxLength: 254 }),
    template: Type.Literal('invitation'),
    params: Type.Object({}),
  }),
  'decision.email': Type.Object({ decision: Uuid, to: Type.Enum(['writer', 'moderator']) }),
  'review.email': Type.Object({ piece: Uuid, template: Type.Enum([...reviewEmails]) }),
  'co_author.email': Type.Object({ piece: Uuid, writer: Uuid, about: Type.Enum(['invited', 'answered']) }),
  'translation.email': Type.Object({ piece: Uuid, original: Uuid, about: Type.Enum(['asked', 'answered']) }),
  'schedule.email': Type.Object({ piece: Uuid, about: Type.Enum(['published', 'void']) }),
  'schedules.publish': Type.Object({}),
  'drafts.email': Type.Object({ account: Uuid, count: Type.Integer({ minimum: 1 }) }),
  'comments.email': Type.Object({ piece: Uuid, account: Uuid }),
  'mail.reporter': Type.Object({
    email: Type.String({ maxLength: 254 }),
    template: Type.Enum([...reporterEmails]),
    params: Type.Object({}),
  }),
  'cache.purge': Type.Object({ tags: Type.Array(Type.String()) }),
  'website.check': Type.Object({ writer: Uuid }),
  'links.fetch': Type.Object({ piece: Uuid, after: Type.Optional(Type.String({ maxLength: 1000 })) }),
  'websites.due': Type.Object({}),
  'media.variants': Type.Object({}),
  'site.sweep': Type.Object({}),
  'followers.import': Type.Object({ import: Uuid }),
  'drafts.tell': Type.Object({}),
  'comments.tell': Type.Object({}),
  'piece.relate': Type.Object({ piece: Uuid }),
  'related.refresh': Type.Object({}),
  'trending.score': Type.Object({}),
  'topics.count': Type.Object({}),
  'history.check': Type.Object({}),
  'history.pack': Type.Object({}),
}

type ScheduledJob = { [Name in JobName]: Jobs[Name] extends Nothing ? Name : never }[JobName]

/** Cron schedules in UTC. One of all worker processes enqueues each. */
const schedules: readonly { readonly job: ScheduledJob; readonly cron: string }[] = [
  { job: 'media.variants', cron: '* * * * *' },
  { job: 'site.sweep', cron: '17 * * * *' },
  { job: 'websites.due', cron: '41 * * * *' },
  { job: 'schedules.publish', cron: '* * * * *' },
  { job: 'drafts.tell', cron: '* * * * *' },
  { job: 'comments.tell', cron: '* * * * *' },
  { job: 'related.refresh', cron: '2-59/5 * * * *' },
  { job: 'trending.score', cron: '*/5 * * * *' },
  { job: 'topics.count', cron: '3-59/10 * * * *' },
  { job: 'history.check', cron: '53 3 * * *' },
  { job: 'history.pack', cron: '29 * * * *' },
]

/**
 * In the queue, `template` has the name it had first: a worker of an earlier release gives up on a job without it. Both
 * names are read, so that a later release can write the new one.
 */
const renamed = (data: unknown, from: string, to: string): unknown => {
  if (typeof data !== 'object' || data === null || !(from in data)) return data
  const { [from]: value, ...others } = data as Readonly<Record<string, unknown>>
  return { ...others, [to]: value }
}

/** The payload of a job in the queue; undefined if it is not of its shape. */
export function readPayload<Name extends JobName>(name: Name, data: unknown): Jobs[Name] | undefined {
  const payload = renamed(data, 'letter', 'template')
  return Check(payloads[name], payload) ? (payload as Jobs[Name]) : undefined
}

/** What the queue is opened and installed with. */
export const jobs = { rules, schedules, readPayload }

/**
 * Adds a job to the caller's transaction: no job after a rollback. Returns its id, or null if the job runs alone and
 * one is already waiting or running.
 */
export async function enqueue<Name extends JobName>(
  tx: JobTransaction,
  name: Name,
  payload: Jobs[Name],
  options?: AddOptions,
): Promise<string | null> {
  const act = currentWrite()
  if (act && name === 'cache.purge') act.changed = true
  return addJob(tx, name, renamed(payload, 'template', 'letter') as object, options)
}
