import { type Config, ConfigError } from '#config/config.ts'
import { jobsAddressNeeded } from '#config/required-settings.ts'
import { readSiteInfo } from '#config/site-info.ts'
import { sendEmailChange, sweepEmailChanges } from '#features/accounts/email-change.ts'
import { checkChains, securityEventCounts, sweepHistory } from '#features/accounts/history.ts'
import {
  type EmailLimit,
  type Send,
  type SendToAccount,
  sendLinkEmail,
  sweepAccounts,
  sweepSignUps,
} from '#features/accounts/mail.ts'
import { notifyOfComments, sendCommentsEmail } from '#features/comments/notify.ts'
import { createMailer } from '#features/emails/mailer.ts'
import { openTransport } from '#features/emails/transport.ts'
import { sweepFediverseDeliveries } from '#features/fediverse/delivery-queue.ts'
import { takeReports } from '#features/followers/bounces.ts'
import { readerEmailFigures, sweepReaders } from '#features/followers/email-queue.ts'
import { applyImport } from '#features/followers/imports.ts'
import { createReaderKeys } from '#features/followers/keys.ts'
import { metadataOf } from '#features/followers/providers/postmark.ts'
import { senderConnections, startSender } from '#features/followers/sender.ts'
import { type JobName, type Jobs, jobs } from '#features/jobs.ts'
import { enqueueUntriedLinks, fetchBudget, fetchCards, pageLimits, pictureLimits } from '#features/link-cards/fetch.ts'
import { sweepMedia } from '#features/media/uploads.ts'
import { makeMediaVariants } from '#features/media/variants.ts'
import {
  signUpEmailsRefused,
  watchBacklog,
  watchIndexing,
  watchReaderEmails,
  watchSecurity,
} from '#features/metrics.ts'
import { sendDecisionEmail, sweepDecisions } from '#features/moderation/decisions.ts'
import { sweepReports } from '#features/moderation/reports.ts'
import { sendReviewEmail } from '#features/moderation/review.ts'
import { sendSuspension } from '#features/moderation/writers.ts'
import { deleteDue } from '#features/offboarding/delete-account.ts'
import { sendCoAuthorEmail } from '#features/pieces/co-authors.ts'
import { notifyOfDrafts, sendDraftsEmail, sweepDrafts } from '#features/pieces/drafts.ts'
import { packHistory } from '#features/pieces/history.ts'
import { sweepPreviews } from '#features/pieces/preview.ts'
import { refreshRelated, relatePiece } from '#features/pieces/related/relate.ts'
import { publishDue, sendScheduleEmail } from '#features/pieces/schedule.ts'
import { readBacklog } from '#features/pieces/search/index-stats.ts'
import { superviseIndexer } from '#features/pieces/search/supervisor.ts'
import { countTopics } from '#features/pieces/topics.ts'
import { sendTranslationEmail } from '#features/pieces/translations.ts'
import { sweepTrash } from '#features/pieces/trash.ts'
import { checkWebsite, enqueueDueChecks, websiteLimits } from '#features/profiles/website.ts'
import { forgetReaders, sweepReads } from '#features/trending/read-counter.ts'
import { scoreTrending } from '#features/trending/reads.ts'
import { urlsFor } from '#features/urls.ts'
import { sweepDeliveries } from '#features/webhooks/delivery-queue.ts'
import { startDispatcher } from '#features/webhooks/dispatcher.ts'
import { backlogOf } from '#features/webhooks/stats.ts'
import { sweepFeedSubscriptions } from '#features/websub/call-queue.ts'
import { purgeAfterReplay, purgeAt, repeatPurges } from '#platform/cdn/purge.ts'
import { createSealer, createSigner } from '#platform/crypto.ts'
import { accessFor, listeningAccess, queueAccess, statementTimeouts } from '#platform/db/access.ts'
import { Database } from '#platform/db/database.ts'
import { collectHandedTraces, startListening } from '#platform/db/listen.ts'
import { watchReplicas } from '#platform/db/replica-watch.ts'
import { createPictureReader } from '#platform/images/image-intake.ts'
import { startRepeating } from '#platform/jobs/delivery-loop.ts'
import { openQueue, QueueNotReady, type Run, waitingJobsIn } from '#platform/jobs/queue.ts'
import { type MediaStore, openMediaStore } from '#platform/media/store.ts'
import { watchWaitingJobs } from '#platform/observability/dependencies.ts'
import type { Logger } from '#platform/observability/log.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { compatibilityOf, incompatibilityOf } from '#sql/migrate.ts'
import { startFediverseSender } from './fediverse-sender.ts'
import { startFeedHub } from './feed-hub.ts'
import { logDeliveries, logIndexing, logJob, logReaderEmail, throttledWarning } from './worker-logs.ts'

