import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { startEngine } from '../../../testkit/engines/engine.ts'
import { type Kill, type Step, steps } from './evidence.ts'

interface RunningWorker {
  readonly name: string
  readonly child: ChildProcess
  isReady: boolean
}

export interface WorkerPool {
  readonly kills: readonly Kill[]
  /** Workers that ended without being killed. */
  readonly ended: number
  /**
   * An attempt has reached this step: if it is the target, its worker is killed here. Identified by name or client
   * port.
   */
  reached(step: Step, worker: string | number): void
  /** Kills this worker now, if another one goes on. Whether it did. */
  kill(worker: string, step: Kill['step']): boolean
  /** Who calls from this port, while what follows an answer is aimed at. */
  senderAt(port: number): string | undefined
  ready(): Promise<void>
  /** Every this many milliseconds. */
  startKilling(every: number): void
  /** Whether a worker was killed after each of the steps. */
  readonly isComplete: boolean
  stopKilling(): void
  stop(): Promise<void>
}

const pauseAfterTrouble = 300

/** Keeps workers running; at intervals one is killed, after each step of an attempt in turn. */
export function startWorkerPool(
  prefix: string,
  size: number,
  start: (name: string) => Promise<ChildProcess>,
  onKill: (kill: Kill) => void,
): WorkerPool {
  const kills: Kill[] = []
  const running = new Map<number, RunningWorker>()
  let [ended, started, isStopping] = [0, 0, false]
  let targetStep: Step | undefined
  let turn = 0
  let timer: NodeJS.Timeout | undefined

  const keepRunning = async (place: number) => {
    while (!isStopping) {
      started += 1
      const name = `${prefix}_${started}`
      // Undefined while the database is away, and with it the name the worker signs in by.
      const child = await start(name).catch(() => undefined)
      if (child) await runUntilExit(place, { name, child, isReady: false })
      if (!isStopping && !isKilled(name)) await pause(pauseAfterTrouble)
    }
  }
  const runUntilExit = async (place: number, one: RunningWorker) => {
    running.set(place, one)
    one.child.stdout!.on('data', (text: Buffer) => {
      one.isReady ||= text.includes('"working"')
    })
    await once(one.child, 'exit')
    running.delete(place)
    if (!isStopping && !isKilled(one.name)) ended += 1
  }
  const isKilled = (name: string) => kills.some(({ worker }) => worker === name)
  const keeping = Array.from({ length: size }, (_, place) => keepRunning(place))

  const ready = () => [...running.values()].filter(({ isReady, child }) => isReady && !child.killed)
  const callerAt = (port: number): RunningWorker | undefined => {
    const there = ready()
    const pid = ownerOf(
      port,
      there.map(({ child }) => child.pid!),
    )
    return there.find(({ child }) => child.pid === pid)
  }
  const kill = (victim: RunningWorker, step: Kill['step']) => {
    victim.child.kill('SIGKILL')
    const killed = { worker: victim.name, at: Date.now(), step }
    kills.push(killed)
    onKill(killed)
  }

  /**
   * If no attempt reached the target step since the last call, kills any worker that can be spared; the target stays.
   */
  const chooseTarget = () => {
    if (targetStep === undefined) {
      targetStep = steps[turn % steps.length]
      turn += 1
      return
    }
    const there = ready()
    if (there.length >= 2) kill(there[kills.length % there.length]!, 'any')
  }

  return {
    kills,
    kill(worker, step) {
      const victim = ready().find(({ name }) => name === worker)
      if (!victim || ready().length < 2) return false
      kill(victim, step)
      return true
    },
    get ended() {
      return ended
    },
    senderAt: (port) => (targetStep === 'answered' ? callerAt(port)?.name : undefined),
    reached(step, from) {
      if (targetStep !== step || ready().length < 2) return
      const victim = typeof from === 'number' ? callerAt(from) : ready().find(({ name }) => name === from)
      if (!victim) return
      targetStep = undefined
      kill(victim, step)
    },
    ready: async () => {
      while (ready().length < size) await pause(50)
    },
    get isComplete() {
      return steps.every((step) => kills.some((one) => one.step === step))
    },
    startKilling: (every) => {
      timer = setInterval(chooseTarget, every)
    },
    stopKilling: () => {
      clearInterval(timer)
      targetStep = undefined
    },
    stop: async () => {
      isStopping = true
      for (const { child } of running.values()) child.kill('SIGTERM')
      await Promise.all(keeping)
    },
  }
}

/** Processes of the run. */

/** Which of these processes holds the loopback connection that leaves from this port. */
function ownerOf(port: number, pids: readonly number[]): number | undefined {
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
export async function startBuggyOutbox(admin: pg.Pool, url: string, base: string, log: string) {
  await admin.query(notifyOnlyTrigger)
  let isStopping = false
  const keep = async () => {
    while (!isStopping) {
      const child = startEngine([process.execPath, program, url, base], { log })
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
