import type { Person, Writer } from '#features/accounts/session-user.ts'
import { demandProof } from '#features/accounts/sessions.ts'
import { picturesOf } from '#features/media/add.ts'
import type { PublishProof } from '#platform/config.ts'
import { composite } from '#platform/db/composite.ts'
import type { Transaction } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { picturesAt } from '#platform/markdown/pictures.ts'
import { hashOf, secretToken } from '#platform/secret.ts'
import type { Signer } from '#platform/signing.ts'
import type { Urls } from '#platform/urls.ts'
import type { Tagged } from './api-pieces.ts'
import { purgedWithPiece } from './cache-tags.ts'
import { found, isReviewed, type PiecesContext, wholeRow } from './desk.ts'
import type { DeskPieceFound, Preview } from './desk-schema.ts'
import { presentPiece } from './present.ts'
import { newPreviewPage } from './preview-links.ts'
import { pieceWithin } from './queries.ts'
import { signReceipt } from './receipts/sign.ts'
import type { Renderer } from './rendering/renderer.ts'
import type { Rendering } from './rendering.ts'
import type { Piece } from './schema.ts'
import { assertTransition } from './states.ts'
import { announcePiece } from './webhook-payload.ts'
import { withSession } from './with-session.ts'

/** What publishing needs beside the desk: somebody who renders, and somebody who signs. */
export interface PublishingContext extends PiecesContext {
  readonly signer: Signer
  readonly renderer: Pick<Renderer, 'render'>
  /** How a person must have shown who they are. */
  readonly proof: PublishProof
  /** Pieces that a new account can publish: on its first day, and a day in its first week. */
  readonly allowance: { readonly firstDay: number; readonly firstWeek: number }
}

/**
 * The writer's acts. They take a Writer, so no key can reach them; nor would PostgreSQL let it. What goes before readers
 * or moderators is the revision that was shown, by its nonce.
 */

/** Submits instead where the site has it reviewed first. */
export async function publishPiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  nonce: string,
  signal?: AbortSignal,
): Promise<Tagged<DeskPieceFound>> {
  return (await isReviewedFirst(context, writer))
    ? submitPiece(context, writer, id, nonce, 'submit')
    : showPiece(context, writer, id, nonce, 'publish', signal)
}

/** Whether it is the site that has it read first, and not the piece's own history. */
const isReviewedFirst = async (context: PublishingContext, writer: Writer): Promise<boolean> =>
  context.review === 'first'
    ? withSession(context.db, writer, (tx) => isReviewed(tx, context, writer, { review_required: false }))
    : context.review === 'required'

export async function showPiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  nonce: string,
  act: 'publish' | 'update',
  signal?: AbortSignal,
): Promise<Tagged<DeskPieceFound>> {
  const { db, renderer } = context
  const manuscript = await manuscriptOf(context, writer, id)
  assertTransition(act, manuscript.editor_status, manuscript.is_reviewed)
  const rendering = await renderer.render(manuscript, { by: writer.writer.id, signal })
  return withSession(db, writer, async (tx) => {
    if (act === 'publish') await demandAllowance(tx, context, writer, id)
    await publishInTransaction(tx, context, act, { pieceId: id, sessionHash: writer.sessionHash, nonce, rendering })
    return found(tx, context, writer, id)
  })
}

async function demandAllowance(
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
): Promise<Tagged<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    await demandOwn(tx, context, writer, id, act)
    await tx.query(`select app.desk_${act}($1, $2, $3)`, [id, writer.sessionHash, hashOf(nonce)])
    return found(tx, context, writer, id)
  })
}

/** The writer's acts that show nothing new to anybody. */
export async function movePiece(
  context: PiecesContext,
  writer: Writer,
  id: string,
  act: 'withdraw' | 'revise' | 'unpublish',
): Promise<Tagged<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    await demandOwn(tx, context, writer, id, act)
    await tx.query(`select app.desk_${act}($1, $2)`, [id, writer.sessionHash])
    if (act === 'unpublish') await purgePiece(tx, id, writer.writer.slug)
    return found(tx, context, writer, id)
  })
}

