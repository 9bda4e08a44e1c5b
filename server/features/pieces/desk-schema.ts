import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, searchTerm, uri } from '#platform/common-schemas.ts'
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
  /** The name of the key that began it; null where a person did. */
  key: nullable(text),
  /** Of the text as it is written, marks of Markdown that stand alone included. */
  words: Type.Integer(),
}

export const DeskListItem = Type.Object({
  ...shown,
  /** How the text begins, as it is written. */
  opening: text,
})
export type DeskListItem = Static<typeof DeskListItem>

export const deskListLimits = { minimum: 1, maximum: 100, default: 50 } as const

export const DeskList = Type.Object({
  q: Type.Optional(searchTerm('A part of the headline, the standfirst or the text.', 'tea')),
  status: Type.Optional(status),
  /** Begun by a key, or by the writer. */
  by: Type.Optional(Type.Unsafe<'key' | 'me'>({ type: 'string', enum: ['key', 'me'] })),
  limit: limited(deskListLimits),
  cursor,
})
export type DeskList = Static<typeof DeskList>

/** What a page calls a piece it begins. */
export const ChosenId = Type.Object({
  id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' })),
})

export const DeskPage = Type.Object({
  ok,
  count: Type.Integer(),
  pieces: Type.Array(DeskListItem),
  next_cursor: nextCursor,
})
export type DeskPage = Static<typeof DeskPage>

const countOf = Object.fromEntries(statuses.map((one) => [one, Type.Integer()])) as Record<Status, Type.TInteger>

export const DeskCounts = Type.Object({ ok, counts: Type.Object(countOf) })
export type DeskCounts = Static<typeof DeskCounts>

export const DeskPiece = Type.Object({
  ...shown,
  body_md: text,
  frame: text,
  style: text,
  locale: text,
  external_url: nullable(uri),
  published_at: nullable(dateTime),
  /** By its own history, or because the site reviews everything. */
  review_required: Type.Boolean(),
  /** What its reader may do with it now. */
  acts: Type.Array(act),
  /** What a moderator last said about it, while that is what it waits for. */
  note: nullable(text),
  /** The last revision that a key wrote; the name is null where the key is gone. */
  by_key: nullable(Type.Object({ revision: Type.Integer(), key: nullable(text) })),
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
  /** Its whole page, for ten minutes, in a frame of the desk. */
  page: text,
})
export type Preview = Static<typeof Preview>

/** As `secretToken` makes them. */
export const WithNonce = Type.Object({ nonce: Type.String({ maxLength: 43, pattern: '^[\\w-]{43}$' }) })

/** Whose work it was; the name is null where the key is gone. */
export const Hand = Type.Object({
  kind: Type.Unsafe<'person' | 'key'>({ enum: ['person', 'key'] }),
  key: nullable(text),
})

const Deed = Type.Object({
  at: dateTime,
  act: text,
  by: Hand,
  revision: Type.Integer(),
  from: status,
  to: status,
  note: nullable(text),
})

const Saved = Type.Object({
  revision: Type.Integer(),
  saved_at: dateTime,
  headline: text,
  by: Hand,
  /** What its writer calls it. */
  name: nullable(text),
})

/** As app.revision_names has it. */
const longestRevisionName = 80
export const RevisionName = Type.Object({
  name: nullable(Type.String({ minLength: 1, maxLength: longestRevisionName, pattern: '\\S' })),
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
