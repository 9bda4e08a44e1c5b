import { Back } from '../../components/back.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { Page } from '../../components/page.tsx'
import { usePlace } from '../../components/router.ts'
import { addressFor, daysOf, usePieceStats } from './queries.ts'
import { Period, Reads, Sources } from './report.tsx'
import styles from './stats.module.css'

/** How one piece is read. */
export function Room({ id }: { readonly id: string }) {
  const days = daysOf(usePlace().query)
  const { data: stats, error, refetch } = usePieceStats(id, days)
  return (
    <>
      <Back to={addressFor('/desk/stats', days)} above="page">
        All statistics
      </Back>
      <Page title={stats?.piece.headline ?? 'Reads of one piece'}>
        {error && !stats ? (
          <NotLoaded
            error={error}
            onAgain={refetch}
            gone="There is no such piece of yours. It may have been deleted."
          />
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
