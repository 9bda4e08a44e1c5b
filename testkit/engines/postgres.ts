import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../server/sql/migrate.ts'
import { freePort } from '../network.ts'
import {
  asPostgres,
  isListening,
  requirePrograms,
  runToEnd,
  scratchFolder,
  startEngine,
  stopEngine,
  waitUntil,
} from './engine.ts'

export interface Postgres {
  readonly port: number
  readonly folder: string
  urlOf(database: string, user?: string): string
  query<Row extends pg.QueryResultRow>(database: string, text: string, values?: unknown[]): Promise<Row[]>
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Like a hung machine: connections stay open and nothing answers. */
  freeze(): void
  thaw(): void
}

type Settings = Readonly<Record<string, string | number>>

/** What differs from PostgreSQL's defaults, in every cluster of a run. */
const everywhere = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  max_connections: 300,
  wal_level: 'replica',
  hot_standby: 'on',
}

/** Starts a PostgreSQL for this run. */
export async function startPrimary(settings: Settings = {}): Promise<Postgres> {
  const folder = scratchFolder('primary', 'postgres')
  await runToEnd(
    asPostgres('initdb', ['-D', folder, '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '-U', 'postgres', '-N']),
  )
  return start(folder, settings)
}

/** A streaming replica of it, caught up when this returns. */
export async function startReplica(of: Postgres, name: string, settings: Settings = {}): Promise<Postgres> {
  const folder = scratchFolder(name, 'postgres')
  const from = `host=127.0.0.1 port=${of.port} user=postgres application_name=${name}`
  await runToEnd(asPostgres('pg_basebackup', ['-D', folder, '-d', from, '-c', 'fast', '-X', 'stream', '-R']))
  const replica = await start(folder, settings)
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(50)) {
    const [row] = await of.query<{ state: string }>(
      'postgres',
      'select state from pg_stat_replication where application_name = $1',
      [name],
    )
    if (row?.state === 'streaming') return replica
  }
  throw new Error(`the replica ${name} did not begin to stream`)
}

export interface SiteDatabase {
  readonly name: string
  /** As its owner; its connections may break with their PostgreSQL. */
  readonly admin: pg.Pool
  urlOf(user?: string): string
}

/** A migrated database on it. */
export async function createSiteDatabase(
  postgres: Postgres,
  name = 'site',
  timeoutFactor?: number,
): Promise<SiteDatabase> {
  await postgres.query('postgres', `create database ${name} encoding 'UTF8' locale 'C.UTF-8' template template0`)
  const urlOf = (user?: string) => postgres.urlOf(name, user)
  await migrate(urlOf(), undefined, timeoutFactor)
  const admin = new pg.Pool({ connectionString: urlOf(), max: 4 })
  // Also of those in use: PostgreSQL is restarted now and then, and their next query says so.
  admin.on('connect', (client) => client.on('error', () => {}))
  admin.on('error', () => {})
  return { name, admin, urlOf }
}

async function start(folder: string, settings: Settings): Promise<Postgres> {
  const port = await freePort()
  const lines = Object.entries({ ...everywhere, ...settings, port }).map(([name, value]) => `${name} = '${value}'\n`)
  writeFileSync(`${folder}/postgresql.auto.conf`, lines.join(''), { flag: 'a' })
  const control = (...args: string[]) =>
    runToEnd(asPostgres('pg_ctl', ['-D', folder, '-w', '-t', '60', '-l', `${folder}/log`, ...args]))
  const urlOf = (database: string, user = 'postgres') => `postgres://${user}@127.0.0.1:${port}/${database}`
  const postgres: Postgres = {
    port,
    folder,
    urlOf,
    query: async (database, text, values) => {
      const client = new pg.Client({ connectionString: urlOf(database) })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end().catch(() => {})
      }
    },
    stop: async (mode = 'fast') => {
      await control('-m', mode, 'stop')
    },
    start: async () => {
      await control('start')
    },
    freeze: () => signalAll(folder, 'SIGSTOP'),
    thaw: () => signalAll(folder, 'SIGCONT'),
  }
  await postgres.start()
  // Before its folder is removed: the folder says which process to stop.
  process.prependOnceListener('exit', () => endAtOnce(folder))
  return postgres
}

/** The postmaster first: what it starts no more cannot be missed. */
function signalAll(folder: string, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const [postmaster] = readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n')
  process.kill(Number(postmaster), signal)
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', postmaster!], { encoding: 'utf8' })
  for (const pid of stdout.split('\n').filter((line) => line.trim())) {
    // One that has ended since needs no signal.
    spawnSync('kill', [`-${signal.slice(3)}`, pid.trim()], { stdio: 'ignore' })
  }
}

/** The postmaster is no child of ours: pg_ctl put it into the background. */
function endAtOnce(folder: string): void {
  const [file, ...rest] = asPostgres('pg_ctl', ['-D', folder, '-m', 'immediate', 'stop'])
  spawnSync(file, rest, { stdio: 'ignore', cwd: '/' })
}

