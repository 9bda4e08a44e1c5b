import { useState } from 'react'
import { ApiError, callApi } from '../../api/client.ts'
import { Button, type ButtonProps } from '../../components/button.tsx'
import { RadioGroup } from '../../components/choices.tsx'
import { TextArea } from '../../components/field.tsx'
import { useForm } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { type Category, invalidateReview, type OpenReports, type ReviewedPiece } from './queries.ts'
import { CategoryField, type Dismissal, DismissReportsDialog } from './report-list.tsx'
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
      {dismissal && (
        <DismissReportsDialog
          dismissal={dismissal}
          onClose={() => setDismissal(undefined)}
          onDone={() => navigate(backTo)}
        />
      )}
      {chosen && <ConfirmDecision {...props} decision={chosen} onClose={() => setChosen(undefined)} />}
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
  const form = useForm({
    note: '',
    reason: '',
    category: (reports?.newest[0]?.reason ?? 'editorial') as Category,
    to: 'changes_requested' as TakeDownTarget,
  })
  const { category, to } = form.values
  const { asks } = decision
  const isStale = form.error instanceof ApiError && [409, 412].includes(form.error.status)
  const showNew = async () => {
    onClose()
    onStale()
  }
  const decide = async () => {
    await callApi('POST', `/review/${piece.id}/${decision.path}`, {
      ...(asks ? { [asks.field]: form.values[asks.field] } : { nonce }),
      ...(decision.hasStatement ? { category } : {}),
      ...(decision.path === 'take-down' ? { to } : {}),
    })
    showToast(decision.done)
    navigate(backTo)
    await invalidateReview()
  }
  return (
    <FormDialog
      title={decision.title}
      about={decision.words}
      form={form}
      onSubmit={isStale ? showNew : decide}
      submit={isStale ? 'Show it as it is now' : decision.label}
      kind={!isStale && decision.kind === 'grave' ? 'grave' : 'main'}
      cancel="Not yet"
      onClose={onClose}
    >
      {decision.hasStatement && <CategoryField value={category} onValue={(category) => form.change({ category })} />}
      {asks && (
        <TextArea
          label={asks.label}
          hint={asks.hint}
          {...form.field(asks.field)}
          limit={maxLength}
          required={!isStale}
        />
      )}
      {decision.path === 'take-down' && (
        <RadioGroup label="And then" options={takeDownTargets} value={to} onValue={(to) => form.change({ to })} />
      )}
    </FormDialog>
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
