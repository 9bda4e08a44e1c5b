import Type, { type Static } from 'typebox'
import { type Category, categories, type ReportReason, reportReasons } from '#features/report-reasons.ts'
import { cursor, dateTime, limited, nextCursor, nullable, ok, searchTerm, uri } from '#platform/common-schemas.ts'

/** Wire shapes of moderation: reports, decisions and appeals, review, writers and the audit log. */

const text = Type.String()

/** What can be reported. Clients choose the ids of both kinds, so an id alone is ambiguous. */
export type Kind = 'piece' | 'listing'

export interface Subject {
  readonly kind: Kind
  readonly id: string
}

export const longestNote = 1_000
export const longestName = 200

/** As submitted by the form: every field is text, possibly empty. */
export interface ReportForm {
  readonly reason: string
  readonly note: string
  readonly email: string
  /** For illegal content: where exactly it is, who reports it, and a declaration of good faith. */
  readonly place: string
  readonly name: string
  readonly good_faith: string
}

export interface Report {
  readonly reason: ReportReason
  readonly note: string | null
  readonly email: string | null
  readonly place: string | null
  readonly name: string | null
}

/** The public content that a report is about. */
export interface Reportable extends Subject {
  readonly headline: string
  /** Null if unknown. */
  readonly locale: string | null
  readonly url: string
  readonly writer: string
}

export const reportListLimits = { minimum: 1, maximum: 100, default: 50 } as const

const reason = Type.Unsafe<ReportReason>({ type: 'string', enum: [...reportReasons] })

export const ReportList = Type.Object({
  limit: limited(reportListLimits),
  cursor,
  /** Content with at least one report for this reason. */
  category: Type.Optional(reason),
})
export type ReportList = Static<typeof ReportList>

const OneReport = Type.Object({
  reason,
  note: nullable(text),
  place: nullable(text),
  name: nullable(text),
  email: nullable(text),
  at: dateTime,
})

const openReports = {
  reports: Type.Integer(),
  /** From how many networks; the same one on two days counts twice, since the salt changes daily. */
  reporters: Type.Integer(),
  newest_at: dateTime,
  /** The newest twenty. */
  newest: Type.Array(OneReport),
}

/** Open reports of one piece or listing. */
export const ReportsOfOne = Type.Object(openReports)
export type ReportsOfOne = Static<typeof ReportsOfOne>

export const ReportPage = Type.Object({
  ok,
  count: Type.Integer(),
  items: Type.Array(
    Type.Object({
      kind: Type.Unsafe<Kind>({ type: 'string', enum: ['piece', 'listing'] }),
      id: text,
      url: uri,
      headline: text,
      writer: Type.Object({ slug: text, name: text }),
      is_illegal: Type.Boolean(),
      ...openReports,
    }),
  ),
  next_cursor: nextCursor,
})
export type ReportPage = Static<typeof ReportPage>

export const Dismissed = Type.Object({ ok, id: text, dismissed: Type.Integer() })
export type Dismissed = Static<typeof Dismissed>

// Decisions (statements of reasons) and appeals

const printable = { 'x-visible': true, 'x-printable': true }

const category = Type.Unsafe<Category>({ type: 'string', enum: [...categories] })

type Act = 'take_down' | 'reject' | 'withhold'
export type Outcome = 'upheld' | 'reversed'
const outcome = Type.Unsafe<Outcome>({ type: 'string', enum: ['upheld', 'reversed'] })

const decision = {
  id: text,
  at: dateTime,
  act: Type.Unsafe<Act>({ type: 'string', enum: ['take_down', 'reject', 'withhold'] }),
  /** As it was when the decision was made. */
  about: Type.Object({
    kind: Type.Unsafe<Kind>({ type: 'string', enum: ['piece', 'listing'] }),
    id: text,
    headline: text,
  }),
  to_status: text,
  category,
  /** Name and explanation of the category. */
  rule: text,
  facts: text,
  by_report: Type.Boolean(),
  /** Always false: a person decides. */
  automated: Type.Literal(false),
  appeal: nullable(Type.Object({ text, at: dateTime })),
  outcome: nullable(outcome),
  /** Why it was upheld or reversed. */
  answer: nullable(text),
  decided_at: nullable(dateTime),
}

export const Decision = Type.Object({ ...decision, appeal_until: dateTime, can_appeal: Type.Boolean() })
export type Decision = Static<typeof Decision>

/** Decisions about one piece or listing by id, or all. */
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
  /** Null for the operator, and for a deleted account. */
  moderator: nullable(text),
  /** Whether the requesting moderator made it; then another one decides the appeal. */
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
  /** Open appeals, oldest first; or all decisions, newest first. */
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
  /** The content as it was public or submitted; null once it is no longer stored. */
  content: nullable(
    Type.Object({ sub: nullable(text), html: nullable(text), body_md: nullable(text), payment_url: nullable(text) }),
  ),
})
export type ReviewedShown = Static<typeof ReviewedShown>

