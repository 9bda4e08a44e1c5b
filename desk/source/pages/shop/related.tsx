import { AddBySearch } from '../../components/add-by-search.tsx'
import { Button } from '../../components/button.tsx'
import { FieldGroup, useSearch } from '../../components/choices.tsx'
import { Row, Rows } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import { maxRelated, type RelatedPiece } from './listing-form.ts'
import { usePublicPieces } from './queries.ts'

interface RelatedFieldProps {
  readonly related: readonly RelatedPiece[]
  readonly problem: string | undefined
  readonly onRelated: (related: readonly RelatedPiece[]) => void
}

/** Related pieces: the selected ones, and a search for more. */
export function RelatedField({ related, problem, onRelated }: RelatedFieldProps) {
  const search = useSearch()
  const query = usePublicPieces(search.q)
  return (
    <FieldGroup label={t('desk.shop.related.title')} hint={t('desk.shop.related.hint', { count: maxRelated })}>
      {related.length > 0 && (
        <Rows>
          {related.map((piece) => (
            <Row
              key={piece.id}
              title={<bdi>{piece.headline}</bdi>}
              about={piece.is_public ? t('desk.shop.related.public') : t('desk.shop.related.not_public')}
              actions={
                <Button
                  kind="quiet"
                  aria-label={t('desk.common.find.remove_one', { name: piece.headline })}
                  onClick={() => {
                    onRelated(related.filter((one) => one.id !== piece.id))
                    // The pressed button is removed with its row.
                    search.focus()
                  }}
                >
                  {t('desk.common.remove')}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <AddBySearch
        search={search}
        query={query}
        problem={problem}
        nameOf={({ headline }) => headline}
        isOffered={({ id }) => !related.some((one) => one.id === id)}
        full={related.length >= maxRelated && t('desk.common.find.full')}
        empty={emptyText}
        onAdd={({ id, headline }) => onRelated([...related, { id, headline, is_public: true }])}
      />
    </FieldGroup>
  )
}

function emptyText(query: string, hasFound: boolean): string {
  if (hasFound) return t('desk.shop.related.all_added')
  return query ? t('desk.shop.related.no_results', { query }) : t('desk.shop.related.none')
}
