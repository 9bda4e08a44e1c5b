import { Button } from '../../components/button.tsx'
import styles from './review.module.css'

interface MoreProps {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

/** The next page of a list, where there is one. */
export const More = ({ list }: MoreProps) =>
  list.hasNextPage ? (
    <p className={styles.more}>
      <Button isBusy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        More
      </Button>
    </p>
  ) : null
