import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok } from '#platform/common-schemas.ts'
import { type Category, categories } from './categories.ts'
import type { Kind } from './reports-schema.ts'

/** Statements of reasons, and appeals: what writers and moderators see and say. */

const text = Type.String()
const printable = { 'x-visible': true, 'x-printable': true }

export const category = Type.Unsafe<Category>({ type: 'string', enum: [...categories] })

type Act = 'take_down' | 'reject' | 'withhold'
export type Outcome = 'upheld' | 'reversed'
const outcome = Type.Unsafe<Outcome>({ type: 'string', enum: ['upheld', 'reversed'] })

const decision = {
  id: text,
  at: dateTime,
  act: Type.Unsafe<Act>({ type: 'string', enum: ['take_down', 'reject', 'withhold'] }),
  /** As it was when this was decided. */
  about: Type.Object({
    kind: Type.Unsafe<Kind>({ type: 'string', enum: ['piece', 'listing'] }),
    id: text,
    headline: text,
  }),
  to_status: text,
  category,
  /** The category in words. */
  rule: text,
  facts: text,
  by_report: Type.Boolean(),
  /** Never: a person decides. */
  automated: Type.Literal(false),
  appeal: nullable(Type.Object({ text, at: dateTime })),
  outcome: nullable(outcome),
  /** Why it was upheld or reversed. */
  answer: nullable(text),
  decided_at: nullable(dateTime),
}

export const Decision = Type.Object({ ...decision, appeal_until: dateTime, can_appeal: Type.Boolean() })
export type Decision = Static<typeof Decision>

/** Those about one piece or listing, by its id, or all. */
export const MyDecisions = Type.Object({ about: Type.Optional(text) })
export const DecisionList = Type.Object({ ok, decisions: Type.Array(Decision) })
export type DecisionList = Static<typeof DecisionList>

export const OneDecision = Type.Object({ id: text })
export const DecisionFound = Type.Object({ ok, decision: Decision })
export type DecisionFound = Static<typeof DecisionFound>

export const AppealBody = Type.Object({ text: Type.String({ maxLength: 4000, ...printable }) })

const reviewed = {
  ...decision,
  writer: Type.Object({ slug: text, name: text }),
  /** Null for the operator, and for one who has left. */
  moderator: nullable(text),
  /** Who decides of its appeal is somebody else. */
  is_mine: Type.Boolean(),
  decided_by: nullable(text),
  can_reverse: Type.Boolean(),
}
const Reviewed = Type.Object(reviewed)
export type Reviewed = Static<typeof Reviewed>

export const decisionLimits = { minimum: 1, maximum: 100, default: 50 } as const

export const ReviewedList = Type.Object({
  limit: limited(decisionLimits),
  cursor,
  /** Appeals that wait, the longest first; or every decision, newest first. */
  list: Type.Optional(Type.Unsafe<'appeals' | 'all'>({ type: 'string', enum: ['appeals', 'all'] })),
})
export type ReviewedList = Static<typeof ReviewedList>

export const ReviewedPage = Type.Object({
  ok,
  count: Type.Integer(),
  decisions: Type.Array(Reviewed),
  next_cursor: nextCursor,
})
export type ReviewedPage = Static<typeof ReviewedPage>

export const ReviewedShown = Type.Object({
  ok,
  decision: Reviewed,
  /** What it was about: as readers had it, or as it was submitted; null once that is no longer kept. */
  content: nullable(
    Type.Object({ sub: nullable(text), html: nullable(text), body_md: nullable(text), payment_url: nullable(text) }),
  ),
})
export type ReviewedShown = Static<typeof ReviewedShown>

export const DecideBody = Type.Object({ outcome, reason: Type.String({ maxLength: 2000, ...printable }) })

export type DecideBody = Static<typeof DecideBody>

export const DecisionSettled = Type.Object({ ok, id: text, outcome, is_public: Type.Boolean() })
export type DecisionSettled = Static<typeof DecisionSettled>
