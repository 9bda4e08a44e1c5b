import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Refused, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { reportsWord } from './form-values.tsx'
import { useReviewChanged } from './queries.ts'

/** What is dismissed: so many reports of this. */
export interface Dismissal {
  readonly kind: 'piece' | 'listing'
  readonly id: string
  readonly headline: string
  readonly reports: number
}

interface DismissingProps {
  /** Nothing asks while there is none. */
  readonly dismissal: Dismissal | undefined
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Asks before reports are dismissed, and says what that does. */
export const Dismissing = ({ dismissal, onClose, onDone = onClose }: DismissingProps) => (
  <Dialog
    title={dismissal ? `Dismiss ${reportsWord(dismissal.reports)}?` : ''}
    isOpen={dismissal !== undefined}
    onClose={onClose}
  >
    {dismissal && <Confirming dismissal={dismissal} onClose={onClose} onDone={onDone} />}
  </Dialog>
)

interface ConfirmingProps extends DismissingProps {
  readonly dismissal: Dismissal
  readonly onDone: () => void
}

function Confirming({ dismissal: { kind, id, headline }, onClose, onDone }: ConfirmingProps) {
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const dismiss = attempt.by(async () => {
    await ask('POST', kind === 'piece' ? `/reports/${id}/dismiss` : `/reports/listings/${id}/dismiss`)
    tell(`The reports are dismissed. The ${kind} stays as it is.`)
    onDone()
    await changed()
  })
  return (
    <>
      <Refused error={attempt.error} />
      <p>
        “{headline}” stays public. Whoever left an address is told so by email; its writer hears nothing. It comes back
        here if somebody reports it again.
      </p>
      <Choices>
        <Button kind="quiet" onClick={onClose}>
          Leave them open
        </Button>
        <Button kind="main" isBusy={attempt.isBusy} onClick={dismiss}>
          Dismiss
        </Button>
      </Choices>
    </>
  )
}
