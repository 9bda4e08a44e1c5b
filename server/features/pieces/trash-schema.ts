import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable } from '#platform/common-schemas.ts'
import { deskListLimits, Hand } from './desk-schema.ts'

/** The trash, as the desk shows it. */

/** As app.sweep_trash has it. */
export const trashDays = 30

export const TrashList = Type.Object({ limit: limited(deskListLimits), cursor })
export type TrashList = Static<typeof TrashList>

const text = Type.String()

const TrashItem = Type.Object({
  id: text,
  headline: text,
  sub: nullable(text),
  /** How the text begins, as it is written. */
  opening: text,
  deleted_at: dateTime,
  deleted_by: Hand,
  /** When it is deleted for good. */
  gone_at: dateTime,
})
export type TrashItem = Static<typeof TrashItem>

export const TrashPage = Type.Object({
  ok: Type.Literal(true),
  count: Type.Integer(),
  pieces: Type.Array(TrashItem),
  next_cursor: nextCursor,
})
export type TrashPage = Static<typeof TrashPage>
