import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { actNow } from '../db/write-context.ts'
import { type LetterOrder, type PlainOrder, plainKinds } from '../mail/templates.ts'
import { traceparentNow } from '../observability/tracing.ts'

/**
 * The work that outlives a request: what there is, and what each may cost. A job is committed with the change that
 * causes it, runs at least once, and may run again after a crash.
 */
export interface Jobs {
  /** The address is looked up when the letter goes out, and never lies in the queue. */
  mail: PlainOrder & { readonly to: { readonly account: string } }
  /** Somebody gave this address to sign up or to reset a password: the worker looks whether there is an account. */
  'account.letter': {
    readonly email: string
    readonly asked: 'sign_up' | 'reset'
    /** The hash of the invitation they came with. */
    readonly invitation?: string
  }
  /**
   * An email about another address for an account: to the old one that it was asked for, to the new one to be confirmed,
   * to the old one that it was; or that the account will be deleted. The database knows the addresses, and the worker
   * asks it.
   */
  'account.email': { readonly account: string; readonly email: 'asked' | 'confirm' | 'changed' | 'deletion' }
  /** The writer is told that they are suspended, and why: the worker asks the database, which knows the reason. */
  'account.suspended': { readonly account: string }
  /** To an address that is no account's any more: there is nowhere to look it up. */
  'mail.former': FormerLetter
  /** To whom a moderator or the operator invites. */
  'mail.invited': InvitedLetter
  /** What was decided about a writer's work, to them; or of an appeal, to the moderator who decided first. */
  'decision.email': { readonly decision: string; readonly to: 'writer' | 'moderator' }
  /** To whoever left an address with a report. The report no longer has it. */
  'mail.reporter': ReporterOrder & { readonly email: string }
  /** The edge caches forget every answer that carries one of these tags. Ordered by whatever changes something public. */
  'cache.purge': { readonly tags: readonly string[] }
  /** Looks whether the writer's website carries their proof. */
  'website.check': { readonly writer: string }
  /** Those of `website.check` that are due. */
  'websites.due': Nothing
  'site.sweep': Nothing
  /** Letters to writers whose keys have made drafts. */
  'drafts.tell': Nothing
  /** What is read most, made anew. */
  'trending.score': Nothing
  /** Whether the security history of every account is whole. */
  'history.check': Nothing
  /** Saves older than a day: thinned out and packed. */
  'history.pack': Nothing
}

/** What is told to an address that an account had until now. */
type FormerLetter = Extract<LetterOrder, { letter: 'account-deleted' }> & { readonly email: string }

type InvitedLetter = Extract<LetterOrder, { letter: 'invitation' }> & { readonly email: string }

/** How a report ended. */
const reporterLetters = [
  'report-taken-down',
  'report-kept',
  'listing-report-taken-down',
  'listing-report-kept',
] as const
export type ReporterOrder = Extract<LetterOrder, { letter: (typeof reporterLetters)[number] }>

type Nothing = Readonly<Record<string, never>>

export type JobName = keyof Jobs

/** Times are in seconds. */
export interface JobRules {
  /** How many at once in one process. */
  readonly atOnce: number
  /** The longest one try may take. */
  readonly longest: number
  readonly retries: number
  /** The pause before the first retry; it doubles, up to the longest. */
  readonly pause: number
  readonly longestPause: number
  /** How long a finished job is kept. */
  readonly kept: number
  /** Never two of them waiting or under way. */
  readonly alone?: true
}

