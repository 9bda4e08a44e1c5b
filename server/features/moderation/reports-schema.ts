import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, uri } from '#platform/common-schemas.ts'
import { type ReportReason, reportReasons } from './categories.ts'

/** What readers report, and what moderators see of it. */

const text = Type.String()

/** What can be reported. People choose the ids of both, so an id alone names neither. */
export type Kind = 'piece' | 'listing'

export interface Subject {
  readonly kind: Kind
  readonly id: string
}

export const longestNote = 1_000
export const longestName = 200

/** As a form gives it: every field is text, and what was left empty is empty. */
export interface ReportForm {
  readonly reason: string
  readonly note: string
  readonly email: string
  /** Of illegal content: where exactly it is, who says so, and that they believe it. */
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

/** What a report is about, as everybody may know it. */
export interface Reportable extends Subject {
  readonly headline: string
  /** Null where nobody said it. */
  readonly locale: string | null
  readonly url: string
  readonly writer: string
}

export const reportListLimits = { minimum: 1, maximum: 100, default: 50 } as const

const reason = Type.Unsafe<ReportReason>({ type: 'string', enum: [...reportReasons] })

export const ReportList = Type.Object({
  limit: limited(reportListLimits),
  cursor,
  /** What was reported for this reason, among others perhaps. */
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
  /** From how many addresses, as far as that can be told: from one day to the next it cannot. */
  reporters: Type.Integer(),
  newest_at: dateTime,
  /** The newest twenty. */
  newest: Type.Array(OneReport),
}

/** What is open of one piece or listing. */
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
