import { Link } from '../../components/link.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { Time } from '../../components/time.tsx'
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
  <Page title="Waiting for review" lead="Whoever has waited longest comes first. Your own pieces wait for others.">
    <ReviewList
      list={useQueue()}
      items={({ pieces }) => pieces}
      label="Pieces that wait, the longest first"
      empty={
        <Empty title="Nobody is waiting">
          <p>
            When a writer submits a piece, it comes here. <OpenReportsHint />
          </p>
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
  if (reported === 0) return 'Nothing else needs you now.'
  const many = hasNextPage
    ? `More than ${reported} pieces are`
    : reported === 1
      ? 'One piece is'
      : `${reported} pieces are`
  return (
    <>
      {many} reported by readers: <Link to="/desk/review?list=reports">read what they say</Link>.
    </>
  )
}

const WaitingEntry = ({ piece }: { readonly piece: WaitingPiece }) => (
  <li>
    <p className="facts">
      <span>
        Submitted <Time at={piece.submitted_at} isPast />
      </span>
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
      <span>
        By <bdi>{piece.writer.name}</bdi>
      </span>
    </p>
  </li>
)
