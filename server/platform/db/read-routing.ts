import { AsyncLocalStorage } from 'node:async_hooks'
import type { Position } from './lsn.ts'
import type { Changes } from './primary-watch.ts'
import type { ReplicaWatch } from './replica-watch.ts'

export type Place = 'replica' | 'primary'

/** How long a read waits for the replica before it asks the primary. */
const longestWait = 100
/** No log grows by so much between a heartbeat and a writer's next read: such a position is made up. */
const farAhead = 1n << 32n

interface Waiting {
  /** When it came: it must see what was acknowledged by then. */
  readonly since: number
  /** Up to here, where that is known. */
  position: Position
  isSure: boolean
  readonly resolve: (place: Place) => void
  readonly timer: NodeJS.Timeout
}

type Heard = Pick<Changes, 'needed' | 'known' | 'timeline' | 'isSureOf' | 'keepSure' | 'isAway' | 'isDoubtful'>
type Followed = Pick<ReplicaWatch, 'replayed' | 'timeline' | 'isThere' | 'hasten' | 'doubt' | 'isDoubtful'>

/**
 * Where public reads go: to the replica while it has replayed everything that was made public, to the primary while it has
 * not, and to the replica as it is where there is no primary. One request asks one of them from its beginning to its end,
 * so that what it read first is there when it reads on.
 */
export class ReadRouting {
  readonly #changes: Heard
  readonly #follower: Followed
  readonly #requests = new AsyncLocalStorage<{ place: Place }>()
  readonly #waiting = new Set<Waiting>()
  /** What the replica lacks of all that is public, and since when; undefined where it lacks nothing. */
  #lack: { readonly position: Position; readonly since: number } | undefined

  constructor(changes: Heard, follower: Followed) {
    this.#changes = changes
    this.#follower = follower
  }

  /** For a read that must see at least `position`. Known at once as a rule. */
  place(position: Position = 0n): Place | Promise<Place> {
    const moment = performance.now()
    this.#changes.keepSure(moment)
    return this.#known(position, moment) ?? this.#wait(position, moment)
  }

  /** Everything `work` reads is read there. */
  reading(place: Place, work: () => void): void {
    this.#requests.run({ place }, work)
  }

  /** Of the request that is under way; outside of one, wherever it is fresh without waiting. */
  get current(): Place {
    return this.#requests.getStore()?.place ?? this.#known(0n, performance.now()) ?? 'primary'
  }

  /** The rest of the request is read there. */
  move(place: Place): void {
    const request = this.#requests.getStore()
    if (request) request.place = place
  }

  doubtReplica(): void {
    this.#follower.doubt()
  }

  /** It has not answered for a while, and may be frozen. */
  isDoubtful(place: Place): boolean {
    return (place === 'replica' ? this.#follower : this.#changes).isDoubtful
  }

  /** Something was heard of the primary or the replica. */
  look(): void {
    const { needed, isAway } = this.#changes
    const replayed = this.#replayed
    if (isAway || replayed >= needed) this.#lack = undefined
    else if (!this.#lack || replayed >= this.#lack.position) {
      this.#lack = { position: needed, since: performance.now() }
      this.#follower.hasten(needed)
    }
    for (const one of this.#waiting) {
      if (!one.isSure && this.#changes.isSureOf(one.since)) {
        one.isSure = true
        if (needed > one.position) one.position = needed
        this.#follower.hasten(one.position)
      }
      if (isAway || (one.isSure && replayed >= one.position)) this.#end(one, 'replica')
      else if (!this.#follower.isThere) this.#end(one, 'primary')
    }
  }

  /** For those who watch. */
  get figures(): { readonly isThere: boolean; readonly lagBytes: number; readonly behindSeconds: number } {
    const { known } = this.#changes
    const replayed = this.#replayed
    return {
      isThere: this.#follower.isThere,
      lagBytes: Number(known > replayed ? known - replayed : 0n),
      behindSeconds: this.#lack ? (performance.now() - this.#lack.since) / 1000 : 0,
    }
  }

  /** How far the replica has come in the history that the primary is writing. */
  get #replayed(): Position {
    return this.#follower.timeline === this.#changes.timeline ? this.#follower.replayed : 0n
  }

  #known(position: Position, moment: number): Place | undefined {
    const { needed, known, isAway } = this.#changes
    const replayed = this.#replayed
    if (!this.#follower.isThere) return 'primary'
    if (isAway) return 'replica'
    if (replayed >= needed && replayed >= position && this.#changes.isSureOf(moment)) return 'replica'
    const isLate = this.#lack !== undefined && moment - this.#lack.since > longestWait
    return isLate || position > known + farAhead ? 'primary' : undefined
  }

  #wait(position: Position, since: number): Promise<Place> {
    const { needed } = this.#changes
    const isSure = this.#changes.isSureOf(since)
    const { promise, resolve } = Promise.withResolvers<Place>()
    const timer = setTimeout(() => this.#end(one, 'primary'), longestWait)
    const one: Waiting = { since, position: needed > position ? needed : position, isSure, resolve, timer }
    this.#waiting.add(one)
    if (isSure) this.#follower.hasten(one.position)
    return promise
  }

  #end(one: Waiting, place: Place): void {
    clearTimeout(one.timer)
    this.#waiting.delete(one)
    one.resolve(place)
  }
}
