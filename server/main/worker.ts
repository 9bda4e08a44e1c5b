import { sendEmailChange, sweepEmailChanges } from '#features/accounts/email.ts'
import { checkChains, securityFigures, sweepHistory } from '#features/accounts/history.ts'
import { type EmailLimit, type Send, sendLetterAsked, sweepAccounts, sweepSignUps } from '#features/accounts/mail.ts'
import { sweepMedia } from '#features/media/sweep.ts'
import { sendDecisionEmail } from '#features/moderation/decision-emails.ts'
import { sweepDecisions } from '#features/moderation/decisions.ts'
import { sweepReports } from '#features/moderation/reports.ts'
import { sendSuspension } from '#features/moderation/suspend.ts'
import { deleteDue } from '#features/offboarding/delete-account.ts'
import { sweepDrafts, tellOfDrafts } from '#features/pieces/draft-notifications.ts'
import { packHistory } from '#features/pieces/history.ts'
import { sweepPreviews } from '#features/pieces/preview-links.ts'
import { waitingIn } from '#features/pieces/search/index-stats.ts'
import { type FilingTold, keepFiled } from '#features/pieces/search/supervisor.ts'
import { sweepTrash } from '#features/pieces/trash.ts'
import { checkWebsite, orderDueChecks, websiteLimits } from '#features/profiles/website.ts'
import { scoreTrending } from '#features/trending/score.ts'
import { forgetReaders, sweepReads } from '#features/trending/sweep.ts'
import { type ClaimedDelivery, type DeliveryResult, sweepDeliveries } from '#features/webhooks/delivery-queue.ts'
import { startDispatcher, type Told } from '#features/webhooks/dispatcher.ts'
import { backlogOf } from '#features/webhooks/stats.ts'
import { repeated } from '#platform/cdn/double-purge.ts'
import { purgeAt } from '#platform/cdn/purge.ts'
import { purgeBehindReplicas } from '#platform/cdn/purge-after-replay.ts'
import { type Config, ConfigError } from '#platform/config.ts'
import { accessFor, listeningAccess, queueAccess, statementTimeouts } from '#platform/db/access.ts'
import { Database } from '#platform/db/database.ts'
import { listenTo } from '#platform/db/listening.ts'
import { misfitOf, releaseFitOf } from '#platform/db/release-fit.ts'
import { followAll } from '#platform/db/replicas.ts'
import { keepHandedTraces, type TraceHandover } from '#platform/db/trace-handover.ts'
import { createSealer } from '#platform/encryption.ts'
import type { JobName } from '#platform/jobs/jobs.ts'
import { type Outcome, openQueue, QueueNotReady, type Run } from '#platform/jobs/queue.ts'
import { waitingJobsIn } from '#platform/jobs/waiting.ts'
import { createMailer } from '#platform/mail/mailer.ts'
import { openMediaStore } from '#platform/media/open.ts'
import type { MediaStore } from '#platform/media/store.ts'
import type { Logger } from '#platform/observability/log.ts'
import {
  clockAhead,
  deliveryLateness,
  deliverySeconds,
  jobSeconds,
  signUpEmailsRefused,
  watchBacklog,
  watchFiling,
  watchSecurity,
} from '#platform/observability/metrics.ts'
import { watchWaitingJobs } from '#platform/observability/services.ts'
import { beginSpan, isTracing } from '#platform/observability/tracing.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { jobsAddressNeeded } from '#platform/required-settings.ts'
import { urlsFor } from '#platform/urls.ts'

/** Who does which job: one table. */

type Work = { readonly [Name in JobName]: Run<Name> }

/** What `site.sweep` does every hour: each throws away something that has served its time. */
const sweeps: readonly ((db: Database, store: MediaStore | undefined) => Promise<unknown>)[] = [
  deleteDue,
  forgetReaders,
  sweepAccounts,
  sweepDecisions,
  sweepDeliveries,
  sweepEmailChanges,
  sweepDrafts,
  sweepHistory,
  sweepMedia,
  sweepPreviews,
  sweepReads,
  sweepReports,
  sweepTrash,
  sweepSignUps,
]

export interface Worker {
  /** What it cannot work without. */
  readonly databases: readonly Database[]
  /** Takes no more jobs and waits for those under way, 16 s at most; what is not done then is given back. */
  stop(): Promise<void>
}

