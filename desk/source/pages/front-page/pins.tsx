import { type HTMLAttributes, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useDebounced } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { moveItem } from '../../components/order.ts'
import { DragHandle, type DragSide, MoveButton, sortable, useReorder } from '../../components/reorder.tsx'
import { t } from '../../messages.ts'
import { earliestEnd, fromLocal, latestEnd, maxPins, type Pin, pinOf, toLocal, usePiecesToPin } from './choices.ts'
import styles from './front-page.module.css'

interface PinsProps {
  readonly pins: readonly Pin[]
  readonly onPins: (pins: readonly Pin[]) => void
}

/** The pinned pieces in their order, each with its end. */
export function PinList({ pins, onPins }: PinsProps) {
  const [announcement, setAnnouncement] = useState('')
  const move = (from: number, to: number) => {
    const pin = pins[from]
    if (!pin || to === from || to < 0 || to >= pins.length) return
    onPins(moveItem(pins, from, to))
    setAnnouncement(t('desk.front-page.moved', { title: pin.title, place: to + 1, count: pins.length }))
  }
  const { list, sideOf, handleOf, press } = useReorder(move)
  return (
    <>
      <ol className="entries" ref={list} aria-label={t('desk.front-page.pins')}>
        {pins.map((pin, at) => (
          <PinEntry
            key={pin.id}
            pin={pin}
            at={at}
            isLast={at === pins.length - 1}
            drag={sideOf(at)}
            handle={handleOf(at)}
            onMove={(by, button) => press(at, by, button)}
            onEnd={(ends_at) => onPins(pins.with(at, { ...pin, ends_at }))}
            onUnpin={() => onPins(pins.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <p className="hidden" role="status">
        {announcement}
      </p>
    </>
  )
}

interface PinEntryProps {
  readonly pin: Pin
  readonly at: number
  readonly isLast: boolean
  readonly drag: DragSide
  readonly handle: HTMLAttributes<HTMLSpanElement>
  readonly onMove: (by: 1 | -1, button: HTMLElement) => void
  readonly onEnd: (ends_at: string) => void
  readonly onUnpin: () => void
}

/** How large a place is on the page. */
const sizeOf = (at: number) => (at === 0 ? 'lead' : at < 3 ? 'beside' : 'row')

const PinEntry = ({ pin, at, isLast, drag, handle, onMove, onEnd, onUnpin }: PinEntryProps) => (
  <li className={`${sortable} ${styles.pin}`} data-drag={drag}>
    <DragHandle title={t('desk.front-page.drag')} {...handle} />
    <div className={styles.about}>
      <p className={styles.place}>{t(`desk.front-page.place.${sizeOf(at)}`)}</p>
      <h3 dir="auto">
        <a href={pin.url}>{pin.title}</a>
      </h3>
      <p className="facts">
        <bdi>{pin.author}</bdi>
      </p>
      <label className={styles.end}>
        <span>{t('desk.front-page.until')}</span>
        <input
          type="datetime-local"
          required
          aria-label={t('desk.front-page.until_of', { title: pin.title })}
          min={earliestEnd()}
          max={latestEnd()}
          value={toLocal(pin.ends_at)}
          onChange={({ target }) => {
            const end = fromLocal(target.value)
            if (end) onEnd(end)
          }}
        />
      </label>
    </div>
    <div className={styles.acts}>
      <MoveButton
        name={t('desk.front-page.move_up', { title: pin.title })}
        sign="↑"
        isEnd={at === 0}
        onMove={(button) => onMove(-1, button)}
      />
      <MoveButton
        name={t('desk.front-page.move_down', { title: pin.title })}
        sign="↓"
        isEnd={isLast}
        onMove={(button) => onMove(1, button)}
      />
      <Button kind="quiet" aria-label={t('desk.front-page.unpin_one', { title: pin.title })} onClick={onUnpin}>
        {t('desk.front-page.unpin')}
      </Button>
    </div>
  </li>
)

/** Finds public pieces by headline or address. */
export function AddPin({ pins, onPins }: PinsProps) {
  const find = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim())
  const { data: found } = usePiecesToPin(q)
  const offered = found?.filter(({ id }) => !pins.some((pin) => pin.id === id)) ?? []
  if (pins.length >= maxPins) return <p className={styles.hint}>{t('desk.front-page.full', { count: maxPins })}</p>
  return (
    <div ref={find} className={styles.find}>
      <Field
        label={t('desk.front-page.find')}
        hint={t('desk.front-page.find_hint')}
        type="search"
        autoComplete="off"
        maxLength={500}
        value={typed}
        onText={setTyped}
      />
      {offered.length > 0 ? (
        <ul className={styles.offered} aria-label={t('desk.front-page.results')}>
          {offered.slice(0, 8).map((piece) => (
            <li key={piece.id}>
              <span>
                <bdi>{piece.title}</bdi>
                <small>
                  <bdi>{piece.author}</bdi>
                </small>
              </span>
              <Button
                kind="quiet"
                aria-label={t('desk.front-page.pin_one', { title: piece.title })}
                onClick={() => {
                  onPins([...pins, pinOf(piece)])
                  setTyped('')
                  // The pressed button is removed with its row.
                  find.current?.querySelector('input')?.focus()
                }}
              >
                {t('desk.front-page.pin')}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        found && q && <p className={styles.hint}>{t('desk.front-page.no_results', { query: q })}</p>
      )}
    </div>
  )
}
