import type { ReactNode } from 'react'
import styles from './rows.module.css'

/** A quiet list: what it is, what is known of it, what can be done with it. */
export const Rows = ({ children }: { readonly children: ReactNode }) => <ul className={styles.rows}>{children}</ul>

interface RowProps {
  readonly title: ReactNode
  readonly about: ReactNode
  readonly acts?: ReactNode
}

export const Row = ({ title, about, acts }: RowProps) => (
  <li>
    <div>
      <p className={styles.title}>{title}</p>
      <p className={styles.about}>{about}</p>
    </div>
    {acts && <div className={styles.acts}>{acts}</div>}
  </li>
)
