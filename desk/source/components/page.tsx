import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './page.module.css'
import { hasNavigated } from './router.ts'
import rowsStyles from './rows.module.css'
import sectionStyles from './section.module.css'
import { siteName } from './site.ts'

interface PageProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly isWide?: boolean
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A page of the desk. Sets the document title; its heading takes the focus after navigation. */
export function Page({ title, lead, isWide = false, actions, children }: PageProps) {
  const heading = usePageHeading(title)
  return (
    <div className={styles.page} data-wide={isWide || undefined}>
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className={styles.acts}>{actions}</div>}
        {lead && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}

/** For when the focused element was removed. */
export const focusHeading = (): void => document.querySelector('h1')?.focus()

/** For pages with their own heading: sets the document title and returns the ref of the heading. */
export function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${siteName}`
  }, [title])
  useEffect(() => {
    // An autofocused field keeps the focus.
    const isTaken = document.activeElement && document.activeElement !== document.body
    if (hasNavigated() && !(isTaken && document.activeElement?.matches('input, textarea'))) heading.current?.focus()
  }, [])
  return heading
}

interface SectionProps {
  readonly title: string
  /** The id for links to it. */
  readonly anchor?: string
  readonly lead?: ReactNode
  /** Full width, for content other than running text. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A section of a page. */
export function Section({ title, anchor, lead, isWide = false, children }: SectionProps) {
  const id = useId()
  return (
    <section className={sectionStyles.section} id={anchor} aria-labelledby={id}>
      <div className={sectionStyles.head}>
        <h2 id={id}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className={isWide ? undefined : sectionStyles.body}>{children}</div>
    </section>
  )
}

/** A list of rows with title, details and actions. */
export const Rows = ({ children }: { readonly children: ReactNode }) => <ul className={rowsStyles.rows}>{children}</ul>

interface RowProps {
  readonly title: ReactNode
  readonly about: ReactNode
  readonly actions?: ReactNode
}

export const Row = ({ title, about, actions }: RowProps) => (
  <li>
    <div>
      <p className={rowsStyles.title}>{title}</p>
      <p className={rowsStyles.about}>{about}</p>
    </div>
    {actions && <div className={rowsStyles.acts}>{actions}</div>}
  </li>
)
