import { type ChildProcess, spawn } from 'node:child_process'
import type { WriteStream } from 'node:fs'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../testkit/free-port.ts'

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
/** Whatever ends the run, nothing of it stays behind. */
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function startProgram(args: readonly string[], env: Record<string, string>, log: WriteStream): ChildProcess {
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

/** The site's own server, with its limits out of the way of one machine that does what a thousand writers do. */
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
