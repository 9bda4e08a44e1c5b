import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kill, type Step, steps } from './evidence.ts'
import { ownerOf } from './processes.ts'

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
