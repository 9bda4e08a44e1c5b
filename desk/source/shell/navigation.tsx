import { type Account, isModerator } from '../api/account.ts'
import { useRequests } from '../api/requests.ts'
import { Link } from '../components/link.tsx'
import { siteName } from '../components/site.ts'
import { formats, rich, t } from '../messages.ts'
import styles from './shell.module.css'

/** The paths that belong to each item, and its icon: an SVG path in a 20×20 viewBox. */
const items = [
  ['pieces', '/desk', /^\/desk(\/trash|\/series.*)?$/, 'M4 3.500h12v13H4zM7 7h6M7 10h6M7 13h3.500'],
  ['shop', '/desk/shop', /^\/desk\/shop/, 'M4.500 7h11l.8 9.500H3.700zM7.200 9V6.200a2.800 2.800 0 0 1 5.600 0V9'],
  [
    'translations',
    '/desk/translations',
    /^\/desk\/translations$/,
    'M3 5h8M7 3v2M4.500 9.500c2.500-.5 4.500-2 5-4.500M5 6.500c.6 1.500 2 2.600 3.500 3.200M9.500 17l3.500-8.500l3.500 8.500M10.800 14h4.400',
  ],
  [
    'co_authors',
    '/desk/co-authors',
    /^\/desk\/co-authors/,
    'M7.500 4a2.700 2.700 0 1 0 0 5.400a2.700 2.700 0 0 0 0-5.400M2.500 16c.5-2.800 2.500-4.200 5-4.200s4.500 1.400 5 4.200M13 4.600a2.500 2.500 0 0 1 0 4.300M14.500 12.200c1.700.5 2.700 1.800 3 3.800',
  ],
  ['stats', '/desk/stats', /^\/desk\/stats/, 'M3 16.500h14M5.500 13.500v-3M10 13.500v-9.500M14.500 13.500v-6'],
  ['followers', '/desk/followers', /^\/desk\/followers$/, 'M3 5.500h14v9.500h-14zM3.500 6l6.500 5.200L16.500 6'],
  [
    'profile',
    '/desk/edit/profile',
    /^\/desk\/edit\/(online-presence|profile$)/,
    'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M3 10h14M10 3c4 4.500 4 9.500 0 14M10 3c-4 4.500-4 9.500 0 14',
  ],
  [
    'review',
    '/desk/review',
    /^\/desk\/review/,
    'M3.500 5.500h7M3.500 10h5M3.500 14.500h4M10.500 13l2.200 2.200L17 10.500',
  ],
  [
    'front_page',
    '/desk/front-page',
    /^\/desk\/front-page$/,
    'M3.500 4h13v12h-13zM3.500 7.500h13M9.500 7.500V16M9.500 12h7',
  ],
  [
    'account',
    '/desk/account',
    /^\/desk\/account$/,
    'M10 3.500a3.200 3.200 0 1 0 0 6.400a3.200 3.200 0 0 0 0-6.400M3.800 16.500c.6-3 3-4.500 6.200-4.500s5.600 1.500 6.200 4.500',
  ],
] as const

interface NavigationProps {
  readonly account: Account
  readonly path: string
}

/** A column on wide screens, a bottom bar on narrow ones. */
export function Navigation({ account, path }: NavigationProps) {
  const { data: translations } = useRequests('translation', account.writer !== null)
  const { data: invitations } = useRequests('co_author', account.writer !== null)
  const lists = { translations, co_authors: invitations } as const
  const isShown = (name: (typeof items)[number][0]): unknown => {
    if (name === 'account') return true
    if (name === 'review' || name === 'front_page') return isModerator(account)
    return isList(name) ? lists[name]?.count : account.writer
  }
  return (
    <header className={styles.column}>
      <Wordmark />
      <nav aria-label={t('desk.common.nav.label')} className={styles.places}>
        <ul>
          {items
            .filter(([name]) => isShown(name))
            .map(([name, to, paths, icon]) => (
              <li key={name} className={styles[name]}>
                <Link to={to} aria-current={paths.test(path) ? 'page' : undefined}>
                  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
                    <path d={icon} />
                  </svg>
                  {t(`desk.common.nav.${name}`)}
                  {isList(name) && <Waiting count={lists[name]?.waiting ?? 0} />}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
      <p className={styles.person}>
        <bdi>{account.name}</bdi>
        <span>{rich('desk.common.shortcuts.hint', { key: (content) => <kbd>{content}</kbd> })}</span>
      </p>
    </header>
  )
}

/** What waits for the writer's answer. */
const isList = (name: string): name is 'translations' | 'co_authors' => name === 'translations' || name === 'co_authors'

const Waiting = ({ count }: { readonly count: number }) => count > 0 && <small>{formats.number(count)}</small>

export const Wordmark = () => (
  <Link to="/desk" className="wordmark" dir="auto">
    {siteName}
  </Link>
)
