import type { ReactNode } from 'react'
import { numberOf } from './days.ts'
import styles from './stats.module.css'

interface BarsProps {
  readonly label: string
  readonly rows: readonly {
    readonly key: string
    readonly name: ReactNode
    readonly count: number
    /** What it is a number of, for whoever hears it alone. */
    readonly words: string
  }[]
}

/** A short list, each with its number and a bar as long as its share of the first. */
export function Bars({ label, rows }: BarsProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <ol className={styles.bars} aria-label={label}>
      {rows.map(({ key, name, count, words }) => (
        <li key={key}>
          <span className={styles.name}>{name}</span>
          <span className={styles.number}>
            {numberOf(count)}
            <span className="hidden"> {words}</span>
          </span>
          <svg width="100%" height="4" aria-hidden="true">
            <rect width={`${(100 * count) / most}%`} height="4" rx="2" />
          </svg>
        </li>
      ))}
    </ol>
  )
}
