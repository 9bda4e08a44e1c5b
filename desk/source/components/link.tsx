import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { t } from '../messages.ts'
import styles from './link.module.css'
import { navigate, useLocation } from './router.ts'

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
  <p className={styles.back} data-above={above}>
    <Link to={to}>
      <BackArrow /> {children}
    </Link>
  </p>
)

/** Points to where a line begins, in either direction of text. */
export const BackArrow = () => (
  <span className={styles.arrow} aria-hidden="true">
    ←
  </span>
)

/** An address as people read it: without https://, in its own script. */
export function shownAddress(url: string): string {
  const address = url.replace(/^https?:\/\//, '')
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

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
  /** Whether a link replaces the current history entry. */
  readonly replace: boolean
  /** The `aria-current` of the current link: it leads to a page, or to a part of this page. */
  readonly current: 'page' | 'true'
}

/** A row of links, one of them current. */
const LinkRow = ({ label, links, className, replace, current }: LinkRowProps) => (
  <nav aria-label={label} className={`${styles.row} ${className}`}>
    <ul>
      {links.map(({ label: text, to, isCurrent, count }) => (
        <li key={to}>
          <Link to={to} replace={replace} aria-current={isCurrent ? current : undefined}>
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
  readonly current?: LinkRowProps['current']
}

/** Filters of a list, with counts. The list stays in place; only its content changes. */
export const Filters = ({ label, choices, current = 'true' }: FiltersProps) => (
  <LinkRow label={label} links={choices} className={styles.filters} replace current={current} />
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
  return <LinkRow label={label} links={links} className={styles.siblings} replace={false} current="page" />
}

/** The two pages about how readers and programs find the writer. */
export const PresenceNav = () => (
  <SubNav
    label={t('desk.common.nav.profile')}
    pages={[
      { label: t('desk.common.nav.profile'), to: '/desk/edit/profile' },
      { label: t('desk.common.nav.integrations'), to: '/desk/edit/online-presence' },
    ]}
  />
)
