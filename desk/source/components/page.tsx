import { type ReactNode, useEffect, useId, useRef } from 'react'
import { BackLink } from './link.tsx'
import styles from './page.module.css'
import { hasNavigated } from './router.ts'
import { siteName } from './site.ts'

interface PageProps {
  readonly title: string
  /** The parent page, linked above the heading. */
  readonly back?: { readonly to: string; readonly words: string }
  readonly lead?: ReactNode
  readonly isWide?: boolean
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A page of the desk. Sets the document title; its heading takes the focus after navigation. */
export function Page({ title, back, lead, isWide = false, actions, children }: PageProps) {
  const heading = usePageHeading(title)
  return (
    <>
      {back && (
        <BackLink to={back.to} above={isWide ? 'wide' : 'page'}>
          {back.words}
        </BackLink>
      )}
      <div className={styles.page} data-wide={isWide || undefined}>
        <header className={styles.head}>
          <h1 dir="auto" ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {actions && <div className={styles.acts}>{actions}</div>}
          {lead && <p className={styles.lead}>{lead}</p>}
        </header>
        {children}
      </div>
    </>
  )
}

/** For when the focused element was removed. */
export const focusHeading = (): void => document.querySelector('h1')?.focus()

/** The heading of something that is shown once, so it takes the focus. */
export function FocusedHeading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h3 ref={heading} tabIndex={-1}>
      {children}
    </h3>
  )
}

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
    <section className={styles.section} id={anchor} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className={isWide ? undefined : styles.sectionBody}>{children}</div>
    </section>
  )
}

/** A list of rows with title, details and actions. */
export const Rows = ({ children }: { readonly children: ReactNode }) => <ul className={styles.rows}>{children}</ul>

interface RowProps {
  readonly title: ReactNode
  readonly about: ReactNode
  readonly actions?: ReactNode
}

export const Row = ({ title, about, actions }: RowProps) => (
  <li>
    <div>
      <p className={styles.rowTitle}>{title}</p>
      <p className={styles.rowAbout}>{about}</p>
    </div>
    {actions && <div className={styles.rowActs}>{actions}</div>}
  </li>
)
