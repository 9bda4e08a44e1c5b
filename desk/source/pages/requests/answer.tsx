import { callApi } from '../../api/client.ts'
import { apiPaths, invalidateRequests, type RequestKind, type WriterRequest } from '../../api/requests.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { focusHeading } from '../../components/page.tsx'
import { rich, t } from '../../messages.ts'

/** `withdraw` takes back what readers see. */
export type Answer = 'agree' | 'decline' | 'withdraw'

/** What the button of an answer says, or of a change to an earlier one. */
export const labelOf = (kind: RequestKind, answer: Answer) =>
  answer === 'withdraw' ? (`${kind}.withdraw` as const) : answer

interface AnswerDialogProps {
  readonly kind: RequestKind
  readonly request: WriterRequest
  readonly answer: Answer
  readonly onClose: () => void
}

/** What the answer means, before it is given. */
export function AnswerDialog({ kind, request: { id, person, original }, answer, onClose }: AnswerDialogProps) {
  const give = async () => {
    await callApi('POST', `${apiPaths[kind]}/${id}/answer`, {
      ...(original ? { original: original.id } : {}),
      agreed: answer === 'agree',
    })
    onClose()
    showToast(t(`desk.requests.${kind}.done.${answer}`, { person }))
    await invalidateRequests(kind)
    focusHeading()
  }
  const name = <bdi>{person}</bdi>
  const about = original
    ? rich(`desk.requests.translation.effect.${answer}`, { person: name, original: <bdi>{original.headline}</bdi> })
    : rich(`desk.requests.co_author.effect.${answer}`, { person: name })
  return (
    <FormDialog
      title={t(`desk.requests.${kind}.question.${answer}`)}
      about={about}
      onSubmit={give}
      submit={t(`desk.requests.${labelOf(kind, answer)}`)}
      kind={answer === 'agree' ? 'main' : 'grave'}
      onClose={onClose}
    />
  )
}
