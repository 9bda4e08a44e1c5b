import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import {
  BarList,
  daysFromQuery,
  PeriodNav,
  pathWithDays,
  type ReadStats,
  ReadsSection,
  SourcesSection,
  type StatDays,
  usePieceStats,
  useStats,
} from './report.tsx'
import styles from './stats.module.css'

const statsPath = '/desk/stats'

/** Read statistics of the writer. */
export function StatsPage() {
  const days = daysFromQuery(useLocation().query)
  const query = useStats(days)
  const { data: stats } = query
  const hasAny = stats === undefined || stats.total_reads > 0
  return (
    <Page
      title="Statistics"
      lead={
        hasAny &&
        'How often your pieces are read. Each reader counts once a day; machines do not, and no cookie is set.'
      }
    >
      {hasAny && <PeriodNav path={statsPath} days={days} />}
      <Loaded query={query}>
        {(stats) =>
          hasAny ? (
            <>
              <ReadsSection stats={stats} />
              <MostRead pieces={stats.pieces} days={days} />
              <SourcesSection stats={stats} />
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
          )
        }
      </Loaded>
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
      <BarList
        label="Your pieces, the most read first"
        rows={pieces.map(({ id, headline, reads }) => ({
          key: id,
          name: (
            <Link to={pathWithDays(`${statsPath}/${id}`, days)}>
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

/** Read statistics of one piece. */
export function PieceStatsPage({ id }: { readonly id: string }) {
  const days = daysFromQuery(useLocation().query)
  const query = usePieceStats(id, days)
  return (
    <Page
      title={query.data?.piece.headline ?? 'Reads of one piece'}
      back={{ to: pathWithDays('/desk/stats', days), words: 'All statistics' }}
    >
      <Loaded query={query} gone="There is no such piece of yours. It may have been deleted.">
        {(stats) => (
          <>
            <p className={styles.ways}>
              {stats.piece.url ? (
                <a href={stats.piece.url}>Read it as readers do</a>
              ) : (
                <span>Not public now: it is not being counted.</span>
              )}
              <Link to={`/desk/edit/pieces/${id}`}>Open it at the desk</Link>
            </p>
            <PeriodNav path={`/desk/stats/${id}`} days={days} />
            <ReadsSection stats={stats} />
            <SourcesSection stats={stats} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
