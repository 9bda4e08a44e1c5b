import { type Writer, withSession } from '#features/accounts/sessions.ts'
import { message } from '#messages/message.ts'
import { isUuid } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { languageTag } from '#platform/text/language.ts'
import type { PiecesContext } from './desk.ts'
import type { DraftPage, RequestedDraft } from './desk-schema.ts'
import { newPreviewPage } from './preview.ts'

/** A draft that another writer is asked about: to be named as its original's author, or as a co-author. */

export interface RequestedRow {
  readonly piece_id: string
  readonly headline: string
  readonly sub: string | null
  readonly locale: string
  readonly revision: number
  readonly is_public: boolean
}

export const presentRequested = (row: RequestedRow): RequestedDraft => ({
  id: row.piece_id,
  headline: row.headline,
  sub: row.sub,
  language: languageTag(row.locale),
  revision: row.revision,
  is_public: row.is_public,
})

/** The URL of its page as it is now, for who is asked and has not refused (app.may_read_draft). */
export async function previewRequested(
  { db }: PiecesContext,
  writer: Writer,
  id: string,
  revision: number,
): Promise<DraftPage> {
  if (!isUuid(id)) throw notFound(message('error.piece_not_found'))
  const page = await withSession(db, writer, (tx) => newPreviewPage(tx, writer, id, revision))
  return { ok: true, page }
}
