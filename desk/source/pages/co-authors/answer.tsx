import { callApi } from '../../api/client.ts'
import { type Invitation, invalidateInvitations } from '../../api/co-authors.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { focusHeading } from '../../components/page.tsx'
import { rich, t } from '../../messages.ts'

/** `withdraw` takes back a name that was given. */
export type Answer = 'agree' | 'decline' | 'withdraw'

interface AnswerDialogProps {
  readonly invitation: Invitation
  readonly answer: Answer
  readonly onClose: () => void
}

/** What the answer means, before it is given. */
export function AnswerDialog({ invitation: { id, writer }, answer, onClose }: AnswerDialogProps) {
  const give = async () => {
    await callApi('POST', `/co-authors/${id}/answer`, { agreed: answer === 'agree' })
    onClose()
    showToast(t(`desk.co-authors.done.${answer}`, { writer: writer.name }))
    await invalidateInvitations()
    focusHeading()
  }
  return (
    <FormDialog
      title={t(`desk.co-authors.question.${answer}`)}
      about={rich(`desk.co-authors.effect.${answer}`, { writer: <bdi>{writer.name}</bdi> })}
      onSubmit={give}
      submit={t(`desk.co-authors.${answer}`)}
      kind={answer === 'agree' ? 'main' : 'grave'}
      onClose={onClose}
    />
  )
}
