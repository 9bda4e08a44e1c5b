import { useState } from 'react'
import type { ReportReason } from '../../../server/features/moderation/reports-schema.ts'
import { ask } from '../api/ask.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Choices, Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Refused, useAttempt } from '../ui/form.tsx'
import { Loading } from '../ui/loading.tsx'
import { tell } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { type Reported, useReports, useReviewChanged } from './asking.ts'
import { More } from './more.tsx'
import styles from './review.module.css'

/** As the reader chose it. */
const reasons: Readonly<Record<ReportReason, string>> = {
  spam: 'Spam',
  harassment: 'Harassment or hate',
  copyright: 'Copyright',
  impersonation: 'Impersonation',
  danger: 'Dangerous or illegal',
  other: 'Something else',
}

const reportsWord = (count: number): string => (count === 1 ? 'one report' : `${count} reports`)

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
      <Dialog
        title={settling ? `Dismiss ${reportsWord(settling.reports)}?` : ''}
        isOpen={settling !== undefined}
        onClose={() => setSettling(undefined)}
      >
        {settling && <Dismissing piece={settling} onDone={() => setSettling(undefined)} />}
      </Dialog>
    </Page>
  )
}

const Entry = ({ piece, onSettle }: { readonly piece: Reported; readonly onSettle: () => void }) => (
  <li className={styles.entry}>
    <p className={styles.facts}>
      <span>
        {piece.reports === 1
          ? 'One report, '
          : `${piece.reports} reports from ${addresses(piece.reporters)}, the last `}
        <Time at={piece.newest_at} />
      </span>
    </p>
    <h2 dir="auto">
      <a href={piece.url}>{piece.headline}</a>
    </h2>
    <p className={styles.facts}>
      <span>
        By <bdi>{piece.writer.name}</bdi>
      </span>
    </p>
    <ul className={styles.said}>
      {piece.newest.map((report) => (
        <li key={`${report.at} ${report.reason}`}>
          <p>
            <strong>{reasons[report.reason]}</strong>
            {report.note && (
              <>
                {': '}
                <q dir="auto">{report.note}</q>
              </>
            )}
          </p>
          <p className={styles.facts}>
            <span>
              <Time at={report.at} />
            </span>
            {report.email ? <a href={`mailto:${report.email}`}>{report.email}</a> : <span>No address given</span>}
          </p>
        </li>
      ))}
    </ul>
    <div className={styles.acts}>
      <LinkButton to={`/desk/review/${piece.id}`}>Read it here</LinkButton>
      <Button kind="quiet" aria-label={`Dismiss the reports of “${piece.headline}”`} onClick={onSettle}>
        Dismiss
      </Button>
    </div>
  </li>
)

const addresses = (count: number): string => (count === 1 ? 'one address' : `${count} addresses`)

function Dismissing({ piece, onDone }: { readonly piece: Reported; readonly onDone: () => void }) {
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const dismiss = attempt.by(async () => {
    await ask('POST', `/reports/${piece.id}/dismiss`)
    tell('The reports are dismissed. The piece stays as it is.')
    onDone()
    await changed()
  })
  return (
    <>
      <Refused error={attempt.error} />
      <p>“{piece.headline}” stays public. It comes back here if somebody reports it again.</p>
      <Choices>
        <Button kind="quiet" onClick={onDone}>
          Leave them open
        </Button>
        <Button kind="main" isBusy={attempt.isBusy} onClick={dismiss}>
          Dismiss
        </Button>
      </Choices>
    </>
  )
}
