import { useEffect, useRef, useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { callApi, errorMessage } from '../../api/client.ts'
import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Loaded, LoadMore } from '../../components/loaded.tsx'
import { Menu, type MenuItem } from '../../components/menu.tsx'
import { showToast, showUndoToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useLocation } from '../../components/router.ts'
import { Status } from '../../components/status.tsx'
import { Time } from '../../components/time.tsx'
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
  useListShortcuts()
  return (
    <Page
      title="Pieces"
      actions={
        hasAny && (
          <LinkButton to="/desk/edit/pieces/new" kind="main">
            New piece
          </LinkButton>
        )
      }
    >
      {hasAny && (
        <div className={styles.finding}>
          <SearchBox q={filter.q} onSearch={(q) => show({ q })} />
          <StatusFilters filter={filter} counts={counts} />
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
  const pieces = list.data?.pages.flatMap((page) => page.pieces)
  return (
    <>
      <Loaded query={{ ...list, data: pieces }}>
        {(pieces) =>
          pieces.length === 0 ? (
            <NoPieces filter={filter} hasAny={hasAny} />
          ) : (
            <ol className="entries" aria-label="Your pieces, the last changed first">
              {pieces.map((piece, at) => (
                <PieceEntry
                  key={piece.id}
                  piece={piece}
                  takesFocus={removedAt !== undefined && at === Math.min(removedAt, pieces.length - 1)}
                  onDelete={() => {
                    void deletePiece(piece).then(() => setRemovedAt(at))
                  }}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      <LoadMore list={list} label="Earlier pieces" />
    </>
  )
}

interface PieceEntryProps {
  readonly piece: DeskListItem
  /** After the piece before it was deleted. */
  readonly takesFocus: boolean
  readonly onDelete: () => void
}

const count = new Intl.NumberFormat('en-GB')

/** One piece in the list. The headline is the link; shortcuts find it by `data-entry`. */
function PieceEntry({ piece, takesFocus, onDelete }: PieceEntryProps) {
  const headline = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) headline.current?.querySelector('a')?.focus()
  }, [takesFocus])
  const path = `/desk/edit/pieces/${piece.id}`
  const acts: readonly MenuItem[] = [
    { label: 'Preview and publish', onSelect: () => navigate(`${path}/publish`) },
    { label: 'History', onSelect: () => navigate(`${path}/history`) },
    ...(piece.url ? [{ label: 'Statistics', onSelect: () => navigate(`/desk/stats/${piece.id}`) }] : []),
    ...(piece.status === 'draft' ? [{ label: 'Delete', onSelect: onDelete, isGrave: true }] : []),
  ]
  return (
    <li className={styles.entry}>
      <p className={`facts ${styles.standing}`}>
        <Status of={piece.status} />
        {piece.has_unpublished_changes && <span>Changes not yet public</span>}
        {piece.key && (
          <span>
            By key <em>{piece.key}</em>
          </span>
        )}
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
        <span>{piece.words === 1 ? '1 word' : `${count.format(piece.words)} words`}</span>
        <span>
          Changed <Time at={piece.updated_at} />
        </span>
        {piece.url && <a href={piece.url}>Read it as readers do</a>}
      </p>
      <div className={styles.acts}>
        <Menu label="⋯" name={`More for “${piece.headline}”`} items={acts} />
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
    showUndoToast(`“${headline}” is in the trash.`, restore)
  } catch (error) {
    showToast(`“${headline}” is still there. ${errorMessage(error)}`)
  }
  await invalidatePieces()
}
