import type { PublishProof } from '#config/config.ts'
import { type Person, requireProof, type Writer, withSession } from '#features/accounts/sessions.ts'
import { purgedWithPiece } from '#features/cache-tags.ts'
import { enqueue } from '#features/jobs.ts'
import { picturesOf } from '#features/media/uploads.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { hashOf, type Signer, secretToken } from '#platform/crypto.ts'
import type { Transaction } from '#platform/db/database.ts'
import { handOnTrace } from '#platform/db/listen.ts'
import { composite } from '#platform/db/statement.ts'
import { invalid } from '#platform/errors.ts'
import { hasLoneLink } from '#platform/markdown/lone-links.ts'
import { picturesAt } from '#platform/markdown/pictures.ts'
import type { WithEtag } from './api-pieces.ts'
import { publicByline } from './co-authors.ts'
import { needsReview, type PiecesContext, readPiece, readRow, type WholeDeskRow } from './desk.ts'
import type { DeskPieceFound, PieceSlug, Preview } from './desk-schema.ts'
import { pageMeta } from './page-meta.ts'
import { presentPiece } from './present.ts'
import { linkPictureOf, newPreviewPage } from './preview.ts'
import { pieceRowIn } from './queries.ts'
import { signReceipt } from './receipts/receipts.ts'
import { pieceSlug, type Rendering } from './rendering/render-piece.ts'
import type { Renderer } from './rendering/renderer.ts'
import type { Piece } from './schema.ts'
import { assertTransition } from './states.ts'
import { hasHeadline } from './untitled.ts'

/** What publishing needs besides the desk's context. */
export interface PublishingContext extends PiecesContext {
  readonly signer: Signer
  readonly renderer: Pick<Renderer, 'render'>
  /** How recently and by which method the person must have authenticated. */
  readonly proof: PublishProof
  /** How many pieces a new account may publish: on its first day, and per day in its first week. */
  readonly allowance: { readonly firstDay: number; readonly firstWeek: number }
}

// Acts of the writer. They take a Writer, so no API key can reach them; PostgreSQL would refuse one too. The nonce ensures
// that the revision which becomes public, or goes to moderators, is the one that was previewed.

/** Submits the piece for review instead, if the site reviews it first. */
export async function publishPiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  nonce: string,
  signal?: AbortSignal,
): Promise<WithEtag<DeskPieceFound>> {
  return (await isReviewedFirst(context, writer))
    ? submitPiece(context, writer, id, nonce, 'submit')
    : publishOrUpdate(context, writer, id, nonce, 'publish', signal)
}

/** Whether the site's settings, not the piece's history, demand a review. */
export const isReviewedFirst = async (context: PublishingContext, writer: Writer): Promise<boolean> =>
  context.review === 'first'
    ? withSession(context.db, writer, (tx) => needsReview(tx, context, writer, { review_required: false }))
    : context.review === 'required'

export async function publishOrUpdate(
  context: PublishingContext,
  writer: Writer,
  id: string,
  nonce: string,
  act: 'publish' | 'update',
  signal?: AbortSignal,
): Promise<WithEtag<DeskPieceFound>> {
  const { db, renderer } = context
  const manuscript = await readManuscript(context, writer, id)
  assertTransition(act, manuscript.editor_status, manuscript.is_reviewed)
  requireHeadline(manuscript)
  const rendering = await renderer.render(manuscript, { by: writer.writer.id, signal })
  return withSession(db, writer, async (tx) => {
    if (act === 'publish') await requireAllowance(tx, context, writer, id)
    await publishInTransaction(tx, context, act, { pieceId: id, sessionHash: writer.sessionHash, nonce, rendering })
    return readPiece(tx, context, writer, id)
  })
}

export async function requireAllowance(
  tx: Transaction,
  { allowance: { firstDay, firstWeek } }: PublishingContext,
  { sessionHash }: Writer,
  id: string,
): Promise<void> {
  await tx.query('select app.demand_allowance($1, $2, $3, $4)', [sessionHash, id, firstDay, firstWeek])
}