export async function startWorker(config: Config, log: Logger): Promise<Worker> {
  const access = accessFor(config, 'svc_worker')
  if (!access) throw new ConfigError([jobsAddressNeeded])
  const pool = { ...access, timeoutFactor: config.TIMEOUT_FACTOR }
  const mailer = createMailer(config, log)
  const store = config.MEDIA_URL && openMediaStore(config.MEDIA_URL)
  const edge = repeated(purgeAt(config.PURGE_URL), toldNowAndThen(log, 'purge_not_repeated'))
  const urls = urlsFor(config.BASE_URL)
  const guarded = { ownHosts: [new URL(config.BASE_URL).hostname], allow: config.OUTBOUND_ALLOW }
  const outbound = createOutbound({ ...guarded, limits: websiteLimits })
  const onError = (err: Error) => log.warn({ event: 'database_connection_lost', err })
  const { svc_worker: statementTimeout } = statementTimeouts
  const db = new Database({ ...pool, name: 'worker', connections: 4, statementTimeout, onError })
  // What is read most is one statement over the counts of a month.
  const scoringDb = new Database({ ...pool, name: 'scoring', connections: 1, statementTimeout: 100_000, onError })
  const courierDb = new Database({ ...pool, name: 'courier', connections: 3, statementTimeout, onError })
  const replicas = followAll(config.REPLICA_DATABASE_URL, onError)
  const purge = purgeBehindReplicas(edge.purge, db, replicas)
  const close = async () => {
    mailer.close()
    await Promise.all([db.close(), scoringDb.close(), courierDb.close(), replicas.stop()])
  }

  const emailLimit: EmailLimit = {
    perHour: config.SIGN_UP_EMAILS_PER_HOUR,
    perDay: config.SIGN_UP_EMAILS_PER_DAY,
    onMet: () => {
      signUpEmailsRefused.inc()
      log.warn({
        event: 'sign_up_email_limit',
        message: 'No email was sent: SIGN_UP_EMAILS_PER_HOUR or _PER_DAY is met',
      })
    },
  }
  const send: Send = (to, order, id) => mailer.send(id, to, order)

  const work: Work = {
    mail: async ({ to, ...order }, { id }) => {
      const address = await addressOf(db, to.account)
      if (address !== null) await mailer.send(id, address, order)
    },
    'account.letter': (asked) => sendLetterAsked(db, send, asked, emailLimit),
    'account.email': (told) => sendEmailChange(db, send, told),
    'account.suspended': (told, { id }) => sendSuspension(db, send, told, id),
    'decision.email': (told, { id }) => sendDecisionEmail(db, send, told, id),
    'mail.former': ({ email, ...order }, { id }) => mailer.send(id, email, order),
    'mail.invited': ({ email, ...order }, { id }) => mailer.send(id, email, order),
    'mail.reporter': ({ email, ...order }, { id }) => mailer.send(id, email, order),
    'cache.purge': ({ tags }, attempt) => purge(tags, attempt),
    'drafts.tell': () => tellOfDrafts(db),
    'trending.score': () => scoreTrending(scoringDb),
    'history.check': () => checkHistory(db, log),
    'history.pack': (_, { signal }) => packHistory(db, signal),
    'website.check': ({ writer }) => checkWebsite({ db, outbound, urls }, writer),
    'websites.due': () => orderDueChecks(db),
    'site.sweep': async () => {
      const swept = await Promise.allSettled(sweeps.map((sweep) => sweep(db, store)))
      const failures = swept.filter((one) => one.status === 'rejected')
      if (failures.length > 0) throw new AggregateError(failures.map(({ reason }) => reason))
    },
  }

  const hearing = listeningAccess(config, 'svc_worker')
  const open = async () => {
    await db.verify()
    const misfit = misfitOf(await releaseFitOf((query) => db.run(query)))
    if (misfit !== undefined) throw new QueueNotReady(misfit)
    return openQueue({ ...queueAccess(config)!, onOutcome: told(log), onTrouble: toldNowAndThen(log) })
  }
  const queue = await open().catch(async (error) => {
    await close()
    throw error
  })
  for (const name of Object.keys(work) as JobName[]) await queue.work(name, work[name] as Run<JobName>)
  const sending = {
    outbound: createOutbound(guarded),
    sealer: createSealer(config.SECRETS_KEY),
    userAgent: `Standfirst-Webhooks/1 (+${urls.page('developers/webhooks')})`,
  }
  const traces = keepHandedTraces()
  const courier = startDispatcher(courierDb, sending, toldOfDeliveries(log, traces), hearing !== undefined)
  const onHeard = (payload?: string) => {
    traces.hear(payload)
    courier.wake()
  }
  const ears = hearing && listenTo({ ...hearing, channel: 'deliveries', onHeard, onError })
  const filing = keepFiled(access, toldOfFiling(log))
  watchBacklog(() => backlogOf(db))
  watchFiling(() => waitingIn(db))
  watchSecurity(() => securityFigures(db))
  watchWaitingJobs(() => waitingJobsIn(db))
  log.info({ event: 'working', jobs: Object.keys(work) })
  return {
    databases: [db, courierDb],
    stop: async () => {
      watchBacklog(undefined)
      watchFiling(undefined)
      watchSecurity(undefined)
      watchWaitingJobs(undefined)
      await Promise.all([queue.stop(), ears?.stop(), courier.stop(), filing.stop()])
      await edge.stop()
      await close()
    },
  }
}

