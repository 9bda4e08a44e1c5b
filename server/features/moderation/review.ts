import type { SendToAccount } from '#features/accounts/mail.ts'
import { type Person, requireProof, requireSession, withSession } from '#features/accounts/sessions.ts'
import { purgeProduct } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue, type Jobs, type ReviewEmail } from '#features/jobs.ts'
import { picturesOf } from '#features/media/uploads.ts'
import type { Status } from '#features/pieces/draft-schema.ts'
import { cutPage, earliest, parseCursor } from '#features/pieces/keyset.ts'
import { newPreviewPage } from '#features/pieces/preview.ts'
import { newNonce, type PublishingContext, publishInTransaction, purgePiece } from '#features/pieces/publish.ts'
import { type Act, assertTransition } from '#features/pieces/states.ts'
import { message } from '#messages/message.ts'
import type { Translator } from '#messages/translator.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { picturesAt, withoutExternalImages } from '#platform/markdown/pictures.ts'
import { answerReporters, reportsOf } from './reports.ts'
import {
  type Before,
  type Decided,
  type Refusal,
  type ReviewList,
  type ReviewPage,
  type ReviewShown,
  reviewLimits,
  type TakeDown,
} from './schema.ts'

/** The review queue and moderators' four decisions. Row security shows moderators only pieces that wait for review. */

const selectPending = `
  select p.id, p.headline, p.sub, p.category, p.revision, p.submitted_at,
         w.slug as writer_slug, w.name as writer_name`

/** Pending pieces, those waiting longest first. */
export async function reviewQueue(
  { db }: DeskContext,
  moderator: Person,
  { limit = reviewLimits.default, cursor }: ReviewList,
): Promise<ReviewPage> {
  const after = parseCursor('review', cursor, earliest)
  const rows = await withSession(db, moderator, async (tx) => {
    const { rows } = await tx.query<PendingRow>(
      `${selectPending} from app.pieces p join app.writers w on w.id = p.writer_id
        where p.editor_status = 'pending' and (p.submitted_at, p.id) > ($1, $2)
          and w.account_id is distinct from $3
        order by p.submitted_at, p.id limit $4`,
      [after.time, after.id, moderator.accountId, limit + 1],
    )
    if (rows.length === 0) await requireSession(tx)
    return rows
  })
  const { page, next_cursor } = cutPage('review', rows, limit, (row) => row.submitted_at)
  return { ok: true, count: page.length, pieces: page.map(presentPending), next_cursor }
}

/** A pending piece as readers would see it, with the nonce to approve exactly this revision; or a public piece with its reports. */
export async function showForReview(
  { db, urls, renderer }: PublishingContext,
  moderator: Person,
  id: string,
  t: Translator,
  signal?: AbortSignal,
): Promise<ReviewShown> {
  const ownPictures = (html: string) =>
    withoutExternalImages(html, urls.base, (address) => t('site.piece.picture_not_loaded', { address }))
  const row = await withSession(db, moderator, async (tx) => {
    const status = await statusOf(tx, moderator, id)
    if (status === 'approved')
      return { ...(await publicRow(tx, id)), reports: await reportsOf(tx, moderator, { kind: 'piece', id }) }
    assertTransition('approve', status, false)
    return readManuscript(tx, moderator, id)
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
    piece: presentFullPending(row, ownPictures(picturesAt(html, '/desk/media/'))),
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
    await requireTransition(tx, moderator, id, 'approve')
    return readManuscript(tx, moderator, id)
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
    await requireTransition(tx, moderator, id, 'request_changes')
    const row = await pendingRow(tx, id)
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
    await requireTransition(tx, moderator, id, 'reject')
    const values = [id, moderator.sessionHash, category, reason]
    const { rows } = await tx.query<DecisionRow>('select app.desk_reject($1, $2, $3, $4) as decision', values)
    return refusal(tx, id, 'rejected', rows[0]!)
  })
}

export async function takeDown(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  { to, category = 'other', reason }: TakeDown,
): Promise<Decided> {
  return withSession(db, moderator, async (tx) => {
    await requireTransition(tx, moderator, id, 'take_down')
    await requireProof(tx, moderator.sessionHash, 'recent')
    await publicRow(tx, id)
    await purgePiece(tx, id)
    const values = [id, moderator.sessionHash, to, category, reason]
    const { rows } = await tx.query<DecisionRow>('select app.desk_take_down($1, $2, $3, $4, $5) as decision', values)
    const answer = { template: 'report-taken-down', params: { piece: id } } as const
    await answerReporters(tx, moderator, { kind: 'piece', id }, answer)
    return refusal(tx, id, to, rows[0]!)
  })
}