export async function submitPiece(
  context: PiecesContext,
  writer: Writer,
  id: string,
  nonce: string,
  act: 'submit' | 'resubmit',
): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    requireHeadline(await requireTransition(tx, context, writer, id, act))
    await tx.query(`select app.desk_${act}($1, $2, $3)`, [id, writer.sessionHash, hashOf(nonce)])
    return readPiece(tx, context, writer, id)
  })
}

/** Acts of the writer that make nothing new public. */
export async function changeStatus(
  context: PiecesContext,
  writer: Writer,
  id: string,
  act: 'withdraw' | 'revise' | 'unpublish',
): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    await requireTransition(tx, context, writer, id, act)
    if (act === 'unpublish') await purgePiece(tx, id)
    await tx.query(`select app.desk_${act}($1, $2)`, [id, writer.sessionHash])
    return readPiece(tx, context, writer, id)
  })
}

/** Refuses with what can be done instead. The database enforces the same, also if the status changes in between. */
async function requireTransition(
  tx: Transaction,
  context: PiecesContext,
  writer: Writer,
  id: string,
  act: 'submit' | 'resubmit' | 'withdraw' | 'revise' | 'unpublish',
): Promise<WholeDeskRow> {
  const row = await readRow(tx, writer, id)
  assertTransition(act, row.editor_status, await needsReview(tx, context, writer, row))
  return row
}

export function requireHeadline(piece: { readonly headline: string }): void {
  if (hasHeadline(piece)) return
  throw invalid([{ pointer: '/headline', code: 'empty', detail: message('error.headline_missing') }])
}

/**
 * Chooses the last part of the address, before the first publication; null leaves it to the headline. If another piece of
 * the writer has it, a number is added: the one that was kept is returned.
 */
export async function chooseSlug(
  context: PiecesContext,
  writer: Writer,
  id: string,
  given: string | null,
): Promise<PieceSlug> {
  const slug = given === null ? null : pieceSlug(given)
  if (slug === '') {
    throw invalid([{ pointer: '/slug', code: 'empty', detail: message('error.address_empty') }])
  }
  return withSession(context.db, writer, async (tx) => {
    const row = await readRow(tx, writer, id)
    await tx.query('select app.desk_set_slug($1, $2, $3)', [id, writer.sessionHash, slug])
    return { ok: true, slug: await slugOf(tx, writer, row), asked: slug }
  })
}

/** The last part of the address that it has, or would have now; null if there is no headline to make it of. */
async function slugOf(tx: Transaction, writer: Writer, piece: WholeDeskRow): Promise<string | null> {
  const { rows } = await tx.query<{ slug: string | null }>('select app.slug_of_piece($1, $2, $3) as slug', [
    piece.id,
    writer.sessionHash,
    hasHeadline(piece) ? pieceSlug(piece.headline, 'piece') : null,
  ])
  return rows[0]!.slug
}

/** The piece as readers would see it, and the nonce that publishing exactly this revision needs. */
export async function previewPiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  signal?: AbortSignal,
): Promise<Preview> {
  const { db, renderer } = context
  const manuscript = await readManuscript(context, writer, id)
  const { revision } = manuscript
  const { html, summary } = await renderer.render(manuscript, { by: writer.writer.id, signal })
  return withSession(db, writer, async (tx) => {
    const page = await newPreviewPage(tx, writer, id, revision)
    return {
      ok: true,
      revision,
      html: picturesAt(html, '/desk/media/'),
      summary,
      slug: await slugOf(tx, writer, manuscript),
      nonce: await newNonce(tx, writer, id, revision),
      page,
      meta: pageMeta({ title: manuscript.headline, summary }),
      link_picture: linkPictureOf(page),
    }
  })
}

/** The saved revision with the images it may show. */
export const readManuscript = (context: PiecesContext, writer: Writer, id: string) =>
  withSession(context.db, writer, async (tx) => {
    const row = await readRow(tx, writer, id)
    return {
      ...row,
      is_reviewed: await needsReview(tx, context, writer, row),
      pictures: await picturesOf(tx, id, writer.sessionHash),
    }
  })

export async function newNonce(tx: Transaction, person: Person, id: string, revision: number): Promise<string> {
  const { token, hash } = secretToken()
  await tx.query('select app.make_nonce($1, $2, $3, $4)', [id, person.sessionHash, revision, hash])
  return token
}

