import type { Person } from '#features/accounts/session-user.ts'
import { demandProof } from '#features/accounts/sessions.ts'
import { picturesOf } from '#features/media/add.ts'
import type { Status } from '#features/pieces/draft-schema.ts'
import { cutPage, earliest, placeOf } from '#features/pieces/keyset.ts'
import { newPreviewPage } from '#features/pieces/preview-links.ts'
import { newNonce, type PublishingContext, publishInTransaction, purgePiece } from '#features/pieces/publish.ts'
import { type Act, assertTransition } from '#features/pieces/states.ts'
import { demandSession, withSession } from '#features/pieces/with-session.ts'
import { purgeProduct } from '#features/products/purge.ts'
import type { DeskContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { LetterKind } from '#platform/mail/templates.ts'
import { picturesAt, withoutForeignPictures } from '#platform/markdown/pictures.ts'
import type { Before } from './people-schema.ts'
import {
  type PublicRow,
  presentPublic,
  presentWaiting,
  presentWhole,
  type WaitingRow,
  type WholeWaitingRow,
} from './present.ts'
import { answerReporters, reportsOf } from './reports.ts'
import {
  type Decided,
  type Refusal,
  type ReviewList,
  type ReviewPage,
  type ReviewShown,
  reviewLimits,
  type TakeDown,
} from './schema.ts'

/** A moderator's work: what waits for them, and the four decisions. Row security shows them nothing but what waits. */

const waiting = `
  select p.id, p.headline, p.sub, p.category, p.revision, p.submitted_at,
         w.slug as writer_slug, w.name as writer_name`

/** What waits for review, longest first. */
export async function reviewQueue(
  { db }: DeskContext,
  moderator: Person,
  { limit = reviewLimits.default, cursor }: ReviewList,
): Promise<ReviewPage> {
  const after = placeOf('review', cursor, earliest)
  const rows = await withSession(db, moderator, async (tx) => {
    const { rows } = await tx.query<WaitingRow>(
      `${waiting} from app.pieces p join app.writers w on w.id = p.writer_id
        where p.editor_status = 'pending' and (p.submitted_at, p.id) > ($1, $2)
          and w.account_id is distinct from $3
        order by p.submitted_at, p.id limit $4`,
      [after.time, after.id, moderator.accountId, limit + 1],
    )
    if (rows.length === 0) await demandSession(tx)
    return rows
  })
  const { page, next_cursor } = cutPage('review', rows, limit, (row) => row.submitted_at)
  return { ok: true, count: page.length, pieces: page.map(presentWaiting), next_cursor }
}

/** What waits as readers would see it, with the nonce for approving this very revision; what is public as readers do see it, with what they reported of it. */
export async function showForReview(
  { db, urls, renderer }: PublishingContext,
  moderator: Person,
  id: string,
  signal?: AbortSignal,
): Promise<ReviewShown> {
  const ownPictures = (html: string) => withoutForeignPictures(html, urls.base)
  const row = await withSession(db, moderator, async (tx) => {
    const status = await statusOf(tx, moderator, id)
    if (status === 'approved')
      return { ...(await publicRow(tx, id)), reports: await reportsOf(tx, moderator, { kind: 'piece', id }) }
    assertTransition('approve', status, false)
    return manuscriptOf(tx, moderator, id)
  })
  if ('html' in row)
    return {
      ok: true,
      piece: presentPublic({ ...row, html: ownPictures(row.html) }),
      nonce: null,
      page: null,
      reports: row.reports,
    }
  const { html } = await renderer.render(row, { by: moderator.accountId, signal })
  return withSession(db, moderator, async (tx) => ({
    ok: true,
    piece: presentWhole(row, ownPictures(picturesAt(html, '/desk/media/'))),
    nonce: await newNonce(tx, moderator, id, row.revision),
    page: `${await newPreviewPage(tx, moderator, id, row.revision)}?pictures=own`,
    reports: null,
  }))
}

export async function approve(
  context: PublishingContext,
  moderator: Person,
  id: string,
  nonce: string,
  signal?: AbortSignal,
): Promise<Decided> {
  const { db, renderer } = context
  const row = await withSession(db, moderator, async (tx) => {
    await demandReview(tx, moderator, id, 'approve')
    return manuscriptOf(tx, moderator, id)
  })
  const rendering = await renderer.render(row, { by: moderator.accountId, signal })
  return withSession(db, moderator, async (tx) => {
    await publishInTransaction(tx, context, 'approve', {
      pieceId: id,
      sessionHash: moderator.sessionHash,
      nonce,
      rendering,
    })
    return decided(tx, row, 'approved', 'approved')
  })
}

export async function requestChanges(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  note: string,
): Promise<Decided> {
  return withSession(db, moderator, async (tx) => {
    await demandReview(tx, moderator, id, 'request_changes')
    const row = await waitingRow(tx, id)
    await tx.query('select app.desk_request_changes($1, $2, $3)', [id, moderator.sessionHash, note])
    return decided(tx, row, 'changes_requested', 'changes-requested')
  })
}

export async function reject(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  { category = 'editorial', reason }: Refusal,
): Promise<Decided> {
  return withSession(db, moderator, async (tx) => {
    await demandReview(tx, moderator, id, 'reject')
    const values = [id, moderator.sessionHash, category, reason]
    const { rows } = await tx.query<Reasoned>('select app.desk_reject($1, $2, $3, $4) as decision', values)
    return refused(tx, id, 'rejected', rows[0]!)
  })
}

export async function takeDown(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  { to, category = 'other', reason }: TakeDown,
): Promise<Decided> {
  return withSession(db, moderator, async (tx) => {
    await demandReview(tx, moderator, id, 'take_down')
    await demandProof(tx, moderator.sessionHash, 'recent')
    const { writer_slug } = await publicRow(tx, id)
    const values = [id, moderator.sessionHash, to, category, reason]
    const { rows } = await tx.query<Reasoned>('select app.desk_take_down($1, $2, $3, $4, $5) as decision', values)
    await purgePiece(tx, id, writer_slug)
    const answer = { letter: 'report-taken-down', params: { piece: id } } as const
    await answerReporters(tx, moderator, { kind: 'piece', id }, answer)
    return refused(tx, id, to, rows[0]!)
  })
}

/** A listing leaves the shop at once; its writer cannot list it again unless this is reversed. */
export async function takeDownListing(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  { category = 'other', reason }: Refusal,
): Promise<Decided> {
  if (!isUuid(id)) throw notFound('There is no such listing. The queue shows those that are reported.')
  return withSession(db, moderator, async (tx) => {
    await demandProof(tx, moderator.sessionHash, 'recent')
    const { rows } = await tx.query<Reasoned & { product_slug: string; seller: string }>(
      'select * from app.desk_withhold_product($1, $2, $3, $4)',
      [id, moderator.sessionHash, category, reason],
    )
    const { product_slug: listing, seller } = rows[0]!
    await purgeProduct(tx, id, seller)
    const answer = { letter: 'listing-report-taken-down', params: { listing } } as const
    await answerReporters(tx, moderator, { kind: 'listing', id }, answer)
    return refused(tx, id, 'draft', rows[0]!)
  })
}

interface Reasoned {
  readonly decision: string
}

/** Answers, and sends the statement of reasons. */
async function refused(tx: Transaction, id: string, status: string, { decision }: Reasoned): Promise<Decided> {
  await enqueue(tx, 'decision.email', { decision, to: 'writer' })
  return { ok: true, id, status, decision }
}

/** What moderators last had before them of a piece that waits. */
export async function beforeReview({ db }: DeskContext, moderator: Person, id: string): Promise<Before> {
  if (!isUuid(id)) throw noSuchPiece()
  const [before] = await db.run<NonNullable<Before['before']>>({
    text: 'select * from app.review_before($1, $2)',
    values: [id, moderator.sessionHash],
  })
  return { ok: true, before: before ?? null }
}

/** Answers, and writes to the piece's writer, if they have an account. */
async function decided(
  tx: Transaction,
  { id, account_id: account }: WholeWaitingRow | PublicRow,
  status: string,
  letter: LetterKind & ('approved' | 'changes-requested'),
): Promise<Decided> {
  if (account) await enqueue(tx, 'mail', { to: { account }, letter, params: { piece: id } })
  return { ok: true, id, status }
}

/** Refuses what cannot be done with a piece in its state, before it is read. */
async function demandReview(tx: Transaction, moderator: Person, id: string, act: Act): Promise<void> {
  assertTransition(act, await statusOf(tx, moderator, id), false)
}

/** All that a moderator learns of a piece that is neither before them nor public. */
async function statusOf(tx: Transaction, { sessionHash }: Person, id: string): Promise<Status> {
  if (!isUuid(id)) throw noSuchPiece()
  const { rows } = await tx.query<{ status: Status | null }>('select app.status_for_review($1, $2) as status', [
    id,
    sessionHash,
  ])
  const status = rows[0]?.status
  if (!status) throw noSuchPiece()
  return status
}

async function waitingRow(tx: Transaction, id: string): Promise<WholeWaitingRow> {
  const { rows } = await tx.query<WholeWaitingRow>(
    `${waiting}, p.tags, p.body_md, w.account_id
       from app.pieces p join app.writers w on w.id = p.writer_id
      where p.id = $1 and p.editor_status = 'pending'`,
    [id],
  )
  if (!rows[0]) throw noSuchPiece()
  return rows[0]
}

/** What waits, with the pictures it may show. */
async function manuscriptOf(tx: Transaction, { sessionHash }: Person, id: string) {
  return { ...(await waitingRow(tx, id)), pictures: await picturesOf(tx, id, sessionHash) }
}

/** From the public wing: what the writer has changed since is nobody else's. */
async function publicRow(tx: Transaction, id: string): Promise<PublicRow> {
  const { rows } = await tx.query<PublicRow>(
    `select p.id, p.headline, p.sub, p.category, p.tags, c.html, a.slug as writer_slug, a.name as writer_name,
            w.account_id
       from pub.pieces p join pub.piece_contents c on c.piece_id = p.id join pub.authors a on a.id = p.author_id
            join app.writers w on w.id = p.author_id
      where p.id = $1`,
    [id],
  )
  if (!rows[0]) throw noSuchPiece()
  return rows[0]
}

const noSuchPiece = () => notFound('There is no such piece to review. The queue shows what waits.')
