import type { DeskPiece, DeskPieceFound } from '../../../../server/features/pieces/desk-schema.ts'
import type { CreatePieceBody } from '../../../../server/features/pieces/draft-schema.ts'
import { callApi, errorMessage, newId } from '../../api/client.ts'
import { showToast, showUndoToast } from '../../components/notice.tsx'
import { navigate } from '../../components/router.ts'
import { t } from '../../messages.ts'
import { type DeskListItem, invalidatePieces } from './queries.ts'

/** Moves a piece to the trash at once; undo restores it. */
export async function deletePiece({ id, headline }: DeskListItem): Promise<void> {
  const restore = async () => {
    try {
      await callApi('POST', `/trash/${id}/restore`)
    } catch (error) {
      showToast(errorMessage(error))
    }
    await invalidatePieces()
  }
  try {
    await callApi('DELETE', `/pieces/${id}`)
    showUndoToast(t('desk.pieces.deleted', { headline }), restore)
  } catch (error) {
    showToast(t('desk.pieces.delete_failed', { headline, problem: errorMessage(error) }))
  }
  await invalidatePieces()
}

/** Opens a new draft with the text and details of a piece as they are saved, whatever the piece's state. */
export async function duplicatePiece({ id, headline }: DeskListItem): Promise<void> {
  try {
    const { piece } = await callApi<DeskPieceFound>('GET', `/pieces/${id}`)
    const copy = newId()
    await callApi('POST', `/pieces?id=${copy}`, duplicateOf(piece))
    await invalidatePieces()
    navigate(`/desk/edit/pieces/${copy}`)
  } catch (error) {
    showToast(t('desk.pieces.duplicate_failed', { headline, problem: errorMessage(error) }))
  }
}

const duplicateOf = (piece: DeskPiece): CreatePieceBody => ({
  ...textOf(piece),
  headline: copiedHeadline(piece.headline),
  locale: piece.locale,
  external_url: piece.external_url,
  translation_of: piece.translation_of?.id ?? null,
  cover: piece.cover,
  meta: piece.meta,
})

/** What a translation has of its original too. */
export const textOf = (piece: DeskPiece): CreatePieceBody => ({
  headline: piece.headline,
  sub: piece.sub,
  body_md: piece.body_md,
  ...(piece.is_category_chosen ? { category: piece.category as NonNullable<CreatePieceBody['category']> } : {}),
  tags: piece.tags,
  ...(piece.is_frame_chosen ? { frame: piece.frame as NonNullable<CreatePieceBody['frame']> } : {}),
  style: piece.style,
})

const longestHeadline = 200

/** Of a headline that is as long as allowed, the end is left out. */
function copiedHeadline(headline: string): string {
  const marked = [...t('desk.pieces.copy_of', { headline })]
  const over = marked.length - longestHeadline
  return over <= 0
    ? marked.join('')
    : t('desk.pieces.copy_of', { headline: `${[...headline].slice(0, -over - 1).join('')}…` })
}

export const copyLink = (url: string): Promise<void> =>
  navigator.clipboard.writeText(url).then(
    () => showToast(t('desk.pieces.link_copied')),
    () => showToast(t('desk.pieces.link_not_copied')),
  )
