import { useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useDebounced } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { Row, Rows } from '../../components/page.tsx'
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
      <legend>Related pieces</legend>
      <p className={styles.hint} id={`${id}-hint`}>
        {`Up to ${maxRelated} of your public pieces. The listing links to them.`}
      </p>
      {related.length > 0 && (
        <Rows>
          {related.map((piece) => (
            <Row
              key={piece.id}
              title={<bdi>{piece.headline}</bdi>}
              about={piece.is_public ? 'Public' : 'Not public now: readers do not see it here'}
              actions={
                <Button
                  kind="quiet"
                  aria-label={`Remove “${piece.headline}”`}
                  onClick={() => {
                    onRelated(related.filter((one) => one.id !== piece.id))
                    focusField()
                  }}
                >
                  Remove
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <div ref={find} className={styles.finding}>
        <Field
          label="Find a piece of yours"
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
          <p className={styles.hint}>These are as many as there can be. Remove one to choose another.</p>
        ) : offered.length > 0 ? (
          <ul className={styles.offered} aria-label="Pieces to choose from">
            {offered.map(({ id, headline }) => (
              <li key={id}>
                <bdi>{headline}</bdi>
                <Button
                  kind="quiet"
                  aria-label={`Add “${headline}”`}
                  onClick={() => {
                    onRelated([...related, { id, headline, is_public: true }])
                    setTyped('')
                    focusField()
                  }}
                >
                  Add
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
  if (areAllChosen) return 'All that were found are chosen.'
  return q ? `None of your public pieces has “${q}”.` : 'Once a piece of yours is public, you can choose it here.'
}
