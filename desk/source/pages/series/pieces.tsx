import { AddBySearch } from '../../components/add-by-search.tsx'
import { Button } from '../../components/button.tsx'
import { FieldGroup, useSearch } from '../../components/choices.tsx'
import { SortableRow, useReorder } from '../../components/reorder.tsx'
import { Status } from '../../components/status.tsx'
import { t } from '../../messages.ts'
import { limits, type SeriesPiece, usePiecesToAdd } from './queries.ts'
import styles from './series.module.css'

interface PiecesFieldProps {
  readonly pieces: readonly SeriesPiece[]
  /** Ids of pieces in other series. */
  readonly taken: ReadonlySet<string>
  readonly onPieces: (pieces: readonly SeriesPiece[]) => void
}

const nameOf = ({ headline }: { readonly headline: string }): string => headline

/** The pieces of the series, to sort, and a search for more that are in no series yet. */
export function PiecesField({ pieces, taken, onPieces }: PiecesFieldProps) {
  const search = useSearch()
  const query = usePiecesToAdd(search.q)
  const { list, rowOf, announcement, add, remove } = useReorder({ items: pieces, nameOf, onItems: onPieces })
  return (
    <FieldGroup label={t('desk.series.pieces')} hint={t('desk.series.pieces_hint', { count: limits.pieces })}>
      {pieces.length > 0 && (
        <ol ref={list} className={styles.list} aria-label={t('desk.series.pieces')}>
          {pieces.map((piece, at) => (
            <SortableRow
              key={piece.id}
              {...rowOf(at)}
              className={styles.part}
              actions={
                <Button
                  kind="quiet"
                  aria-label={t('desk.common.find.remove_one', { name: piece.headline })}
                  onClick={() => remove(at, search.focus)}
                >
                  {t('desk.common.remove')}
                </Button>
              }
            >
              <div className={styles.about}>
                <p dir="auto">{piece.headline}</p>
                <Status of={piece.status} />
              </div>
            </SortableRow>
          ))}
        </ol>
      )}
      {announcement}
      <AddBySearch
        search={search}
        query={query}
        nameOf={nameOf}
        isOffered={({ id }) => !taken.has(id) && !pieces.some((piece) => piece.id === id)}
        full={pieces.length >= limits.pieces && t('desk.common.find.full')}
        empty={emptyText}
        onAdd={({ id, headline, status }) => add({ id, headline, status })}
      />
    </FieldGroup>
  )
}

function emptyText(query: string, hasFound: boolean): string {
  if (hasFound) return t('desk.series.none_found')
  return query ? t('desk.series.no_results', { query }) : t('desk.series.none')
}
