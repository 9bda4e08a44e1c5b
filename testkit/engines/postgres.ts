import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { asPostgres, runToEnd, scratchFolder } from './engine.ts'

export interface Postgres {
  readonly port: number
  readonly folder: string
  urlOf(database: string, user?: string): string
  query<Row extends pg.QueryResultRow>(database: string, text: string, values?: unknown[]): Promise<Row[]>
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** As a machine that hangs: connections stay, and nothing answers. */
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

/** A PostgreSQL of the run's own. */
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
  // Before its folder goes: without it nobody would know which process to end.
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
