import { useState } from 'react'
import { ApiError, callApi, errorMessage } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { CategoryField } from '../../components/category-field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast, showUndoToast } from '../../components/notice.tsx'
import { longestTag, mostTags } from '../../components/piece.ts'
import { TagField } from '../../components/tag-field.tsx'
import { t } from '../../messages.ts'
import { type DeskListItem, invalidatePieces } from './queries.ts'
import { type Selection, SelectionBar } from './selection.tsx'

type Asked = 'unpublish' | 'category' | 'tag'

/** Acts on the selected pieces: each the act on one piece, with its own rules. */
export function BulkActs({ selection }: { readonly selection: Selection<DeskListItem> }) {
  const { selected } = selection
  const [asked, setAsked] = useState<Asked>()
  const hasAny = (status: DeskListItem['status']) => selected.some((piece) => piece.status === status)
  return (
    <>
      <SelectionBar selection={selection}>
        {hasAny('draft') && (
          <Button onClick={() => void moveToTrash(selection)}>{t('desk.pieces.move_to_trash')}</Button>
        )}
        {hasAny('approved') && <Button onClick={() => setAsked('unpublish')}>{t('desk.pieces.bulk.unpublish')}</Button>}
        <Button onClick={() => setAsked('category')}>{t('desk.pieces.bulk.set_category')}</Button>
        <Button onClick={() => setAsked('tag')}>{t('desk.pieces.bulk.add_tag')}</Button>
      </SelectionBar>
      {asked && <BulkDialog asked={asked} selection={selection} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface BulkDialogProps {
  readonly asked: Asked
  readonly selection: Selection<DeskListItem>
  readonly onClose: () => void
}

/** Asks first, or asks for what is to be set. The progress is shown behind it, so it closes at once. */
function BulkDialog({ asked, selection, onClose }: BulkDialogProps) {
  const { selected, run } = selection
  const count = selected.length
  const change = async (act: (piece: DeskListItem) => Promise<unknown>) => {
    onClose()
    const done = await run(act)
    if (done.length === 0) return
    const how = { count: done.length }
    showToast(asked === 'unpublish' ? t('desk.pieces.bulk.unpublished', how) : t('desk.pieces.bulk.changed', how))
  }
  if (asked === 'unpublish') {
    return (
      <FormDialog
        title={t('desk.pieces.bulk.unpublish_title', { count })}
        about={t('desk.pieces.bulk.unpublish_about')}
        initial={{}}
        onSubmit={async () => void change(({ id }) => callApi('POST', `/pieces/${id}/unpublish`))}
        submit={t('desk.pieces.bulk.unpublish')}
        kind="grave"
        onClose={onClose}
      />
    )
  }
  if (asked === 'category') {
    return (
      <FormDialog
        title={t('desk.pieces.bulk.category_title', { count })}
        about={t('desk.pieces.bulk.published_about')}
        initial={{ category: '' }}
        isReady={({ category }) => category !== ''}
        onSubmit={async ({ category }) =>
          void change((piece) =>
            piece.category === category && piece.is_category_chosen ? Promise.resolve() : save(piece, { category }),
          )
        }
        submit={t('desk.pieces.bulk.set_category')}
        onClose={onClose}
      >
        {({ values, change: set }) => (
          <CategoryField value={values.category} onCategory={(category) => set({ category })} />
        )}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      title={t('desk.pieces.bulk.tag_title', { count })}
      about={t('desk.pieces.bulk.published_about')}
      initial={{ tag: '' }}
      isReady={({ tag }) => tag.trim() !== '' && [...tag.trim()].length <= longestTag}
      onSubmit={async ({ tag }) => void change((piece) => addTag(piece, tag.trim()))}
      submit={t('desk.pieces.bulk.add_tag')}
      onClose={onClose}
    >
      {({ values, change: set }) => (
        <TagField
          label={t('desk.pieces.bulk.tag')}
          limit={longestTag}
          autoFocus
          value={values.tag}
          onText={(tag) => set({ tag })}
          onTag={(tag) => set({ tag })}
        />
      )}
    </FormDialog>
  )
}

/** Undo restores those that were moved. */
async function moveToTrash({ run }: Selection<DeskListItem>): Promise<void> {
  const moved = await run(({ id }) => callApi('DELETE', `/pieces/${id}`))
  if (moved.length === 0) return
  showUndoToast(t('desk.pieces.bulk.trashed', { count: moved.length }), async () => {
    for (const { id } of moved) {
      try {
        await callApi('POST', `/trash/${id}/restore`)
      } catch (error) {
        showToast(errorMessage(error))
      }
    }
    await invalidatePieces()
  })
}

/** Only what the list shows is changed, not what another device or a key has saved since. */
const save = ({ id, revision }: DeskListItem, changes: object): Promise<unknown> =>
  callApi('PATCH', `/pieces/${id}`, changes, { ifMatch: `"${revision}"` })

async function addTag(piece: DeskListItem, tag: string): Promise<void> {
  if (piece.tags.some((one) => one.toLowerCase() === tag.toLowerCase())) return
  if (piece.tags.length >= mostTags)
    throw new ApiError(400, 'validation_failed', t('desk.pieces.bulk.too_many_tags', { limit: mostTags }))
  await save(piece, { tags: [...piece.tags, tag] })
}
