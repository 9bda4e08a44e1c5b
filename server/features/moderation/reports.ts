import { type Person, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue, type ReporterOrder } from '#features/jobs.ts'
import { newest } from '#features/pieces/list-queries.ts'
import { type ReportReason, reportReasons } from '#features/report-reasons.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { cutRows, isTime, isUuid, readCursor } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { type FieldProblem, invalid, notFound } from '#platform/errors.ts'
import { normalise } from '#platform/text/normalise.ts'
import {
  type Dismissed,
  longestName,
  longestNote,
  type Report,
  type Reportable,
  type ReportForm,
  type ReportList,
  type ReportPage,
  type ReportsOfOne,
  reportListLimits,
  type Subject,
} from './schema.ts'

/** Readers' reports of public pieces and listings. */

const noSuch = ({ kind }: Subject) => notFound(message('error.not_public', { kind }))

interface SubjectRow extends Subject {
  readonly headline: string
  readonly slug: string
  readonly writer_slug: string
  readonly writer_name: string
}

const urlOf = ({ kind, slug, writer_slug }: SubjectRow, urls: Urls): string =>
  kind === 'piece' ? urls.piece(writer_slug, slug) : urls.product(slug)

export async function reportable({ db, urls }: DeskContext, subject: Subject): Promise<Reportable> {
  const [row] = isUuid(subject.id)
    ? await db.run<SubjectRow & { locale: string | null }>({
        text: 'select * from app.reportable($1, $2)',
        values: [subject.kind, subject.id],
      })
    : []
  if (!row) throw noSuch(subject)
  const { kind, id, headline, locale, writer_name } = row
  return { kind, id, headline, locale, url: urlOf(row, urls), writer: writer_name }
}

/** Throws all problems at once. */
export function readReport(form: ReportForm): Report {
  const isIllegal = form.reason === 'illegal'
  const note = normalise(form.note).trim()
  const email = form.email.trim()
  const place = isIllegal ? normalise(form.place).trim() : ''
  const name = isIllegal ? normalise(form.name).trim() : ''
  const problems: FieldProblem[] = []
  if (!isReason(form.reason)) {
    problems.push({ pointer: '/reason', code: 'missing', detail: 'must be one of the reasons' })
  }
  if ((form.reason === 'other' || isIllegal) && note === '') {
    const detail = isIllegal ? 'must say why it is illegal' : 'must say what is wrong'
    problems.push({ pointer: '/note', code: 'missing', detail })
  }
  if (isIllegal && place === '') {
    problems.push({ pointer: '/place', code: 'missing', detail: 'must say where exactly it is' })
  }
  for (const [field, text, limit] of [
    ['note', note, longestNote],
    ['place', place, longestNote],
    ['name', name, longestName],
  ] as const) {
    const actual = [...text].length
    const detail = `must have at most ${limit} characters`
    if (actual > limit) problems.push({ pointer: `/${field}`, code: 'too_long', detail, limit, actual })
  }
  if (email !== '' && !(email.length <= 254 && emailShape.test(email))) {
    problems.push({ pointer: '/email', code: 'malformed', detail: 'is not an email address' })
  }
  if (name !== '' && email === '') {
    problems.push({ pointer: '/email', code: 'missing', detail: 'is required with a name' })
  }
  if (isIllegal && form.good_faith === '') {
    problems.push({ pointer: '/good_faith', code: 'missing', detail: 'must be confirmed' })
  }
  if (problems.length > 0) throw invalid(problems)
  return {
    reason: form.reason as ReportReason,
    note: note || null,
    email: email || null,
    place: place || null,
    name: name || null,
  }
}

const isReason = (value: string): value is ReportReason => reportReasons.includes(value as ReportReason)

/** Permissive: whether the address accepts mail shows when the answer is sent. */
const emailShape = /^[^\s@<>"(),:;\\[\]\p{C}]+@[^\s@<>"(),:;\\[\]\p{C}]+$/u

/** `network` is the reader's; the database stores a hash with a daily salt, so it is meaningless the next day. */
export async function sendReport(
  { db }: DeskContext,
  subject: Subject,
  { reason, note, email, place, name }: Report,
  network: string,
): Promise<void> {
  if (!isUuid(subject.id)) throw noSuch(subject)
  const values = [subject.kind, subject.id, reason, note, email, place, name, reason === 'illegal', network]
  await db.run({ text: 'select app.report($1, $2, $3, $4, $5, $6, $7, $8, $9)', values })
}

