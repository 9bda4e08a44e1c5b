import { createWriteStream } from 'node:fs'
import type { Result } from '../../../testkit/desk-client.ts'

/** The evidence of a webhook run, and all its checker sees. Times are milliseconds since 1970, by one clock. */

/** Where in an attempt its worker is killed: after each of these. */
export const steps = ['claimed', 'connected', 'sent', 'answered', 'marked'] as const
export type Step = (typeof steps)[number]

/** A publish request: acknowledged, refused, or without an answer. */
export interface Publication {
  readonly piece: string
  readonly writer: string
  readonly start: number
  readonly end: number
  readonly result: Result
}

/** A consent to publish at a time that was acknowledged. */
export interface ScheduledPiece {
  readonly piece: string
  readonly writer: string
  /** What ended it before its time, or that its time does not come in this run. */
  readonly consent: 'valid' | 'changed' | 'cancelled' | 'later'
  /** Its time; null if it does not come. */
  readonly due: number | null
}

/** A piece became public, as the database saw it. */
export interface Appearance {
  readonly piece: string
  readonly at: number
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
  /** Why a verifier rejected it; null if both accepted it. */
  readonly verifyError: string | null
  /** Seconds between the time it was signed and the time it came. */
  readonly skew: number
  readonly at: number
  /** The status sent, null if the client was gone. */
  readonly status: number | null
}

/** A delivery as the database has it at the end. */
export interface DeliveryRecord {
  readonly message: string
  readonly writer: string
  readonly piece: string
  readonly sequence: number
  readonly state: 'pending' | 'held' | 'delivered' | 'exhausted' | 'cancelled'
  readonly resent: boolean
}

/** One worker's lease on one delivery: it reported the result, another worker had to take over, or neither yet. */
export interface Lease {
  readonly message: string
  readonly worker: string
  readonly taken: number
  readonly end: 'reported' | 'abandoned' | null
}

export interface Kill {
  readonly worker: string
  readonly at: number
  /**
   * `any`: nothing happened to aim at. `publishing` and `published`: in the middle of publishing a scheduled piece, and right
   * after it.
   */
  readonly step: Step | 'any' | 'publishing' | 'published'
}

export interface Evidence {
  /** When all this was looked at. */
  readonly at: number
  readonly publications: readonly Publication[]
  readonly scheduled: readonly ScheduledPiece[]
  readonly appearances: readonly Appearance[]
  /** Pieces whose writer asked to unpublish them. */
  readonly unpublished: ReadonlySet<string>
  readonly arrivals: readonly Arrival[]
  readonly deliveries: readonly DeliveryRecord[]
  /** In the order they were taken. */
  readonly leases: readonly Lease[]
  readonly kills: readonly Kill[]
  /** Pieces that are public now. */
  readonly publicPieces: ReadonlySet<string>
  /** Whether faults ended and all that was left was resent. */
  readonly drained: boolean
}

/** The history, one line each: op, key, start, end, result, in order of end. */
export function openHistory(file: string) {
  const stream = createWriteStream(file)
  const line = (op: string, key: string, start: number, end: number, result: Result, more: object = {}) =>
    stream.write(`${JSON.stringify({ op, key, start, end, result, ...more })}\n`)
  return {
    file,
    published: ({ piece, writer, start, end, result }: Publication) =>
      line('publish', piece, start, end, result, { writer }),
    arrived: ({ message, writer, at, status, verifyError }: Arrival) => {
      const result = status === null ? 'unknown' : status < 300 ? 'ok' : 'fail'
      line('deliver', message, at, Date.now(), result, {
        writer,
        status,
        ...(verifyError ? { doubt: verifyError } : {}),
      })
    },
    scheduled: ({ piece, writer, consent, due }: ScheduledPiece) => {
      const now = Date.now()
      line('schedule', piece, now, now, 'ok', { writer, consent, due })
    },
    killed: ({ worker, at, step }: Kill) => line('kill', worker, at, at, 'ok', { step }),
    close: () => new Promise<void>((resolve) => stream.end(resolve)),
  }
}

/** A correct delivery for made-up histories: the first of its message, to the right writer. */
export const makeArrival = (number: number, at: number, given: Partial<Arrival> = {}): Arrival => ({
  message: `msg-${number}`,
  piece: `piece-${number}`,
  writer: 'ada',
  sequence: number,
  digest: `bytes-${number}`,
  verifyError: null,
  skew: 0.2,
  at,
  status: 200,
  ...given,
})
