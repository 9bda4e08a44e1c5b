import type { Person } from '#features/accounts/person.ts'
import { actingAs } from '#features/pieces/desk.ts'
import { callShow, newNonce, type PublishingContext, purgePiece } from '#features/pieces/publish.ts'
import { isFrom } from '#features/pieces/states.ts'
import type { DeskContext } from '#platform/context.ts'
import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { LetterKind } from '#platform/mail/letters.ts'
import { presentReview, type ReviewRow, type WholeReviewRow } from './present.ts'
import { type Decided, type ReviewList, type ReviewPage, type ReviewShown, reviewLimits } from './schema.ts'

/** A moderator's work: what waits for them, and the four decisions. Row security shows them no draft. */

const columns = `p.id, p.headline, p.sub, p.category, p.editor_status, p.revision, p.updated_at,
                 w.slug as writer_slug, w.name as writer_name`

/** What waits for review, longest first. */
export async function reviewQueue(
  { db }: DeskContext,
  moderator: Person,
  { limit = reviewLimits.default, cursor }: ReviewList,
): Promise<ReviewPage> {
  const [time, after] = cursor === undefined ? [0, '00000000-0000-0000-0000-000000000000'] : readReviewCursor(cursor)
  const rows = await db.transaction(actingAs(moderator), async (tx) => {
    const { rows } = await tx.query<ReviewRow>(
      `select ${columns} from app.pieces p join app.writers w on w.id = p.writer_id
        where p.editor_status = 'pending' and (p.updated_at, p.id) > ($1, $2)
          and w.account_id is distinct from $3
        order by p.updated_at, p.id limit $4`,
      [new Date(time), after, moderator.accountId, limit + 1],
    )
    return rows
  })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ok: true,
    count: page.length,
    pieces: page.map(presentReview),
    next_cursor: last ? writeCursor('review', [last.updated_at.getTime(), last.id]) : null,
  }
}

const readReviewCursor = (cursor: string) =>
  readCursor<[number, string]>('review', cursor, (parts) => parts.length === 2 && isTime(parts[0]) && isUuid(parts[1]))

/** The piece as readers would see it; with the nonce for approving this very revision, if it is for approving. */
export async function showForReview(
  { db, renderer }: PublishingContext,
  moderator: Person,
  id: string,
): Promise<ReviewShown> {
  const row = await db.transaction(actingAs(moderator), (tx) => reviewRow(tx, moderator, id))
  const { html } = await renderer.render(row)
  const nonce =
    row.editor_status === 'pending'
      ? await db.transaction(actingAs(moderator), (tx) => newNonce(tx, moderator, id, row.revision))
      : null
  return { ok: true, piece: { ...presentReview(row), tags: row.tags, body_md: row.body_md, html }, nonce }
}

export async function approve(
  { db, renderer }: PublishingContext,
  moderator: Person,
  id: string,
  nonce: string,
): Promise<Decided> {
  const row = await db.transaction(actingAs(moderator), (tx) => reviewRow(tx, moderator, id))
  if (!isFrom('approve', row.editor_status)) {
    throw new ServiceError(409, 'illegal_transition', `You cannot approve a piece that is ${row.editor_status}.`)
  }
  const rendering = await renderer.render(row)
  return db.transaction(actingAs(moderator), async (tx) => {
    await callShow(tx, 'approve', { pieceId: id, sessionToken: moderator.sessionToken, nonce, rendering })
    await purgePiece(tx, id, row.writer_slug)
    return decided(tx, row, 'approved', 'approved')
  })
}

export async function requestChanges(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  note: string,
): Promise<Decided> {
  return db.transaction(actingAs(moderator), async (tx) => {
    const row = await reviewRow(tx, moderator, id)
    await tx.query('select app.desk_request_changes($1, $2, $3)', [id, moderator.sessionToken, note])
    return decided(tx, row, 'changes_requested', 'changes-requested')
  })
}

export async function reject({ db }: DeskContext, moderator: Person, id: string, reason: string): Promise<Decided> {
  return db.transaction(actingAs(moderator), async (tx) => {
    const row = await reviewRow(tx, moderator, id)
    await tx.query('select app.desk_reject($1, $2, $3)', [id, moderator.sessionToken, reason])
    return decided(tx, row, 'rejected', 'rejected')
  })
}

export async function takeDown(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  to: 'changes_requested' | 'rejected',
  reason: string,
): Promise<Decided> {
  return db.transaction(actingAs(moderator), async (tx) => {
    const row = await reviewRow(tx, moderator, id)
    await tx.query('select app.desk_take_down($1, $2, $3, $4)', [id, moderator.sessionToken, to, reason])
    await purgePiece(tx, id, row.writer_slug)
    return decided(tx, row, to, 'taken-down')
  })
}

/** Answers, and writes to the piece's writer, if they have an account. */
async function decided(
  tx: Transaction,
  { id, account_id: account }: WholeReviewRow,
  status: string,
  letter: LetterKind & ('approved' | 'changes-requested' | 'rejected' | 'taken-down'),
): Promise<Decided> {
  if (account) await enqueue(tx, 'mail', { to: { account }, letter, params: { piece: id } })
  return { ok: true, id, status }
}

async function reviewRow(tx: Transaction, { sessionToken }: Person, id: string): Promise<WholeReviewRow> {
  if (!isUuid(id)) throw noSuchPiece()
  const { rows } = await tx.query<WholeReviewRow>(
    `select ${columns}, p.tags, p.body_md, w.account_id
       from app.pieces p join app.writers w on w.id = p.writer_id
      where p.id = $1 and p.editor_status <> 'draft'`,
    [id],
  )
  if (rows[0]) return rows[0]
  const hidden = await tx.query('select from app.status_for_review($1, $2) as status where status is not null', [
    id,
    sessionToken,
  ])
  if (!hidden.rowCount) throw noSuchPiece()
  throw new ServiceError(409, 'illegal_transition', 'This piece is a draft, and a draft is its writer’s alone.')
}

const noSuchPiece = () => notFound('There is no such piece to review.')
