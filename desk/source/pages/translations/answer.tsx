import { callApi } from '../../api/client.ts'
import { invalidateTranslations, type TranslationRequest } from '../../api/translations.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/notice.tsx'
import { focusHeading } from '../../components/page.tsx'
import { rich, t } from '../../messages.ts'

/** `withdraw` declines what was agreed to and is public. */
export type Answer = 'agree' | 'decline' | 'withdraw'

interface AnswerDialogProps {
  readonly request: TranslationRequest
  readonly answer: Answer
  readonly onClose: () => void
}

/** What the answer means, before it is given. */
export function AnswerDialog({ request: { id, translator, original }, answer, onClose }: AnswerDialogProps) {
  const give = async () => {
    await callApi('POST', `/translations/${id}/answer`, {
      original: original.id,
      agreed: answer === 'agree',
    })
    onClose()
    showToast(t(`desk.translations.done.${answer}`, { translator: translator.name }))
    await invalidateTranslations()
    focusHeading()
  }
  return (
    <FormDialog
      title={t(`desk.translations.question.${answer}`)}
      about={rich(`desk.translations.effect.${answer}`, {
        translator: <bdi>{translator.name}</bdi>,
        original: <bdi>{original.headline}</bdi>,
      })}
      onSubmit={give}
      submit={t(`desk.translations.${answer}`)}
      kind={answer === 'agree' ? 'main' : 'grave'}
      onClose={onClose}
    />
  )
}
