import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable } from '#platform/common-schemas.ts'
import { category } from './decisions-schema.ts'
import { ReportsOfOne } from './reports-schema.ts'

/** What moderators see and say. */

const text = Type.String()
const ok = Type.Literal(true)

const piece = {
  id: text,
  headline: text,
  sub: nullable(text),
  category: text,
  status: text,
  writer: Type.Object({ slug: text, name: text }),
}
const waiting = { ...piece, revision: Type.Integer(), submitted_at: dateTime }

export const reviewLimits = { minimum: 1, maximum: 100, default: 50 } as const

export const ReviewList = Type.Object({ limit: limited(reviewLimits), cursor })
export type ReviewList = Static<typeof ReviewList>

export const ReviewPage = Type.Object({
  ok,
  count: Type.Integer(),
  pieces: Type.Array(Type.Object(waiting)),
  next_cursor: nextCursor,
})
export type ReviewPage = Static<typeof ReviewPage>

export const ReviewShown = Type.Object({
  ok,
  /** What waits, whole; of what is public only what readers have, so that three members are null. */
  piece: Type.Object({
    ...piece,
    revision: nullable(Type.Integer()),
    submitted_at: nullable(dateTime),
    tags: Type.Array(text),
    body_md: nullable(text),
    html: text,
  }),
  /** Good once, for ten minutes, to approve exactly this revision; null unless it is pending. */
  nonce: nullable(text),
  /** The whole page of it, for ten minutes, in a frame of the desk; null unless it is pending. */
  page: nullable(text),
  /** What is open of it, where it is public and reported. */
  reports: nullable(ReportsOfOne),
})
export type ReviewShown = Static<typeof ReviewShown>

const said = Type.String({ maxLength: 2000, 'x-visible': true, 'x-printable': true })
export const WithNote = Type.Object({ note: said })
/** Why, and in which words the writer reads it. */
export const Refusal = Type.Object({ category: Type.Optional(category), reason: said })
export type Refusal = Static<typeof Refusal>
export const TakeDown = Type.Object({
  category: Type.Optional(category),
  reason: said,
  to: Type.Unsafe<'changes_requested' | 'rejected'>({ type: 'string', enum: ['changes_requested', 'rejected'] }),
})

export type TakeDown = Static<typeof TakeDown>

/** `decision` is the statement of reasons, where there is one. */
export const Decided = Type.Object({ ok, id: text, status: text, decision: Type.Optional(text) })
export type Decided = Static<typeof Decided>
