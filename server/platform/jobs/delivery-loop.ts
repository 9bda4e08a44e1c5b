import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '#platform/errors.ts'

/**
 * A worker's delivery loop over a queue in PostgreSQL: claims what is due, with a lease, attempts it, and records the results
 * in batches. Another worker claims what a dead one had when its lease expires.
 */

const pauseAfterTrouble = 500
/** At SIGTERM, for attempts under way. */
const shutdownTimeout = 16_000

export interface Repeated {
  /** There may be something to do. */
  wake(): void
  stop(): Promise<void>
}

/** Repeats a step: at once while it finds something to do, otherwise when woken, and every `pollEvery` milliseconds. */
export function startRepeating(
  step: () => Promise<boolean>,
  { pollEvery, onTrouble }: { readonly pollEvery: number; onTrouble(error: unknown): void },
): Repeated {
  let stopping = false
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  const loop = async () => {
    let failures = 0
    while (!stopping) {
      woken = Promise.withResolvers()
      try {
        const found = await step()
        failures = 0
        if (!found) await idle(woken.promise, pollEvery)
      } catch (error) {
        failures += 1
        // A single failure is a process that still starts, or a broken connection: not worth reporting.
        if (failures > 1) onTrouble(error)
        await idle(woken.promise, pauseAfterTrouble)
      }
    }
  }
  const running = loop()
  return {
    wake,
    stop: async () => {
      stopping = true
      wake()
      await running
    },
  }
}

/** Until woken, or so many milliseconds. Leaves no timer, which would keep a process from ending. */
async function idle(woken: Promise<void>, milliseconds: number): Promise<void> {
  const ended = new AbortController()
  await Promise.race([woken, pause(milliseconds, undefined, { signal: ended.signal }).catch(() => {})])
  ended.abort()
}

/** An attempt under way. */
export interface InFlight<Claimed> {
  readonly claimed: Claimed
  readonly since: number
}

/** How many more attempts may begin: of queues that answer, and of those that fail. */
export interface Capacity {
  readonly healthy: number
  readonly failing: number
}

const slowAfter = 2000

/** A healthy one's attempt stops counting after two seconds, up to `total` attempts in all. */
export function capacityBeside(
  inFlight: ReadonlySet<InFlight<{ readonly doubted: boolean }>>,
  slots: Capacity & { readonly total: number },
): Capacity {
  const slow = performance.now() - slowAfter
  let [healthy, failing] = [0, 0]
  for (const { claimed, since } of inFlight) {
    if (claimed.doubted) failing += 1
    else if (since > slow) healthy += 1
  }
  const left = slots.total - inFlight.size
  return {
    healthy: Math.max(0, Math.min(slots.healthy - healthy, left)),
    failing: Math.max(0, Math.min(slots.failing - failing, left)),
  }
}

interface Delivering<Claimed, Result> {
  readonly pollEvery: number
  /** Milliseconds after which a result is no longer worth recording: the lease has expired. */
  readonly maxAge: number
  /** Claims what is due, as far as there is capacity beside what is under way. */
  claim(inFlight: ReadonlySet<InFlight<Claimed>>): Promise<readonly Claimed[]>
  attempt(claimed: Claimed): Promise<Result>
  /** Records results in one statement. Returns those to record again, since an act of a person has their rows locked. */
  record(results: readonly Result[]): Promise<readonly Result[]>
  onTrouble(error: unknown): void
}

export function startDelivering<Claimed, Result>(options: Delivering<Claimed, Result>): Repeated {
  const { onTrouble } = options
  const inFlight = new Set<InFlight<Claimed>>()

  const deliver = async (claimed: Claimed) => {
    const slot = { claimed, since: performance.now() }
    inFlight.add(slot)
    try {
      await results.add(await options.attempt(claimed))
    } catch (error) {
      // Its lease expires, and it is tried again.
      onTrouble(error)
    } finally {
      inFlight.delete(slot)
      repeated.wake()
    }
  }
  const repeated = startRepeating(async () => {
    const claimed = await options.claim(inFlight)
    for (const one of claimed) void deliver(one)
    return claimed.length > 0
  }, options)
  const results = new ResultBatcher({ ...options, onSettled: repeated.wake })

  return {
    wake: repeated.wake,
    stop: async () => {
      await repeated.stop()
      const end = performance.now() + shutdownTimeout
      while (inFlight.size > 0 && performance.now() < end) await pause(20)
    },
  }
}

/** Results in one statement. With more, others that need the same rows would wait for it. */
const maxBatch = 100
const retryPause = 250
/** Rows are locked for milliseconds, or longer when an account is deleted. */
const lockedPause = 20

interface PendingResult<Result> {
  readonly result: Result
  readonly since: number
  readonly done: () => void
}

type Batching<Result> = Pick<Delivering<never, Result>, 'maxAge' | 'record' | 'onTrouble'> & { onSettled(): void }

/** While one statement runs the next batch collects, so a busy worker needs few statements. */
export class ResultBatcher<Result> {
  readonly #options: Batching<Result>
  #pending: PendingResult<Result>[] = []
  #isRunning = false

  constructor(options: Batching<Result>) {
    this.#options = options
  }

  /** Resolves when the result is recorded, or when there is no point in trying any longer. */
  add(result: Result): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#pending.push({ result, since: performance.now(), done: resolve })
    if (!this.#isRunning) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#pending.length > 0) {
      await this.#record(this.#pending.splice(0, maxBatch))
      this.#options.onSettled()
    }
    this.#isRunning = false
  }

  async #record(batch: readonly PendingResult<Result>[]): Promise<void> {
    try {
      const locked = new Set(await this.#options.record(batch.map(({ result }) => result)))
      const [again, recorded] = partition(batch, ({ result }) => locked.has(result))
      for (const { done } of recorded) done()
      if (recorded.length === 0) await pause(lockedPause)
      this.#putBack(again)
    } catch (error) {
      this.#options.onTrouble(error)
      // A database that is away comes back. Any other error may be due to one result, so each is then tried alone.
      if (error instanceof ServiceError) await pause(retryPause)
      else if (batch.length === 1) return batch[0]!.done()
      else {
        for (const one of batch) await this.#record([one])
        return
      }
      this.#putBack(batch)
    }
  }

  #putBack(batch: readonly PendingResult<Result>[]): void {
    const [expired, rest] = partition(batch, ({ since }) => performance.now() - since > this.#options.maxAge)
    for (const { done } of expired) done()
    this.#pending.push(...rest)
  }
}

const partition = <T>(list: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  list.filter(isFirst),
  list.filter((one) => !isFirst(one)),
]