/** Null for an account that is gone or barred: there is nobody to write to. */
async function addressOf(db: Database, account: string): Promise<string | null> {
  const [found] = await db.run<{ address: string | null }>({
    text: 'select jobs.address_of($1) as address',
    values: [account],
  })
  return found!.address
}

/** Each broken chain is a line: somebody changed the database behind its back, or it lost something. */
async function checkHistory(db: Database, log: Logger): Promise<void> {
  const { broken } = await checkChains((text, values) => db.run({ text, values }))
  for (const { account_id: account, broken: number } of broken)
    log.error({ event: 'security_history_broken', account, number })
}

const levels = { done: 'info', failed: 'warn', given_up: 'error' } as const

/** One line of log and one measurement for each try. The payload is nobody's business. */
function told(log: Logger) {
  return ({ job, id, try: count, outcome, seconds, error }: Outcome) => {
    jobSeconds.observe({ job, outcome }, seconds)
    log[levels[outcome]]({ event: `job_${outcome}`, job, id, try: count, ms: Math.round(seconds * 1000), err: error })
  }
}

/** The same for each attempt at a delivery. Where it went is its writer's business. */
function toldOfDeliveries(log: Logger, traces: TraceHandover): Told {
  return {
    onAttempt: (claimed, { status, problem, ms }) => {
      const { id, attempt, late } = claimed
      const outcome = problem ?? 'delivered'
      traceDelivery(claimed, traces, { status, problem, ms, outcome })
      deliverySeconds.observe({ outcome }, ms / 1000)
      if (attempt === 1) deliveryLateness.observe(late)
      log[problem ? 'warn' : 'info']({ event: 'delivery_attempt', delivery: id, attempt, outcome, status, ms })
    },
    onTrouble: toldNowAndThen(log, 'delivery_trouble'),
    onClock: toldOfClock(log),
  }
}

/** A part of the publication it tells of. The receiver is told nothing of our traces. */
function traceDelivery(
  { id, event, attempt, body }: ClaimedDelivery,
  traces: TraceHandover,
  { status, problem, ms, outcome }: Pick<DeliveryResult, 'status' | 'problem' | 'ms'> & { readonly outcome: string },
): void {
  if (!isTracing()) return
  // A body begins with the id of its piece.
  const [piece] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(body.toString('latin1', 0, 200)) ?? []
  const start = performance.timeOrigin + performance.now() - ms
  beginSpan({ name: `webhook ${event}`, kind: 'client', parent: traces.of(piece), start })?.end({
    attributes: {
      'standfirst.delivery.id': id,
      'standfirst.delivery.attempt': attempt,
      'standfirst.outcome': outcome,
      'http.response.status_code': status ?? undefined,
    },
    failure: problem ?? undefined,
  })
}

/** Said when it becomes wrong, every minute while it is, and when it is right again. */
function toldOfClock(log: Logger): Told['onClock'] {
  let saidAt: number | undefined
  return (ahead, isWrong) => {
    clockAhead.set(ahead)
    const now = performance.now()
    if (isWrong && (saidAt === undefined || now - saidAt > minute)) {
      log.error({ event: 'clock_wrong', ahead: Math.round(ahead), message: 'No webhook is sent from here' })
      saidAt = now
    } else if (!isWrong && saidAt !== undefined) {
      log.info({ event: 'clock_right', ahead: Math.round(ahead) })
      saidAt = undefined
    }
  }
}

/** The same for each step of filing what is public. */
function toldOfFiling(log: Logger): FilingTold {
  return {
    onStep: ({ step, ...figures }) => log.info({ event: `search_${step}`, ...figures }),
    onTrouble: toldNowAndThen(log, 'filing_trouble'),
  }
}

const quiet = 5000
const minute = 60_000

/** While the database is away every poll of every queue fails; one line in five seconds says so too. */
function toldNowAndThen(log: Logger, event = 'queue_trouble') {
  let last = Number.NEGATIVE_INFINITY
  return (trouble: unknown) => {
    if (performance.now() - last < quiet) return
    last = performance.now()
    log.warn({ event, message: (trouble as { message?: string }).message ?? String(trouble) })
  }
}
