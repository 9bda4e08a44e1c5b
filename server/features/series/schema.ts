import Type, { type Static } from 'typebox'
import { policy } from '#config/policy.ts'
import { type Status, statuses } from '#features/pieces/draft-schema.ts'
import { nullable, ok, uri } from '#platform/common-schemas.ts'

/** Wire shapes of the desk API for a writer's own series. */

/** Characters; the same limits as in the database. */
export const longest = { title: 120, description: 500 } as const
const mostPieces = policy.pieces_per_series

const text = Type.String()
const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

export const DeskSeries = Type.Object({
  id: text,
  title: text,
  description: nullable(text),
  revision: Type.Integer(),
  /** The public URL; null while none of its pieces is public. */
  url: nullable(uri),
  /** In their order, drafts included. */
  pieces: Type.Array(
    Type.Object({
      id: text,
      headline: text,
      status: Type.Unsafe<Status>({ type: 'string', enum: [...statuses] }),
    }),
  ),
})
export type DeskSeries = Static<typeof DeskSeries>

export const DeskSeriesList = Type.Object({ ok, count: Type.Integer(), series: Type.Array(DeskSeries) })
export type DeskSeriesList = Static<typeof DeskSeriesList>

export const DeskSeriesFound = Type.Object({ ok, series: DeskSeries })
export type DeskSeriesFound = Static<typeof DeskSeriesFound>

/** The client chooses the id of a new series. */
export const OneSeries = Type.Object({ id: Type.String({ pattern: uuid }) })

/** The whole series. */
export const SeriesBody = Type.Object({
  title: Type.String({ maxLength: longest.title, 'x-visible': true, 'x-printable': true }),
  description: nullable(Type.String({ maxLength: longest.description, 'x-printable': true })),
  /** Ids of their pieces, in order. */
  pieces: Type.Array(Type.String({ pattern: uuid }), { maxItems: mostPieces, uniqueItems: true }),
  /** The one that was changed; null for a new series. */
  revision: nullable(Type.Integer({ minimum: 1 })),
})
export type SeriesBody = Static<typeof SeriesBody>
