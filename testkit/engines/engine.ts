import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Engines as child processes of a run. They and their files are removed however the run ends. */

const binaries = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'
const isRoot = process.getuid?.() === 0

const running = new Set<ChildProcess>()
const folders: string[] = []
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** A folder that is removed with the run, writable for `owner`. */
export function scratchFolder(name: string, owner?: string): string {
  const folder = mkdtempSync(join(tmpdir(), `standfirst-${name}-`))
  folders.push(folder)
  if (isRoot && owner) execFileSync('chown', [owner, folder])
  return folder
}

export interface EngineSettings {
  readonly env?: Readonly<Record<string, string>>
  /** Everything it says goes here. */
  readonly log: string
  /** One core of the machine, where a measurement keeps others away from it. */
  readonly core?: number
}

export function startEngine(command: readonly [string, ...string[]], settings: EngineSettings): ChildProcess {
  const { env = {}, log, core } = settings
  const pinned = core === undefined ? command : (['taskset', '-c', String(core), ...command] as const)
  const child = spawn(pinned[0]!, pinned.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  })
  const stream = createWriteStream(log, { flags: 'a' })
  child.stdout!.pipe(stream, { end: false })
  child.stderr!.pipe(stream, { end: false })
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    stream.end()
  })
  return child
}

/** Stops it with a signal; kills it after `timeout` ms. */
export async function stopEngine(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM', timeout = 30_000) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout)
  await exited
  clearTimeout(timer)
}

/** A program of PostgreSQL, which refuses to run as root. */
export function asPostgres(program: string, args: readonly string[]): [string, ...string[]] {
  const command: [string, ...string[]] = [program.includes('/') ? program : `${binaries}/${program}`, ...args]
  return isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', ...command] : command
}

/** Runs a command without blocking; the error includes its output. */
export async function runToEnd(command: readonly [string, ...string[]], env: Record<string, string> = {}) {
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  const [code] = await once(child, 'close')
  const text = Buffer.concat(said).toString('utf8')
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${text.slice(-2000)}`)
  return text
}

/** Asks until the answer is truthy, and returns it. */
export async function waitUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  timeout = 120_000,
): Promise<NonNullable<Exclude<T, false>>> {
  for (const end = Date.now() + timeout; Date.now() < end; await pause(50)) {
    const answer = await ask()
    if (answer) return answer as NonNullable<Exclude<T, false>>
  }
  throw new Error(`${what}: not within ${timeout / 1000} s`)
}

/** Whether the port accepts connections. */
export function isListening(port: number, address = '127.0.0.1'): Promise<boolean> {
  const socket = createConnection(port, address)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.setTimeout(1000, () => resolve(false))
  }).then((answer) => {
    socket.destroy()
    return answer as boolean
  })
}

/** A sentence naming the programs that are missing; false if none is. */
export function missingPrograms(...names: readonly string[]): string | false {
  const missing = names.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  return missing.length > 0 && `${missing.join(', ')}: not on this machine. Run: sudo bash .ci/engines`
}

export function requirePrograms(...names: readonly string[]): void {
  const lack = missingPrograms(...names)
  if (lack) throw new Error(lack)
}
