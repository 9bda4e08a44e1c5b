import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import styles from './chart.module.css'
import { dayInShort, dayInWords, numberOf, readsOf } from './days.ts'
import { topOf } from './scale.ts'

interface Day {
  /** As 2026-11-15. */
  readonly day: string
  readonly reads: number
}

interface ChartProps {
  /** One after the other, none left out; today is the last. */
  readonly days: readonly Day[]
}

/** In the drawing's own measure: it is stretched to the page's. */
const wide = 10
const gap = 3
const high = 100

/** Reads of each day as a bar. A day is chosen by pointing at it, or by the arrows; a table has the same numbers. */
export function Chart({ days }: ChartProps) {
  const [pointed, setPointed] = useState<number>()
  const [chosen, setChosen] = useState(days.length - 1)
  const [isFocused, setFocused] = useState(false)
  const at = Math.min(pointed ?? chosen, days.length - 1)
  const day = days[at]
  const most = days.reduce((before, one) => (one.reads > before.reads ? one : before), { day: '', reads: 0 })
  const top = topOf(most.reads)
  const first = days[0]
  const middle = days[Math.floor(days.length / 2)]
  if (!day || !first || !middle) return null

  const words = `${readsOf(day.reads)} on ${dayInWords(day.day)}`
  const isShown = isFocused || pointed !== undefined
  const move = (event: KeyboardEvent) => {
    const to = stepTo(event.key, at, days.length - 1)
    if (to === undefined) return
    event.preventDefault()
    setPointed(undefined)
    setChosen(Math.min(Math.max(to, 0), days.length - 1))
  }
  const point = ({ currentTarget, clientX, buttons }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const place = Math.floor(((clientX - left) / width) * days.length)
    const under = Math.min(Math.max(place, 0), days.length - 1)
    setPointed(under)
    // Pressed, it stays: a finger that is lifted points at nothing.
    if (buttons > 0) setChosen(under)
  }
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.said}>
        {isShown
          ? words
          : most.day
            ? `Most on ${dayInWords(most.day)}: ${readsOf(most.reads)}`
            : 'Nothing was read in these days.'}
      </figcaption>
      <div className={styles.field}>
        <span className={styles.top} aria-hidden="true">
          {numberOf(top)}
        </span>
        <span className={styles.half} aria-hidden="true">
          {numberOf(top / 2)}
        </span>
        {/* A slider has one place in the tab order for all days, and says the value it is moved to. */}
        <div
          className={styles.bars}
          role="slider"
          tabIndex={0}
          aria-label="Reads per day"
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={at + 1}
          aria-valuetext={words}
          onKeyDown={move}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onPointerDown={(event: PointerEvent<HTMLElement>) => {
            point(event)
            event.currentTarget.focus({ preventScroll: true })
          }}
          onPointerMove={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          <svg viewBox={`0 0 ${days.length * wide} ${high}`} preserveAspectRatio="none" aria-hidden="true">
            {days.map(({ day: key, reads }, place) => (
              <rect
                key={key}
                x={place * wide + gap / 2}
                y={high - (high * reads) / top}
                width={wide - gap}
                height={(high * reads) / top}
                data-at={(isShown && place === at) || undefined}
              />
            ))}
            {isShown && (
              <rect className={styles.under} x={at * wide} y={0} width={wide} height={high} data-column={day.day} />
            )}
          </svg>
        </div>
        <p className={styles.axis} aria-hidden="true">
          <span>{dayInShort(first.day)}</span>
          <span>{dayInShort(middle.day)}</span>
          <span>Today</span>
        </p>
      </div>
      <details className={styles.twin}>
        <summary>The same as a table</summary>
        <table>
          <caption className="hidden">Reads per day, today first</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Reads</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day: key, reads }) => (
              <tr key={key}>
                <th scope="row">{dayInWords(key)}</th>
                <td>{numberOf(reads)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const week = 7

/** As every slider has it. */
function stepTo(key: string, at: number, last: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - week,
    PageUp: at + week,
    Home: 0,
    End: last,
  }
  return steps[key]
}
