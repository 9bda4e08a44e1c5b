import { spawnSync } from 'node:child_process'
import { after } from 'node:test'
import pg from 'pg'
import type { App } from '../server/main/app.ts'
import { migrate } from '../server/sql/migrate.ts'
import { testApp } from './app.ts'
import { type Postgres, startPrimary, startReplica } from './engines/postgres.ts'
import { until } from './waiting.ts'

/** A site with a primary and a streaming replica, which tests may stop, freeze and pause. */

const binaries = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'
export const missingPostgres =
  spawnSync(`${binaries}/initdb`, ['--version']).status === 0
    ? false
    : 'no programs of PostgreSQL here; POSTGRES_BIN says where they are'

const database = 'site'

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
  /** Public requests so far, by where they were read. */
  readsByPlace(): Promise<{ replica: number; primary: number }>
  /** Seconds that requests have waited for the replica, all together. */
  waits(): Promise<number>
}

/** Placeholder where tests are skipped. */
export const skippedSite = {} as ReplicaSite

/** `env`: of the server. */
export async function replicaSite(env: Readonly<Record<string, string>> = {}): Promise<ReplicaSite> {
  const primary = await startPrimary({ fsync: 'off' })
  await primary.query('postgres', `create database ${database} locale 'C.UTF-8' template template0`)
  await migrate(primary.urlOf(database))
  const replica = await startReplica(primary, 'replica', {
    hot_standby_feedback: 'on',
    // What it replays comes before what it is asked.
    max_standby_streaming_delay: 0,
  })
  const admin = new pg.Pool({ connectionString: primary.urlOf(database), max: 2 })
  admin.on('error', () => {})
  const REPLICA_DATABASE_URL = replica.urlOf(database, 'svc_public')
  const app = await testApp(primary.urlOf(database), { REPLICA_DATABASE_URL, ...env })
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
    atPrimary: (user) => primary.urlOf(database, user),
    atReplica: () => replica.urlOf(database, 'svc_public'),
    pauseReplay: async () => void (await replica.query(database, 'select pg_wal_replay_pause()')),
    resumeReplay: async () => void (await replica.query(database, 'select pg_wal_replay_resume()')),
    untilFresh,
    readsByPlace,
    waits: async () =>
      Number(/^standfirst_replica_wait_seconds_sum (\S+)/m.exec((await app.admin.inject('/metrics')).body)?.[1] ?? 0),
  }
}
