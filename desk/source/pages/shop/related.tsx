import { useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useDebounced } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { Row, Rows } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import styles from './listing.module.css'
import { maxRelated, type RelatedPiece } from './listing-form.ts'
import { usePublicPieces } from './queries.ts'

interface RelatedFieldProps {
  readonly related: readonly RelatedPiece[]
  readonly problem: string | undefined
  readonly onRelated: (related: readonly RelatedPiece[]) => void
}

/** Related pieces: the selected ones, and a search for more. */
export function RelatedField({ related, problem, onRelated }: RelatedFieldProps) {
  const id = useId()
  const find = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim())
  const { data: found } = usePublicPieces(q)
  const isFull = related.length >= maxRelated
  const offered = found?.filter((piece) => !related.some((one) => one.id === piece.id)) ?? []
  /** The pressed button is removed with its row. */
  const focusField = () => find.current?.querySelector('input')?.focus()
  return (
    <fieldset className={styles.related} aria-describedby={`${id}-hint`}>
      <legend>{t('desk.shop.related.title')}</legend>
      <p className={styles.hint} id={`${id}-hint`}>
        {t('desk.shop.related.hint', { count: maxRelated })}
      </p>
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
                  aria-label={t('desk.shop.related.remove', { headline: piece.headline })}
                  onClick={() => {
                    onRelated(related.filter((one) => one.id !== piece.id))
                    focusField()
                  }}
                >
                  {t('desk.common.remove')}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <div ref={find} className={styles.finding}>
        <Field
          label={t('desk.shop.related.find')}
          type="search"
          value={typed}
          onText={setTyped}
          problem={problem}
          maxLength={200}
          autoComplete="off"
          onKeyDown={(event) => {
            // Enter would submit the form.
            if (event.key === 'Enter') event.preventDefault()
          }}
        />
        {isFull ? (
          <p className={styles.hint}>{t('desk.shop.related.full')}</p>
        ) : offered.length > 0 ? (
          <ul className={styles.offered} aria-label={t('desk.shop.related.results')}>
            {offered.map(({ id, headline }) => (
              <li key={id}>
                <bdi>{headline}</bdi>
                <Button
                  kind="quiet"
                  aria-label={t('desk.shop.related.add_one', { headline })}
                  onClick={() => {
                    onRelated([...related, { id, headline, is_public: true }])
                    setTyped('')
                    focusField()
                  }}
                >
                  {t('desk.shop.related.add')}
                </Button>
              </li>
            ))}
          </ul>
        ) : (
          found && <p className={styles.hint}>{emptyText(q, found.length > 0)}</p>
        )}
      </div>
    </fieldset>
  )
}

function emptyText(q: string, areAllChosen: boolean): string {
  if (areAllChosen) return t('desk.shop.related.all_added')
  return q ? t('desk.shop.related.no_results', { query: q }) : t('desk.shop.related.none')
}
