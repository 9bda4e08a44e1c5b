import { useState } from 'react'
import { problemOf } from '../../../api/api-error.ts'
import { useWebhookActs, type Webhook, type WebhookSaved } from '../../../api/webhook.ts'
import { Button } from '../../../components/button.tsx'
import { Choices, Dialog } from '../../../components/dialog.tsx'
import { Field } from '../../../components/field.tsx'
import { Form, useAttempt } from '../../../components/form.tsx'
import { webAddressOf } from '../addresses.ts'

interface AddressProps {
  readonly onSaved: (saved: WebhookSaved) => void
  /** What it is now, where there is one. */
  readonly url?: string
  readonly onClose?: () => void
}

/** Where to send. Nothing is lost by a wrong one: it is not live before it has answered. */
export function Address({ onSaved, url = '', onClose }: AddressProps) {
  const [typed, setTyped] = useState(url)
  const { save } = useWebhookActs()
  const attempt = useAttempt()
  const submit = attempt.by(async () => {
    onSaved(await save(webAddressOf(typed) ?? ''))
    onClose?.()
  })
  const button = (
    <Button kind="main" type="submit" isBusy={attempt.isBusy}>
      {onClose ? 'Save and test it' : 'Save'}
    </Button>
  )
  return (
    <Form attempt={attempt} onSubmit={submit}>
      <Field
        label={url ? 'Its new address' : 'The address to send to'}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://example.org/hooks/new-piece"
        value={typed}
        onText={setTyped}
        problem={problemOf(attempt.error, 'url')}
        required
      />
      {onClose ? (
        <Choices>
          <Button kind="quiet" onClick={onClose}>
            Leave it as it is
          </Button>
          {button}
        </Choices>
      ) : (
        button
      )}
    </Form>
  )
}

function followsOf({ state, live_since: wasLive }: Webhook): string {
  if (state === 'paused') return 'It stays paused until you resume.'
  return wasLive ? 'Until it answers, what you publish is held for it.' : 'It is live as soon as it answers.'
}

interface MovingProps {
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSaved: (saved: WebhookSaved) => void
}

/** Another address for the same webhook. */
export const Moving = ({ webhook, isOpen, onClose, onSaved }: MovingProps) => (
  <Dialog title="Change the address" isOpen={isOpen} onClose={onClose}>
    <p>The new address gets a test at once. {followsOf(webhook)} The secret stays the same.</p>
    <Address url={webhook.url} onSaved={onSaved} onClose={onClose} />
  </Dialog>
)
