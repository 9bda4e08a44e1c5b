import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import { type DeliveryResult, settle } from './delivery-queue.ts'

/** One statement takes this many; with more, publications of the same writers would wait for it. */
const mostAtOnce = 100
const pauseBeforeAnother = 250
/** Somebody's act has the webhook: it takes milliseconds, or as long as leaving the site does. */
const pauseForOthers = 20
/** After that the lease has ended, and what we would say changes nothing. */
const longest = 40_000

interface Waiting {
  readonly met: DeliveryResult
  readonly since: number
  readonly done: () => void
}

/** Says what attempts met: while one statement is under way the next gathers, so that a busy worker needs few of them. */
export class Settling {
  readonly #db: Database
  readonly #told: { onSettled(): void; onTrouble(error: unknown): void }
  #waiting: Waiting[] = []
  #isBusy = false

  constructor(db: Database, told: { onSettled(): void; onTrouble(error: unknown): void }) {
    this.#db = db
    this.#told = told
  }

  /** Resolves when it is kept, or when there is no sense in trying any more. */
  add(met: DeliveryResult): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ met, since: performance.now(), done: resolve })
    if (!this.#isBusy) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostAtOnce)
      await this.#keep(batch)
      this.#told.onSettled()
    }
    this.#isBusy = false
  }

  async #keep(batch: readonly Waiting[]): Promise<void> {
    try {
      const again = await settle(
        this.#db,
        batch.map(({ met }) => met),
      )
      const [busy, kept] = split(batch, ({ met }) => again.has(met.id))
      for (const { done } of kept) done()
      if (kept.length === 0) await pause(pauseForOthers)
      this.#putBack(busy)
    } catch (error) {
      this.#told.onTrouble(error)
      // A database that is away comes back; what it will not take from many it may take from one.
      if (error instanceof ServiceError) await pause(pauseBeforeAnother)
      else if (batch.length > 1) return this.#oneByOne(batch)
      else return batch[0]!.done()
      this.#putBack(batch)
    }
  }

  #putBack(batch: readonly Waiting[]): void {
    const [late, still] = split(batch, ({ since }) => performance.now() - since > longest)
    for (const { done } of late) done()
    this.#waiting.push(...still)
  }

  async #oneByOne(batch: readonly Waiting[]): Promise<void> {
    for (const one of batch) await this.#keep([one])
  }
}

const split = <T>(list: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  list.filter(isFirst),
  list.filter((one) => !isFirst(one)),
]
