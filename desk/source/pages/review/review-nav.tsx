import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/form.tsx'
import { SubNav } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { LoadMore } from '../../components/loaded.tsx'
import { signUp } from '../../components/site.ts'
import { formats, t } from '../../messages.ts'
import { useDecisions, useQueue, useReports } from './queries.ts'

/** Navigation between the moderation lists, with counts. */
export function ReviewNav() {
  const queue = useQueue()
  const reports = useReports()
  const appeals = useDecisions('appeals')
  return (
    <SubNav
      label={t('desk.review.nav')}
      pages={[
        { label: t('desk.review.nav.queue'), to: '/desk/review', count: loadedCount(queue) },
        { label: t('desk.review.nav.reports'), to: '/desk/review?list=reports', count: loadedCount(reports) },
        { label: t('desk.review.nav.appeals'), to: '/desk/review?list=appeals', count: loadedCount(appeals) },
        { label: t('desk.review.nav.writers'), to: '/desk/review/writers' },
        ...(signUp === 'invited' ? [{ label: t('desk.review.nav.invitations'), to: '/desk/review/invitations' }] : []),
        { label: t('desk.common.nav.front_page'), to: '/desk/front-page' },
        { label: t('desk.review.nav.log'), to: '/desk/review?list=decisions' },
      ]}
    />
  )
}

interface List {
  readonly data: { readonly pages: readonly { readonly count: number }[] } | undefined
  readonly hasNextPage: boolean
}

/** The number loaded; "50+" if there are more. */
function loadedCount({ data, hasNextPage }: List): string | undefined {
  const count = data?.pages.reduce((sum, page) => sum + page.count, 0)
  if (!count) return undefined
  return hasNextPage ? t('desk.review.count_or_more', { count }) : formats.number(count)
}

interface ReviewListProps<Page, Item> {
  readonly list: UseInfiniteQueryResult<InfiniteData<Page>>
  readonly items: (page: Page) => readonly Item[]
  readonly label: string
  readonly className?: string | undefined
  /** Shown if there is none. */
  readonly empty: ReactNode
  /** The `li` of one item. */
  readonly children: (item: Item) => ReactNode
}

/** One of the moderation lists, page by page. */
export function ReviewList<Page, Item>({
  list,
  items,
  label,
  className = 'entries',
  empty,
  children,
}: ReviewListProps<Page, Item>) {
  const found = list.data?.pages.flatMap(items)
  return (
    <>
      <ErrorNotice error={list.error} />
      {!found && !list.error && <Loading />}
      {found?.length === 0 && empty}
      {found && found.length > 0 && (
        <ol className={className} aria-label={label}>
          {found.map(children)}
        </ol>
      )}
      <LoadMore list={list} label={t('desk.review.show_more')} />
    </>
  )
}
