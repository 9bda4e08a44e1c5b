import { useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useDebounced } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { moveItem } from '../../components/order.ts'
import { DragHandle, MoveButton, sortable, useReorder } from '../../components/reorder.tsx'
import { Status } from '../../components/status.tsx'
import { t } from '../../messages.ts'
import { limits, type SeriesPiece, usePiecesToAdd } from './queries.ts'
import styles from './series.module.css'

interface PiecesFieldProps {
  readonly pieces: readonly SeriesPiece[]
  /** Pieces in other series, with the title of each. */
  readonly taken: ReadonlyMap<string, string>
  readonly onPieces: (pieces: readonly SeriesPiece[]) => void
}

/** The pieces of the series, to sort, and a search for more. */
export function PiecesField({ pieces, taken, onPieces }: PiecesFieldProps) {
  const hint = useId()
  const [announcement, setAnnouncement] = useState('')
  const find = useRef<HTMLDivElement>(null)
  const move = (from: number, to: number) => {
    const piece = pieces[from]
    if (!piece || to === from || to < 0 || to >= pieces.length) return
    onPieces(moveItem(pieces, from, to))
    setAnnouncement(t('desk.series.moved', { headline: piece.headline, place: to + 1, count: pieces.length }))
  }
  const { list, sideOf, handleOf, press } = useReorder(move)
  /** The pressed button is removed with its row. */
  const focusField = () => find.current?.querySelector('input')?.focus()
  return (
    <fieldset className={styles.pieces} aria-describedby={hint}>
      <legend>{t('desk.series.pieces')}</legend>
      <p className={styles.hint} id={hint}>
        {t('desk.series.pieces_hint', { count: limits.pieces })}
      </p>
      {pieces.length > 0 && (
        <ol ref={list} className={styles.list} aria-label={t('desk.series.pieces')}>
          {pieces.map((piece, at) => (
            <li key={piece.id} className={`${sortable} ${styles.part}`} data-drag={sideOf(at)}>
              <DragHandle title={t('desk.series.drag')} {...handleOf(at)} />
              <div className={styles.about}>
                <p dir="auto">{piece.headline}</p>
                <Status of={piece.status} />
              </div>
              <div className={styles.acts}>
                <MoveButton
                  name={t('desk.series.move_up', { headline: piece.headline })}
                  sign="↑"
                  isEnd={at === 0}
                  onMove={(button) => press(at, -1, button)}
                />
                <MoveButton
                  name={t('desk.series.move_down', { headline: piece.headline })}
                  sign="↓"
                  isEnd={at === pieces.length - 1}
                  onMove={(button) => press(at, 1, button)}
                />
                <Button
                  kind="quiet"
                  aria-label={t('desk.series.remove', { headline: piece.headline })}
                  onClick={() => {
                    onPieces(pieces.filter((one) => one.id !== piece.id))
                    focusField()
                  }}
                >
                  {t('desk.common.remove')}
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      <p className="hidden" role="status">
        {announcement}
      </p>
      <div ref={find}>
        {pieces.length >= limits.pieces ? (
          <p className={styles.hint}>{t('desk.series.full')}</p>
        ) : (
          <AddPieces pieces={pieces} taken={taken} onAdd={(piece) => onPieces([...pieces, piece])} />
        )}
      </div>
    </fieldset>
  )
}

interface AddPiecesProps extends Omit<PiecesFieldProps, 'onPieces'> {
  readonly onAdd: (piece: SeriesPiece) => void
}

/** Pieces that are in no series yet. */
function AddPieces({ pieces, taken, onAdd }: AddPiecesProps) {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLDivElement>(null)
  const q = useDebounced(typed.trim())
  const { data: found } = usePiecesToAdd(q)
  const offered = found?.filter(({ id }) => !taken.has(id) && !pieces.some((piece) => piece.id === id)) ?? []
  return (
    <div ref={field} className={styles.finding}>
      <Field
        label={t('desk.series.find')}
        type="search"
        value={typed}
        onText={setTyped}
        maxLength={200}
        autoComplete="off"
        onKeyDown={(event) => {
          // Enter would submit the form.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {offered.length > 0 ? (
        <ul className={styles.offered} aria-label={t('desk.series.results')}>
          {offered.slice(0, 8).map(({ id, headline, status }) => (
            <li key={id}>
              <bdi>{headline}</bdi>
              <Button
                kind="quiet"
                aria-label={t('desk.series.add_one', { headline })}
                onClick={() => {
                  onAdd({ id, headline, status })
                  setTyped('')
                  field.current?.querySelector('input')?.focus()
                }}
              >
                {t('desk.series.add')}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        found && <p className={styles.hint}>{t('desk.series.none_found')}</p>
      )}
    </div>
  )
}
