import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import { type DeskSeries, useSeries } from './queries.ts'

/** The writer's series, last changed first. */
export function SeriesPage() {
  const query = useSeries()
  const hasAny = query.data === undefined || query.data.length > 0
  const make = (
    <LinkButton to="/desk/series/new" kind="main">
      {t('desk.series.new')}
    </LinkButton>
  )
  return (
    <Page
      title={t('desk.common.series')}
      back={{ to: '/desk', words: t('desk.common.nav.pieces') }}
      lead={hasAny && t('desk.series.lead')}
      actions={hasAny && make}
    >
      <Loaded query={query}>
        {(series) =>
          series.length > 0 ? (
            <ol className="entries" aria-label={t('desk.common.series')}>
              {series.map((one) => (
                <SeriesEntry key={one.id} series={one} />
              ))}
            </ol>
          ) : (
            <Empty title={t('desk.series.empty')}>
              <p>{t('desk.series.lead')}</p>
              {make}
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

function SeriesEntry({ series: { id, title, description, url, pieces } }: { readonly series: DeskSeries }) {
  const published = pieces.filter(({ status }) => status === 'approved').length
  return (
    <li>
      <h2 dir="auto">
        <Link to={`/desk/series/${id}`}>{title}</Link>
      </h2>
      {description && (
        <p className="excerpt" dir="auto">
          {description}
        </p>
      )}
      <p className="facts">
        <span>{t('desk.series.parts', { count: pieces.length })}</span>
        <span>{t('desk.series.published', { count: published })}</span>
        {url && <a href={url}>{t('desk.series.view')}</a>}
      </p>
    </li>
  )
}
