import { useEffect, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { useRequests } from '../../api/requests.ts'
import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Loaded, LoadMore } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useLocation } from '../../components/router.ts'
import { rich, t } from '../../messages.ts'
import { deletePiece } from './actions.ts'
import { BulkActs } from './bulk.tsx'
import { NoPieces } from './empty.tsx'
import { PieceEntry } from './entry.tsx'
import { SearchBox, SortLinks, StatusFilters, useListShortcuts } from './filters.tsx'
import styles from './pieces.module.css'
import {
  type DeskListItem,
  filterFromQuery,
  filterPath,
  type PieceFilter,
  usePieceCounts,
  usePieces,
} from './queries.ts'
import { Failures, useSelection } from './selection.tsx'
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
  const total = counts && Object.values(counts.counts).reduce((sum, one) => sum + one, 0)
  const hasAny = total === undefined || total > 0
  const { count, waiting } = useRequests('translation').data ?? { count: 0, waiting: 0 }
  const invitations = useRequests('co_author').data ?? { count: 0, waiting: 0 }
  useListShortcuts()
  return (
    <Page
      title={t('desk.common.nav.pieces')}
      isWide
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
      {invitations.waiting > 0 && (
        <Notice>
          <p>
            {rich('desk.pieces.co_authors_waiting', {
              count: invitations.waiting,
              link: (words) => <Link to="/desk/co-authors">{words}</Link>,
            })}
          </p>
        </Notice>
      )}
      {counts !== undefined && counts.imported > 0 && (
        <Notice>
          <p>
            {rich('desk.pieces.imported', {
              count: counts.imported,
              link: (words) => <Link to="/desk/import/publish">{words}</Link>,
            })}
          </p>
        </Notice>
      )}
      {hasAny && (
        <div className={styles.finding}>
          <SearchBox q={filter.q} onSearch={(q) => show({ q })} />
          <StatusFilters
            filter={filter}
            counts={counts}
            hasTranslations={count > 0}
            hasInvitations={invitations.count > 0}
          />
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
  const selection = useSelection(pieces ?? [])
  return (
    <>
      <Failures of={selection.failures} />
      <Loaded query={{ ...list, data: pieces }}>
        {(pieces) =>
          pieces.length === 0 ? (
            <NoPieces filter={filter} hasAny={hasAny} />
          ) : (
            <>
              {selection.selected.length > 0 ? (
                <BulkActs selection={selection} />
              ) : (
                !filter.isScheduled && <SortLinks filter={filter} />
              )}
              <ol
                className="entries"
                aria-label={t(filter.isScheduled ? 'desk.pieces.filter_scheduled' : `desk.pieces.list.${filter.sort}`)}
              >
                {pieces.map((piece, at) => (
                  <PieceEntry
                    key={piece.id}
                    piece={piece}
                    selection={selection}
                    takesFocus={removedAt !== undefined && at === Math.min(removedAt, pieces.length - 1)}
                    onTranslate={() => setTranslating(piece)}
                    onDelete={() => {
                      void deletePiece(piece).then(() => setRemovedAt(at))
                    }}
                  />
                ))}
              </ol>
            </>
          )
        }
      </Loaded>
      <LoadMore list={list} label={t('desk.pieces.show_more')} />
      {translating && <TranslateDialog piece={translating} onClose={() => setTranslating(undefined)} />}
    </>
  )
}
