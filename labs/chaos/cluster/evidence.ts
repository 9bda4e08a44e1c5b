import type { Result } from '../../../testkit/desk-client.ts'
import type { Arrival } from '../webhooks/evidence.ts'

/** What a run of the whole site leaves behind, and all that its checker sees. Times are milliseconds since 1970. */

/** A draft is known by its mark: a uuid that stands in headline and body as `CANARY-<mark>`, and is its Idempotency-Key. */
export type Mark = string

export interface Create {
  readonly mark: Mark
  /** As it was acknowledged. */
  readonly piece: string | null
  readonly end: number
  readonly result: Result
}

/** Somebody pressed Publish or Unpublish. */
export interface Change {
  readonly piece: string
  readonly writer: string
  readonly start: number
  readonly end: number
  readonly result: Result
}

/** When the mark was first read by anybody, and when they last asked for what showed it. */
export interface Sighting {
  readonly where: string
  readonly firstEnd: number
  readonly lastStart: number
  readonly lastWhere: string
}

/** A public address of a piece answered 404. */
export interface Absence {
  readonly mark: Mark
  readonly where: string
  readonly start: number
  readonly end: number
}

/** A key was used after somebody asked for its end. */
export interface Use {
  readonly key: string
  readonly start: number
  readonly status: number | null
}

/** A delivery as the database has it at the end. */
export interface Order {
  readonly message: string
  readonly piece: string
  readonly state: 'pending' | 'held' | 'delivered' | 'exhausted' | 'cancelled'
  /** Seconds since it was due; below 0 where it is not due yet. */
  readonly late: number
  /** Of the writer's webhook: it failed last, so that its deliveries wait for it to answer again. */
  readonly doubted: boolean
}

export interface Fault {
  readonly name: string
  readonly at: number
  /** Healed, and writes flow again. */
  readonly until: number
  /** Seconds without an acknowledged write that it may cost. */
  readonly mayCost: number
  /** Seconds that the slowest answer to a write took while it lasted, and may take. */
  readonly slowest: number
  readonly mayDelay?: number
}

/** One look at the two wings in one statement: ids in one and not in the other. */
export interface Difference {
  readonly at: number
  readonly pieces: readonly string[]
}

export interface Evidence {
  readonly at: number
  /** When everybody had ended, and it was looked at for the last time. */
  readonly settled: number
  readonly creates: readonly Create[]
  readonly publications: ReadonlyMap<Mark, Change>
  readonly unpublications: ReadonlyMap<Mark, Change>
  readonly sightings: ReadonlyMap<Mark, Sighting>
  readonly absences: readonly Absence[]
  /** When each key's end was acknowledged. */
  readonly revocations: ReadonlyMap<string, number>
  readonly uses: readonly Use[]
  readonly arrivals: readonly Arrival[]
  readonly orders: readonly Order[]
  /** Pieces that carry each mark, in the database, at the end. */
  readonly kept: ReadonlyMap<Mark, readonly string[]>
  /** Public at the end. */
  readonly shown: ReadonlySet<string>
  readonly differences: readonly Difference[]
  readonly faults: readonly Fault[]
  /** When each write was acknowledged, in order. */
  readonly acknowledged: readonly number[]
}
