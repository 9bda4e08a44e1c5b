import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, type WriteStream } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { startPrimary } from '../../../testkit/engines/postgres.ts'
import { freePort } from '../../../testkit/network.ts'

/** Programs of the site as children of the run. */

const cli = fileURLToPath(new URL('../../../server/commands/cli.ts', import.meta.url))

const everywhere = {
  AUTH_SECRET: 'a-secret-of-chaos-that-everybody-knows',
  SECRETS_KEY: 'a-secret-of-chaos-that-everybody-knows',
  SHUTDOWN_DELAY: '0',
}

export interface SiteSettings {
  readonly port: number
  /** The receiver's `host:port`. */
  readonly allow: string
  readonly log: WriteStream
}

const running = new Set<ChildProcess>()
/** Children are killed however the run ends. */
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function startProgram(args: readonly string[], env: Record<string, string>, log: WriteStream): ChildProcess {
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...everywhere, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  child.stdout!.pipe(log, { end: false })
  child.stderr!.pipe(log, { end: false })
  return child
}

const baseOf = ({ port }: SiteSettings): string => `http://127.0.0.1:${port}`

/** The server with rate limits disabled, since one machine acts for a thousand writers. */
export async function startServer(settings: SiteSettings, databaseUrl: string): Promise<ChildProcess> {
  const unlimited = '1000000000'
  const adminPort = await freePort()
  const child = startProgram(
    [cli, 'serve'],
    {
      DATABASE_URL: databaseUrl,
      BASE_URL: baseOf(settings),
      PORT: String(settings.port),
      ADMIN_PORT: String(adminPort),
      OUTBOUND_ALLOW: settings.allow,
      LOG_LEVEL: 'warn',
      LOAD_FACTOR: '1000',
      TIMEOUT_FACTOR: '2',
      RATE_READ: unlimited,
      RATE_SIGN_IN: unlimited,
    },
    settings.log,
  )
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(100)) {
    if (child.exitCode !== null) throw new Error('the server ended; its log says why')
    const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => undefined)
    if (answer?.ok) return child
  }
  throw new Error('the server did not get ready within a minute')
}

export const startWorker = (settings: SiteSettings, databaseUrl: string): ChildProcess =>
  startProgram(
    [cli, 'worker'],
    { DATABASE_URL: databaseUrl, BASE_URL: baseOf(settings), OUTBOUND_ALLOW: settings.allow },
    settings.log,
  )

/** Which of these processes holds the loopback connection that leaves from this port. */
export function ownerOf(port: number, pids: readonly number[]): number | undefined {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'latin1').split('\n')
  const inode = lines.map((line) => line.trim().split(/\s+/)).find((fields) => fields[1] === local)?.[9]
  return inode === undefined ? undefined : pids.find((pid) => holds(pid, `socket:[${inode}]`))
}

function holds(pid: number, target: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === target)
  } catch {
    return false
  }
}

/** A descriptor may close between the two looks. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** `immediate` is PostgreSQL's own crash: nothing is written out, and the next start recovers from the log. */
type StopMode = 'fast' | 'immediate'

export interface RestartablePostgres {
  /** A new, empty database; its address as a superuser, or as another one. */
  createDatabase(name: string): Promise<(user?: string) => string>
  restart(mode: StopMode): Promise<void>
}

/** A PostgreSQL for this run. Processes are killed but machines are not, so fsync is off. */
export async function startPostgres(): Promise<RestartablePostgres> {
  const primary = await startPrimary({ fsync: 'off' })
  return {
    createDatabase: async (name) => {
      await primary.query('postgres', `create database ${name}`)
      return (user) => primary.urlOf(name, user)
    },
    restart: async (mode) => {
      await primary.stop(mode)
      await primary.start()
    },
  }
}

/**
 * An injected bug that many sites have: the publication only sends a notification, and another process inserts the
 * delivery afterwards. Only in this run's database.
 */

const notifyOnlyTrigger = `
create or replace function app.order_delivery() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if old.first_published_at is null then
    perform pg_notify('published', new.id::text);
  end if;
  return null;
end
$$`

const program = fileURLToPath(new URL('./buggy-outbox.ts', import.meta.url))
const outboxLifetime = 2000

/** Starts that process, and kills it as often as workers are killed elsewhere. */
export async function startBuggyOutbox(admin: pg.Pool, url: string, base: string, log: WriteStream) {
  await admin.query(notifyOnlyTrigger)
  let isStopping = false
  const keep = async () => {
    while (!isStopping) {
      const child = startProgram([program, url, base], {}, log)
      let timer: NodeJS.Timeout | undefined
      child.stdout!.once('data', () => {
        hears.resolve()
        timer = setTimeout(() => child.kill('SIGKILL'), outboxLifetime)
      })
      await once(child, 'exit')
      clearTimeout(timer)
    }
  }
  const hears = Promise.withResolvers<void>()
  const keeping = keep()
  await hears.promise
  return {
    stop: async () => {
      isStopping = true
      await keeping
    },
  }
}
