import { useState } from 'react'
import { ApiError, callApi } from '../../api/client.ts'
import { Button, type ButtonProps } from '../../components/button.tsx'
import { RadioGroup } from '../../components/choices.tsx'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useKeptForm } from '../../components/kept-form.ts'
import { showToast } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { t } from '../../messages.ts'
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
    <Section
      title={t('desk.review.decide.title')}
      lead={t(reports ? 'desk.review.decide.notified_reporters' : 'desk.review.decide.notified', {
        writer: piece.writer.name,
      })}
    >
      <div className={styles.acts}>
        {decisions.map((decision) => (
          <Button key={decision.name} kind={decision.kind} onClick={() => setChosen(decision)}>
            {t(`desk.review.decide.label.${decision.name}`)}
          </Button>
        ))}
        {reports && (
          <Button
            onClick={() =>
              setDismissal({ kind: 'piece', id: piece.id, headline: piece.headline, reports: reports.reports })
            }
          >
            {t('desk.review.decide.dismiss')}
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

const maxLength = 2000

const takeDownTargets = ['changes_requested', 'rejected'] as const
type TakeDownTarget = (typeof takeDownTargets)[number]

interface ConfirmDecisionProps extends DecidePieceProps {
  readonly decision: PieceAction
  readonly onClose: () => void
}

function ConfirmDecision({ decision, piece, nonce, reports, backTo, onStale, onClose }: ConfirmDecisionProps) {
  const form = useKeptForm(`piece:${piece.id}`, {
    note: '',
    reason: '',
    category: (reports?.newest[0]?.reason ?? 'editorial') as Category,
    to: 'changes_requested' as TakeDownTarget,
  })
  const { category, to } = form.values
  const { name, asks } = decision
  const isStale = form.error instanceof ApiError && [409, 412].includes(form.error.status)
  const showNew = async () => {
    onClose()
    onStale()
  }
  const decide = async () => {
    await callApi('POST', `/review/${piece.id}/${name.replace('_', '-')}`, {
      ...(asks ? { [asks]: form.values[asks] } : { nonce }),
      ...(decision.hasStatement ? { category } : {}),
      ...(name === 'take_down' ? { to } : {}),
    })
    form.forget()
    showToast(t(`desk.review.decide.done.${name}`))
    navigate(backTo)
    await invalidateReview()
  }
  return (
    <FormDialog
      title={t(`desk.review.decide.question.${name}`)}
      about={t(`desk.review.decide.effect.${name}`)}
      form={form}
      onSubmit={isStale ? showNew : decide}
      submit={isStale ? t('desk.review.decide.show_latest') : t(`desk.review.decide.label.${name}`)}
      kind={!isStale && decision.kind === 'grave' ? 'grave' : 'main'}
      onClose={onClose}
    >
      {decision.hasStatement && <CategoryField value={category} onValue={(category) => form.change({ category })} />}
      {asks && (
        <TextArea
          label={asks === 'note' ? t('desk.review.decide.note') : t('desk.review.decide.explanation')}
          hint={asks === 'note' ? t('desk.review.decide.note_hint') : t('desk.review.decide.explanation_hint')}
          {...form.field(asks)}
          limit={maxLength}
          required={!isStale}
        />
      )}
      {name === 'take_down' && (
        <RadioGroup
          label={t('desk.review.decide.next')}
          options={takeDownTargets.map((value) => ({ value, words: t(`desk.review.decide.next.${value}`) }))}
          value={to}
          onValue={(to) => form.change({ to })}
        />
      )}
    </FormDialog>
  )
}

/** An action of a moderator on a piece. */
interface PieceAction {
  /** The last segment of its API path, with an underscore. */
  readonly name: 'approve' | 'request_changes' | 'reject' | 'take_down'
  readonly kind: NonNullable<ButtonProps['kind']>
  /** The field of what the moderator must write. */
  readonly asks?: 'note' | 'reason'
  /** Whether the writer gets a statement of reasons and can appeal. */
  readonly hasStatement?: true
}

const pendingActions: readonly PieceAction[] = [
  { name: 'approve', kind: 'main' },
  { name: 'request_changes', kind: 'plain', asks: 'note' },
  { name: 'reject', kind: 'grave', asks: 'reason', hasStatement: true },
]

const publicActions: readonly PieceAction[] = [{ name: 'take_down', kind: 'grave', asks: 'reason', hasStatement: true }]

const actionsFor = (status: string): readonly PieceAction[] =>
  status === 'pending' ? pendingActions : status === 'approved' ? publicActions : []
