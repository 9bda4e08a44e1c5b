import type { Send } from '#features/accounts/mail.ts'
import { type Person, requireProof, withSession } from '#features/accounts/sessions.ts'
import { purgeProduct } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import type { EmailOrder } from '#features/emails/templates.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import { cutPage, earliest, latest, parseCursor } from '#features/pieces/keyset.ts'
import { fillWebhookDelivery, pieceNow, purgePiece } from '#features/pieces/publish.ts'
import type { Category } from '#features/report-reasons.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { sourceLanguage, translatorOf } from '#messages/translator.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import {
  type DecideBody,
  type Decision,
  type DecisionFound,
  type DecisionList,
  type DecisionSettled,
  decisionLimits,
  type Outcome,
  type Reviewed,
  type ReviewedList,
  type ReviewedPage,
  type ReviewedShown,
} from './schema.ts'

/** Statements of reasons: moderators' decisions about a writer's work, and appeals, which another moderator decides. */

interface DecisionRow {
  readonly id: string
  readonly at: Date
  readonly act: Decision['act']
  readonly piece_id: string | null
  readonly product_id: string | null
  readonly headline: string
  readonly to_status: string
  readonly category: Category
  readonly facts: string
  readonly by_report: boolean
  readonly appeal: string | null
  readonly appealed_at: Date | null
  readonly outcome: Outcome | null
  readonly answer: string | null
  readonly decided_at: Date | null
}

const english = translatorOf(sourceLanguage)

const present = (row: DecisionRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  act: row.act,
  about:
    row.piece_id === null
      ? { kind: 'listing' as const, id: row.product_id!, headline: row.headline }
      : { kind: 'piece' as const, id: row.piece_id, headline: row.headline },
  to_status: row.to_status,
  category: row.category,
  rule: english(`email.reason.${row.category}`),
  facts: row.facts,
  by_report: row.by_report,
  automated: false as const,
  appeal: row.appeal === null ? null : { text: row.appeal, at: row.appealed_at!.toISOString() },
  outcome: row.outcome,
  answer: row.answer,
  decided_at: row.decided_at?.toISOString() ?? null,
})

// For writers

interface OwnRow extends DecisionRow {
  readonly appeal_until: Date
  readonly can_appeal: boolean
}

const presentOwn = (row: OwnRow): Decision => ({
  ...present(row),
  appeal_until: row.appeal_until.toISOString(),
  can_appeal: row.can_appeal,
})

/** Decisions about this person's work, newest first. */
export async function myDecisions({ db }: DeskContext, { sessionHash }: Person, about?: string): Promise<DecisionList> {
  if (about !== undefined && !isUuid(about)) return { ok: true, decisions: [] }
  const rows = await db.run<OwnRow>({
    text: 'select * from app.decisions_about_me($1, $2, null)',
    values: [sessionHash, about ?? null],
  })
  return { ok: true, decisions: rows.map(presentOwn) }
}

export async function myDecision({ db }: DeskContext, { sessionHash }: Person, id: string): Promise<DecisionFound> {
  const [row] = isUuid(id)
    ? await db.run<OwnRow>({ text: 'select * from app.decisions_about_me($1, null, $2)', values: [sessionHash, id] })
    : []
  if (!row) throw noSuchDecision()
  return { ok: true, decision: presentOwn(row) }
}

export async function appeal(context: DeskContext, writer: Person, id: string, text: string): Promise<DecisionFound> {
  if (!isUuid(id)) throw noSuchDecision()
  const values = [id, writer.sessionHash, text]
  await context.db.run({ text: 'select app.desk_appeal($1, $2, $3)', values })
  return myDecision(context, writer, id)
}

const noSuchDecision = () => notFound(message('error.decision_not_found'))

// For moderators

interface ReviewedRow extends DecisionRow {
  readonly writer_slug: string
  readonly writer_name: string
  readonly moderator: string | null
  readonly is_mine: boolean
  readonly decided_by: string | null
  readonly can_reverse: boolean
  readonly kept: ContentSnapshot | null
}

/** What a decision was about, as stored with it. */
interface ContentSnapshot {
  readonly piece?: { readonly sub: string | null }
  readonly contents?: { readonly html: string }
  readonly product?: {
    readonly summary: string | null
    readonly description: string | null
    readonly payment_url: string
  }
  readonly sub?: string | null
  readonly body_md?: string
}

const presentReviewed = (row: ReviewedRow): Reviewed => ({
  ...present(row),
  writer: { slug: row.writer_slug, name: row.writer_name },
  moderator: row.moderator,
  is_mine: row.is_mine,
  decided_by: row.decided_by,
  can_reverse: row.can_reverse,
})

/** Open appeals, or all decisions. */
export async function decisionsForReview(
  { db }: DeskContext,
  { sessionHash }: Person,
  { limit = decisionLimits.default, cursor, list = 'all' }: ReviewedList,
): Promise<ReviewedPage> {
  const isAppeals = list === 'appeals'
  const from = parseCursor(`decisions ${list}`, cursor, isAppeals ? earliest : latest)
  const rows = await db.run<ReviewedRow>({
    text: 'select * from app.decisions_for_review($1, $2, null, $3, $4, $5)',
    values: [sessionHash, isAppeals, from.time, from.id, limit + 1],
  })
  const { page, next_cursor } = cutPage(`decisions ${list}`, rows, limit, ({ at, appealed_at }) =>
    isAppeals ? appealed_at! : at,
  )
  return { ok: true, count: page.length, decisions: page.map(presentReviewed), next_cursor }
}

