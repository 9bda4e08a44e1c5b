import type { Person } from '#features/accounts/person.ts'
import { newest } from '#features/pieces/queries.ts'
import { withSession } from '#features/pieces/session.ts'
import type { DeskContext } from '#platform/context.ts'
import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { type FieldProblem, invalid, notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { normalise } from '#platform/text/normalise.ts'
import type { Urls } from '#platform/urls.ts'
import {
  type Dismissed,
  longestNote,
  type Report,
  type ReportablePiece,
  type ReportForm,
  type ReportList,
  type ReportPage,
  type ReportReason,
  type ReportsOfPiece,
  reportListLimits,
  reportReasons,
} from './reports-schema.ts'

/** Readers tell the moderators of a public piece. */

const noSuchPiece = () => notFound('No public piece has this id.')

interface ReportableRow {
  readonly headline: string
  readonly locale: string
  readonly piece_slug: string
  readonly writer_slug: string
  readonly writer_name: string
}

export async function reportablePiece({ db, urls }: DeskContext, id: string): Promise<ReportablePiece> {
  const [row] = isUuid(id)
    ? await db.run<ReportableRow>({ text: 'select * from app.reportable_piece($1)', values: [id] })
    : []
  if (!row) throw noSuchPiece()
  const { headline, locale, piece_slug, writer_slug, writer_name } = row
  return { id, headline, locale, url: urls.piece(writer_slug, piece_slug), writer: writer_name }
}

/** Every problem at once. */
export function readReport(form: ReportForm): Report {
  const note = normalise(form.note).trim()
  const email = form.email.trim()
  const problems: FieldProblem[] = []
  if (!isReason(form.reason)) {
    problems.push({ pointer: '/reason', code: 'missing', detail: 'needs one of the reasons' })
  }
  if (form.reason === 'other' && note === '') {
    problems.push({ pointer: '/note', code: 'missing', detail: 'needs a few words where the reason is something else' })
  }
  const length = [...note].length
  if (length > longestNote) {
    const detail = `must have at most ${longestNote} characters`
    problems.push({ pointer: '/note', code: 'too_long', detail, limit: longestNote, actual: length })
  }
  if (email !== '' && !(email.length <= 254 && emailShape.test(email))) {
    problems.push({ pointer: '/email', code: 'malformed', detail: 'is no e-mail address' })
  }
  if (problems.length > 0) throw invalid(problems)
  return { reason: form.reason as ReportReason, note: note || null, email: email || null }
}

const isReason = (given: string): given is ReportReason => reportReasons.includes(given as ReportReason)

/** Loose: whether it takes letters is seen when the answer goes there. */
const emailShape = /^[^\s@<>"(),:;\\[\]\p{C}]+@[^\s@<>"(),:;\\[\]\p{C}]+$/u

/** `network` is where the reader comes from; the database keeps a hash of it that means nothing the day after. */
export async function reportPiece(
  { db }: DeskContext,
  id: string,
  { reason, note, email }: Report,
  network: string,
): Promise<void> {
  if (!isUuid(id)) throw noSuchPiece()
  const values = [id, reason, note, email, network]
  await db.run({ text: 'select app.report_piece($1, $2, $3, $4, $5)', values })
}

interface OpenReportsRow {
  /** PostgreSQL's bigint comes as text. */
  readonly report_count: string
  readonly reporter_count: string
  readonly newest_at: Date
  readonly newest: readonly (Report & { readonly at: string })[]
}
interface ReportedRow extends OpenReportsRow {
  readonly piece_id: string
  readonly headline: string
  readonly piece_slug: string
  readonly writer_slug: string
  readonly writer_name: string
}

/** Reported pieces, last reported first. */
export async function openReports(
  { db, urls }: DeskContext,
  { sessionHash }: Person,
  { limit = reportListLimits.default, cursor }: ReportList,
): Promise<ReportPage> {
  const [time, id] = cursor === undefined ? [newest.publishedAt.getTime(), newest.id] : readReportCursor(cursor)
  const rows = await db.run<ReportedRow>({
    text: 'select * from app.open_reports($1, $2, $3, $4)',
    values: [sessionHash, new Date(time), id, limit + 1],
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ok: true,
    count: page.length,
    pieces: page.map((row) => presentReported(row, urls)),
    next_cursor: last ? writeCursor('reports', [last.newest_at.getTime(), last.piece_id]) : null,
  }
}

const readReportCursor = (cursor: string) =>
  readCursor<[number, string]>('reports', cursor, (parts) => parts.length === 2 && isTime(parts[0]) && isUuid(parts[1]))

const presentReported = (row: ReportedRow, urls: Urls): ReportPage['pieces'][number] => ({
  id: row.piece_id,
  url: urls.piece(row.writer_slug, row.piece_slug),
  headline: row.headline,
  writer: { slug: row.writer_slug, name: row.writer_name },
  ...presentOpenReports(row),
})

const presentOpenReports = (row: OpenReportsRow): ReportsOfPiece => ({
  reports: Number(row.report_count),
  reporters: Number(row.reporter_count),
  newest_at: row.newest_at.toISOString(),
  newest: row.newest.map(({ reason, note, email, at }) => ({ reason, note, email, at: new Date(at).toISOString() })),
})

/** What is open of one public piece, or null. */
export async function reportsOf(tx: Transaction, { sessionHash }: Person, id: string): Promise<ReportsOfPiece | null> {
  const { rows } = await tx.query<OpenReportsRow>('select * from app.reports_of($1, $2)', [sessionHash, id])
  return rows[0] ? presentOpenReports(rows[0]) : null
}

/** Nothing is wrong with the piece: what was reported until now is settled, and whoever asked for an answer gets it. */
export async function dismissReports({ db }: DeskContext, moderator: Person, id: string): Promise<Dismissed> {
  if (!isUuid(id)) throw noSuchPiece()
  return withSession(db, moderator, async (tx) => {
    const { rows } = await tx.query<{ dismissed: number }>('select app.dismiss_reports($1, $2) as dismissed', [
      moderator.sessionHash,
      id,
    ])
    await answerReporters(tx, moderator, id, 'report-kept')
    return { ok: true, id, dismissed: rows[0]!.dismissed }
  })
}

/** One letter to each address that was left with the reports just settled; the reports lose it. */
export async function answerReporters(
  tx: Transaction,
  { sessionHash }: Person,
  id: string,
  letter: 'report-taken-down' | 'report-kept',
): Promise<void> {
  const { rows } = await tx.query<{ email: string }>('select email from app.take_reporters($1, $2) as email', [
    sessionHash,
    id,
  ])
  for (const { email } of rows) await enqueue(tx, 'mail.reporter', { email, letter, params: { piece: id } })
}

/** Settled reports are kept for 90 days, a day's salt until the day is over. */
export const sweepReports = (db: Database) => db.run({ text: 'select app.sweep_reports()' })
