import Type, { type Static } from 'typebox'
import { nullable, ok, uri } from '#platform/common-schemas.ts'

/** What the desk shows a writer of how their pieces are read. */

const text = Type.String()
const count = Type.Integer({ minimum: 0 })

const statDays = [30, 90] as const
export type StatDays = (typeof statDays)[number]
export const defaultDays: StatDays = 30

/** `?days=30` or `?days=90`; 30 if left out. */
export const StatsAsked = Type.Object({
  days: Type.Optional(Type.Unsafe<StatDays>({ type: 'integer', enum: [...statDays], default: defaultDays })),
})
export type StatsAsked = Static<typeof StatsAsked>

/** A day in UTC, as 2026-11-15. */
const DayOfReads = Type.Object({ day: Type.String({ format: 'date' }), reads: count })

/** `source` is a host or the word of a link's `?ref=`; null for all others together. Best first, the others last. */
const Source = Type.Object({ source: nullable(text), visits: count })

const told = {
  ok,
  /** How many days `reads`, `per_day`, `pieces` and `sources` tell of, today included. */
  days: Type.Integer(),
  /** Since the beginning. */
  total_reads: count,
  reads: count,
  /** Every day, oldest first, those without a read too. */
  per_day: Type.Array(DayOfReads),
  sources: Type.Array(Source),
}

const piece = {
  id: text,
  headline: text,
  /** Null while it is not public. */
  url: nullable(uri),
}

/** Of everything the writer wrote. `pieces`: the twenty that were read most in these days. */
export const ReadStats = Type.Object({
  ...told,
  pieces: Type.Array(Type.Object({ ...piece, reads: count, total_reads: count })),
})
export type ReadStats = Static<typeof ReadStats>

/** Of one of their pieces. */
export const PieceReadStats = Type.Object({ ...told, piece: Type.Object(piece) })
export type PieceReadStats = Static<typeof PieceReadStats>
