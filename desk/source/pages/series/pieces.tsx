import { FieldGroup, useSearch } from '../../components/choices.tsx'
import { ChosenList } from '../../components/chosen-list.tsx'
import { Status } from '../../components/status.tsx'
import { t } from '../../messages.ts'
import { limits, type SeriesPiece, usePiecesToAdd } from './queries.ts'

interface PiecesFieldProps {
  readonly pieces: readonly SeriesPiece[]
  /** Ids of pieces in other series. */
  readonly taken: ReadonlySet<string>
  readonly onPieces: (pieces: readonly SeriesPiece[]) => void
}

/** The pieces of the series, to sort, and a search for more that are in no series yet. */
export function PiecesField({ pieces, taken, onPieces }: PiecesFieldProps) {
  const search = useSearch()
  const query = usePiecesToAdd(search.q)
  return (
    <FieldGroup label={t('desk.series.pieces')} hint={t('desk.series.pieces_hint', { count: limits.pieces })}>
      <ChosenList
        title={t('desk.series.pieces')}
        items={pieces}
        idOf={({ id }) => id}
        nameOf={({ headline }) => headline}
        aboutItem={({ status }) => <Status of={status} />}
        toItem={({ id, headline, status }) => ({ id, headline, status })}
        onItems={onPieces}
        search={search}
        query={query}
        isOffered={({ id }) => !taken.has(id)}
        full={pieces.length >= limits.pieces && t('desk.common.find.full')}
        empty={emptyText}
      />
    </FieldGroup>
  )
}

function emptyText(query: string, hasFound: boolean): string {
  if (hasFound) return t('desk.series.none_found')
  return query ? t('desk.series.no_results', { query }) : t('desk.series.none')
}