const sample = new URL('../../deploy/pgbouncer/pgbouncer.ini', import.meta.url)
const roles = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']

export interface PgBouncer {
  readonly port: number
  readonly log: string
  /** Signs in as the role, with its password. */
  urlOf(database: string, role: string): string
  stop(): Promise<void>
}

interface PgBouncerSettings {
  /** Where PostgreSQL listens. */
  readonly port: number
  /** Lines that take the place of those of the same name in deploy/pgbouncer/pgbouncer.ini, or are added. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Added to the line of every database, such as ` user=postgres`. */
  readonly connecting?: string
  /** The lines of userlist.txt; else every role, with `passwordOf`. */
  readonly users?: string
}

export const passwordOf = (role: string): string => `password-of-${role}`

/** The pooler of deploy/pgbouncer in front of every database of a PostgreSQL. Answers when this returns. */
export async function startPgBouncer({
  port: serverPort,
  settings = {},
  connecting = '',
  users,
}: PgBouncerSettings): Promise<PgBouncer> {
  requirePrograms('pgbouncer')
  const folder = scratchFolder('pgbouncer', 'postgres')
  const port = await freePort()
  const list = users ?? [...roles, 'pgbouncer'].map((role) => `"${role}" "${passwordOf(role)}"\n`).join('')
  writeFileSync(`${folder}/userlist.txt`, list)
  let text = readFileSync(sample, 'utf8').replace(
    /^standfirst = .*$/m,
    `* = host=127.0.0.1 port=${serverPort}${connecting}`,
  )
  const ours = { listen_port: port, auth_file: `${folder}/userlist.txt`, ...settings }
  for (const [name, value] of Object.entries(ours)) {
    const line = new RegExp(`^${name} =.*$`, 'm')
    text = line.test(text) ? text.replace(line, `${name} = ${value}`) : `${text}${name} = ${value}\n`
  }
  writeFileSync(`${folder}/pgbouncer.ini`, text)
  for (const name of ['', '/userlist.txt', '/pgbouncer.ini']) chmodSync(`${folder}${name}`, name ? 0o644 : 0o755)
  const log = `${folder}/log`
  const child = startEngine(asPostgres('/usr/sbin/pgbouncer', [`${folder}/pgbouncer.ini`]), { log })
  await waitUntil(`pgbouncer at ${port}`, async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${readFileSync(log, 'utf8').slice(-2000)}`)
    return isListening(port)
  })
  return {
    port,
    log,
    urlOf: (database, role) => `postgres://${role}:${passwordOf(role)}@127.0.0.1:${port}/${database}`,
    stop: () => stopEngine(child, 'SIGINT', 5000),
  }
}

/** PostgreSQL and a backup repository with the files of deploy/pgbackrest; only paths and ports differ. */

const deployed = (name: string): string =>
  readFileSync(new URL(`../../deploy/pgbackrest/${name}`, import.meta.url), 'utf8')

export interface ArchivedPostgres {
  readonly primary: Postgres
  /** What pgBackRest reads to find the repository. */
  readonly env: Readonly<Record<string, string>>
  /** Runs pgBackRest as an operator does, and answers what it said. */
  pgbackrest(...args: readonly string[]): Promise<string>
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  requirePrograms('pgbackrest')
  const repository = scratchFolder('repository', 'postgres')
  const places = Object.fromEntries(
    ['repo1', 'spool', 'lock', 'log', 'socket', 'conf.d'].map((name) => [name, join(repository, name)]),
  )
  for (const place of Object.values(places)) mkdirSync(place)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres:postgres', repository])

  const file = join(repository, 'pgbackrest.conf')
  const env = { PGBACKREST_CONFIG: file, PGBACKREST_CONFIG_INCLUDE_PATH: places['conf.d']! }
  // PostgreSQL hands its own environment to the archive command, and its starter hands it ours.
  Object.assign(process.env, env)
  const primary = await startPrimary({ unix_socket_directories: places['socket']! })
  writeFileSync(
    file,
    withValues(deployed('pgbackrest.conf'), {
      'repo1-path': places['repo1']!,
      'spool-path': places['spool']!,
      'lock-path': places['lock']!,
      'log-path': places['log']!,
      'pg1-path': primary.folder,
      'pg1-port': String(primary.port),
      'pg1-socket-path': places['socket']!,
    }),
  )
  return { primary, env, pgbackrest: (...args) => runToEnd(asPostgres('/usr/bin/pgbackrest', args), env) }
}

/** What deploy/pgbackrest/archive.conf sets, from the next start on. */
export function installArchiveSettings({ folder }: Postgres): void {
  appendFileSync(join(folder, 'postgresql.auto.conf'), deployed('archive.conf'))
}

function withValues(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((all, [name, value]) => {
    const line = new RegExp(`^${name}=.*$`, 'm')
    if (!line.test(all)) throw new Error(`deploy/pgbackrest/pgbackrest.conf does not say ${name}`)
    return all.replace(line, `${name}=${value}`)
  }, text)
}
