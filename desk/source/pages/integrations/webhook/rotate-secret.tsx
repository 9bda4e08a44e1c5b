import { useState } from 'react'
import { useWebhookActs, type Webhook, type WebhookSaved } from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { Choices, Dialog } from '../../../components/dialog.tsx'
import { Form, useAttempt } from '../../../components/form.tsx'
import { Options } from '../../../components/options.tsx'
import { untilOf } from './dates.ts'

/** In hours; as text, since a choice has words for a value. */
const overlaps = [
  { value: '24', words: 'For 24 hours' },
  { value: '72', words: 'For 3 days' },
  { value: '168', words: 'For 7 days' },
  { value: '0', words: 'Not at all: it leaked' },
] as const
type Overlap = (typeof overlaps)[number]['value']

const spans: Readonly<Record<Exclude<Overlap, '0'>, string>> = { 24: '24 hours', 72: '3 days', 168: '7 days' }

const consequence = (overlap: Overlap): string =>
  overlap === '0'
    ? 'From now on only the new secret signs. Your server refuses what we send until it has it; nothing is lost, since each delivery is tried ten times in three days.'
    : `For ${spans[overlap]} each delivery carries two signatures, one of either secret, so your server takes it before and after you change the secret there. Then the old one ends by itself.`

interface RotatingProps {
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRotated: (saved: WebhookSaved) => void
}

/** A new secret, and how long the old one goes on. */
export const Rotating = ({ webhook, isOpen, onClose, onRotated }: RotatingProps) => (
  <Dialog title="Rotate the secret" isOpen={isOpen} onClose={onClose}>
    <Choosing webhook={webhook} onClose={onClose} onRotated={onRotated} />
  </Dialog>
)

function Choosing({ webhook, onClose, onRotated }: Omit<RotatingProps, 'isOpen'>) {
  const [overlap, setOverlap] = useState<Overlap>('24')
  const { rotate } = useWebhookActs()
  const attempt = useAttempt()
  const former = webhook.former_secret_until
  const submit = attempt.by(async () => {
    onRotated(await rotate({ keep_hours: Number(overlap), ...(former ? { force: true } : {}) }))
    onClose()
  })
  return (
    <Form attempt={attempt} onSubmit={submit}>
      {former && (
        <p>
          You rotated it not long ago: the secret before this one signs until {untilOf(former)}. If you rotate again,
          that one ends at once.
        </p>
      )}
      <Options label="Keep the old secret" options={overlaps} value={overlap} onChosen={setOverlap} />
      <p>{consequence(overlap)}</p>
      <Choices>
        <Button kind="quiet" onClick={onClose}>
          Not now
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Make a new secret
        </Button>
      </Choices>
    </Form>
  )
}
