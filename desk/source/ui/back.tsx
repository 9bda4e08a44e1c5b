import type { ReactNode } from 'react'
import styles from './back.module.css'
import { Link } from './link.tsx'

/** To where one came from, above the heading. */
export function Back({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} className={styles.back}>
      <span aria-hidden="true">←</span> {children}
    </Link>
  )
}
