import { useEffect, useRef, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { callApi, errorMessage } from '../../api/client.ts'
import { useTranslations } from '../../api/translations.ts'
import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Loaded, LoadMore } from '../../components/loaded.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { Notice, showToast, showUndoToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useLocation } from '../../components/router.ts'
import { Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { NoPieces } from './empty.tsx'
import { SearchBox, StatusFilters, useListShortcuts } from './filters.tsx'
import styles from './pieces.module.css'
import {
  type DeskListItem,
  excerptOf,
  filterFromQuery,
  filterPath,
  invalidatePieces,
  type PieceFilter,
  usePieceCounts,
  usePieces,
} from './queries.ts'
import { TranslateDialog } from './translate.tsx'

/** The start page of the desk. Accounts that do not write go to review. */
export function PiecesPage() {
  const isWriter = useAccount().data?.writer !== null
  useEffect(() => {
    if (!isWriter) navigate('/desk/review', { replace: true })
  }, [isWriter])
  return isWriter && <WriterPieces />
}

/** The writer's pieces. */
function WriterPieces() {
  const { query } = useLocation()
  const filter = filterFromQuery(query)
  const show = (next: Partial<PieceFilter>) => navigate(filterPath({ ...filter, ...next }), { replace: true })
  const { data: counts } = usePieceCounts()
  const total = counts && Object.values(counts).reduce((sum, one) => sum + one, 0)
  const hasAny = total === undefined || total > 0
  const { count, waiting } = useTranslations().data ?? { count: 0, waiting: 0 }
  useListShortcuts()
  return (
    <Page
      title={t('desk.common.nav.pieces')}
      actions={
        hasAny && (
          <LinkButton to="/desk/edit/pieces/new" kind="main">
            {t('desk.pieces.new')}
          </LinkButton>
        )
      }
    >
      {waiting > 0 && (
        <Notice>
          <p>
            {rich('desk.pieces.translations_waiting', {
              count: waiting,
              link: (words) => <Link to="/desk/translations">{words}</Link>,
            })}
          </p>
        </Notice>
      )}
      {hasAny && (
        <div className={styles.finding}>
          <SearchBox q={filter.q} onSearch={(q) => show({ q })} />
          <StatusFilters filter={filter} counts={counts} hasTranslations={count > 0} />
        </div>
      )}
      <PieceList filter={filter} hasAny={hasAny} />
    </Page>
  )
}

function PieceList({ filter, hasAny }: { readonly filter: PieceFilter; readonly hasAny: boolean }) {
  const list = usePieces(filter)
  // The index of the last deleted piece, to move the focus to its successor.
  const [removedAt, setRemovedAt] = useState<number>()
  const [translating, setTranslating] = useState<DeskListItem>()
  const pieces = list.data?.pages.flatMap((page) => page.pieces)
  return (
    <>
      <Loaded query={{ ...list, data: pieces }}>
        {(pieces) =>
          pieces.length === 0 ? (
            <NoPieces filter={filter} hasAny={hasAny} />
          ) : (
            <ol className="entries" aria-label={t('desk.pieces.list')}>
              {pieces.map((piece, at) => (
                <PieceEntry
                  key={piece.id}
                  piece={piece}
                  takesFocus={removedAt !== undefined && at === Math.min(removedAt, pieces.length - 1)}
                  onTranslate={() => setTranslating(piece)}
                  onDelete={() => {
                    void deletePiece(piece).then(() => setRemovedAt(at))
                  }}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      <LoadMore list={list} label={t('desk.pieces.show_more')} />
      {translating && <TranslateDialog piece={translating} onClose={() => setTranslating(undefined)} />}
    </>
  )
}

interface PieceEntryProps {
  readonly piece: DeskListItem
  /** After the piece before it was deleted. */
  readonly takesFocus: boolean
  readonly onTranslate: () => void
  readonly onDelete: () => void
}

/** One piece in the list. The headline is the link; shortcuts find it by `data-entry`. */
function PieceEntry({ piece, takesFocus, onTranslate, onDelete }: PieceEntryProps) {
  const headline = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) headline.current?.querySelector('a')?.focus()
  }, [takesFocus])
  const path = `/desk/edit/pieces/${piece.id}`
  const acts: readonly MenuItem[] = [
    { label: t('desk.pieces.preview_and_publish'), onSelect: () => navigate(`${path}/publish`) },
    { label: t('desk.pieces.history'), onSelect: () => navigate(`${path}/history`) },
    ...(piece.url
      ? [
          { label: t('desk.common.nav.stats'), onSelect: () => navigate(`/desk/stats/${piece.id}`) },
          { label: t('desk.pieces.translate'), onSelect: onTranslate },
        ]
      : []),
    ...(piece.status === 'draft' ? [{ label: t('desk.common.delete'), onSelect: onDelete, isGrave: true }] : []),
  ]
  return (
    <li className={styles.entry}>
      <p className={`facts ${styles.standing}`}>
        <Status of={piece.status} isTakenDown={piece.is_taken_down} />
        {piece.has_unpublished_changes && <span>{t('desk.pieces.unpublished_changes')}</span>}
        {piece.key && <span>{rich('desk.pieces.drafted_by', { key: <bdi>{piece.key}</bdi> })}</span>}
      </p>
      <h2 ref={headline} dir="auto">
        <Link to={path} data-entry="">
          {piece.headline}
        </Link>
      </h2>
      <p className={`excerpt ${styles.opening}`} dir="auto">
        {piece.sub ?? excerptOf(piece.opening)}
      </p>
      <p className={`facts ${styles.known}`}>
        <span>{t('desk.pieces.words', { count: piece.words })}</span>
        <span>{rich('desk.pieces.edited', { at: <Time at={piece.updated_at} /> })}</span>
        {piece.url && <a href={piece.url}>{t('desk.pieces.view')}</a>}
      </p>
      <div className={styles.acts}>
        <Menu label="⋯" name={t('desk.pieces.menu', { headline: piece.headline })} items={acts} />
      </div>
    </li>
  )
}

/** Moves a piece to the trash at once; undo restores it. */
async function deletePiece({ id, headline }: DeskListItem): Promise<void> {
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
