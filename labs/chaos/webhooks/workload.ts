import { mkdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { randomFrom } from '../../../server/seed/random.ts'
import {
  addWebhooks,
  type DeskRequest,
  type DeskWriter,
  deskAt,
  makeWriters,
  publish,
  resendUndelivered,
} from '../../../testkit/desk-client.ts'
import { createSiteDatabase, type Postgres } from '../../../testkit/engines/postgres.ts'
import { spawnWorker, startServer } from '../../../testkit/engines/site.ts'
import { freePort } from '../../../testkit/network.ts'
import { check } from './check.ts'
import { type Evidence, openHistory, type Publication, type ScheduledPiece } from './evidence.ts'
import {
  addWorkerLogin,
  countUndelivered,
  expireLeases,
  listenForSteps,
  readDeliveries,
  readLeases,
  readPublicPieces,
  watchLeases,
} from './lease-watch.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { readAppearances, startSchedules, watchSchedules } from './schedules.ts'
import { startBuggyOutbox, startWorkerPool, type WorkerPool } from './workers.ts'

export interface Plan {
  readonly name: string
  readonly publications: number
  readonly rng: number
  /**
   * Two bugs that must be found: deliveries are inserted by a separate process after the publication, and scheduled pieces
   * are published a day early.
   */
  readonly hasBug: boolean
  /** Fewer writers, more kills, and leases of killed workers are ended instead of waited for: no time is judged. */
  readonly isShort: boolean
}

export interface Progress {
  readonly what: string
  readonly published: number
  readonly unknown: number
  readonly arrived: number
  readonly taken: number
  readonly kills: number
}

export interface RunResult {
  readonly evidence: Evidence
  readonly restarts: number
  /** Workers that ended without being killed. */
  readonly ended: number
  readonly seconds: number
  readonly history: string
}

const writerCount = { usual: 100, short: 20 }
const betweenKills = { usual: 2000, short: 1000 }
const publishers = 8
/** Of six scheduled pieces each. */
const scheduleRounds = { usual: 60, short: 6 }
const workerCount = 3
const workerCountWithBug = 1
/** A draft in twenty is looked at and never published. */
const neverPublishedShare = 0.05
const unpublishedShare = 0.02
const longestDrain = 180_000
const folder = fileURLToPath(new URL('../../../.data/chaos/', import.meta.url))

export async function runWebhooks(
  plan: Plan,
  postgres: Postgres,
  report: (progress: Progress) => void,
): Promise<RunResult> {
  const began = Date.now()
  mkdirSync(folder, { recursive: true })
  const random = randomFrom(plan.rng, plan.publications).float
  const history = openHistory(`${folder}${plan.name}.jsonl`)
  const log = `${folder}${plan.name}.log`
  rmSync(log, { force: true })
  const { admin, urlOf } = await createSiteDatabase(postgres, plan.name)
  await watchLeases(admin)
  await watchSchedules(admin, plan.hasBug)
  const form = plan.isShort ? 'short' : 'usual'
  // More than will be published: in the short form it goes on until a worker was killed after every step.
  const drafts = Math.ceil((plan.publications / writerCount[form]) * (plan.isShort ? 5 : 1.2))
  const writers = await makeWriters(admin, writerCount[form], drafts)

  let workers: WorkerPool | undefined
  const receiver = await startReceiver(random, {
    reached: (step, from) => workers?.reached(step, from),
    senderAt: (port) => workers?.senderAt(port),
    arrived: history.arrived,
  })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const settings = { BASE_URL: base, OUTBOUND_ALLOW: receiver.host, SHUTDOWN_DELAY: '0' }
  const server = await startServer({
    env: { ...settings, DATABASE_URL: urlOf(), LOAD_FACTOR: '1000', TIMEOUT_FACTOR: '2' },
    log,
    port,
  })
  workers = startWorkerPool(
    `worker_of_${plan.name}`,
    plan.hasBug ? workerCountWithBug : workerCount,
    async (name) => {
      await addWorkerLogin(admin, name)
      return spawnWorker({ env: { ...settings, DATABASE_URL: urlOf(name), LOG_LEVEL: 'info' }, log })
    },
    history.killed,
  )
  const ask = deskAt(base)
  const scheduled: ScheduledPiece[] = []
  const schedules = startSchedules({
    admin,
    ask,
    writers,
    random,
    workers,
    isQuiet: plan.hasBug,
    onScheduled: (one) => {
      scheduled.push(one)
      history.scheduled(one)
    },
  })
  const listener = listenForSteps(urlOf(), (step, worker) =>
    step === 'published' ? schedules.published(worker) : workers?.reached(step, worker),
  )
  const site: SiteUnderTest = {
    plan,
    admin,
    workers,
    receiver,
    writers,
    random,
    ask,
    scheduled,
  }
  await workers.ready()
  await addWebhooks(site.ask, writers, receiver.urlOf, receiver.setSecret)
  const outbox = plan.hasBug ? await startBuggyOutbox(admin, urlOf(), base, log) : undefined

  const run = new Run(site, history.published, report)
  receiver.isFaulty = true
  if (!plan.hasBug) workers.startKilling(betweenKills[form])
  const [restarts] = await Promise.all([
    run.restartTwice(postgres),
    run.publishAll(),
    schedules.run(scheduleRounds[form]),
  ])
  workers.stopKilling()
  receiver.isFaulty = false
  await outbox?.stop()
  // What has no delivery will never have one: there is nothing to wait for.
  const isSound = check(await run.evidence(false), !plan.isShort).breaches.length === 0
  if (isSound) await run.drain()
  const evidence = await run.evidence(isSound)

  await workers.stop()
  receiver.close()
  await Promise.all([server.stop(), listener.stop(), admin.end(), history.close()])
  return { evidence, restarts, ended: workers.ended, seconds: (Date.now() - began) / 1000, history: history.file }
}

interface SiteUnderTest {
  readonly plan: Plan
  readonly admin: pg.Pool
  readonly workers: WorkerPool
  readonly receiver: Receiver
  readonly writers: readonly DeskWriter[]
  readonly random: () => number
  readonly ask: DeskRequest
  readonly scheduled: readonly ScheduledPiece[]
}

class Run {
  readonly #site: SiteUnderTest
  readonly #publications: Publication[] = []
  readonly #unpublished = new Set<string>()
  readonly #onPublished: (publication: Publication) => void
  readonly #tell: (progress: Progress) => void
  #begun = 0

  constructor(site: SiteUnderTest, onPublished: (one: Publication) => void, tell: (progress: Progress) => void) {
    this.#site = site
    this.#onPublished = onPublished
    this.#tell = tell
  }

  async publishAll(): Promise<void> {
    const telling = setInterval(() => this.#report('publishing'), 1000)
    await Promise.all(Array.from({ length: publishers }, () => this.#publishOn()))
    clearInterval(telling)
  }

  /** One publisher: a piece of any writer's, then the next. */
  async #publishOn(): Promise<void> {
    const { plan, workers, writers, random, ask } = this.#site
    const isOver = () =>
      this.#begun >= plan.publications &&
      (!plan.isShort || plan.hasBug || workers.isComplete || writers.every(({ drafts }) => drafts.length === 0))
    while (!isOver()) {
      const writer = writers[Math.floor(random() * writers.length)]!
      const piece = writer.drafts.pop()
      if (piece === undefined) continue
      if (random() < neverPublishedShare) {
        await ask(writer, 'POST', `pieces/${piece}/preview`)
        continue
      }
      this.#begun += 1
      const { start, result } = await publish(ask, writer, piece)
      const publication = { piece, writer: writer.slug, start, end: Date.now(), result }
      this.#publications.push(publication)
      this.#onPublished(publication)
      if (result === 'ok' && random() < unpublishedShare) {
        this.#unpublished.add(piece)
        await ask(writer, 'POST', `pieces/${piece}/unpublish`)
      }
    }
  }

  /**
   * After a third of the publications as if it crashed: nothing is written out, and the next start recovers from the log.
   * After two thirds as an operator does.
   */
  async restartTwice(postgres: Postgres): Promise<number> {
    const { plan } = this.#site
    for (const [share, mode] of [
      [1 / 3, 'immediate'],
      [2 / 3, 'fast'],
    ] as const) {
      while (this.#publications.length < plan.publications * share) await pause(50)
      this.#report(`PostgreSQL restarts (${mode})`)
      await postgres.stop(mode)
      await postgres.start()
    }
    return 2
  }

  /** No faults any more: what waits for a later attempt is resent by its writer, and the last leases end. */
  async drain(): Promise<void> {
    const { admin, workers, plan, writers, ask } = this.#site
    const killed = workers.kills.map(({ worker }) => worker)
    for (const end = Date.now() + longestDrain; Date.now() < end; await pause(1000)) {
      const left = await countUndelivered(admin)
      this.#report(`${[...left.values()].reduce((sum, count) => sum + count, 0)} left to send`)
      if (left.size === 0) return
      if (plan.isShort) await expireLeases(admin, killed)
      for (const writer of writers) if (left.has(writer.slug)) await resendUndelivered(ask, writer)
    }
  }

  async evidence(drained: boolean): Promise<Evidence> {
    const { admin, workers, receiver, scheduled } = this.#site
    // Before arrivals: what is said to be delivered by now has arrived.
    const [deliveries, leases] = [await readDeliveries(admin), await readLeases(admin)]
    return {
      at: Date.now(),
      publications: this.#publications,
      scheduled,
      appearances: await readAppearances(admin),
      unpublished: this.#unpublished,
      arrivals: [...receiver.arrivals],
      deliveries,
      leases,
      kills: [...workers.kills],
      publicPieces: await readPublicPieces(admin),
      drained,
    }
  }

  #report(what: string): void {
    const { workers, receiver } = this.#site
    this.#tell({
      what,
      published: this.#publications.length,
      unknown: this.#publications.filter(({ result }) => result === 'unknown').length,
      arrived: receiver.arrivals.length,
      taken: receiver.arrivals.filter(({ status }) => status === 200).length,
      kills: workers.kills.length,
    })
  }
}
