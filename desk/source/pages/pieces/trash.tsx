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
import { rich, t } from '../../messages.ts'
import styles from './pieces.module.css'
import { excerptOf, invalidatePieces } from './queries.ts'
import { Failures, SelectBox, SelectionBar, useSelection } from './selection.tsx'

/** Deleted pieces, kept for 30 days. */
export function DeletedPiecesPage() {
  const list = usePages<TrashPage>({ queryKey: ['pieces', 'trash'], path: '/trash' })
  /** What the dialog is about to delete: one piece, or all. */
  const [toDelete, setToDelete] = useState<TrashItem | 'all'>()
  const pieces = list.data?.pages.flatMap((page) => page.pieces)
  const selection = useSelection(pieces ?? [])
  const hasAny = pieces !== undefined && pieces.length > 0

  async function restore({ id, headline }: TrashItem): Promise<void> {
    try {
      await callApi('POST', `/trash/${id}/restore`)
      showToast(t('desk.pieces.trash.restored', { headline }))
    } catch (problem) {
      showToast(errorMessage(problem))
    }
    await invalidatePieces()
    focusHeading()
  }

  async function restoreSelected(): Promise<void> {
    const restored = await selection.run(({ id }) => callApi('POST', `/trash/${id}/restore`))
    if (restored.length > 0) showToast(t('desk.pieces.bulk.restored', { count: restored.length }))
  }

  return (
    <Page
      title={t('desk.pieces.trash.title')}
      back={{ to: '/desk', words: t('desk.common.nav.pieces') }}
      lead={t('desk.pieces.trash.lead')}
      actions={
        hasAny && (
          <Button kind="quiet" onClick={() => setToDelete('all')}>
            {t('desk.pieces.trash.empty')}
          </Button>
        )
      }
    >
      <Failures of={selection.failures} />
      <SelectionBar selection={selection}>
        <Button onClick={restoreSelected}>{t('desk.pieces.trash.restore')}</Button>
      </SelectionBar>
      <Loaded query={{ ...list, data: pieces }}>
        {(pieces) =>
          pieces.length === 0 ? (
            <Empty title={t('desk.pieces.trash.none')}>
              <p>{t('desk.pieces.trash.none_text')}</p>
              <LinkButton to="/desk">{t('desk.common.go_to_pieces')}</LinkButton>
            </Empty>
          ) : (
            <Rows>
              {pieces.map((piece) => (
                <Row
                  key={piece.id}
                  title={
                    <>
                      <SelectBox piece={piece} selection={selection} /> <bdi>{piece.headline}</bdi>
                    </>
                  }
                  about={<TrashedDetails of={piece} />}
                  actions={
                    <>
                      <Button
                        aria-label={t('desk.pieces.trash.restore_one', { headline: piece.headline })}
                        onClick={() => restore(piece)}
                      >
                        {t('desk.pieces.trash.restore')}
                      </Button>
                      <Button
                        kind="quiet"
                        aria-label={t('desk.pieces.trash.delete_one', { headline: piece.headline })}
                        onClick={() => setToDelete(piece)}
                      >
                        {t('desk.pieces.trash.delete')}
                      </Button>
                    </>
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <LoadMore list={list} label={t('desk.pieces.show_more')} />
      {toDelete && (
        <FormDialog
          title={
            toDelete === 'all'
              ? t('desk.pieces.trash.empty_title')
              : t('desk.pieces.trash.delete_title', { headline: toDelete.headline })
          }
          about={t(toDelete === 'all' ? 'desk.pieces.trash.empty_confirm' : 'desk.pieces.trash.delete_confirm')}
          onSubmit={async () => {
            await callApi('DELETE', toDelete === 'all' ? '/trash' : `/trash/${toDelete.id}`)
            showToast(
              toDelete === 'all'
                ? t('desk.pieces.trash.emptied')
                : t('desk.pieces.trash.deleted_permanently', { headline: toDelete.headline }),
            )
            setToDelete(undefined)
            await invalidatePieces()
            focusHeading()
          }}
          submit={t('desk.pieces.trash.delete')}
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
        <Deletion of={of} />
      </span>
      <span>{rich('desk.pieces.trash.gone', { at: <Time at={of.gone_at} /> })}</span>
    </span>
  </>
)

function Deletion({ of: { deleted_at, deleted_by } }: { readonly of: TrashItem }) {
  const at = <Time at={deleted_at} isPast />
  if (deleted_by.kind !== 'key') return rich('desk.pieces.trash.deleted', { at })
  return deleted_by.key
    ? rich('desk.pieces.trash.deleted_by', { at, key: <bdi>{deleted_by.key}</bdi> })
    : rich('desk.pieces.trash.deleted_by_key', { at })
}
