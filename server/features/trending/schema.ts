import Type, { type Static } from 'typebox'
import { category, exampleListItem, languageFilter, PieceListItem } from '#features/pieces/schema.ts'
import { cursor, limited, nextCursor, nullable, ok, uri } from '#platform/common-schemas.ts'

/** Windows, with the half-life of a read's weight in hours (app.score_trending). */
const halfLives = { '24h': 6, '7d': 48, '30d': 168 } as const
export type TrendingWindow = keyof typeof halfLives
export const trendingWindows: readonly TrendingWindow[] = Object.keys(halfLives) as TrendingWindow[]
export const defaultWindow: TrendingWindow = '7d'

/** Used wherever the list is described. */
export const trendingFormula = `Each read inside the window counts 1 and loses half of its weight every ${halfLives['24h']} hours (24h), ${halfLives['7d']} hours (7d) or ${halfLives['30d'] / 24} days (30d); the sum is the score. Equal scores are ordered newest first. A reader counts once a day for a piece, a network at most five times, robots do not count, and scores are made anew every five minutes.`

export const trendingLimits = { minimum: 1, maximum: 50, default: 10 } as const

export const TrendingPieces = Type.Object({
  window: Type.Optional(
    Type.Unsafe<TrendingWindow>({
      type: 'string',
      enum: trendingWindows,
      default: defaultWindow,
      description: `How far back reads count: 24 hours, 7 days or 30 days; ${defaultWindow} if left out.`,
    }),
  ),
  category,
  limit: limited(trendingLimits),
  cursor,
})
export type TrendingPieces = Static<typeof TrendingPieces>

export const TrendingPiecesIn = Type.Object({ ...TrendingPieces.properties, language: languageFilter })

export const TrendingItem = Type.Object(
  {
    ...PieceListItem.properties,
    rank: Type.Integer({ minimum: 1, description: 'Its place in this list; 1 is read most.' }),
  },
  {
    $id: 'TrendingItem',
    description: 'A public piece in the list of those read most.',
    examples: [{ ...exampleListItem, rank: 1 }],
  },
)
export type TrendingItem = PieceListItem & { rank: number }

export const TrendingList = Type.Object({
  ok,
  window: Type.Unsafe<TrendingWindow>({ type: 'string', enum: trendingWindows }),
  category: nullable(Type.String()),
  count: Type.Integer(),
  items: Type.Array(Type.Ref('TrendingItem')),
  next_cursor: nextCursor,
})
export type TrendingList = {
  ok: true
  window: TrendingWindow
  category: string | null
  count: number
  items: TrendingItem[]
  next_cursor: string | null
}

// Read statistics in the desk API

const text = Type.String()
const count = Type.Integer({ minimum: 0 })

const statDays = [30, 90] as const
export type StatDays = (typeof statDays)[number]
export const defaultDays: StatDays = 30

/** `?days=30` or `?days=90`; 30 by default. */
export const StatsQuery = Type.Object({
  days: Type.Optional(Type.Unsafe<StatDays>({ type: 'integer', enum: [...statDays], default: defaultDays })),
})
export type StatsQuery = Static<typeof StatsQuery>

/** A day in UTC, such as 2026-11-15. */
const DayOfReads = Type.Object({ day: Type.String({ format: 'date' }), reads: count })

/** `source` is a host or the value of `?ref=`; null for all others together. Most visits first, the others last. */
const Source = Type.Object({ source: nullable(text), visits: count })

const stats = {
  ok,
  /** How many days `reads`, `per_day`, `pieces` and `sources` cover, including today. */
  days: Type.Integer(),
  /** Of all time. */
  total_reads: count,
  reads: count,
  /** Every day, oldest first, including days without reads. */
  per_day: Type.Array(DayOfReads),
  sources: Type.Array(Source),
}

const piece = {
  id: text,
  headline: text,
  /** Null while it is not public. */
  url: nullable(uri),
}

/** For all pieces of the writer. `pieces`: the twenty most read in these days. */
export const ReadStats = Type.Object({
  ...stats,
  pieces: Type.Array(Type.Object({ ...piece, reads: count, total_reads: count })),
})
export type ReadStats = Static<typeof ReadStats>

/** For one piece. */
export const PieceReadStats = Type.Object({ ...stats, piece: Type.Object(piece) })
export type PieceReadStats = Static<typeof PieceReadStats>
