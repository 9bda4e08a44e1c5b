import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../components/form.tsx'
import { SubNav } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { LoadMore } from '../../components/loaded.tsx'
import { signUp } from '../../components/site.ts'
import { useDecisions, useQueue, useReports } from './queries.ts'

/** Navigation between the moderation lists, with counts. */
export function ReviewNav() {
  const queue = useQueue()
  const reports = useReports()
  const appeals = useDecisions('appeals')
  return (
    <SubNav
      label="Review"
      pages={[
        { label: 'Waiting', to: '/desk/review', count: loadedCount(queue) },
        { label: 'Reports', to: '/desk/review?list=reports', count: loadedCount(reports) },
        { label: 'Appeals', to: '/desk/review?list=appeals', count: loadedCount(appeals) },
        { label: 'Writers', to: '/desk/review/writers' },
        ...(signUp === 'invited' ? [{ label: 'Invitations', to: '/desk/review/invitations' }] : []),
        { label: 'Decisions', to: '/desk/review?list=decisions' },
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
  return count ? `${count}${hasNextPage ? '+' : ''}` : undefined
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
      <LoadMore list={list} label="More" />
    </>
  )
}
