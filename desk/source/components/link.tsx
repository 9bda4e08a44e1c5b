import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'
import backStyles from './back.module.css'
import filtersStyles from './filters.module.css'
import styles from './link-row.module.css'
import { navigate, useLocation } from './router.ts'
import siblingsStyles from './siblings.module.css'

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string
  readonly replace?: boolean
}

/** A link inside the desk. With a modifier or in a new tab it is an ordinary link. */
export function Link({ to, replace = false, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (event.defaultPrevented || !isPlain || rest.target) return
    event.preventDefault()
    navigate(to, { replace })
  }
  return <a {...rest} href={to} onClick={follow} />
}

interface BackLinkProps {
  readonly to: string
  readonly children: ReactNode
  /** The width of what follows, so that both align. */
  readonly above?: 'page' | 'wide'
}

/** Link to the parent page, above a page. */
export const BackLink = ({ to, children, above }: BackLinkProps) => (
  <p className={backStyles.back} data-above={above}>
    <Link to={to}>
      <span aria-hidden="true">←</span> {children}
    </Link>
  </p>
)

interface RowLink {
  readonly label: string
  readonly to: string
  readonly isCurrent: boolean
  readonly count?: number | string | undefined
}

interface LinkRowProps {
  readonly label: string
  readonly links: readonly RowLink[]
  /** The style of this place. */
  readonly className: string | undefined
  /** Whether the links lead to pages or to parts of this page; parts replace the current history entry. */
  readonly kind: 'page' | 'part'
}

/** A row of links, one of them current. */
const LinkRow = ({ label, links, className, kind }: LinkRowProps) => (
  <nav aria-label={label} className={`${styles.row} ${className}`}>
    <ul>
      {links.map(({ label: text, to, isCurrent, count }) => (
        <li key={to}>
          <Link
            to={to}
            replace={kind === 'part'}
            aria-current={isCurrent ? (kind === 'part' ? 'true' : 'page') : undefined}
          >
            {text}
            {count !== undefined && <span className={styles.count}> {count}</span>}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

interface FiltersProps {
  readonly label: string
  readonly choices: readonly RowLink[]
}

/** Filters of a list, with counts. The list stays in place; only its content changes. */
export const Filters = ({ label, choices }: FiltersProps) => (
  <LinkRow label={label} links={choices} className={filtersStyles.filters} kind="part" />
)

interface SubNavProps {
  readonly label: string
  readonly pages: readonly Omit<RowLink, 'isCurrent'>[]
}

/** Navigation between the sibling pages of one section. */
export function SubNav({ label, pages }: SubNavProps) {
  const { path, query } = useLocation()
  const list = query.get('list')
  const here = list === null ? path : `${path}?list=${list}`
  const links = pages.map((page) => ({ ...page, isCurrent: page.to === here }))
  return <LinkRow label={label} links={links} className={siblingsStyles.siblings} kind="page" />
}
