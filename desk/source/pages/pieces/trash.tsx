import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrashItem, TrashPage } from '../../../../server/features/pieces/desk-schema.ts'
import { errorMessage } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { BackLink } from '../../components/link.tsx'
import { Empty, LoadError, Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { focusHeading, Page, Row, Rows } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { excerptOf } from './excerpt.ts'
import styles from './pieces.module.css'

/** Deleted pieces, kept for 30 days. */
export function DeletedPiecesPage() {
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ queryKey: ['pieces'] })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['pieces', 'trash'],
    queryFn: ({ pageParam, signal }) =>
      callApi<TrashPage>('GET', `/trash${pageParam && `?cursor=${pageParam}`}`, undefined, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
  /** What the dialog is about to delete: one piece, or all. */
  const [toDelete, setToDelete] = useState<TrashItem | 'all'>()
  const pieces = data?.pages.flatMap((page) => page.pieces)
  const hasAny = pieces !== undefined && pieces.length > 0

  async function restore({ id, headline }: TrashItem): Promise<void> {
    try {
      await callApi('POST', `/trash/${id}/restore`)
      showToast(`“${headline}” is back among your drafts.`)
    } catch (problem) {
      showToast(errorMessage(problem))
    }
    await changed()
    focusHeading()
  }

  return (
    <>
      <BackLink to="/desk" above="page">
        Pieces
      </BackLink>
      <Page
        title="Trash"
        lead="Deleted pieces stay here for 30 days. Only you can restore them or delete them for good."
        actions={
          hasAny && (
            <Button kind="quiet" onClick={() => setToDelete('all')}>
              Empty the trash
            </Button>
          )
        }
      >
        {error && !data && <LoadError error={error} onRetry={refetch} />}
        {!error && !data && <Loading />}
        {pieces?.length === 0 && (
          <Empty title="The trash is empty">
            <p>A draft that you or one of your API keys delete comes here, and you can restore it for 30 days.</p>
            <LinkButton to="/desk">See your pieces</LinkButton>
          </Empty>
        )}
        {hasAny && (
          <Rows>
            {pieces.map((piece) => (
              <Row
                key={piece.id}
                title={<bdi>{piece.headline}</bdi>}
                about={<TrashedDetails of={piece} />}
                actions={
                  <>
                    <Button aria-label={`Restore “${piece.headline}”`} onClick={() => restore(piece)}>
                      Restore
                    </Button>
                    <Button
                      kind="quiet"
                      aria-label={`Delete for good: “${piece.headline}”`}
                      onClick={() => setToDelete(piece)}
                    >
                      Delete for good
                    </Button>
                  </>
                }
              />
            ))}
          </Rows>
        )}
        {hasNextPage && (
          <p className={styles.more}>
            <Button isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Earlier pieces
            </Button>
          </p>
        )}
        <Dialog
          title={toDelete === 'all' ? 'Empty the trash?' : toDelete ? `Delete “${toDelete.headline}” for good?` : ''}
          isOpen={toDelete !== undefined}
          onClose={() => setToDelete(undefined)}
        >
          {toDelete && (
            <ConfirmDelete
              of={toDelete}
              onDone={() => setToDelete(undefined)}
              onDeleted={async () => {
                await changed()
                focusHeading()
              }}
            />
          )}
        </Dialog>
      </Page>
    </>
  )
}

const TrashedDetails = ({ of }: { readonly of: TrashItem }) => (
  <>
    <span className={styles.trashed} dir="auto">
      {of.sub ?? excerptOf(of.opening)}
    </span>
    <span className={styles.facts}>
      <span>
        Deleted <Time at={of.deleted_at} isPast />
        {of.deleted_by.kind === 'key' && (of.deleted_by.key ? ` by the key “${of.deleted_by.key}”` : ' by an API key')}
      </span>
      <span>
        Deleted for good: <Time at={of.gone_at} />
      </span>
    </span>
  </>
)

interface ConfirmDeleteProps {
  readonly of: TrashItem | 'all'
  readonly onDone: () => void
  readonly onDeleted: () => Promise<void>
}

function ConfirmDelete({ of, onDone, onDeleted }: ConfirmDeleteProps) {
  const attempt = useAttempt()
  const remove = attempt.handler(async () => {
    await callApi('DELETE', of === 'all' ? '/trash' : `/trash/${of.id}`)
    showToast(of === 'all' ? 'The trash is empty.' : `“${of.headline}” is deleted for good.`)
    onDone()
    await onDeleted()
  })
  return (
    <>
      <ErrorNotice error={attempt.error} />
      <p>
        {of === 'all' ? 'Every piece in it is deleted' : 'It is deleted'} with all its revisions, and cannot be brought
        back.
      </p>
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button kind="grave" isBusy={attempt.isBusy} onClick={remove}>
          Delete for good
        </Button>
      </DialogActions>
    </>
  )
}
