import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../../testkit/measure.ts'
import { databaseUrl, pinCluster } from './cluster.ts'

export const ports = { ours: 28_080, bare: 28_081, admin: 28_082 }
const connections = 10
const clients = 32

/** Our server as shipped and the bare one share a core; generator and database have the other. */
export async function withServers<T>(
  database: string,
  work: (ours: { readonly pid: number }) => Promise<T>,
): Promise<T> {
  pinCluster(1)
  const servers = [startOurs(database), startBare(database)]
  try {
    await Promise.all([answers(ports.admin, '/healthz'), answers(ports.bare, '/constant')])
    return await work({ pid: servers[0]!.pid! })
  } finally {
    for (const server of servers) server.kill('SIGKILL')
    pinCluster(undefined)
  }
}

/** Requests a second that were answered with success; any other answer fails the bench. */
export function load(port: number, script: string, duration: number): number {
  const stdout = generate(port, script, duration)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the generator met errors:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

export interface Compared {
  /** Answers a second, medians of the rounds. */
  readonly ours: number
  readonly bare: number
  readonly ratio: number
}

/**
 * Measures both servers alternately with the same requests, after a warm-up. A process that has just started may refuse
 * some.
 */
export function compare(script: string, rounds: number): Compared {
  const seconds = 4
  for (const port of [ports.ours, ports.bare]) generate(port, script, seconds)
  const taken = Array.from({ length: rounds }, () => ({
    ours: load(ports.ours, script, seconds),
    bare: load(ports.bare, script, seconds),
  }))
  return {
    ours: median(taken.map((one) => one.ours)),
    bare: median(taken.map((one) => one.bare)),
    ratio: median(taken.map((one) => one.ours / one.bare)),
  }
}

/** What wrk said. */
function generate(port: number, script: string, duration: number): string {
  const { status, stdout, error } = spawnSync(
    'taskset',
    ['-c', '1', 'wrk', '-t1', `-c${clients}`, `-d${duration}s`, '-s', script, `http://127.0.0.1:${port}`],
    { encoding: 'utf8' },
  )
  if (error || status !== 0) throw new Error('wrk did not run; install it (apt-get install wrk)', { cause: error })
  return stdout
}

export function startOurs(database: string): ChildProcess {
  const cli = fileURLToPath(new URL('../../server/commands/cli.ts', import.meta.url))
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl(database),
    BASE_URL: 'http://127.0.0.1',
    PORT: String(ports.ours),
    ADMIN_PORT: String(ports.admin),
    PUBLIC_CONNECTIONS: String(connections),
    // When the machine stalls both servers are late, but only ours would refuse.
    LOAD_FACTOR: '1000',
    TIMEOUT_FACTOR: '2',
    TRUST_PROXY: '127.0.0.1',
    RATE_READ: '1000000000',
    RATE_SEARCH: '1000000000',
    RATE_TOOLS: '1000000000',
    RATE_WRITE: '1000000000',
    DRAFTS_PER_DAY: '1000000000',
    API_CONNECTIONS: String(connections),
    AUTH_SECRET: 'not a secret: a bench on one machine',
    SECRETS_KEY: 'not a secret: a bench on one machine',
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  return spawn('taskset', ['-c', '0', process.execPath, cli, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function startBare(database: string): ChildProcess {
  const file = fileURLToPath(new URL('./baseline.ts', import.meta.url))
  const args = ['-c', '0', process.execPath, file, String(ports.bare), databaseUrl(database), String(connections)]
  return spawn('taskset', args, {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function answers(port: number, path: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answered = await fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nothing answers at port ${port}`)
}
