import Type, { type Static } from 'typebox'
import { dateTime, nullable, ok } from '#platform/common-schemas.ts'
import { longestQuote } from '#platform/text/passages.ts'

/** Wire shapes of the desk API for comments on a draft. The database has the same limits, in characters. */
export const longest = { body: 2000, replacement: longestQuote, name: 60 } as const

const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
const printable = { 'x-printable': true }
const text = Type.String()

const makers = ['writer', 'co_author', 'moderator', 'guest'] as const
export type Maker = (typeof makers)[number]
const outcomes = ['accepted', 'dismissed'] as const
export type Outcome = (typeof outcomes)[number]

const Passage = Type.Object({
  quote: Type.String({ minLength: 1, maxLength: longestQuote }),
  before: Type.String({ maxLength: 100 }),
  after: Type.String({ maxLength: 100 }),
  /** Where it began, in a text whose lines end in LF. */
  position: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
})

const PassageOrNull = Type.Unsafe<Static<typeof Passage> | null>({ ...Passage, type: ['object', 'null'] })

const said = {
  id: text,
  /** As whom. A guest came by a private link. */
  made_by: Type.Unsafe<Maker>({ type: 'string', enum: [...makers] }),
  /** Null for a moderator. */
  name: nullable(text),
  is_mine: Type.Boolean(),
  may_delete: Type.Boolean(),
  body: text,
  created_at: dateTime,
}

export const Thread = Type.Object({
  ...said,
  may_settle: Type.Boolean(),
  /** Null for a comment on the whole piece. */
  passage: PassageOrNull,
  /** Words instead of the passage. */
  replacement: nullable(text),
  resolved_at: nullable(dateTime),
  outcome: Type.Unsafe<Outcome | null>({ type: ['string', 'null'], enum: [...outcomes, null] }),
  replies: Type.Array(Type.Object(said)),
})
export type Thread = Static<typeof Thread>
export type Reply = Thread['replies'][number]

export const Threads = Type.Object({ ok, count: Type.Integer(), threads: Type.Array(Thread) })
export type Threads = Static<typeof Threads>

/** The client chooses the id, so that sending again changes nothing. */
export const OneComment = Type.Object({ id: text, comment: Type.String({ pattern: uuid }) })

/** A comment, or a reply with `thread`, which has neither passage nor replacement. */
export const NewComment = Type.Object({
  body: Type.String({ maxLength: longest.body, ...printable }),
  thread: Type.Optional(nullable(Type.String({ pattern: uuid }))),
  passage: Type.Optional(PassageOrNull),
  replacement: Type.Optional(nullable(Type.String({ maxLength: longest.replacement, ...printable }))),
})
export type NewComment = Static<typeof NewComment>

export const Settled = Type.Object({
  resolved: Type.Boolean(),
  /** Of a suggestion that is resolved. */
  outcome: Type.Optional(Type.Unsafe<Outcome | null>({ type: ['string', 'null'], enum: [...outcomes, null] })),
})
export type Settled = Static<typeof Settled>
