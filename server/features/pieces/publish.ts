import type { Person, Writer } from '#features/accounts/person.ts'
import { tagsOfAuthorLists } from '#features/authors/cache-tags.ts'
import type { DeskContext } from '#platform/context.ts'
import { composite } from '#platform/db/composite.ts'
import type { Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { secretToken } from '#platform/secret.ts'
import { tagsOfPiece, tagsOfPieceLists } from './cache-tags.ts'
import { actingAs, found, wholeRow } from './desk.ts'
import type { DeskPieceFound, Preview } from './desk-schema.ts'
import type { Tagged } from './mine.ts'
import type { Manuscript, Rendering } from './rendering.ts'
import { isFrom } from './states.ts'

/** What publishing needs beside the desk: somebody who renders, and whether the house reviews everything first. */
export interface PublishingContext extends DeskContext {
  readonly renderer: { render(manuscript: Manuscript): Promise<Rendering> }
  readonly review: 'off' | 'required'
}

/** The writer's acts that change what readers see. They take a Writer, so no key can reach them; nor would PostgreSQL let it. */

export function publishPiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  nonce: string,
): Promise<Tagged<DeskPieceFound>> {
  return context.review === 'required'
    ? movePiece(context, writer, id, 'submit')
    : showPiece(context, writer, id, nonce, 'publish')
}

export function updatePiece(
  context: PublishingContext,
  writer: Writer,
  id: string,
  nonce: string,
): Promise<Tagged<DeskPieceFound>> {
  return showPiece(context, writer, id, nonce, 'update')
}

async function showPiece(
  { db, urls, renderer }: PublishingContext,
  writer: Writer,
  id: string,
  nonce: string,
  act: 'publish' | 'update',
): Promise<Tagged<DeskPieceFound>> {
  const manuscript = await db.transaction(actingAs(writer), (tx) => wholeRow(tx, writer, id))
  if (!isFrom(act, manuscript.editor_status)) {
    throw new ServiceError(409, 'illegal_transition', `You cannot ${act} a piece that is ${manuscript.editor_status}.`)
  }
  const rendering = await renderer.render(manuscript)
  return db.transaction(actingAs(writer), async (tx) => {
    await callShow(tx, act, { pieceId: id, sessionToken: writer.sessionToken, nonce, rendering })
    await purgePiece(tx, id, writer.writer.slug)
    return found(tx, writer, id, urls)
  })
}

/** The writer's acts that show nothing new. */
export async function movePiece(
  { db, urls }: DeskContext,
  writer: Writer,
  id: string,
  act: 'submit' | 'withdraw' | 'resubmit' | 'revise' | 'unpublish',
): Promise<Tagged<DeskPieceFound>> {
  return db.transaction(actingAs(writer), async (tx) => {
    // Not ours or not there: the same words as everywhere at the desk.
    await wholeRow(tx, writer, id)
    await tx.query(`select app.desk_${act}($1, $2)`, [id, writer.sessionToken])
    if (act === 'unpublish') await purgePiece(tx, id, writer.writer.slug)
    return found(tx, writer, id, urls)
  })
}

/** The piece as readers would see it, and the nonce without which exactly this revision cannot be made public. */
export async function previewPiece({ db, renderer }: PublishingContext, writer: Writer, id: string): Promise<Preview> {
  const manuscript = await db.transaction(actingAs(writer), (tx) => wholeRow(tx, writer, id))
  const { html, summary } = await renderer.render(manuscript)
  const nonce = await db.transaction(actingAs(writer), (tx) => newNonce(tx, writer, id, manuscript.revision))
  return { ok: true, revision: manuscript.revision, html, summary, nonce }
}

export async function newNonce(tx: Transaction, person: Person, id: string, revision: number): Promise<string> {
  const { token, hash } = secretToken()
  await tx.query('select app.make_nonce($1, $2, $3, $4)', [id, person.sessionToken, revision, hash])
  return token
}

/** Every cached answer that shows the piece, could list it, or counts it. */
export async function purgePiece(tx: Transaction, id: string, authorSlug: string): Promise<void> {
  await enqueue(tx, 'cache.purge', {
    tags: [...tagsOfPiece(id, authorSlug), ...tagsOfPieceLists, ...tagsOfAuthorLists],
  })
}

/** What PostgreSQL demands before it lets text into the public wing. */
export interface ShowRequest {
  readonly pieceId: string
  readonly sessionToken: string
  readonly nonce: string
  readonly rendering: Rendering
}

/** Asks the database to make a revision public. It refuses whoever is not entitled, signed in, with that revision's own nonce. */
export async function callShow(
  tx: Transaction,
  act: 'publish' | 'update' | 'approve',
  { pieceId, sessionToken, nonce, rendering }: ShowRequest,
): Promise<void> {
  await tx.query(`select app.desk_${act}($1, $2, $3, $4)`, [pieceId, sessionToken, nonce, rendered(rendering)])
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
    rendering.head_keys.map(String),
    rendering.body_keys.map(String),
  ])
