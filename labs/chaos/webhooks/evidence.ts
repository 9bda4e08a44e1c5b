import type { Result } from '../../../testkit/desk-client.ts'

/** What a run leaves behind, and all that the checker sees. Times are milliseconds since 1970, by one machine's clock. */

/** Where in an attempt its worker is killed: after each of these. */
export const steps = ['claimed', 'connected', 'sent', 'answered', 'marked'] as const
export type Step = (typeof steps)[number]

/** Somebody pressed Publish, and was told that it happened, that it did not, or nothing. */
export interface Publication {
  readonly piece: string
  readonly writer: string
  readonly start: number
  readonly end: number
  readonly result: Result
}

/** A request that arrived whole. */
export interface Arrival {
  readonly message: string
  /** Null for a ping. */
  readonly piece: string | null
  /** Whose address it came to. */
  readonly writer: string
  readonly sequence: number
  /** Of its bytes. */
  readonly digest: string
  /** Why it is not to be believed, by either verifier; null where both believe it. */
  readonly doubt: string | null
  /** Seconds between the time it was signed and the time it came. */
  readonly skew: number
  readonly at: number
  /** What it was answered, as far as anybody was there to hear it. */
  readonly status: number | null
}

/** A delivery as the database has it at the end. */
export interface Order {
  readonly message: string
  readonly writer: string
  readonly piece: string
  readonly sequence: number
  readonly state: 'pending' | 'held' | 'delivered' | 'exhausted' | 'cancelled'
  readonly resent: boolean
}

/** One worker's hold on one delivery: it said what came of it, somebody else had to take it up, or neither yet. */
export interface Lease {
  readonly message: string
  readonly worker: string
  readonly taken: number
  readonly end: 'said' | 'abandoned' | null
}

export interface Kill {
  readonly worker: string
  readonly at: number
  /** `any`: nothing happened to aim at. */
  readonly step: Step | 'any'
}

export interface Evidence {
  /** When all this was looked at. */
  readonly at: number
  readonly publications: readonly Publication[]
  /** Pieces whose writer asked to unpublish them. */
  readonly unpublished: ReadonlySet<string>
  readonly arrivals: readonly Arrival[]
  readonly orders: readonly Order[]
  /** In the order they were taken. */
  readonly leases: readonly Lease[]
  readonly kills: readonly Kill[]
  /** Pieces that are public now. */
  readonly shown: ReadonlySet<string>
  /** Whether faults ended and all that was left was resent. */
  readonly drained: boolean
}
