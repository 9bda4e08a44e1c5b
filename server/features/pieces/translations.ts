import type { SendToAccount } from '#features/accounts/mail.ts'
import { type Writer, withSession } from '#features/accounts/sessions.ts'
import { purgedWithTranslation } from '#features/cache-tags.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import { message } from '#messages/message.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import type { WithEtag } from './api-pieces.ts'
import { type OriginalRow, type PiecesContext, presentOriginal, readPiece } from './desk.ts'
import type { DeskPieceFound, OriginalFound, TranslationAnswer, TranslationList } from './desk-schema.ts'
import { presentRequested, type RequestedRow } from './requested-draft.ts'

/**
 * Translations: a piece names its original, and the author of the original agrees at the desk unless one writer wrote
 * both. The database refuses to publish it as a translation before (app.original_of).
 */

/** The public piece at this URL or with this id, for a writer who wants to translate it. Never a translation itself. */
export async function findOriginal({ db, urls }: PiecesContext, writer: Writer, given: string): Promise<OriginalFound> {
  const term = given.trim()
  const page = isUuid(term.toLowerCase()) ? { id: term } : urls.pageAt(term)
  const { id, author, piece } = { id: null, author: null, piece: null, ...page }
  const [row] = await db.run<OriginalRow & { id: string; is_translation: boolean }>({
    text: `
      select o.id, o.headline, o.slug, o.locale, a.slug as author_slug, a.name as author_name, o.author_id = $4 as is_own,
             o.translation_of is not null as is_translation
        from pub.pieces o join pub.authors a on a.id = o.author_id
       where o.id = $1 or (a.slug, o.slug) = ($2, $3)`,
    values: [id, author, piece, writer.writer.id],
  })
  if (!row) throw notFound(message('error.translation.original_not_public'))
  if (row.is_translation) throw new ServiceError(400, 'validation_failed', message('error.translation.of_translation'))
  return { ok: true, original: presentOriginal(row.id, row, urls) }
}

/** Asks the author of the original, who may read the draft from then on. */
export async function askToTranslate(
  context: PiecesContext,
  writer: Writer,
  id: string,
): Promise<WithEtag<DeskPieceFound>> {
  return withSession(context.db, writer, async (tx) => {
    const found = await readPiece(tx, context, writer, id)
    const { rows } = await tx.query<{ is_new: boolean }>('select app.ask_to_translate($1, $2) as is_new', [
      id,
      writer.sessionHash,
    ])
    const original = found.body.piece.translation_of
    if (!rows[0]!.is_new || !original) return found
    await enqueue(tx, 'translation.email', { piece: id, original: original.id, about: 'asked' })
    return readPiece(tx, context, writer, id)
  })
}

interface RequestRow extends RequestedRow {
  readonly translator_slug: string
  readonly translator_name: string
  readonly original_id: string
  readonly original_headline: string
  readonly asked_at: Date
  readonly answer: 'agreed' | 'declined' | null
}

/** Translations of a writer's own pieces by others; those that wait for an answer first. */
export async function translationsAsked({ db }: PiecesContext, { sessionHash }: Writer): Promise<TranslationList> {
  const rows = await db.run<RequestRow>({ text: 'select * from app.translations_asked($1)', values: [sessionHash] })
  return {
    ok: true,
    count: rows.length,
    waiting: rows.filter(({ answer }) => answer === null).length,
    translations: rows.map((row) => ({
      ...presentRequested(row),
      translator: { slug: row.translator_slug, name: row.translator_name },
      original: { id: row.original_id, headline: row.original_headline },
      asked_at: row.asked_at.toISOString(),
      answer: row.answer,
    })),
  }
}

/** Agrees or declines, also after an earlier answer. The translator gets an email if the answer is another than before. */
export async function answerTranslation(
  { db }: PiecesContext,
  writer: Writer,
  piece: string,
  { original, agreed }: TranslationAnswer,
): Promise<void> {
  if (!isUuid(piece)) throw notFound(message('error.translation.no_request'))
  await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ is_new: boolean }>('select app.answer_translation($1, $2, $3, $4) as is_new', [
      piece,
      writer.sessionHash,
      original,
      agreed,
    ])
    if (!rows[0]!.is_new) return
    await enqueue(tx, 'translation.email', { piece, original, about: 'answered' })
    await enqueue(tx, 'cache.purge', { tags: purgedWithTranslation(piece, original) })
  })
}

interface EmailRow {
  readonly author_account: string | null
  readonly translator_account: string | null
  readonly translator_name: string
  readonly headline: string
  readonly original_headline: string
  readonly answer: 'agreed' | 'declined' | null
}

/** In the worker: what the email names is read when it is sent, and is never in the queue. */
export async function sendTranslationEmail(
  worker: Database,
  send: SendToAccount,
  { piece, original, about }: Jobs['translation.email'],
  id: string,
): Promise<void> {
  const [row] = await worker.run<EmailRow>({
    text: 'select * from app.translation_email($1, $2)',
    values: [piece, original],
  })
  if (!row) return
  const { headline, original_headline, translator_name: translator, answer } = row
  if (about === 'asked' && row.author_account && answer === null)
    await send(
      row.author_account,
      { template: 'translation-asked', params: { original_headline, headline, translator } },
      id,
    )
  if (about === 'answered' && row.translator_account && answer !== null)
    await send(
      row.translator_account,
      { template: 'translation-answered', params: { piece, original_headline, headline, answer } },
      id,
    )
}
