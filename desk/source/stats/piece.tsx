import { Refusal, wordsOf } from '../api/refusal.ts'
import { Back } from '../ui/back.tsx'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Loading } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { usePlace } from '../ui/place.ts'
import { addressFor, daysOf, usePieceStats } from './asking.ts'
import styles from './stats.module.css'
import { Period, Reads, Sources } from './told.tsx'

/** How one piece is read. */
export function Room({ id }: { readonly id: string }) {
  const days = daysOf(usePlace().query)
  const { data: stats, error, refetch } = usePieceStats(id, days)
  const isGone = error instanceof Refusal && error.status === 404
  return (
    <>
      <Back to={addressFor('/desk/stats', days)} above="page">
        All statistics
      </Back>
      <Page title={stats?.piece.headline ?? 'Reads of one piece'}>
        {error && !stats ? (
          <Notice kind="bad">
            <p>{isGone ? 'There is no such piece of yours. It may have been deleted.' : wordsOf(error)}</p>
            {!isGone && <Button onClick={() => refetch()}>Try again</Button>}
          </Notice>
        ) : !stats ? (
          <Loading />
        ) : (
          <>
            <p className={styles.ways}>
              {stats.piece.url ? (
                <a href={stats.piece.url}>Read it as readers do</a>
              ) : (
                <span>Not public now: it is not being counted.</span>
              )}
              <Link to={`/desk/edit/pieces/${id}`}>Open it at the desk</Link>
            </p>
            <Period path={`/desk/stats/${id}`} days={days} />
            <Reads told={stats} />
            <Sources told={stats} />
          </>
        )}
      </Page>
    </>
  )
}
