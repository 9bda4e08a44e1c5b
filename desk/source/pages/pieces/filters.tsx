import { useEffect, useEffectEvent, useState } from 'react'
import type { DeskCounts } from '../../../../server/features/pieces/desk-schema.ts'
import { Filters, Link } from '../../components/link.tsx'
import { navigate } from '../../components/router.ts'
import { isTyping, type Shortcut, useShortcuts } from '../../components/shortcuts.tsx'
import { statusWord } from '../../components/status.tsx'
import { t } from '../../messages.ts'
import styles from './pieces.module.css'
import { type DeskOrder, filterPath, orders, type PieceFilter, type Status, statuses } from './queries.ts'

interface SearchBoxProps {
  /** The current query. */
  readonly q: string
  readonly onSearch: (q: string) => void
}

const searchDelay = 250
const maxLength = 200

/** Searches while typing, after a pause. */
export function SearchBox({ q, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(q)
  const search = useEffectEvent(onSearch)
  useEffect(() => setTyped((before) => (before.trim() === q ? before : q)), [q])
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => search(typed.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [typed, q])
  return (
    <search className={styles.search}>
      <label className="hidden" htmlFor="find-pieces">
        {t('desk.pieces.search')}
      </label>
      <input
        id="find-pieces"
        type="search"
        placeholder={t('desk.pieces.search')}
        autoComplete="off"
        maxLength={maxLength}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          onSearch(typed.trim())
        }}
      />
    </search>
  )
}

interface StatusFiltersProps {
  readonly filter: PieceFilter
  readonly counts: DeskCounts | undefined
  /** Of the writer's pieces, by others. */
  readonly hasTranslations: boolean
  /** Of others, to sign or signed. */
  readonly hasInvitations: boolean
}

/** Filters for the statuses that have pieces, for pieces by key, and the lists of translations, of invitations, of series and of the trash. */
export function StatusFilters({ filter, counts, hasTranslations, hasInvitations }: StatusFiltersProps) {
  const shown = statuses.filter((status) => status === filter.status || (counts?.counts[status] ?? 0) > 0)
  const total = counts && Object.values(counts.counts).reduce((sum, one) => sum + one, 0)
  const choice = (label: string, status: Status | undefined, count: number | undefined) => ({
    label,
    to: filterPath({ ...filter, status, isByKey: false, isScheduled: false }),
    isCurrent: filter.status === status && !filter.isByKey && !filter.isScheduled,
    count,
  })
  const byKey = filterPath({ ...filter, status: undefined, isByKey: true, isScheduled: false })
  const scheduled = {
    label: t('desk.pieces.filter_scheduled'),
    to: filterPath({ ...filter, status: undefined, isByKey: false, isScheduled: true }),
    isCurrent: filter.isScheduled,
    count: counts?.scheduled,
  }
  return (
    <Filters
      label={t('desk.pieces.filter')}
      choices={[
        choice(t('desk.pieces.filter_all'), undefined, total),
        ...shown.map((status) => choice(filterLabel(status), status, counts?.counts[status])),
        ...(filter.isScheduled || (counts?.scheduled ?? 0) > 0 ? [scheduled] : []),
        { label: t('desk.pieces.filter_api'), to: byKey, isCurrent: filter.isByKey },
        ...(hasTranslations
          ? [{ label: t('desk.common.nav.translations'), to: '/desk/translations', isCurrent: false }]
          : []),
        ...(hasInvitations
          ? [{ label: t('desk.common.nav.co_authors'), to: '/desk/co-authors', isCurrent: false }]
          : []),
        { label: t('desk.common.series'), to: '/desk/series', isCurrent: false },
        { label: t('desk.pieces.trash.title'), to: '/desk/trash', isCurrent: false },
      ]}
    />
  )
}

const filterLabel = (status: Status): string =>
  status === 'draft' ? t('desk.pieces.filter_drafts') : statusWord(status)

/** The orders of the list: above its columns where there are any, otherwise in a row. */
export const SortLinks = ({ filter }: { readonly filter: PieceFilter }) => (
  <nav aria-label={t('desk.pieces.sort')} className={styles.columns}>
    <ul>
      {orders.map((sort) => {
        const isCurrent = filter.sort === sort
        return (
          <li key={sort} data-sort={sort}>
            <Link to={filterPath({ ...filter, sort })} replace aria-current={isCurrent ? 'true' : undefined}>
              {orderName(sort)}
              {isCurrent && <span aria-hidden="true"> {sort === 'headline' ? '↑' : '↓'}</span>}
            </Link>
          </li>
        )
      })}
    </ul>
  </nav>
)

function orderName(sort: DeskOrder): string {
  if (sort === 'reads') return t('desk.pieces.reads')
  if (sort === 'published') return t('desk.pieces.published')
  return t(sort === 'headline' ? 'desk.common.piece.headline' : 'desk.pieces.edited')
}

const shortcuts = (): readonly Shortcut[] => [
  { keys: '/', does: t('desk.pieces.search') },
  { keys: 'n', does: t('desk.pieces.new') },
  { keys: 'j', does: t('desk.pieces.next') },
  { keys: 'k', does: t('desk.pieces.previous') },
  { keys: 'Enter', does: t('desk.pieces.open') },
  { keys: 'x', does: t('desk.pieces.select_piece') },
]

/** Shortcuts of the list. The focused piece is a link, so Enter opens it. */
export const useListShortcuts = (): void =>
  useShortcuts(shortcuts(), (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isInDialog(event.target)) return
    const act = keyActions[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })

const keyActions: Readonly<Record<string, () => void>> = {
  '/': () => document.getElementById('find-pieces')?.focus(),
  n: () => navigate('/desk/edit/pieces/new'),
  j: () => focusEntry(1),
  k: () => focusEntry(-1),
  x: () => document.activeElement?.closest('li')?.querySelector<HTMLElement>('input[type=checkbox]')?.click(),
}

function focusEntry(by: 1 | -1): void {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-entry]')]
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const next = entries[at === -1 ? 0 : Math.min(Math.max(at + by, 0), entries.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('dialog') !== null
