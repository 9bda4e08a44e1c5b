import Type, { type Static } from 'typebox'
import { exampleListItem } from '#features/pieces/examples.ts'
import { category, PieceListItem } from '#features/pieces/schema.ts'
import { cursor, limited, nextCursor, nullable, ok } from '#platform/common-schemas.ts'

/** How far back, with the hours in which a read loses half of its weight (app.score_trending). */
const halfLives = { '24h': 6, '7d': 48, '30d': 168 } as const
export type TrendingWindow = keyof typeof halfLives
const trendingWindows = Object.keys(halfLives) as TrendingWindow[]
export const defaultWindow: TrendingWindow = '7d'

/** For people and programs alike, wherever the list is described. */
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
export type TrendingItem = Static<typeof TrendingItem>

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