/** In words of what can be done; the database refuses the same, also what changes in between. */
async function demandOwn(
  tx: Transaction,
  context: PiecesContext,
  writer: Writer,
  id: string,
  act: 'submit' | 'resubmit' | 'withdraw' | 'revise' | 'unpublish',
): Promise<void> {
  const row = await wholeRow(tx, writer, id)
  assertTransition(act, row.editor_status, await isReviewed(tx, context, writer, row))
}

/** The piece as readers would see it, and the nonce without which exactly this revision goes nowhere. */
export async function previewPiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  signal?: AbortSignal,
): Promise<Preview> {
  const { db, renderer } = context
  const manuscript = await manuscriptOf(context, writer, id)
  const { revision } = manuscript
  const { html, summary } = await renderer.render(manuscript, { by: writer.writer.id, signal })
  return withSession(db, writer, async (tx) => ({
    ok: true,
    revision,
    html: picturesAt(html, '/desk/media/'),
    summary,
    nonce: await newNonce(tx, writer, id, revision),
    page: await newPreviewPage(tx, writer, id, revision),
  }))
}

/** As it is saved, with the pictures it may show. */
const manuscriptOf = (context: PiecesContext, writer: Writer, id: string) =>
  withSession(context.db, writer, async (tx) => {
    const row = await wholeRow(tx, writer, id)
    return {
      ...row,
      is_reviewed: await isReviewed(tx, context, writer, row),
      pictures: await picturesOf(tx, id, writer.sessionHash),
    }
  })

export async function newNonce(tx: Transaction, person: Person, id: string, revision: number): Promise<string> {
  const { token, hash } = secretToken()
  await tx.query('select app.make_nonce($1, $2, $3, $4)', [id, person.sessionHash, revision, hash])
  return token
}

/** Every cached answer that shows the piece, could list it, or counts it. */
export async function purgePiece(tx: Transaction, id: string, authorSlug: string): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: purgedWithPiece(id, authorSlug) })
}

/** Everything that publishing is, in the transaction that does it. */
export async function publishInTransaction(
  tx: Transaction,
  { urls, signer, proof }: PublishingContext,
  act: 'publish' | 'update' | 'approve',
  request: ShowRequest,
): Promise<void> {
  const { pieceId } = request
  await demandProof(tx, request.sessionHash, proof, request.nonce)
  await callPublishFunction(tx, act, request)
  const piece = await pieceNow(tx, urls, pieceId)
  await signReceipt(tx, signer, pieceId, piece)
  await announcePiece(tx, pieceId, piece)
  await purgePiece(tx, pieceId, piece.authors[0]!.slug)
}

/** What readers get from the moment this transaction commits. */
export const pieceNow = async (tx: Transaction, urls: Urls, id: string): Promise<Piece> =>
  presentPiece(await pieceWithin(tx, id), urls)

/** What PostgreSQL demands before it lets text into the public wing. */
export interface ShowRequest {
  readonly pieceId: string
  readonly sessionHash: Buffer
  readonly nonce: string
  readonly rendering: Rendering
}

/** Asks the database to make a revision public. It refuses whoever is not entitled, signed in, with that revision's own nonce. */
export async function callPublishFunction(
  tx: Transaction,
  act: 'publish' | 'update' | 'approve',
  { pieceId, sessionHash, nonce, rendering }: ShowRequest,
): Promise<void> {
  await tx.query(`select app.desk_${act}($1, $2, $3, $4)`, [pieceId, sessionHash, hashOf(nonce), rendered(rendering)])
}

/** In the order of the columns of `app.rendering`. */
const rendered = (rendering: Rendering): string =>
  composite([
    rendering.slug,
    rendering.summary,
    rendering.html,
    rendering.text,
    rendering.headline_folded,
    rendering.sub_folded,
    rendering.body_folded,
  ])
