import { Filters, Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { Time } from '../../components/time.tsx'
import { type Decision, useDecisions } from './queries.ts'
import { categoryLabel } from './report-list.tsx'
import { ReviewList } from './review-nav.tsx'

const appealsPath = '/desk/review?list=appeals'

/** Waiting appeals, the longest first; or all decisions. */
export function Appeals() {
  const isAll = useLocation().query.get('show') === 'all'
  return (
    <Page
      title="Appeals"
      lead="An appeal is decided by a different moderator from the one who decided, or by the operator."
    >
      <Filters
        label="Which decisions"
        choices={[
          { label: 'Waiting', to: appealsPath, isCurrent: !isAll },
          { label: 'All taken down or rejected', to: `${appealsPath}&show=all`, isCurrent: isAll },
        ]}
      />
      <ReviewList
        list={useDecisions(isAll ? 'all' : 'appeals')}
        items={({ decisions }) => decisions}
        label={isAll ? 'Decisions, the newest first' : 'Appeals, the longest first'}
        empty={
          <Empty title={isAll ? 'Nothing was taken down' : 'No appeals'}>
            <p>
              {isAll
                ? 'What moderators take down or reject comes here, and can be brought back.'
                : 'When a writer appeals what was decided about their work, it comes here.'}
            </p>
          </Empty>
        }
      >
        {(decision) => <AppealEntry key={decision.id} decision={decision} />}
      </ReviewList>
    </Page>
  )
}

const actLabels = { take_down: 'Taken down', reject: 'Rejected', withhold: 'Taken out of the shop' } as const

const AppealEntry = ({ decision }: { readonly decision: Decision }) => (
  <li>
    <p className="facts">
      <span>
        {actLabels[decision.act]} <Time at={decision.at} isPast />
      </span>
      <span>{categoryLabel(decision.category)}</span>
      {decision.is_mine && <span>Your decision</span>}
    </p>
    <h2 dir="auto">
      <Link to={`/desk/review/decisions/${decision.id}`}>{decision.about.headline}</Link>
    </h2>
    <p className="facts">
      <span>
        By <bdi>{decision.writer.name}</bdi>
      </span>
      {decision.appeal && decision.outcome === null && (
        <span>
          Appealed <Time at={decision.appeal.at} isPast />
        </span>
      )}
      {decision.outcome && <span>{decision.outcome === 'upheld' ? 'Upheld' : 'Reversed'}</span>}
    </p>
  </li>
)
