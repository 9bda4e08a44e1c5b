import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kill, type Step, steps } from './evidence.ts'
import { ownerOf } from './processes.ts'

interface Working {
  readonly name: string
  readonly child: ChildProcess
  isReady: boolean
}

export interface Crew {
  readonly kills: readonly Kill[]
  /** Workers that ended without being killed. */
  readonly ended: number
  /** An attempt has come to this step: if it is aimed at, its worker ends here. Told by name, or by where it calls from. */
  reached(step: Step, worker: string | number): void
  /** Who calls from this port, while what follows an answer is aimed at. */
  senderAt(port: number): string | undefined
  ready(): Promise<void>
  /** Every so many milliseconds. */
  startKilling(every: number): void
  /** Whether somebody was killed after each of the steps. */
  readonly isComplete: boolean
  stopKilling(): void
  stop(): Promise<void>
}

const pauseAfterTrouble = 300

/** Workers, replaced as soon as they end; now and then one is killed, after each step of an attempt in turn. */
export function startCrew(
  prefix: string,
  size: number,
  start: (name: string) => Promise<ChildProcess>,
  onKill: (kill: Kill) => void,
): Crew {
  const kills: Kill[] = []
  const crew = new Map<number, Working>()
  let [ended, started, isStopping] = [0, 0, false]
  let aim: Step | undefined
  let turn = 0
  let timer: NodeJS.Timeout | undefined

  const keep = async (place: number) => {
    while (!isStopping) {
      started += 1
      const name = `${prefix}_${started}`
      // Undefined while the database is away, and with it the name the worker signs in by.
      const child = await start(name).catch(() => undefined)
      if (child) await working(place, { name, child, isReady: false })
      if (!isStopping && !isKilled(name)) await pause(pauseAfterTrouble)
    }
  }
  const working = async (place: number, one: Working) => {
    crew.set(place, one)
    one.child.stdout!.on('data', (text: Buffer) => {
      one.isReady ||= text.includes('"working"')
    })
    await once(one.child, 'exit')
    crew.delete(place)
    if (!isStopping && !isKilled(one.name)) ended += 1
  }
  const isKilled = (name: string) => kills.some(({ worker }) => worker === name)
  const keeping = Array.from({ length: size }, (_, place) => keep(place))

  const ready = () => [...crew.values()].filter(({ isReady, child }) => isReady && !child.killed)
  const callerAt = (port: number): Working | undefined => {
    const there = ready()
    const pid = ownerOf(
      port,
      there.map(({ child }) => child.pid!),
    )
    return there.find(({ child }) => child.pid === pid)
  }
  const kill = (victim: Working, step: Kill['step']) => {
    victim.child.kill('SIGKILL')
    const killed = { worker: victim.name, at: Date.now(), step }
    kills.push(killed)
    onKill(killed)
  }

  /** Where nothing came to aim at since the last time, whoever can be spared; the aim stays. */
  const takeAim = () => {
    if (aim === undefined) {
      aim = steps[turn % steps.length]
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
    senderAt: (port) => (aim === 'answered' ? callerAt(port)?.name : undefined),
    reached(step, from) {
      if (aim !== step || ready().length < 2) return
      const victim = typeof from === 'number' ? callerAt(from) : ready().find(({ name }) => name === from)
      if (!victim) return
      aim = undefined
      kill(victim, step)
    },
    ready: async () => {
      while (ready().length < size) await pause(50)
    },
    get isComplete() {
      return steps.every((step) => kills.some((one) => one.step === step))
    },
    startKilling: (every) => {
      timer = setInterval(takeAim, every)
    },
    stopKilling: () => {
      clearInterval(timer)
      aim = undefined
    },
    stop: async () => {
      isStopping = true
      for (const { child } of crew.values()) child.kill('SIGTERM')
      await Promise.all(keeping)
    },
  }
}
