import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, uri } from '#platform/wire.ts'

/** What readers report, and what moderators see of it. */

const text = Type.String()

/** In the order in which a reader is asked. */
export const reportReasons = ['spam', 'harassment', 'copyright', 'impersonation', 'danger', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

export const longestNote = 1_000

/** As a form gives it: every field is text, and what was left empty is empty. */
export interface ReportForm {
  readonly reason: string
  readonly note: string
  readonly email: string
}

export interface Report {
  readonly reason: ReportReason
  readonly note: string | null
  readonly email: string | null
}

/** What a report is about, as everybody may know it. */
export interface ReportablePiece {
  readonly id: string
  readonly headline: string
  readonly locale: string
  readonly url: string
  readonly writer: string
}

export const reportListLimits = { minimum: 1, maximum: 100, default: 50 } as const

export const ReportList = Type.Object({ limit: limited(reportListLimits), cursor })
export type ReportList = Static<typeof ReportList>

const OneReport = Type.Object({
  reason: Type.Unsafe<ReportReason>({ type: 'string', enum: [...reportReasons] }),
  note: nullable(text),
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

/** What is open of one piece. */
export const ReportsOfPiece = Type.Object(openReports)
export type ReportsOfPiece = Static<typeof ReportsOfPiece>

export const ReportPage = Type.Object({
  ok,
  count: Type.Integer(),
  pieces: Type.Array(
    Type.Object({
      id: text,
      url: uri,
      headline: text,
      writer: Type.Object({ slug: text, name: text }),
      ...openReports,
    }),
  ),
  next_cursor: nextCursor,
})
export type ReportPage = Static<typeof ReportPage>

export const Dismissed = Type.Object({ ok, id: text, dismissed: Type.Integer() })
export type Dismissed = Static<typeof Dismissed>
