import { Empty } from '../../components/empty.tsx'
import { Refused } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { More } from './more.tsx'
import { useQueue, useReports, type Waiting } from './queries.ts'
import styles from './review.module.css'

/** What waits, longest first. */
export function WaitingList() {
  const queue = useQueue()
  const pieces = queue.data?.pages.flatMap((page) => page.pieces)
  return (
    <Page title="Waiting for review" lead="Whoever has waited longest comes first. Your own pieces wait for others.">
      <Refused error={queue.error} />
      {!pieces && !queue.error && <Loading />}
      {pieces?.length === 0 && (
        <Empty title="Nobody is waiting">
          <p>
            When a writer submits a piece, it comes here. <WhatElse />
          </p>
        </Empty>
      )}
      {pieces && pieces.length > 0 && (
        <ol className={styles.index} aria-label="Pieces that wait, the longest first">
          {pieces.map((piece) => (
            <Entry key={piece.id} piece={piece} />
          ))}
        </ol>
      )}
      <More list={queue} />
    </Page>
  )
}

/** Said only when it is known. */
function WhatElse() {
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

const Entry = ({ piece }: { readonly piece: Waiting }) => (
  <li className={styles.entry}>
    <p className={styles.facts}>
      <span>
        Submitted <Time at={piece.submitted_at} isPast />
      </span>
      <span className={styles.category}>{piece.category}</span>
    </p>
    <h2 dir="auto">
      <Link to={`/desk/review/${piece.id}`}>{piece.headline}</Link>
    </h2>
    {piece.sub && (
      <p className={styles.sub} dir="auto">
        {piece.sub}
      </p>
    )}
    <p className={styles.facts}>
      <span>
        By <bdi>{piece.writer.name}</bdi>
      </span>
    </p>
  </li>
)