export async function decisionForReview(
  { db }: DeskContext,
  { sessionHash }: Person,
  id: string,
): Promise<ReviewedShown> {
  const [row] = isUuid(id)
    ? await db.run<ReviewedRow>({
        text: 'select * from app.decisions_for_review($1, false, $2, $3, $4, 1)',
        values: [sessionHash, id, latest.time, latest.id],
      })
    : []
  if (!row) throw notFound(message('error.decision_not_found'))
  return { ok: true, decision: presentReviewed(row), content: row.kept && presentSnapshot(row.kept) }
}

const presentSnapshot = ({ piece, contents, product, sub, body_md }: ContentSnapshot): ReviewedShown['content'] => ({
  sub: piece?.sub ?? product?.summary ?? sub ?? null,
  html: contents?.html ?? null,
  body_md: body_md ?? product?.description ?? null,
  payment_url: product?.payment_url ?? null,
})

/** Upholds or reverses a decision. Reversing restores the former state. */
export async function decideAppeal(
  { db, urls }: DeskContext,
  moderator: Person,
  id: string,
  { outcome, reason }: DecideBody,
): Promise<DecisionSettled> {
  if (!isUuid(id)) throw notFound(message('error.decision_not_found'))
  return withSession(db, moderator, async (tx) => {
    await requireProof(tx, moderator.sessionHash, 'recent')
    const { rows } = await tx.query<SettledRow>('select * from app.desk_decide_appeal($1, $2, $3, $4)', [
      id,
      moderator.sessionHash,
      outcome,
      reason,
    ])
    return afterDecision(tx, urls, id, outcome, rows[0]!)
  })
}

/** By the operator, as the database owner, for sites without another moderator. */
export async function decideAppealAsOperator(
  owner: Transaction,
  urls: Urls,
  id: string,
  { outcome, reason }: DecideBody,
): Promise<DecisionSettled> {
  const { rows } = await owner.query<SettledRow>('select * from app.operator_decide_appeal($1, $2, $3)', [
    id,
    outcome,
    reason,
  ])
  return afterDecision(owner, urls, id, outcome, rows[0]!)
}

interface SettledRow {
  readonly piece_id: string | null
  readonly product_id: string | null
  readonly writer_slug: string
  readonly is_public: boolean
  readonly was_appealed: boolean
}

/** For content that is public again: fills a webhook delivery if there is one and purges caches. Sends emails in any case. */
async function afterDecision(
  tx: Transaction,
  urls: Urls,
  id: string,
  outcome: Outcome,
  { piece_id: piece, product_id: product, writer_slug: slug, is_public, was_appealed }: SettledRow,
): Promise<DecisionSettled> {
  if (is_public && piece !== null) {
    const shown = await pieceNow(tx, urls, piece)
    await fillWebhookDelivery(tx, piece, shown)
    await purgePiece(tx, piece, shown)
  }
  if (is_public && product !== null) await purgeProduct(tx, product, slug)
  await enqueue(tx, 'decision.email', { decision: id, to: 'writer' })
  if (was_appealed) await enqueue(tx, 'decision.email', { decision: id, to: 'moderator' })
  return { ok: true, id, outcome, is_public }
}

/** Removes stored content once no appeal is possible, after six months. */
export const sweepDecisions = (db: Database) => db.run({ text: 'select app.sweep_decisions()' })

interface EmailRow {
  readonly email: string
  readonly act: Decision['act']
  readonly headline: string
  readonly to_status: string
  readonly category: Category
  readonly facts: string
  readonly by_report: boolean
  readonly was_appealed: boolean
  readonly outcome: Outcome | null
  readonly answer: string | null
  readonly appeal_until: Date
}

/** In the worker: what the email quotes is read when it is sent, and is never in the queue. */
export async function sendDecisionEmail(
  worker: Database,
  send: Send,
  { decision, to }: Jobs['decision.email'],
  id: string,
): Promise<void> {
  const [row] = await worker.run<EmailRow>({
    text: 'select * from app.decision_email($1, $2)',
    values: [decision, to],
  })
  const order = row && orderOf(row, decision, to)
  if (order) await send(row.email, order, id)
}

function orderOf(row: EmailRow, decision: string, to: 'writer' | 'moderator'): EmailOrder | undefined {
  const { act, headline, category, facts, by_report, was_appealed, outcome, answer } = row
  if (to === 'writer' && outcome === null) {
    const until = row.appeal_until.toISOString()
    return { template: 'decision', params: { decision, act, headline, category, facts, by_report, until } }
  }
  if (outcome === null || answer === null) return undefined
  return to === 'writer'
    ? { template: 'decision-reviewed', params: { decision, act, headline, outcome, answer, was_appealed } }
    : { template: 'appeal-decided', params: { decision, headline, outcome, answer } }
}
