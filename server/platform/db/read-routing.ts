import { AsyncLocalStorage } from 'node:async_hooks'
import type { PrimaryWatch } from './primary-watch.ts'
import type { ReplicaWatch } from './replica-watch.ts'
import type { Position } from './wal-position.ts'

export type ReadTarget = 'replica' | 'primary'

/** How long a read waits for the replica before it goes to the primary. */
const maxWait = 100
/** No log grows by this much between a heartbeat and a person's next read: such a position is forged. */
const farAhead = 1n << 32n

interface Waiting {
  /** When it arrived: it must see what was acknowledged by then. */
  readonly since: number
  /** The position it must see, if known. */
  position: Position
  isSure: boolean
  readonly resolve: (place: ReadTarget) => void
  readonly timer: NodeJS.Timeout
}

type PrimaryState = Pick<
  PrimaryWatch,
  'needed' | 'known' | 'timeline' | 'isSureOf' | 'keepSure' | 'isAway' | 'isDoubtful'
>
type ReplicaState = Pick<ReplicaWatch, 'replayed' | 'timeline' | 'isReachable' | 'hasten' | 'doubt' | 'isDoubtful'>

/**
 * Routes public reads: to the replica while it has replayed everything public, to the primary while it has not, and to
 * the replica as it is if the primary is down. A request stays with one server from start to end, so that what it read
 * first is still there when it continues.
 */
export class ReadRouter {
  readonly #primary: PrimaryState
  readonly #replica: ReplicaState
  readonly #requests = new AsyncLocalStorage<{ place: ReadTarget }>()
  readonly #waiting = new Set<Waiting>()
  /** What the replica lacks of everything public, and since when; undefined if it lacks nothing. */
  #lack: { readonly position: Position; readonly since: number } | undefined

  constructor(primary: PrimaryState, replica: ReplicaState) {
    this.#primary = primary
    this.#replica = replica
  }

  /** For a read that must see at least `position`. Usually known without waiting. */
  place(position: Position = 0n): ReadTarget | Promise<ReadTarget> {
    const moment = performance.now()
    this.#primary.keepSure(moment)
    return this.#known(position, moment) ?? this.#wait(position, moment)
  }

  /** Everything that `work` reads is read there. */
  reading(place: ReadTarget, work: () => void): void {
    this.#requests.run({ place }, work)
  }

  /** Of the current request; outside of one, wherever data is fresh without waiting. */
  get current(): ReadTarget {
    return this.#requests.getStore()?.place ?? this.#known(0n, performance.now()) ?? 'primary'
  }

  /** Moves the rest of the request there. */
  move(place: ReadTarget): void {
    const request = this.#requests.getStore()
    if (request) request.place = place
  }

  doubtReplica(): void {
    this.#replica.doubt()
  }

  /** It has not answered for a while and may be frozen. */
  isDoubtful(place: ReadTarget): boolean {
    return (place === 'replica' ? this.#replica : this.#primary).isDoubtful
  }

  /** Called when the primary or the replica has reported a position. */
  look(): void {
    const { needed, isAway } = this.#primary
    const replayed = this.#replayed
    if (isAway || replayed >= needed) this.#lack = undefined
    else if (!this.#lack || replayed >= this.#lack.position) {
      this.#lack = { position: needed, since: performance.now() }
      this.#replica.hasten(needed)
    }
    for (const one of this.#waiting) {
      if (!one.isSure && this.#primary.isSureOf(one.since)) {
        one.isSure = true
        if (needed > one.position) one.position = needed
        this.#replica.hasten(one.position)
      }
      if (isAway || (one.isSure && replayed >= one.position)) this.#end(one, 'replica')
      else if (!this.#replica.isReachable) this.#end(one, 'primary')
    }
  }

  /** For metrics. */
  get figures(): { readonly isReachable: boolean; readonly lagBytes: number; readonly behindSeconds: number } {
    const { known } = this.#primary
    const replayed = this.#replayed
    return {
      isReachable: this.#replica.isReachable,
      lagBytes: Number(known > replayed ? known - replayed : 0n),
      behindSeconds: this.#lack ? (performance.now() - this.#lack.since) / 1000 : 0,
    }
  }

  /** How far the replica has replayed the primary's current timeline. */
  get #replayed(): Position {
    return this.#replica.timeline === this.#primary.timeline ? this.#replica.replayed : 0n
  }

  #known(position: Position, moment: number): ReadTarget | undefined {
    const { needed, known, isAway } = this.#primary
    const replayed = this.#replayed
    if (!this.#replica.isReachable) return 'primary'
    if (isAway) return 'replica'
    if (replayed >= needed && replayed >= position && this.#primary.isSureOf(moment)) return 'replica'
    const isLate = this.#lack !== undefined && moment - this.#lack.since > maxWait
    return isLate || position > known + farAhead ? 'primary' : undefined
  }

  #wait(position: Position, since: number): Promise<ReadTarget> {
    const { needed } = this.#primary
    const isSure = this.#primary.isSureOf(since)
    const { promise, resolve } = Promise.withResolvers<ReadTarget>()
    const timer = setTimeout(() => this.#end(one, 'primary'), maxWait)
    const one: Waiting = { since, position: needed > position ? needed : position, isSure, resolve, timer }
    this.#waiting.add(one)
    if (isSure) this.#replica.hasten(one.position)
    return promise
  }

  #end(one: Waiting, place: ReadTarget): void {
    clearTimeout(one.timer)
    this.#waiting.delete(one)
    one.resolve(place)
  }
}
