import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  /** For links to it. */
  readonly anchor?: string
  readonly lead?: ReactNode
  /** As wide as the page, for what is no running text. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A part of a page, with a rule above it. */
export function Section({ title, anchor, lead, isWide = false, children }: SectionProps) {
  const id = useId()
  return (
    <section className={styles.section} id={anchor} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className={isWide ? undefined : styles.body}>{children}</div>
    </section>
  )
}
