import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { axisMax, formatDay } from '../../components/chart-scale.ts'
import { formats, t } from '../../messages.ts'
import styles from './stats.module.css'

interface Day {
  /** Such as 2026-11-15. */
  readonly day: string
  readonly reads: number
}

interface ChartProps {
  /** Consecutive days; today is the last. */
  readonly days: readonly Day[]
}

/** In units of the viewBox, which is stretched to the page. */
const columnWidth = 10
const gap = 3
const chartHeight = 100

/** Reads per day as bars. A day is selected by pointer or arrow keys; a table has the same numbers. */
export function Chart({ days }: ChartProps) {
  const [pointed, setPointed] = useState<number>()
  const [chosen, setChosen] = useState(days.length - 1)
  const [isFocused, setFocused] = useState(false)
  const at = Math.min(pointed ?? chosen, days.length - 1)
  const day = days[at]
  const most = days.reduce((before, one) => (one.reads > before.reads ? one : before), { day: '', reads: 0 })
  const top = axisMax(most.reads)
  if (!day) return null

  const words = t('desk.stats.day', { day: formatDay(day.day), count: day.reads })
  const isShown = isFocused || pointed !== undefined
  const move = (event: KeyboardEvent) => {
    const to = indexAfterKey(event.key, at, days.length - 1)
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
    // A press selects the day, since a lifted finger no longer points at it.
    if (buttons > 0) setChosen(under)
  }
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.said}>
        {isShown
          ? words
          : most.day
            ? t('desk.stats.busiest_day', { day: formatDay(most.day), count: most.reads })
            : t('desk.stats.no_reads')}
      </figcaption>
      <ChartFrame top={top} days={days}>
        {/* A slider is one tab stop for all days and announces its value. */}
        <div
          className={styles.columns}
          role="slider"
          tabIndex={0}
          aria-label={t('desk.stats.per_day')}
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
          <svg
            viewBox={`0 0 ${days.length * columnWidth} ${chartHeight}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {days.map(({ day: key, reads }, place) => (
              <rect
                key={key}
                x={place * columnWidth + gap / 2}
                y={chartHeight - (chartHeight * reads) / top}
                width={columnWidth - gap}
                height={(chartHeight * reads) / top}
                data-at={(isShown && place === at) || undefined}
              />
            ))}
            {isShown && (
              <rect
                className={styles.under}
                x={at * columnWidth}
                y={0}
                width={columnWidth}
                height={chartHeight}
                data-column={day.day}
              />
            )}
          </svg>
        </div>
      </ChartFrame>
      <details className={styles.twin}>
        <summary>{t('desk.stats.as_table')}</summary>
        <table>
          <caption className="hidden">{t('desk.stats.table')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('desk.stats.table_day')}</th>
              <th scope="col">{t('desk.stats.table_reads')}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day: key, reads }) => (
              <tr key={key}>
                <th scope="row">{formatDay(key)}</th>
                <td>{formats.number(reads)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

const week = 7

/** The standard slider keys. */
function indexAfterKey(key: string, at: number, last: number): number | undefined {
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
