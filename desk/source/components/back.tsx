import type { ReactNode } from 'react'
import styles from './back.module.css'
import { Link } from './link.tsx'

interface BackProps {
  readonly to: string
  readonly children: ReactNode
  /** How wide what follows is, so that both begin at one line. */
  readonly above?: 'page' | 'wide'
}

/** Above a page that belongs to another: the way to that. */
export const Back = ({ to, children, above }: BackProps) => (
  <p className={styles.back} data-above={above}>
    <Link to={to}>
      <span aria-hidden="true">←</span> {children}
    </Link>
  </p>
)
