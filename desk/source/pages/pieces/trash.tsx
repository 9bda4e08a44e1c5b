import { useState } from 'react'
import type { TrashItem, TrashPage } from '../../../../server/features/pieces/desk-schema.ts'
import { callApi, errorMessage } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded, LoadMore } from '../../components/loaded.tsx'
import { showToast } from '../../components/notice.tsx'
import { focusHeading, Page, Row, Rows } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import styles from './pieces.module.css'
import { excerptOf, invalidatePieces } from './queries.ts'

/** Deleted pieces, kept for 30 days. */
export function DeletedPiecesPage() {
  const list = usePages<TrashPage>({ queryKey: ['pieces', 'trash'], path: '/trash' })
  /** What the dialog is about to delete: one piece, or all. */
  const [toDelete, setToDelete] = useState<TrashItem | 'all'>()
  const pieces = list.data?.pages.flatMap((page) => page.pieces)
  const hasAny = pieces !== undefined && pieces.length > 0

  async function restore({ id, headline }: TrashItem): Promise<void> {
    try {
      await callApi('POST', `/trash/${id}/restore`)
      showToast(`“${headline}” is back among your drafts.`)
    } catch (problem) {
      showToast(errorMessage(problem))
    }
    await invalidatePieces()
    focusHeading()
  }

  return (
    <Page
      title="Trash"
      back={{ to: '/desk', words: 'Pieces' }}
      lead="Deleted pieces stay here for 30 days. Only you can restore them or delete them for good."
      actions={
        hasAny && (
          <Button kind="quiet" onClick={() => setToDelete('all')}>
            Empty the trash
          </Button>
        )
      }
    >
      <Loaded query={{ ...list, data: pieces }}>
        {(pieces) =>
          pieces.length === 0 ? (
            <Empty title="The trash is empty">
              <p>A draft that you or one of your API keys delete comes here, and you can restore it for 30 days.</p>
              <LinkButton to="/desk">See your pieces</LinkButton>
            </Empty>
          ) : (
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
          )
        }
      </Loaded>
      <LoadMore list={list} label="Earlier pieces" />
      {toDelete && (
        <FormDialog
          title={toDelete === 'all' ? 'Empty the trash?' : `Delete “${toDelete.headline}” for good?`}
          about={`${toDelete === 'all' ? 'Every piece in it is deleted' : 'It is deleted'} with all its revisions, and cannot be brought back.`}
          onSubmit={async () => {
            await callApi('DELETE', toDelete === 'all' ? '/trash' : `/trash/${toDelete.id}`)
            showToast(toDelete === 'all' ? 'The trash is empty.' : `“${toDelete.headline}” is deleted for good.`)
            setToDelete(undefined)
            await invalidatePieces()
            focusHeading()
          }}
          submit="Delete for good"
          kind="grave"
          onClose={() => setToDelete(undefined)}
        />
      )}
    </Page>
  )
}

const TrashedDetails = ({ of }: { readonly of: TrashItem }) => (
  <>
    <span className={styles.trashed} dir="auto">
      {of.sub ?? excerptOf(of.opening)}
    </span>
    <span className={`facts ${styles.known}`}>
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
