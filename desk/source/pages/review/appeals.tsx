import { Filters, Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { type Decision, useDecisions } from './queries.ts'
import { categoryLabel } from './report-list.tsx'
import { ReviewList } from './review-nav.tsx'

const appealsPath = '/desk/review?list=appeals'

/** Waiting appeals, the longest first; or all decisions. */
export function Appeals() {
  const isAll = useLocation().query.get('show') === 'all'
  return (
    <Page title={t('desk.review.appeals.title')} lead={t('desk.review.appeals.lead')}>
      <Filters
        label={t('desk.review.appeals.filter')}
        choices={[
          { label: t('desk.review.appeals.filter_open'), to: appealsPath, isCurrent: !isAll },
          { label: t('desk.review.appeals.filter_all'), to: `${appealsPath}&show=all`, isCurrent: isAll },
        ]}
      />
      <ReviewList
        list={useDecisions(isAll ? 'all' : 'appeals')}
        items={({ decisions }) => decisions}
        label={isAll ? t('desk.review.appeals.list_all') : t('desk.review.appeals.list_open')}
        empty={
          <Empty title={isAll ? t('desk.review.appeals.empty_all') : t('desk.review.appeals.empty_open')}>
            <p>{isAll ? t('desk.review.appeals.empty_all_about') : t('desk.review.appeals.empty_open_about')}</p>
          </Empty>
        }
      >
        {(decision) => <AppealEntry key={decision.id} decision={decision} />}
      </ReviewList>
    </Page>
  )
}

const AppealEntry = ({ decision }: { readonly decision: Decision }) => (
  <li>
    <p className="facts">
      <span>{rich(`desk.review.appeals.act.${decision.act}`, { time: <Time at={decision.at} isPast /> })}</span>
      <span>{categoryLabel(decision.category)}</span>
      {decision.is_mine && <span>{t('desk.review.appeals.mine')}</span>}
    </p>
    <h2 dir="auto">
      <Link to={`/desk/review/decisions/${decision.id}`}>{decision.about.headline}</Link>
    </h2>
    <p className="facts">
      <span>{rich('desk.review.by', { writer: <bdi>{decision.writer.name}</bdi> })}</span>
      {decision.appeal && decision.outcome === null && (
        <span>{rich('desk.review.appeals.appealed_at', { time: <Time at={decision.appeal.at} isPast /> })}</span>
      )}
      {decision.outcome && <span>{t(`desk.review.appeals.outcome.${decision.outcome}`)}</span>}
    </p>
  </li>
)
