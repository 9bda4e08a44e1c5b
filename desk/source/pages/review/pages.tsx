import { Siblings } from '../../components/siblings.tsx'
import { signUp } from '../../components/site.ts'
import { useDecisions, useQueue, useReports } from './queries.ts'

/** The lists of the review, above each of them, with how many wait. */
export function ReviewPages() {
  const queue = useQueue()
  const reports = useReports()
  const appeals = useDecisions('appeals')
  return (
    <Siblings
      label="Review"
      pages={[
        { words: 'Waiting', to: '/desk/review', count: countOf(queue) },
        { words: 'Reports', to: '/desk/review?list=reports', count: countOf(reports) },
        { words: 'Appeals', to: '/desk/review?list=appeals', count: countOf(appeals) },
        { words: 'Writers', to: '/desk/review/writers' },
        ...(signUp === 'invited' ? [{ words: 'Invitations', to: '/desk/review/invitations' }] : []),
        { words: 'Decisions', to: '/desk/review?list=decisions' },
      ]}
    />
  )
}

interface List {
  readonly data: { readonly pages: readonly { readonly count: number }[] } | undefined
  readonly hasNextPage: boolean
}

/** Of what has been read; "50+" where there is more. */
function countOf({ data, hasNextPage }: List): string | undefined {
  const count = data?.pages.reduce((sum, page) => sum + page.count, 0)
  return count ? `${count}${hasNextPage ? '+' : ''}` : undefined
}
