import { useState } from 'react'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Refused } from '../ui/form.tsx'
import { Loading } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { type Reported, useReports } from './asking.ts'
import { Dismissing } from './dismissing.tsx'
import { More } from './more.tsx'
import styles from './review.module.css'
import { HowMany, Said } from './said.tsx'

/** What readers reported of public pieces, most lately reported first. */
export function Reports() {
  const reports = useReports()
  const [settling, setSettling] = useState<Reported>()
  const pieces = reports.data?.pages.flatMap((page) => page.pieces)
  return (
    <Page title="Reports" lead="What readers say about public pieces. Taking a piece down settles its reports too.">
      <Refused error={reports.error} />
      {!pieces && !reports.error && <Loading />}
      {pieces?.length === 0 && (
        <Empty title="No open reports">
          <p>Under every public piece readers can report it. What they say comes here.</p>
        </Empty>
      )}
      {pieces && pieces.length > 0 && (
        <ol className={styles.index} aria-label="Reported pieces">
          {pieces.map((piece) => (
            <Entry key={piece.id} piece={piece} onSettle={() => setSettling(piece)} />
          ))}
        </ol>
      )}
      <More list={reports} />
      <Dismissing dismissal={settling} onClose={() => setSettling(undefined)} />
    </Page>
  )
}

const Entry = ({ piece, onSettle }: { readonly piece: Reported; readonly onSettle: () => void }) => (
  <li className={styles.entry}>
    <p className={styles.facts}>
      <HowMany of={piece} />
    </p>
    <h2 dir="auto">
      <a href={piece.url}>{piece.headline}</a>
    </h2>
    <p className={styles.facts}>
      <span>
        By <bdi>{piece.writer.name}</bdi>
      </span>
    </p>
    <Said reports={piece.newest} />
    <div className={styles.acts}>
      <LinkButton to={`/desk/review/${piece.id}`}>Read it and decide</LinkButton>
      <Button kind="quiet" aria-label={`Dismiss the reports of “${piece.headline}”`} onClick={onSettle}>
        Dismiss
      </Button>
    </div>
  </li>
)