export const DecideBody = Type.Object({ outcome, reason: Type.String({ maxLength: 2000, ...printable }) })

export type DecideBody = Static<typeof DecideBody>

export const DecisionSettled = Type.Object({ ok, id: text, outcome, is_public: Type.Boolean() })
export type DecisionSettled = Static<typeof DecisionSettled>

// Review

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
  /** A pending piece in full; of a public piece only what is public, so three members are null. */
  piece: Type.Object({
    ...piece,
    revision: nullable(Type.Integer()),
    submitted_at: nullable(dateTime),
    tags: Type.Array(text),
    body_md: nullable(text),
    html: text,
  }),
  /** Valid once, for ten minutes, to approve exactly this revision; null unless it is pending. */
  nonce: nullable(text),
  /** URL of its page, for an iframe in the desk; valid for ten minutes; null unless it is pending. */
  page: nullable(text),
  /** Open reports, if it is public and reported. */
  reports: nullable(ReportsOfOne),
})
export type ReviewShown = Static<typeof ReviewShown>

const reasonText = Type.String({ maxLength: 2000, 'x-visible': true, 'x-printable': true })
export const WithNote = Type.Object({ note: reasonText })
/** The category, and the reason that the writer reads. */
export const Refusal = Type.Object({ category: Type.Optional(category), reason: reasonText })
export type Refusal = Static<typeof Refusal>
export const TakeDown = Type.Object({
  category: Type.Optional(category),
  reason: reasonText,
  to: Type.Unsafe<'changes_requested' | 'rejected'>({ type: 'string', enum: ['changes_requested', 'rejected'] }),
})

export type TakeDown = Static<typeof TakeDown>

/** `decision` is the id of the statement of reasons, if there is one. */
export const Decided = Type.Object({ ok, id: text, status: text, decision: Type.Optional(text) })
export type Decided = Static<typeof Decided>

// Writers and the audit log

export const Before = Type.Object({
  ok,
  /** Null if no moderator has read it yet. */
  before: nullable(Type.Object({ revision: Type.Integer(), headline: text, sub: nullable(text), body_md: text })),
})
export type Before = Static<typeof Before>

export const FindWriters = Type.Object({ q: Type.Optional(searchTerm('A part of a name or of an address.', 'ada')) })
export type FindWriters = Static<typeof FindWriters>

export const FoundWriters = Type.Object({
  ok,
  count: Type.Integer(),
  writers: Type.Array(
    Type.Object({
      slug: text,
      name: text,
      identity_verified: Type.Boolean(),
      website_verified: Type.Boolean(),
      pieces_count: Type.Integer(),
      /** Moderators and operators; only the operator can suspend them. */
      moderates: Type.Boolean(),
      suspended: nullable(Type.Object({ at: dateTime, reason: text })),
    }),
  ),
})
export type FoundWriters = Static<typeof FoundWriters>

export const OneWriter = Type.Object({ slug: text })

export const Identity = Type.Object({
  verified: Type.Boolean(),
  /** For other moderators: how the identity was verified. */
  note: Type.String({ maxLength: 2000, 'x-visible': true, 'x-printable': true }),
  /** The name the moderator saw; refused if it has changed since. */
  name: Type.Optional(text),
})
export type Identity = Static<typeof Identity>

export const IdentityDecided = Type.Object({ ok, slug: text, identity_verified: Type.Boolean() })
export type IdentityDecided = Static<typeof IdentityDecided>

export const Suspend = Type.Object({
  /** Shown to the writer and to other moderators. */
  reason: Type.String({ maxLength: 2000, 'x-visible': true, 'x-printable': true }),
})

export const Suspended = Type.Object({ ok, slug: text, suspended: Type.Boolean() })
export type Suspended = Static<typeof Suspended>

export const auditLogLimits = { minimum: 1, maximum: 100, default: 50 } as const

export const AuditLogQuery = Type.Object({ limit: limited(auditLogLimits), cursor })
export type AuditLogQuery = Static<typeof AuditLogQuery>

export const AuditLogPage = Type.Object({
  ok,
  count: Type.Integer(),
  deeds: Type.Array(
    Type.Object({
      at: dateTime,
      act: text,
      /** Null for a deleted account. */
      moderator: nullable(text),
      writer: nullable(Type.Object({ slug: text, name: text })),
      /** The public headline, or the last public one when it was decided; null if it was never public. */
      piece: nullable(Type.Object({ id: text, headline: nullable(text), is_public: Type.Boolean() })),
      /** The slug of a listing. */
      listing: nullable(text),
      note: nullable(text),
    }),
  ),
  next_cursor: nextCursor,
})
export type AuditLogPage = Static<typeof AuditLogPage>