/** The worker: one table that maps each job to its function. */

type Work = { readonly [Name in JobName]: Run<Jobs[Name]> }

/** Clean-up functions that `site.sweep` runs every hour. */
const sweeps: readonly ((db: Database, store: MediaStore | undefined) => Promise<unknown>)[] = [
  deleteDue,
  forgetReaders,
  sweepAccounts,
  sweepDecisions,
  sweepDeliveries,
  sweepEmailChanges,
  sweepDrafts,
  sweepFediverseDeliveries,
  sweepFeedSubscriptions,
  sweepHistory,
  sweepMedia,
  sweepPreviews,
  sweepReaders,
  sweepReads,
  sweepReports,
  sweepTrash,
  sweepSignUps,
]

export interface Worker {
  /** Databases it cannot work without. */
  readonly databases: readonly Database[]
  /** Takes no more jobs and waits for running ones, 16 s at most; the rest returns to the queue. */
  stop(): Promise<void>
}

export async function startWorker(config: Config, log: Logger): Promise<Worker> {
  const access = accessFor(config, 'svc_worker')
  if (!access) throw new ConfigError([jobsAddressNeeded()])
  const pool = { ...access, timeoutFactor: config.TIMEOUT_FACTOR }
  const mailer = createMailer(config, log)
  const store = config.MEDIA_URL && openMediaStore(config.MEDIA_URL)
  const edge = repeatPurges(purgeAt(config.PURGE_URL), throttledWarning(log, 'purge_not_repeated'))
  const urls = urlsFor(config.BASE_URL)
  const guarded = { ownHosts: [new URL(config.BASE_URL).hostname], allow: config.OUTBOUND_ALLOW }
  const outbound = createOutbound({ ...guarded, limits: websiteLimits })
  const linkCards = {
    pages: createOutbound({ ...guarded, limits: pageLimits }),
    pictures: createOutbound({ ...guarded, limits: pictureLimits }),
    store,
    readPicture: createPictureReader(),
    userAgent: `Standfirst-Link-Cards/1 (+${urls.page('developers/protection')})`,
    budget: fetchBudget,
  }
  const onError = (err: Error) => log.warn({ event: 'database_connection_lost', err })
  const { svc_worker: statementTimeout } = statementTimeouts
  const db = new Database({ ...pool, name: 'worker', connections: 4, statementTimeout, onError })
  // Trending is one statement over the counts of a month, the count of topics one over all pieces.
  const scoringDb = new Database({ ...pool, name: 'scoring', connections: 1, statementTimeout: 100_000, onError })
  const dispatcherDb = new Database({ ...pool, name: 'dispatcher', connections: 3, statementTimeout, onError })
  const emailDb = new Database({ ...pool, name: 'emails', connections: 4, statementTimeout, onError })
  const feedDb = new Database({ ...pool, name: 'feeds', connections: 3, statementTimeout, onError })
  const replicas = watchReplicas(config.REPLICA_DATABASE_URL, onError)
  const purge = purgeAfterReplay(edge.purge, db, replicas)
  const close = async () => {
    mailer.close()
    await Promise.all([
      db.close(),
      scoringDb.close(),
      dispatcherDb.close(),
      emailDb.close(),
      feedDb.close(),
      replicas.stop(),
    ])
  }

  const emailLimit: EmailLimit = {
    perHour: config.SIGN_UP_EMAILS_PER_HOUR,
    perDay: config.SIGN_UP_EMAILS_PER_DAY,
    onReached: () => {
      signUpEmailsRefused.inc()
      log.warn({
        event: 'sign_up_email_limit',
        message: 'No email was sent: SIGN_UP_EMAILS_PER_HOUR or _PER_DAY is met',
      })
    },
  }
  const send: Send = async (to, order, id, language) =>
    mailer.send(id, to, order, (await languageOf(db, to)) ?? language ?? null)
  const sendToAccount: SendToAccount = async (account, order, id) => {
    const address = await addressOf(db, account)
    if (address !== null) await send(address, order, id)
  }

  const scheduled = {
    db,
    urls,
    signer: createSigner(config.RECEIPT_KEY ?? config.AUTH_SECRET),
    review: config.REVIEW,
    reviewFirst: config.REVIEW_FIRST_PIECES,
    allowance: { firstDay: config.FIRST_DAY_PIECES, firstWeek: config.FIRST_WEEK_PIECES },
  }
  const work: Work = {
    mail: ({ to, ...order }, { id }) => sendToAccount(to.account, order, id),
    'account.letter': (asked) => sendLinkEmail(db, send, asked, emailLimit),
    'account.email': (job) => sendEmailChange(db, send, job),
    'account.suspended': (job, { id }) => sendSuspension(db, send, job, id),
    'decision.email': (job, { id }) => sendDecisionEmail(db, send, job, id),
    'review.email': (job, { id }) => sendReviewEmail(db, sendToAccount, job, id),
    'co_author.email': (job, { id }) => sendCoAuthorEmail(db, sendToAccount, job, id),
    'translation.email': (job, { id }) => sendTranslationEmail(db, sendToAccount, job, id),
    'schedule.email': (job, { id }) => sendScheduleEmail(db, sendToAccount, job, id),
    'schedules.publish': (_, { signal }) => publishDue(scheduled, signal),
    'drafts.email': (job, { id }) => sendDraftsEmail(db, sendToAccount, job, id),
    'comments.email': (job, { id }) => sendCommentsEmail(db, sendToAccount, job, id),
    'mail.former': ({ email, language, ...order }, { id }) => send(email, order, id, language),
    'mail.invited': ({ email, ...order }, { id }) => send(email, order, id),
    'mail.reporter': ({ email, ...order }, { id }) => send(email, order, id),
    'cache.purge': ({ tags }, attempt) => purge(tags, attempt),
    'followers.import': (job, { signal }) => applyImport(db, job, signal),
    'drafts.tell': () => notifyOfDrafts(db),
    'comments.tell': () => notifyOfComments(db),
    'piece.relate': ({ piece }) => relatePiece(db, piece),
    'related.refresh': (_, { signal }) => refreshRelated(db, signal),
    'trending.score': () => scoreTrending(scoringDb),
    'topics.count': () => countTopics(scoringDb),
    'history.check': () => checkHistory(db, log),
    'history.pack': (_, { signal }) => packHistory(db, signal),
    'media.variants': (_, { signal }) => makeMediaVariants(db, store, signal),
    'website.check': ({ writer }) => checkWebsite({ db, outbound, urls }, writer),
    'links.fetch': async (job, { signal }) => {
      if (config.LINK_CARDS) await fetchCards({ db, ...linkCards }, job, signal)
    },
    'websites.due': () => enqueueDueChecks(db),
    'site.sweep': async () => {
      const due = config.LINK_CARDS ? [...sweeps, enqueueUntriedLinks] : sweeps
      const swept = await Promise.allSettled(due.map((sweep) => sweep(db, store)))
      const failures = swept.filter((one) => one.status === 'rejected')
      if (failures.length > 0) throw new AggregateError(failures.map(({ reason }) => reason))
    },
  }

  const listenAccess = listeningAccess(config, 'svc_worker')
  const open = async () => {
    await db.verify()
    const incompatibility = incompatibilityOf(await compatibilityOf((query) => db.run(query)))
    if (incompatibility !== undefined) throw new QueueNotReady(incompatibility)
    return openQueue({ ...queueAccess(config)!, jobs, onOutcome: logJob(log), onTrouble: throttledWarning(log) })
  }
  const queue = await open().catch(async (error) => {
    await close()
    throw error
  })
  for (const name of Object.keys(work) as JobName[]) await queue.work(name, work[name])
  const sending = {
    outbound: createOutbound(guarded),
    sealer: createSealer(config.SECRETS_KEY),
    userAgent: `Standfirst-Webhooks/1 (+${urls.page('developers/webhooks')})`,
  }
  const keys = createReaderKeys(config.SECRETS_KEY)
  const sender = startSender(
    emailDb,
    {
      reads: { db: emailDb, searchDb: emailDb, searchBudget: config.SEARCH_BUDGET, urls },
      siteInfo: readSiteInfo(config),
      keys,
      transport: openTransport(config, log, senderConnections),
      bounceAddress: config.BOUNCE_ADDRESS,
      headersFor: config.BOUNCE_POSTMARK_PASSWORD === undefined ? () => ({}) : metadataOf,
    },
    { onAttempt: logReaderEmail(log), onTrouble: throttledWarning(log, 'reader_email_trouble') },
  )
  const feedHub = startFeedHub(
    {
      reads: { db: feedDb, searchDb: feedDb, searchBudget: config.SEARCH_BUDGET, urls },
      siteInfo: readSiteInfo(config),
      outbound: sending.outbound,
      sealer: sending.sealer,
      hub: urls.feedHub(),
      userAgent: `Standfirst-WebSub/1 (+${urls.page('developers/feeds')})`,
    },
    { log, onTrouble: throttledWarning(log, 'feed_call_trouble') },
  )
  const fediverse = startFediverseSender(
    {
      reads: { db: feedDb, searchDb: feedDb, searchBudget: config.SEARCH_BUDGET, urls },
      siteInfo: readSiteInfo(config),
      outbound: sending.outbound,
      sealer: sending.sealer,
      userAgent: `Standfirst/1 (+${urls.page('developers/feeds')})`,
    },
    { log, onTrouble: throttledWarning(log, 'fediverse_trouble') },
  )
  const readBounces = async () => {
    const taken = config.BOUNCE_MAILDIR ? await takeReports(emailDb, keys, config.BOUNCE_MAILDIR) : []
    for (const bounce of taken) log.info({ event: 'reader_email_returned', ...bounce })
    return false
  }
  const bounces = startRepeating(readBounces, {
    pollEvery: minute,
    onTrouble: throttledWarning(log, 'bounces_trouble'),
  })
  const traces = collectHandedTraces()
  const dispatcher = startDispatcher(dispatcherDb, sending, logDeliveries(log, traces), listenAccess !== undefined)
  const onNotification = (payload?: string) => {
    traces.hear(payload)
    dispatcher.wake()
  }
  const listener = listenAccess && startListening({ ...listenAccess, channel: 'deliveries', onNotification, onError })
  const indexer = superviseIndexer(access, logIndexing(log))
  watchBacklog(() => backlogOf(db))
  watchIndexing(() => readBacklog(db))
  watchReaderEmails(() => readerEmailFigures(db))
  watchSecurity(() => securityEventCounts(db))
  watchWaitingJobs(() => waitingJobsIn(db))
  log.info({ event: 'working', jobs: Object.keys(work) })
  return {
    databases: [db, dispatcherDb, emailDb, feedDb],
    stop: async () => {
      watchBacklog(undefined)
      watchIndexing(undefined)
      watchReaderEmails(undefined)
      watchSecurity(undefined)
      watchWaitingJobs(undefined)
      await Promise.all([
        queue.stop(),
        listener?.stop(),
        dispatcher.stop(),
        indexer.stop(),
        sender.stop(),
        bounces.stop(),
        feedHub.stop(),
        fediverse.stop(),
      ])
      await edge.stop()
      await close()
    },
  }
}

/** Null for a deleted or barred account. */
async function addressOf(db: Database, account: string): Promise<string | null> {
  const [found] = await db.run<{ address: string | null }>({
    text: 'select jobs.address_of($1) as address',
    values: [account],
  })
  return found!.address
}

/** Null where nobody chose one. */
async function languageOf(db: Database, email: string): Promise<string | null> {
  const [found] = await db.run<{ language: string | null }>({
    text: 'select app.email_language($1) as language',
    values: [email],
  })
  return found!.language
}

/** Logs each broken chain: someone changed the database directly, or it lost data. */
async function checkHistory(db: Database, log: Logger): Promise<void> {
  const { broken } = await checkChains((text, values) => db.run({ text, values }))
  for (const { account_id: account, broken: number } of broken)
    log.error({ event: 'security_history_broken', account, number })
}

const minute = 60_000