/** Purges every cached response that shows the piece, could list it, or counts it: to be called while it is public. */
export async function purgePiece(tx: Transaction, id: string, translated?: Pick<Piece, 'translations'>): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: purgedWithPiece(id, await publicByline(tx, id), translated) })
}

/**
 * The publish transaction: check of the person's proof, `app.desk_publish` / `desk_update` / `desk_approve`, signed receipt,
 * webhook delivery, cache purge, the search for related pieces and the job for its links commit together or not at all.
 */
export async function publishInTransaction(
  tx: Transaction,
  { urls, signer, proof }: PublishingContext,
  act: 'publish' | 'update' | 'approve',
  request: PublishRequest,
): Promise<void> {
  await requireProof(tx, request.sessionHash, proof, request.nonce)
  await callPublishFunction(tx, act, request)
  await finishPublication(tx, { urls, signer }, request.pieceId)
}

/** All that follows a publication, in its transaction, whether a person pressed the button or the time had come. */
export async function finishPublication(
  tx: Transaction,
  { urls, signer }: Pick<PublishingContext, 'urls' | 'signer'>,
  pieceId: string,
): Promise<void> {
  const piece = await pieceNow(tx, urls, pieceId)
  await signReceipt(tx, signer, pieceId, piece)
  await fillWebhookDelivery(tx, pieceId, piece)
  await purgePiece(tx, pieceId, piece)
  await enqueue(tx, 'piece.relate', { piece: pieceId })
  if (hasLoneLink(piece.content_html ?? '')) await enqueue(tx, 'links.fetch', { piece: pieceId })
}

/** What readers get once this transaction commits. */
export const pieceNow = async (tx: Transaction, urls: Urls, id: string): Promise<Piece> =>
  presentPiece(await pieceRowIn(tx, id), urls)

/** What PostgreSQL needs to copy a revision into the public schema `pub`. */
export interface PublishRequest {
  readonly pieceId: string
  readonly sessionHash: Buffer
  readonly nonce: string
  readonly rendering: Rendering
}

/** Makes a revision public. PostgreSQL refuses it without a permitted, signed-in person and the nonce of that revision. */
export async function callPublishFunction(
  tx: Transaction,
  act: 'publish' | 'update' | 'approve',
  { pieceId, sessionHash, nonce, rendering }: PublishRequest,
): Promise<void> {
  await tx.query(`select app.desk_${act}($1, $2, $3, $4)`, [pieceId, sessionHash, hashOf(nonce), rendered(rendering)])
}

/** In column order of `app.rendering`. */
export const rendered = (rendering: Rendering): string =>
  composite([
    rendering.slug,
    rendering.summary,
    rendering.html,
    rendering.text,
    rendering.headline_folded,
    rendering.sub_folded,
    rendering.body_folded,
  ])

/** Bytes; the database refuses a longer body. */
const maxDeliveryBody = 1_048_576

/**
 * Writes the body of the webhook delivery, in the transaction that publishes. If the writer has a webhook, a trigger has
 * already inserted the delivery, and a deferred constraint refuses to commit while its body is missing.
 */
export async function fillWebhookDelivery(tx: Transaction, id: string, piece: Piece): Promise<void> {
  const { rows } = await tx.query<{ sequence: string | null }>('select app.delivery_to_fill($1) as sequence', [id])
  const sequence = rows[0]?.sequence ?? null
  if (sequence === null) return
  await tx.query('select app.fill_delivery($1, $2)', [id, deliveryBody(piece, Number(sequence))])
  await handOnTrace(tx, 'deliveries', id)
}

/** The Piece of the API plus `_service`. A piece that is too long is sent with its summary as text. */
function deliveryBody(piece: Piece, sequence: number): Buffer {
  const service = { event: 'piece.published', sequence }
  const whole = Buffer.from(JSON.stringify({ ...piece, _service: service }))
  if (whole.length <= maxDeliveryBody) return whole
  const short = { ...piece, content_html: null, content_text: piece.summary, _service: { ...service, truncated: true } }
  return Buffer.from(JSON.stringify(short))
}
