import { spawnSync } from 'node:child_process'
import { after } from 'node:test'
import type pg from 'pg'
import type { App } from '../server/main/app.ts'
import { testApp } from './app.ts'
import { createSiteDatabase, type Postgres, startPrimary, startReplica } from './engines/postgres.ts'
import { testWorker } from './jobs.ts'
import { silentLog } from './log.ts'
import { startPurgeReceiver } from './receivers.ts'
import { until } from './waiting.ts'

/** A site with a primary and a streaming replica, which tests may stop, freeze and pause. */

const binaries = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'
export const missingPostgres =
  spawnSync(`${binaries}/initdb`, ['--version']).status === 0
    ? false
    : 'no programs of PostgreSQL here; POSTGRES_BIN says where they are'

interface ReplicaSite {
  readonly primary: Postgres
  readonly replica: Postgres
  readonly admin: pg.Pool
  readonly app: App
  /** URLs of the site's database, for a user. */
  atPrimary(user?: string): string
  atReplica(): string
  /** Pauses replay: the replica receives WAL and applies none. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  /** Until the replica answers for readers. */
  untilFresh(): Promise<void>
  /** Of a public piece, as this reader sees it. */
  statusOf(id: string, cookie?: string): Promise<number>
  /** Public requests so far, by where they were read. */
  readsByPlace(): Promise<{ replica: number; primary: number }>
  /** Seconds that requests have waited for the replica, all together. */
  waits(): Promise<number>
  /** A worker with a cache to purge. */
  startPurging(): Promise<PurgingWorker>
}

interface PurgingWorker {
  /** How many purges of this piece the cache got. */
  purgesOf(id: string): number
  /** Whether a job failed, and will be tried again. */
  hasFailed(): boolean
  stop(): Promise<void>
}

/** Placeholder where tests are skipped. */
export const skippedSite = {} as ReplicaSite

/** Positions that were made up, and where readers who say them are answered. */
export const madeUpPositions = [
  ['__Host-wrote=FFFFFFFF/FFFFFFFF', 'primary'],
  ['__Host-wrote=not/one', 'replica'],
  ['__Host-wrote=0/0', 'replica'],
  ['__Host-wrote=', 'replica'],
  ['__Host-wrote=1/2/3', 'replica'],
  ['__Host-wrote=0000000000/1', 'replica'],
  ["__Host-wrote=0/1'; drop table x", 'replica'],
] as const

/** `env`: of the server. */
export async function replicaSite(env: Readonly<Record<string, string>> = {}): Promise<ReplicaSite> {
  const primary = await startPrimary({ fsync: 'off' })
  const { admin, name: database, urlOf } = await createSiteDatabase(primary)
  const replica = await startReplica(primary, 'replica', {
    hot_standby_feedback: 'on',
    // What it replays comes before what it is asked.
    max_standby_streaming_delay: 0,
  })
  const REPLICA_DATABASE_URL = replica.urlOf(database, 'svc_public')
  const app = await testApp(urlOf(), { REPLICA_DATABASE_URL, ...env })
  after(async () => {
    replica.thaw()
    primary.thaw()
    await app.close()
    await admin.end()
    await replica.stop('immediate')
    await primary.stop('immediate')
  })
  const readsByPlace = async () => {
    const { body } = await app.admin.inject('/metrics')
    const of = (place: string) =>
      Number(new RegExp(`^standfirst_placed_reads_total\\{place="${place}"\\} (\\d+)`, 'm').exec(body)?.[1] ?? 0)
    return { replica: of('replica'), primary: of('primary') }
  }
  const untilFresh = async () => {
    await until(async () => {
      const before = await readsByPlace()
      await app.inject('/api/public/pieces/recent')
      return (await readsByPlace()).replica > before.replica
    }, 'the replica answers')
  }
  return {
    primary,
    replica,
    admin,
    app,
    atPrimary: urlOf,
    atReplica: () => replica.urlOf(database, 'svc_public'),
    pauseReplay: async () => void (await replica.query(database, 'select pg_wal_replay_pause()')),
    resumeReplay: async () => void (await replica.query(database, 'select pg_wal_replay_resume()')),
    untilFresh,
    statusOf: async (id, cookie) =>
      (await app.inject({ url: `/api/public/pieces/${id}`, headers: cookie ? { cookie } : {} })).statusCode,
    readsByPlace,
    startPurging: async () => {
      const cache = await startPurgeReceiver()
      const warnings: unknown[] = []
      const log = silentLog()
      log.warn = (line: { event?: string }) => void warnings.push(line.event)
      const worker = await testWorker(urlOf(), { REPLICA_DATABASE_URL, PURGE_URL: cache.url }, log)
      return {
        purgesOf: (id) => cache.received.filter(({ tags }) => tags.some((tag) => tag.includes(id))).length,
        hasFailed: () => warnings.includes('job_failed'),
        stop: worker.stop,
      }
    },
    waits: async () =>
      Number(/^standfirst_replica_wait_seconds_sum (\S+)/m.exec((await app.admin.inject('/metrics')).body)?.[1] ?? 0),
  }
}
