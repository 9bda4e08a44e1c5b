import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, uri } from '#platform/wire.ts'
import { type Status, statuses } from './draft-schema.ts'
import { type Act, acts } from './states.ts'

/** What the desk shows a writer of their own pieces. */

const text = Type.String()
const status = Type.Unsafe<Status>({ type: 'string', enum: [...statuses] })
const ok = Type.Literal(true)
const act = Type.Unsafe<Act>({ type: 'string', enum: [...acts] })

const shown = {
  id: text,
  headline: text,
  sub: nullable(text),
  category: text,
  tags: Type.Array(text),
  status,
  revision: Type.Integer(),
  created_at: dateTime,
  updated_at: dateTime,
  /** Where readers find it; null unless it is public. */
  url: nullable(uri),
  /** A public piece whose text has changed since readers last got it. */
  has_unpublished_changes: Type.Boolean(),
}

export const DeskListItem = Type.Object(shown)
export type DeskListItem = Static<typeof DeskListItem>

export const deskListLimits = { minimum: 1, maximum: 100, default: 50 } as const

export const DeskList = Type.Object({ status: Type.Optional(status), limit: limited(deskListLimits), cursor })
export type DeskList = Static<typeof DeskList>

export const DeskPage = Type.Object({
  ok,
  count: Type.Integer(),
  pieces: Type.Array(DeskListItem),
  next_cursor: nextCursor,
})
export type DeskPage = Static<typeof DeskPage>

export const DeskPiece = Type.Object({
  ...shown,
  body_md: text,
  frame: text,
  style: text,
  locale: text,
  external_url: nullable(uri),
  published_at: nullable(dateTime),
  /** By its own history, or because the house reviews everything. */
  review_required: Type.Boolean(),
  /** What its reader may do with it now. */
  acts: Type.Array(act),
  /** What a moderator last said about it, while that is what it waits for. */
  note: nullable(text),
})
export type DeskPiece = Static<typeof DeskPiece>

export const DeskPieceFound = Type.Object({ ok, piece: DeskPiece })
export type DeskPieceFound = Static<typeof DeskPieceFound>

export const Preview = Type.Object({
  ok,
  revision: Type.Integer(),
  html: text,
  summary: text,
  /** Good once, for ten minutes, to publish, update or submit exactly this revision. */
  nonce: text,
})
export type Preview = Static<typeof Preview>

/** As `secretToken` makes them. */
export const WithNonce = Type.Object({ nonce: Type.String({ maxLength: 43, pattern: '^[\\w-]{43}$' }) })

const Deed = Type.Object({
  at: dateTime,
  act: text,
  revision: Type.Integer(),
  from: status,
  to: status,
  note: nullable(text),
})

const Saved = Type.Object({
  revision: Type.Integer(),
  saved_at: dateTime,
  headline: text,
  by: Type.Object({ kind: Type.Unsafe<'person' | 'key'>({ enum: ['person', 'key'] }), key: nullable(text) }),
})

export const History = Type.Object({ ok, deeds: Type.Array(Deed), revisions: Type.Array(Saved) })
export type History = Static<typeof History>

export const OneRevision = Type.Object({ id: text, revision: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) })

export const RevisionFound = Type.Object({
  ok,
  revision: Type.Intersect([
    Saved,
    Type.Object({ sub: nullable(text), body_md: text, category: text, tags: Type.Array(text) }),
  ]),
})
export type RevisionFound = Static<typeof RevisionFound>
