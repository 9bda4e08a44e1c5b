import Type, { type Static } from 'typebox'
import { policy } from '#config/policy.ts'
import { dateTime, nullable, ok, uri } from '#platform/common-schemas.ts'

/** What moderators choose for the front page, in the desk API. */

const text = Type.String()
const uuid = Type.String({ format: 'uuid' })
const longestNote = 280

/** A public piece that can be pinned. */
const PieceToPin = Type.Object({
  id: text,
  title: text,
  url: uri,
  author: text,
  category: text,
  published_at: dateTime,
})

const Note = Type.Object({
  text: Type.String({ minLength: 1, maxLength: longestNote, 'x-line': true }),
  ends_at: dateTime,
})

const choices = {
  /** Which save this is: the next one names it. 0 before the first. */
  version: Type.Integer({ minimum: 0 }),
  note: Type.Union([Note, Type.Null()]),
}

/** What is on the front page by choice. */
export const FrontPageChoices = Type.Object({
  ok,
  ...choices,
  pins: Type.Array(Type.Object({ ...PieceToPin.properties, ends_at: dateTime })),
  /** The last save; null before the first. The name is null if the account was closed. */
  saved: Type.Union([Type.Object({ at: dateTime, by: nullable(text) }), Type.Null()]),
})
export type FrontPageChoices = Static<typeof FrontPageChoices>

export const SaveFrontPage = Type.Object({
  ...choices,
  pins: Type.Array(Type.Object({ id: uuid, ends_at: dateTime }), { maxItems: policy.front_page_pins }),
})
export type SaveFrontPage = Static<typeof SaveFrontPage>

/** Another moderator has saved since: what they saved. */
export const FrontPageConflict = Type.Object({
  ok: Type.Literal(false),
  reason: text,
  detail: text,
  request_id: text,
  current: FrontPageChoices,
})

export const FindPieces = Type.Object({ q: Type.Optional(Type.String({ maxLength: 500 })) })
export type FindPieces = Static<typeof FindPieces>

export const PiecesToPin = Type.Object({ ok, pieces: Type.Array(PieceToPin) })
export type PiecesToPin = Static<typeof PiecesToPin>

/** What the preview shows instead of what is saved. `pins`: ids, separated by commas. */
export const PreviewChoices = Type.Object({
  pins: Type.Optional(Type.String({ pattern: `^([0-9a-f-]{36}(,[0-9a-f-]{36}){0,${policy.front_page_pins - 1}})?$` })),
  note: Type.Optional(Type.String({ maxLength: longestNote })),
})