export const jobRules: { readonly [Name in JobName]: JobRules } = {
  // A day. The parameters of a letter may hold a token, so they go as soon as it is sent.
  mail: { atOnce: 4, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'account.letter': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'account.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'account.suspended': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'mail.former': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'mail.invited': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'decision.email': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  'mail.reporter': { atOnce: 2, longest: 60, retries: 100, pause: 2, longestPause: 900, kept: 60 },
  // Ten minutes: by then every cache has let go of what it keeps for 30 s.
  'cache.purge': { atOnce: 2, longest: 30, retries: 25, pause: 1, longestPause: 30, kept: 3600 },
  // What a stranger's server does is an answer; another try is for what our own do.
  'website.check': { atOnce: 4, longest: 60, retries: 3, pause: 5, longestPause: 60, kept: 3600 },
  'websites.due': { atOnce: 1, longest: 60, retries: 2, pause: 60, longestPause: 300, kept: 3600, alone: true },
  'site.sweep': { atOnce: 1, longest: 600, retries: 2, pause: 60, longestPause: 300, kept: 86_400, alone: true },
  'drafts.tell': { atOnce: 1, longest: 60, retries: 2, pause: 10, longestPause: 60, kept: 3600, alone: true },
  'trending.score': { atOnce: 1, longest: 120, retries: 1, pause: 30, longestPause: 60, kept: 3600, alone: true },
  // Ten million rows in less.
  'history.check': { atOnce: 1, longest: 3600, retries: 2, pause: 60, longestPause: 300, kept: 86_400, alone: true },
  // What it has not done by then waits for the next hour.
  'history.pack': { atOnce: 1, longest: 3000, retries: 2, pause: 60, longestPause: 300, kept: 86_400, alone: true },
}

const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

const payloads: { readonly [Name in JobName]: TSchema } = {
  mail: Type.Object({
    to: Type.Object({ account: Uuid }),
    letter: Type.Enum(plainKinds),
    params: Type.Object({}),
  }),
  'account.letter': Type.Object({
    email: Type.String({ maxLength: 254 }),
    asked: Type.Union([Type.Literal('sign_up'), Type.Literal('reset')]),
    invitation: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
  'account.email': Type.Object({ account: Uuid, email: Type.Enum(['asked', 'confirm', 'changed', 'deletion']) }),
  'account.suspended': Type.Object({ account: Uuid }),
  'mail.former': Type.Object({
    email: Type.String({ maxLength: 254 }),
    letter: Type.Literal('account-deleted'),
    params: Type.Object({}),
  }),
  'mail.invited': Type.Object({
    email: Type.String({ maxLength: 254 }),
    letter: Type.Literal('invitation'),
    params: Type.Object({}),
  }),
  'decision.email': Type.Object({ decision: Uuid, to: Type.Enum(['writer', 'moderator']) }),
  'mail.reporter': Type.Object({
    email: Type.String({ maxLength: 254 }),
    letter: Type.Enum([...reporterLetters]),
    params: Type.Object({}),
  }),
  'cache.purge': Type.Object({ tags: Type.Array(Type.String()) }),
  'website.check': Type.Object({ writer: Uuid }),
  'websites.due': Type.Object({}),
  'site.sweep': Type.Object({}),
  'drafts.tell': Type.Object({}),
  'trending.score': Type.Object({}),
  'history.check': Type.Object({}),
  'history.pack': Type.Object({}),
}

/** Whether what was read from the queue is what the job's function expects. */
export const isPayload = <Name extends JobName>(name: Name, data: unknown): data is Jobs[Name] =>
  Check(payloads[name], data)

type Unprompted = { [Name in JobName]: Jobs[Name] extends Nothing ? Name : never }[JobName]

/** What happens by the clock, in UTC. One process of all that run jobs sends each. */
export const schedules: readonly { readonly job: Unprompted; readonly cron: string }[] = [
  { job: 'site.sweep', cron: '17 * * * *' },
  { job: 'websites.due', cron: '41 * * * *' },
  { job: 'drafts.tell', cron: '* * * * *' },
  { job: 'trending.score', cron: '*/5 * * * *' },
  { job: 'history.check', cron: '53 3 * * *' },
  { job: 'history.pack', cron: '29 * * * *' },
]

/** Another try would change nothing: the job is set aside at once, with what it was. */
export class GiveUp extends Error {}

/** A connection with a transaction open on it. */
interface Transaction {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * Adds a job to the caller's transaction: rolled back, there is no job. Answers with its id, or null where the job runs
 * alone and one is already waiting or under way.
 */
export async function enqueue<Name extends JobName>(
  tx: Transaction,
  name: Name,
  payload: Jobs[Name],
  { startAfter }: { readonly startAfter?: Date } = {},
): Promise<string | null> {
  const act = actNow()
  if (act && name === 'cache.purge') act.changed = true
  const traceparent = traceparentNow()
  const { rows } = await tx.query('select jobs.add($1, $2::jsonb, $3::timestamptz) as id', [
    name,
    JSON.stringify(traceparent ? { ...payload, traceparent } : payload),
    startAfter ?? null,
  ])
  return (rows[0] as { id: string | null }).id
}
