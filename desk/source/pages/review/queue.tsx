import type { ReactNode } from 'react'
import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { Appeals } from './appeals.tsx'
import { AuditLog } from './audit-log.tsx'
import { useQueue, useReports, type WaitingPiece } from './queries.ts'
import { Reports } from './reports.tsx'
import styles from './review.module.css'
import { ReviewList, ReviewNav } from './review-nav.tsx'

/** The moderation lists; the URL selects one. */
export function ReviewQueuePage() {
  const list = useLocation().query.get('list')
  return (
    <>
      <ReviewNav />
      {list === 'reports' ? (
        <Reports />
      ) : list === 'appeals' ? (
        <Appeals />
      ) : list === 'decisions' ? (
        <AuditLog />
      ) : (
        <WaitingList />
      )}
    </>
  )
}

/** Waiting pieces, the longest first. */
const WaitingList = () => (
  <Page title={t('desk.review.queue.title')} lead={t('desk.review.queue.lead')}>
    <ReviewList
      list={useQueue()}
      items={({ pieces }) => pieces}
      label={t('desk.review.queue.list')}
      empty={
        <Empty title={t('desk.review.queue.empty')}>
          <p>{t('desk.review.queue.empty_about')}</p>
          <OpenReportsHint />
        </Empty>
      }
    >
      {(piece) => <WaitingEntry key={piece.id} piece={piece} />}
    </ReviewList>
  </Page>
)

/** Shown only once the reports are loaded. */
function OpenReportsHint() {
  const { data, hasNextPage } = useReports()
  if (!data) return null
  const reported = data.pages.reduce((sum, page) => sum + page.count, 0)
  if (reported === 0) return <p>{t('desk.review.queue.no_reports')}</p>
  const id = hasNextPage ? 'desk.review.queue.reported_more' : 'desk.review.queue.reported'
  const link = (content: ReactNode) => <Link to="/desk/review?list=reports">{content}</Link>
  return <p>{rich(id, { count: reported, link })}</p>
}

const WaitingEntry = ({ piece }: { readonly piece: WaitingPiece }) => (
  <li>
    <p className="facts">
      <span>{rich('desk.review.queue.submitted_at', { time: <Time at={piece.submitted_at} isPast /> })}</span>
      <span className={styles.category}>{piece.category}</span>
    </p>
    <h2 dir="auto">
      <Link to={`/desk/review/${piece.id}`}>{piece.headline}</Link>
    </h2>
    {piece.sub && (
      <p className={`excerpt ${styles.sub}`} dir="auto">
        {piece.sub}
      </p>
    )}
    <p className="facts">
      <span>{rich('desk.review.by', { writer: <bdi>{piece.writer.name}</bdi> })}</span>
    </p>
  </li>
)
