import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../network.ts'
import { runToEnd, startEngine, stopEngine, waitUntil } from './engine.ts'

/** Processes of the site, started as an operator starts them. */

const cli = fileURLToPath(new URL('../../server/commands/cli.ts', import.meta.url))
const unlimited = '1000000000'

export const trialSecret = 'a-secret-of-trials-that-everybody-knows'

/** Public test secrets; and no rate limits by address, since one machine acts for a million readers. */
const everywhere = {
  AUTH_SECRET: trialSecret,
  SECRETS_KEY: trialSecret,
  LOG_LEVEL: 'warn',
  RATE_READ: unlimited,
  RATE_SEARCH: unlimited,
  RATE_TOOLS: unlimited,
  RATE_SIGN_IN: unlimited,
  RATE_WRITE: unlimited,
  DRAFTS_PER_DAY: unlimited,
}

export interface SiteProcess {
  readonly port: number
  readonly base: string
  /** Where it says whether it is ready, and what it does. */
  readonly adminPort: number
  readonly adminBase: string
  readonly child: ChildProcess
  /** Stops it like a deploy, or kills it; then starts it again on its port and waits until it is ready. */
  restart(signal?: NodeJS.Signals): Promise<void>
  stop(): Promise<void>
}

interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>
  readonly log: string
  readonly core?: number
  readonly port?: number
}

/** Runs a command of the site to its end; its output. */
export const runCli = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> =>
  runToEnd([process.execPath, cli, ...args], env)

/** `standfirst serve`, ready when this returns. BASE_URL is its own address unless `env` says another. */
export const startServer = (starting: ProcessOptions, ...args: readonly string[]): Promise<SiteProcess> =>
  startProgram(['serve', ...args], starting)

/** `standfirst worker`, ready when this returns. */
export const startWorker = (starting: ProcessOptions): Promise<SiteProcess> => startProgram(['worker'], starting)

/** The same, without waiting for it, at any admin port. */
export const spawnWorker = ({ env, log }: ProcessOptions): ChildProcess =>
  startEngine([process.execPath, cli, 'worker'], { env: { ...everywhere, ...env }, log })

async function startProgram(args: readonly string[], starting: ProcessOptions): Promise<SiteProcess> {
  const { env, log, core } = starting
  const port = starting.port ?? (await freePort())
  const base = `http://127.0.0.1:${port}`
  const adminPort = await freePort()
  const adminBase = `http://127.0.0.1:${adminPort}`
  const start = async () => {
    const child = startEngine([process.execPath, cli, ...args], {
      env: { ...everywhere, BASE_URL: base, ...env, PORT: String(port), ADMIN_PORT: String(adminPort) },
      log,
      ...(core === undefined ? {} : { core }),
    })
    await waitUntil(`standfirst ${args.join(' ')} at ${port}`, async () => {
      if (child.exitCode !== null) throw new Error(`standfirst ${args.join(' ')} ended`)
      return fetch(`${adminBase}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
        (answer) => answer.ok,
        () => false,
      )
    }).catch((error: Error) => {
      // The log goes with the run.
      throw new Error(`${error.message}; it said: ${readFileSync(log, 'utf8').slice(-2000)}`)
    })
    return child
  }
  let child = await start()
  return {
    port,
    base,
    adminPort,
    adminBase,
    get child() {
      return child
    },
    restart: async (signal) => {
      await stopEngine(child, signal)
      child = await start()
    },
    stop: () => stopEngine(child),
  }
}
