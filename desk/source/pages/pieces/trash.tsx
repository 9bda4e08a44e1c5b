import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrashItem, TrashPage } from '../../../../server/features/pieces/trash-schema.ts'
import { wordsOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Back } from '../../components/back.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { tell } from '../../components/notice.tsx'
import { focusHeading, Page } from '../../components/page.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { Time } from '../../components/time.tsx'
import { openingOf } from './opening-words.ts'
import styles from './pieces.module.css'

/** Deleted pieces, for 30 days. */
export function Room() {
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ queryKey: ['pieces'] })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['pieces', 'trash'],
    queryFn: ({ pageParam, signal }) =>
      ask<TrashPage>('GET', `/trash${pageParam && `?cursor=${pageParam}`}`, undefined, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
  /** What is about to be deleted for good: one piece, or all of them. */
  const [leaving, setLeaving] = useState<TrashItem | 'all'>()
  const pieces = data?.pages.flatMap((page) => page.pieces)
  const hasAny = pieces !== undefined && pieces.length > 0

  async function restore({ id, headline }: TrashItem): Promise<void> {
    try {
      await ask('POST', `/trash/${id}/restore`)
      tell(`“${headline}” is back among your drafts.`)
    } catch (problem) {
      tell(wordsOf(problem))
    }
    await changed()
    focusHeading()
  }

  return (
    <>
      <Back to="/desk" above="page">
        Pieces
      </Back>
      <Page
        title="Trash"
        lead="Deleted pieces stay here for 30 days. Only you can restore them or delete them for good."
        acts={
          hasAny && (
            <Button kind="quiet" onClick={() => setLeaving('all')}>
              Empty the trash
            </Button>
          )
        }
      >
        {error && !data && <NotLoaded error={error} onAgain={refetch} />}
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
                about={<Facts of={piece} />}
                acts={
                  <>
                    <Button aria-label={`Restore “${piece.headline}”`} onClick={() => restore(piece)}>
                      Restore
                    </Button>
                    <Button
                      kind="quiet"
                      aria-label={`Delete for good: “${piece.headline}”`}
                      onClick={() => setLeaving(piece)}
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
          title={leaving === 'all' ? 'Empty the trash?' : leaving ? `Delete “${leaving.headline}” for good?` : ''}
          isOpen={leaving !== undefined}
          onClose={() => setLeaving(undefined)}
        >
          {leaving && (
            <Deleting
              of={leaving}
              onDone={() => setLeaving(undefined)}
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

const Facts = ({ of }: { readonly of: TrashItem }) => (
  <>
    <span className={styles.trashed} dir="auto">
      {of.sub ?? openingOf(of.opening)}
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

interface DeletingProps {
  readonly of: TrashItem | 'all'
  readonly onDone: () => void
  readonly onDeleted: () => Promise<void>
}

function Deleting({ of, onDone, onDeleted }: DeletingProps) {
  const attempt = useAttempt()
  const remove = attempt.by(async () => {
    await ask('DELETE', of === 'all' ? '/trash' : `/trash/${of.id}`)
    tell(of === 'all' ? 'The trash is empty.' : `“${of.headline}” is deleted for good.`)
    onDone()
    await onDeleted()
  })
  return (
    <>
      <Refused error={attempt.error} />
      <p>
        {of === 'all' ? 'Every piece in it is deleted' : 'It is deleted'} with all its revisions, and cannot be brought
        back.
      </p>
      <Choices>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button kind="grave" isBusy={attempt.isBusy} onClick={remove}>
          Delete for good
        </Button>
      </Choices>
    </>
  )
}
