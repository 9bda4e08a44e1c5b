import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { rich, t } from '../../messages.ts'
import {
  BarList,
  daysFromQuery,
  hiddenUnit,
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
      title={t('desk.common.nav.stats')}
      lead={hasAny && t('desk.stats.lead')}
      actions={
        <LinkButton to="/desk/followers" kind="quiet">
          {t('desk.common.nav.followers')}
        </LinkButton>
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
            <Empty title={t('desk.stats.none')}>
              <p>{t('desk.stats.none_text')}</p>
              <LinkButton to="/desk" kind="main">
                {t('desk.common.go_to_pieces')}
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
  <Section title={t('desk.stats.most_read')} isWide>
    {pieces.length > 0 ? (
      <BarList
        label={t('desk.stats.most_read_list')}
        rows={pieces.map(({ id, headline, reads }) => ({
          key: id,
          name: (
            <Link to={pathWithDays(`${statsPath}/${id}`, days)}>
              <bdi>{headline}</bdi>
            </Link>
          ),
          count: reads,
          text: rich('desk.stats.reads', { count: reads, unit: hiddenUnit }),
        }))}
      />
    ) : (
      <p className={styles.note}>{t('desk.stats.no_reads')}</p>
    )}
  </Section>
)

/** Read statistics of one piece. */
export function PieceStatsPage({ id }: { readonly id: string }) {
  const days = daysFromQuery(useLocation().query)
  const query = usePieceStats(id, days)
  return (
    <Page
      title={query.data?.piece.headline ?? t('desk.stats.piece')}
      back={{ to: pathWithDays('/desk/stats', days), words: t('desk.stats.back') }}
    >
      <Loaded query={query} gone={t('desk.stats.piece_gone')}>
        {(stats) => (
          <>
            <p className={styles.ways}>
              {stats.piece.url ? (
                <a href={stats.piece.url}>{t('desk.stats.view')}</a>
              ) : (
                <span>{t('desk.stats.not_published')}</span>
              )}
              <Link to={`/desk/edit/pieces/${id}`}>{t('desk.stats.edit')}</Link>
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
