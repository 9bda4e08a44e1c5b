import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { pathsScript } from '../http.ts'
import { processorTime } from '../tools.ts'
import type { Asked, Peer, ReadName } from './peer.ts'

/** The figures of one peer in one round. */
export interface Taken {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor time for an answer: of the server, and of its database. */
  readonly processor: number
  readonly database: number
}

/** Our pages run several queries at once, and our pool refuses the 51st waiting query. */
const clients = 16

/** Requests as fast as it answers for some seconds; meanwhile answers are sampled and checked. */
export async function load(peer: Peer, read: ReadName, seconds: number): Promise<Taken> {
  const all = peer.reads[read] ?? []
  const before = await times(peer)
  let over = false
  const checks = async () => {
    for (let next = 0; !over; next += 1) {
      await check(peer, all[(next * 7) % all.length]!)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  const script = pathsScript(all.map(({ path }) => path))
  const generated = generate(peer.port, script, seconds).finally(() => {
    over = true
  })
  const [stdout] = await Promise.all([generated, checks()])
  const after = await times(peer)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${peer.name} met errors, ${read}:\n${stdout}`)
  const answers = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const spent = (pids: ReadonlyMap<number, number>) =>
    [...pids].reduce((sum, [pid, time]) => sum + time - (before.database.get(pid) ?? time), 0)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50: latency(stdout, '50'),
    p99: latency(stdout, '99'),
    processor: (after.server - before.server) / 1000 / answers,
    database: spent(after.database) / 1000 / answers,
  }
}

/** Fails unless the answer is the right one. */
export async function check(peer: Peer, { path, answeredBy }: Asked): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${peer.port}${path}`)
  const body = await answer.text()
  if (answer.status !== 200 || !answeredBy(body))
    throw new Error(`${peer.name} gave another answer at ${path}: ${answer.status} ${body.slice(0, 1_000)}`)
}

async function times(peer: Peer) {
  const database = new Map((await peer.databasePids()).map((pid) => [pid, processorTime(pid)]))
  return { server: processorTime(peer.pid), database }
}

function latency(stdout: string, share: string): number {
  const [, value, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? []
  return Number(value) * (unit === 'us' ? 0.001 : unit === 's' ? 1_000 : 1)
}

/** What wrk said. */
function generate(port: number, script: string, seconds: number): Promise<string> {
  const args = ['-t1', `-c${clients}`, `-d${seconds}s`, '--timeout', '10s', '--latency', '-s', script]
  const command = ['-c', '1', 'wrk', ...args, `http://127.0.0.1:${port}`]
  const wrk = adopt(spawn('taskset', command, { stdio: ['ignore', 'pipe', 'inherit'] }))
  return new Promise((resolve, reject) => {
    let said = ''
    wrk.stdout?.setEncoding('utf8').on('data', (part: string) => {
      said += part
    })
    wrk.on('close', (status) =>
      status === 0 ? resolve(said) : reject(new Error('wrk did not run; install it (apt-get install wrk)')),
    )
  })
}

/** All child processes, so that none outlives the measurement. */
const running = new Set<ChildProcess>()

/** A program on one core, which ends when the measurement does. */
export function start(core: number, command: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  return adopt(spawn('taskset', ['-c', String(core), ...command], { stdio: [...stdio], ...options }))
}

/** Registers a process that was started elsewhere. */
export function adopt(child: ChildProcess): ChildProcess {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

export const stopAll = async (): Promise<void> => {
  await Promise.all([...running].map(stop))
}

/** Waits until the address answers with success or the process has ended. */
export async function ready(child: ChildProcess, address: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    const ok = await fetch(address).then(
      async (response) => response.ok && (await response.text()).length > 0,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`nothing answers at ${address}`)
}
