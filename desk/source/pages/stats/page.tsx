import { LinkButton } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { Page } from '../../components/page.tsx'
import { usePlace } from '../../components/router.ts'
import { Section } from '../../components/section.tsx'
import { Bars } from './bars.tsx'
import { addressFor, daysOf, type ReadStats, type StatDays, useStats } from './queries.ts'
import { Period, Reads, Sources } from './report.tsx'
import styles from './stats.module.css'

const path = '/desk/stats'

/** How a writer's pieces are read. */
export function Room() {
  const days = daysOf(usePlace().query)
  const { data: stats, error, refetch } = useStats(days)
  const hasAny = stats === undefined || stats.total_reads > 0
  return (
    <Page
      title="Statistics"
      lead={
        hasAny &&
        'How often your pieces are read. Each reader counts once a day; machines do not, and no cookie is set.'
      }
    >
      {hasAny && <Period path={path} days={days} />}
      {error && !stats ? (
        <NotLoaded error={error} onAgain={refetch} />
      ) : !stats ? (
        <Loading />
      ) : hasAny ? (
        <>
          <Reads told={stats} />
          <MostRead pieces={stats.pieces} days={days} />
          <Sources told={stats} />
        </>
      ) : (
        <Empty title="No reads yet">
          <p>
            As soon as somebody opens one of your public pieces, it is counted here, day by day. Numbers come a few
            seconds late.
          </p>
          <LinkButton to="/desk" kind="main">
            To your pieces
          </LinkButton>
        </Empty>
      )}
    </Page>
  )
}

interface MostReadProps {
  readonly pieces: ReadStats['pieces']
  readonly days: StatDays
}

const MostRead = ({ pieces, days }: MostReadProps) => (
  <Section title="Most read" isWide>
    {pieces.length > 0 ? (
      <Bars
        label="Your pieces, the most read first"
        rows={pieces.map(({ id, headline, reads }) => ({
          key: id,
          name: (
            <Link to={addressFor(`${path}/${id}`, days)}>
              <bdi>{headline}</bdi>
            </Link>
          ),
          count: reads,
          words: reads === 1 ? 'read' : 'reads',
        }))}
      />
    ) : (
      <p className={styles.note}>Nothing was read in these days.</p>
    )}
  </Section>
)
