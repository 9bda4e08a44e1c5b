import { type ReactNode, useEffect, useRef } from 'react'
import styles from './page.module.css'
import { hasMoved } from './router.ts'
import { siteName } from './site.ts'

interface PageProps {
  readonly title: string
  /** Under the title, as a standfirst. */
  readonly lead?: ReactNode
  /** For two columns of text. */
  readonly isWide?: boolean
  /** Beside the title. */
  readonly acts?: ReactNode
  readonly children?: ReactNode
}

/** A page of the desk: its name in the tab and as the heading, which takes the focus when one comes from another. */
export function Page({ title, lead, isWide = false, acts, children }: PageProps) {
  const heading = usePageHeading(title)
  return (
    <div className={styles.page} data-wide={isWide || undefined}>
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {acts && <div className={styles.acts}>{acts}</div>}
        {lead && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}

/** Where to go on when what had the focus is gone. */
export const focusHeading = (): void => document.querySelector('h1')?.focus()

/** For rooms that draw their own heading: names the tab, and focuses what the ref is given to. */
export function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${siteName}`
  }, [title])
  useEffect(() => {
    // A field that asks for the focus keeps it.
    const isTaken = document.activeElement && document.activeElement !== document.body
    if (hasMoved() && !(isTaken && document.activeElement?.matches('input, textarea'))) heading.current?.focus()
  }, [])
  return heading
}