interface OpenReportsRow {
  /** pg returns bigint as text. */
  readonly report_count: string
  readonly reporter_count: string
  readonly newest_at: Date
  readonly newest: readonly (Report & { readonly at: string })[]
}
interface ReportedRow extends OpenReportsRow, SubjectRow {
  readonly is_illegal: boolean
}

type ReportCursor = [isIllegal: number, time: number, id: string]
const first: ReportCursor = [1, newest.publishedAt.getTime(), newest.id]

/** Reported content: illegal content first, then the most recently reported. */
export async function openReports(
  { db, urls }: DeskContext,
  { sessionHash }: Person,
  { limit = reportListLimits.default, cursor, category }: ReportList,
): Promise<ReportPage> {
  const [isIllegal, time, id] =
    cursor === undefined ? first : readCursor<ReportCursor>('reports', cursor, isReportCursor)
  const rows = await db.run<ReportedRow>({
    text: 'select * from app.open_reports($1, $2, $3, $4, $5, $6)',
    values: [sessionHash, category ?? null, isIllegal === 1, new Date(time), id, limit + 1],
  })
  const { page, next_cursor } = cutRows('reports', rows, limit, (last) => [
    Number(last.is_illegal),
    last.newest_at.getTime(),
    last.id,
  ])
  return { ok: true, count: page.length, items: page.map((row) => presentReported(row, urls)), next_cursor }
}

const isReportCursor = (parts: readonly unknown[]): boolean =>
  parts.length === 3 && (parts[0] === 0 || parts[0] === 1) && isTime(parts[1]) && isUuid(parts[2])

const presentReported = (row: ReportedRow, urls: Urls): ReportPage['items'][number] => ({
  kind: row.kind,
  id: row.id,
  url: urlOf(row, urls),
  headline: row.headline,
  writer: { slug: row.writer_slug, name: row.writer_name },
  is_illegal: row.is_illegal,
  ...presentOpenReports(row),
})

const presentOpenReports = (row: OpenReportsRow): ReportsOfOne => ({
  reports: Number(row.report_count),
  reporters: Number(row.reporter_count),
  newest_at: row.newest_at.toISOString(),
  newest: row.newest.map(({ at, ...report }) => ({ ...report, at: new Date(at).toISOString() })),
})

/** Open reports of public content, or null. */
export async function reportsOf(
  tx: Transaction,
  { sessionHash }: Person,
  { kind, id }: Subject,
): Promise<ReportsOfOne | null> {
  const values = [sessionHash, kind, id]
  const { rows } = await tx.query<OpenReportsRow>('select * from app.reports_of($1, $2, $3)', values)
  return rows[0] ? presentOpenReports(rows[0]) : null
}

/** Closes all reports so far as unfounded. Reporters who left an address get an answer. */
export async function dismissReports(context: DeskContext, moderator: Person, subject: Subject): Promise<Dismissed> {
  const { kind, id } = subject
  if (!isUuid(id)) throw noSuch(subject)
  return withSession(context.db, moderator, async (tx) => {
    const { rows } = await tx.query<{ dismissed: number; slug: string }>(
      `select app.dismiss_reports($1, $2, $3) as dismissed, (select about.slug from app.reportable($2, $3) about) as slug`,
      [moderator.sessionHash, kind, id],
    )
    const { dismissed, slug } = rows[0]!
    await answerReporters(
      tx,
      moderator,
      subject,
      kind === 'piece'
        ? { template: 'report-kept', params: { piece: id } }
        : { template: 'listing-report-kept', params: { listing: slug } },
    )
    return { ok: true, id, dismissed }
  })
}

/** Sends one email to each address left with the reports just closed, and removes the addresses from them. */
export async function answerReporters(
  tx: Transaction,
  { sessionHash }: Person,
  { kind, id }: Subject,
  order: ReporterOrder,
): Promise<void> {
  const { rows } = await tx.query<{ email: string }>('select email from app.take_reporters($1, $2, $3) as email', [
    sessionHash,
    kind,
    id,
  ])
  for (const { email } of rows) await enqueue(tx, 'mail.reporter', { ...order, email })
}

/** Deletes closed reports after 90 days, and each day's salt when the day is over. */
export const sweepReports = (db: Database) => db.run({ text: 'select app.sweep_reports()' })
