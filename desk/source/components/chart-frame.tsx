import type { ReactNode } from 'react'
import { formats, t } from '../messages.ts'
import styles from './chart-frame.module.css'
import { formatShortDay } from './chart-scale.ts'

interface ChartFrameProps {
  /** The number at the top of the axis. */
  readonly top: number
  /** Consecutive days; today is the last. */
  readonly days: readonly { readonly day: string }[]
  /** An SVG that is stretched to the frame. */
  readonly children: ReactNode
}

/** The axes of a chart by days, whose numbers are also said in words. From left to right in every language, as it is drawn. */
export const ChartFrame = ({ top, days, children }: ChartFrameProps) => (
  <div className={styles.field} dir="ltr">
    <span className={styles.top} aria-hidden="true">
      {formats.number(top)}
    </span>
    <span className={styles.half} aria-hidden="true">
      {formats.number(top / 2)}
    </span>
    <div className={styles.plot}>{children}</div>
    <p className={styles.axis} aria-hidden="true">
      <bdi>{formatShortDay(days[0]!.day)}</bdi>
      <bdi>{formatShortDay(days[Math.floor(days.length / 2)]!.day)}</bdi>
      <bdi>{t('desk.common.today')}</bdi>
    </p>
  </div>
)