/** Removes a listing from the shop at once; its writer cannot list it again unless this is reversed. */
export async function takeDownListing(
  { db }: DeskContext,
  moderator: Person,
  id: string,
  { category = 'other', reason }: Refusal,
): Promise<Decided> {
  if (!isUuid(id)) throw notFound(message('error.listing_not_found'))
  return withSession(db, moderator, async (tx) => {
    await requireProof(tx, moderator.sessionHash, 'recent')
    const { rows } = await tx.query<DecisionRow & { product_slug: string; seller: string }>(
      'select * from app.desk_withhold_product($1, $2, $3, $4)',
      [id, moderator.sessionHash, category, reason],
    )
    const { product_slug: listing, seller } = rows[0]!
    await purgeProduct(tx, id, seller)
    const answer = { template: 'listing-report-taken-down', params: { listing } } as const
    await answerReporters(tx, moderator, { kind: 'listing', id }, answer)
    return refusal(tx, id, 'draft', rows[0]!)
  })
}

interface DecisionRow {
  readonly decision: string
}

/** Enqueues the email with the statement of reasons. */
async function refusal(tx: Transaction, id: string, status: string, { decision }: DecisionRow): Promise<Decided> {
  await enqueue(tx, 'decision.email', { decision, to: 'writer' })
  return { ok: true, id, status, decision }
}

/** The revision of a pending piece that moderators saw last. */
export async function beforeReview({ db }: DeskContext, moderator: Person, id: string): Promise<Before> {
  if (!isUuid(id)) throw noSuchPiece()
  const [before] = await db.run<NonNullable<Before['before']>>({
    text: 'select * from app.review_before($1, $2)',
    values: [id, moderator.sessionHash],
  })
  return { ok: true, before: before ?? null }
}

/** Enqueues an email to the writer, if they have an account. */
async function decided(
  tx: Transaction,
  { id, account_id: account }: FullPendingRow | PublicRow,
  status: string,
  template: ReviewEmail,
): Promise<Decided> {
  if (account) await enqueue(tx, 'review.email', { piece: id, template })
  return { ok: true, id, status }
}

/** In the worker: what the email quotes is read when it is sent, and is never in the queue. */
export async function sendReviewEmail(
  worker: Database,
  send: SendToAccount,
  { piece, template }: Jobs['review.email'],
  id: string,
): Promise<void> {
  const [row] = await worker.run<{ account_id: string | null; headline: string; note: string | null }>({
    text: 'select * from app.review_email($1)',
    values: [piece],
  })
  if (!row?.account_id) return
  const { account_id: account, headline, note } = row
  if (template === 'approved') await send(account, { template, params: { piece, headline } }, id)
  else if (note) await send(account, { template, params: { piece, headline, note } }, id)
}

/** Refuses an act that the piece's status does not allow, before reading the piece. */
async function requireTransition(tx: Transaction, moderator: Person, id: string, act: Act): Promise<void> {
  assertTransition(act, await statusOf(tx, moderator, id), false)
}

/** The only thing moderators can read of a piece that is neither pending nor public. */
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

async function pendingRow(tx: Transaction, id: string): Promise<FullPendingRow> {
  const { rows } = await tx.query<FullPendingRow>(
    `${selectPending}, p.tags, p.body_md, w.account_id
       from app.pieces p join app.writers w on w.id = p.writer_id
      where p.id = $1 and p.editor_status = 'pending'`,
    [id],
  )
  if (!rows[0]) throw noSuchPiece()
  return rows[0]
}

/** The pending piece with the images it may show. */
async function readManuscript(tx: Transaction, { sessionHash }: Person, id: string) {
  return { ...(await pendingRow(tx, id)), pictures: await picturesOf(tx, id, sessionHash) }
}

/** From the public schema `pub`: changes the writer has not published are private. */
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

const noSuchPiece = () => notFound(message('error.review_not_found'))

interface Row {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly writer_slug: string
  readonly writer_name: string
}

/** A piece waiting for review. */
interface PendingRow extends Row {
  readonly revision: number
  readonly submitted_at: Date
}

interface FullPendingRow extends PendingRow {
  readonly tags: string[]
  readonly body_md: string
  readonly account_id: string | null
}

/** A public piece. */
interface PublicRow extends Row {
  readonly tags: string[]
  readonly html: string
  readonly account_id: string | null
}

const presentRow = (row: Row) => ({
  id: row.id,
  headline: row.headline,
  sub: row.sub,
  category: row.category,
  writer: { slug: row.writer_slug, name: row.writer_name },
})

const presentPending = (row: PendingRow): ReviewPage['pieces'][number] => ({
  ...presentRow(row),
  status: 'pending',
  revision: row.revision,
  submitted_at: row.submitted_at.toISOString(),
})

const presentFullPending = (row: FullPendingRow, html: string): ReviewShown['piece'] => ({
  ...presentPending(row),
  tags: row.tags,
  body_md: row.body_md,
  html,
})

/** Contains nothing of the working copy, which may be newer: neither Markdown nor revision. */
const presentPublic = (row: PublicRow): ReviewShown['piece'] => ({
  ...presentRow(row),
  status: 'approved',
  revision: null,
  submitted_at: null,
  tags: row.tags,
  body_md: null,
  html: row.html,
})
