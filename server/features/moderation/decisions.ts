import type { Person } from '#features/accounts/session-user.ts'
import { demandProof } from '#features/accounts/sessions.ts'
import { cutPage, earliest, latest, placeOf } from '#features/pieces/keyset.ts'
import { pieceNow, purgePiece } from '#features/pieces/publish.ts'
import { announcePiece } from '#features/pieces/webhook-payload.ts'
import { withSession } from '#features/pieces/with-session.ts'
import { purgeProduct } from '#features/products/purge.ts'
import type { DeskContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { Urls } from '#platform/urls.ts'
import { type Category, categoryWords } from './categories.ts'
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
} from './decisions-schema.ts'

/** Statements of reasons: what was decided about somebody's work, and the appeal against it that somebody else decides. */

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

/** The category in words. */
export function ruleOf(category: Category): string {
  const [name, meaning] = categoryWords[category]
  return category === 'other' ? name : `${name}: ${meaning}`
}

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
  rule: ruleOf(row.category),
  facts: row.facts,
  by_report: row.by_report,
  automated: false as const,
  appeal: row.appeal === null ? null : { text: row.appeal, at: row.appealed_at!.toISOString() },
  outcome: row.outcome,
  answer: row.answer,
  decided_at: row.decided_at?.toISOString() ?? null,
})

// ------------------------------------------------------------------------------------------------ the writer's

interface OwnRow extends DecisionRow {
  readonly appeal_until: Date
  readonly can_appeal: boolean
}

const presentOwn = (row: OwnRow): Decision => ({
  ...present(row),
  appeal_until: row.appeal_until.toISOString(),
  can_appeal: row.can_appeal,
})

/** What moderators decided about this person's work, newest first. */
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

const noSuchDecision = () =>
  notFound('There is no such decision about your work. Open it from the piece or the listing.')

// ------------------------------------------------------------------------------------------------ the moderators'

interface ReviewedRow extends DecisionRow {
  readonly writer_slug: string
  readonly writer_name: string
  readonly moderator: string | null
  readonly is_mine: boolean
  readonly decided_by: string | null
  readonly can_reverse: boolean
  readonly kept: Kept | null
}

/** What a decision was about, as the database keeps it. */
interface Kept {
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

/** Appeals that wait, or all decisions. */
export async function decisionsForReview(
  { db }: DeskContext,
  { sessionHash }: Person,
  { limit = decisionLimits.default, cursor, list = 'all' }: ReviewedList,
): Promise<ReviewedPage> {
  const isAppeals = list === 'appeals'
  const from = placeOf(`decisions ${list}`, cursor, isAppeals ? earliest : latest)
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
  if (!row) throw notFound('There is no such decision. The list shows those there are.')
  return { ok: true, decision: presentReviewed(row), content: row.kept && presentKept(row.kept) }
}

const presentKept = ({ piece, contents, product, sub, body_md }: Kept): ReviewedShown['content'] => ({
  sub: piece?.sub ?? product?.summary ?? sub ?? null,
  html: contents?.html ?? null,
  body_md: body_md ?? product?.description ?? null,
  payment_url: product?.payment_url ?? null,
})

/** Upholds or reverses; what is reversed is as it was before. */
export async function decideAppeal(
  { db, urls }: DeskContext,
  moderator: Person,
  id: string,
  { outcome, reason }: DecideBody,
): Promise<DecisionSettled> {
  if (!isUuid(id)) throw notFound('There is no such decision. The list shows those there are.')
  return withSession(db, moderator, async (tx) => {
    await demandProof(tx, moderator.sessionHash, 'recent')
    const { rows } = await tx.query<SettledRow>('select * from app.desk_decide_appeal($1, $2, $3, $4)', [
      id,
      moderator.sessionHash,
      outcome,
      reason,
    ])
    return settled(tx, urls, id, outcome, rows[0]!)
  })
}

/** By the operator, as the owner of the database: where there is no other moderator. */
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
  return settled(owner, urls, id, outcome, rows[0]!)
}

interface SettledRow {
  readonly piece_id: string | null
  readonly product_id: string | null
  readonly writer_slug: string
  readonly is_public: boolean
  readonly was_appealed: boolean
}

/** What is public again is told to caches, and to the webhook if that was never told; the people are told by email. */
async function settled(
  tx: Transaction,
  urls: Urls,
  id: string,
  outcome: Outcome,
  { piece_id: piece, product_id: product, writer_slug: slug, is_public, was_appealed }: SettledRow,
): Promise<DecisionSettled> {
  if (is_public && piece !== null) {
    await announcePiece(tx, piece, await pieceNow(tx, urls, piece))
    await purgePiece(tx, piece, slug)
  }
  if (is_public && product !== null) await purgeProduct(tx, product, slug)
  await enqueue(tx, 'decision.email', { decision: id, to: 'writer' })
  if (was_appealed) await enqueue(tx, 'decision.email', { decision: id, to: 'moderator' })
  return { ok: true, id, outcome, is_public }
}

/** What was public is kept for a reversal as long as there can be an appeal: six months. */
export const sweepDecisions = (db: Database) => db.run({ text: 'select app.sweep_decisions()' })
