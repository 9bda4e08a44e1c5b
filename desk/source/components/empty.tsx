import type { ReactNode } from 'react'
import styles from './empty.module.css'

interface EmptyProps {
  readonly title: string
  /** What could be here, and the first step to it. */
  readonly children?: ReactNode
}

/** Where there is nothing yet: an invitation, not a gap. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div className={styles.empty}>
    <h2>{title}</h2>
    {children}
  </div>
)
