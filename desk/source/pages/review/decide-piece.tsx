import { useState } from 'react'
import { ApiError, problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button, type ButtonProps } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { RadioGroup, TextArea } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { showToast } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { CategoryField } from './categories.tsx'
import { type Category, type OpenReports, type ReviewedPiece, useInvalidateReview } from './queries.ts'
import { type Dismissal, DismissReportsDialog } from './report-list.tsx'
import styles from './review.module.css'

interface DecidePieceProps {
  readonly piece: ReviewedPiece
  readonly nonce: string | null
  /** Open reports about it. */
  readonly reports: OpenReports | null
  /** The list the moderator came from. */
  readonly backTo: string
  /** Called if the piece changed since it was shown. */
  readonly onStale: () => void
}

/** The moderator's actions on a piece. Each states its effect in the dialog. */
export function DecidePiece(props: DecidePieceProps) {
  const { piece, reports, backTo } = props
  const [chosen, setChosen] = useState<PieceAction>()
  const [dismissal, setDismissal] = useState<Dismissal>()
  const decisions = actionsFor(piece.status)
  if (decisions.length === 0) return null
  return (
    <Section title="Your decision" lead={whoIsNotified(piece, reports)}>
      <div className={styles.acts}>
        {decisions.map((decision) => (
          <Button key={decision.path} kind={decision.kind} onClick={() => setChosen(decision)}>
            {decision.label}
          </Button>
        ))}
        {reports && (
          <Button
            onClick={() =>
              setDismissal({ kind: 'piece', id: piece.id, headline: piece.headline, reports: reports.reports })
            }
          >
            Dismiss the reports
          </Button>
        )}
      </div>
      <DismissReportsDialog
        dismissal={dismissal}
        onClose={() => setDismissal(undefined)}
        onDone={() => navigate(backTo)}
      />
      <Dialog title={chosen?.title ?? ''} isOpen={chosen !== undefined} onClose={() => setChosen(undefined)}>
        {chosen && <ConfirmDecision {...props} decision={chosen} onClose={() => setChosen(undefined)} />}
      </Dialog>
    </Section>
  )
}

/** Who is notified. */
const whoIsNotified = ({ writer }: ReviewedPiece, reports: OpenReports | null): string =>
  reports
    ? `Whoever left an address is told what you decide. ${writer.name} is told by email if you take it down, without your name.`
    : `${writer.name} is told by email, without your name.`

const maxLength = 2000

const takeDownTargets = [
  { value: 'changes_requested', words: 'It can come back, changed' },
  { value: 'rejected', words: 'It is not for this site' },
] as const
type TakeDownTarget = (typeof takeDownTargets)[number]['value']

interface ConfirmDecisionProps extends DecidePieceProps {
  readonly decision: PieceAction
  readonly onClose: () => void
}

function ConfirmDecision({ decision, piece, nonce, reports, backTo, onStale, onClose }: ConfirmDecisionProps) {
  const [words, setWords] = useState('')
  const [category, setCategory] = useState<Category>(reports?.newest[0]?.reason ?? 'editorial')
  const [to, setTo] = useState<TakeDownTarget>('changes_requested')
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const isStale = attempt.error instanceof ApiError && [409, 412].includes(attempt.error.status)
  const decide = attempt.handler(async () => {
    await callApi('POST', `/review/${piece.id}/${decision.path}`, {
      ...(decision.asks ? { [decision.asks.field]: words } : { nonce }),
      ...(decision.hasStatement ? { category } : {}),
      ...(decision.path === 'take-down' ? { to } : {}),
    })
    showToast(decision.done)
    navigate(backTo)
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={decide}>
      <p>{decision.words}</p>
      {decision.hasStatement && <CategoryField value={category} onValue={setCategory} />}
      {decision.asks && (
        <TextArea
          label={decision.asks.label}
          hint={decision.asks.hint}
          value={words}
          onText={setWords}
          limit={maxLength}
          problem={problemOf(attempt.error, decision.asks.field)}
          required
        />
      )}
      {decision.path === 'take-down' && (
        <RadioGroup label="And then" options={takeDownTargets} value={to} onValue={setTo} />
      )}
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Not yet
        </Button>
        {isStale ? (
          <Button
            kind="main"
            onClick={() => {
              onClose()
              onStale()
            }}
          >
            Show it as it is now
          </Button>
        ) : (
          <Button kind={decision.kind === 'grave' ? 'grave' : 'main'} type="submit" isBusy={attempt.isBusy}>
            {decision.label}
          </Button>
        )}
      </DialogActions>
    </Form>
  )
}

/** An action of a moderator on a piece. */
interface PieceAction {
  /** The last segment of its API path. */
  readonly path: 'approve' | 'request-changes' | 'reject' | 'take-down'
  readonly label: string
  readonly kind: NonNullable<ButtonProps['kind']>
  readonly title: string
  readonly words: string
  /** What the moderator must write, and the field it is sent in. */
  readonly asks?: { readonly field: 'note' | 'reason'; readonly label: string; readonly hint: string }
  /** Whether the writer gets a statement of reasons and can appeal. */
  readonly hasStatement?: true
  readonly done: string
}

const pendingActions: readonly PieceAction[] = [
  {
    path: 'approve',
    label: 'Approve',
    kind: 'main',
    title: 'Approve this piece?',
    words: 'It is public at once, exactly as you have it before you, and goes out in the feeds.',
    done: 'Approved. The piece is public.',
  },
  {
    path: 'request-changes',
    label: 'Ask for changes',
    kind: 'plain',
    title: 'Ask for changes',
    words: 'The piece goes back to its writer with your note. They change it and submit it again.',
    asks: { field: 'note', label: 'What should be different', hint: 'Say what you saw, and what would be enough.' },
    done: 'The piece is back with its writer, with your note.',
  },
  {
    path: 'reject',
    label: 'Reject',
    kind: 'grave',
    title: 'Reject this piece?',
    words:
      'It is not published. Its writer can appeal, or make a draft of it again, which is then reviewed like this one.',
    hasStatement: true,
    asks: { field: 'reason', label: 'What you found', hint: 'The writer reads exactly this.' },
    done: 'The piece is rejected, and its writer told why.',
  },
]

const publicActions: readonly PieceAction[] = [
  {
    path: 'take-down',
    label: 'Take down',
    kind: 'grave',
    title: 'Take this piece down?',
    words:
      'Readers, feeds and machines lose it at once. What was reported of it is settled with this. Its writer can appeal.',
    hasStatement: true,
    asks: { field: 'reason', label: 'What you found', hint: 'The writer reads exactly this.' },
    done: 'The piece is no longer public.',
  },
]

const actionsFor = (status: string): readonly PieceAction[] =>
  status === 'pending' ? pendingActions : status === 'approved' ? publicActions : []
