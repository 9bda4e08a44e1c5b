import { Button } from '../../components/button.tsx'
import { SubNav } from '../../components/link.tsx'
import { signUp } from '../../components/site.ts'
import { useDecisions, useQueue, useReports } from './queries.ts'
import styles from './review.module.css'

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

interface LoadMoreProps {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** Loads the next page of a list. */
export const LoadMore = ({ list }: LoadMoreProps) =>
  list.hasNextPage ? (
    <p className={styles.more}>
      <Button isBusy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        More
      </Button>
    </p>
  ) : null
