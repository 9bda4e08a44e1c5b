import { useState } from 'react'
import { type Account, useAccountChanged } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form, Refused, useAttempt } from '../../components/form.tsx'
import { Notice, tell } from '../../components/notice.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'

/** Where emails go, and what one signs in with. A new one counts once the link in its email has been opened. */
export function Address({ account }: { readonly account: Account }) {
  const [isChanging, setChanging] = useState(false)
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  const { email_change: change, email_undo: undo } = account
  const cancel = attempt.by(async () => {
    await ask('DELETE', '/account/email')
    await accountChanged()
    tell('Your email address stays as it is.')
  })
  return (
    <Section title="Email address">
      <Rows>
        <Row
          title={<bdi>{account.email}</bdi>}
          about="You sign in with it, and our emails go there. Readers don’t see it."
          acts={
            <Button kind="quiet" aria-label="Change the email address" onClick={() => setChanging(true)}>
              Change
            </Button>
          }
        />
        {change && (
          <Row
            title={<bdi>{change.to}</bdi>}
            about={
              <>
                Not confirmed yet: open the link in the email we sent there. You asked for it{' '}
                <Time at={change.asked_at} />.
              </>
            }
            acts={
              <Button kind="quiet" aria-label={`Cancel the change to ${change.to}`} onClick={cancel}>
                Cancel
              </Button>
            }
          />
        )}
      </Rows>
      <Refused error={attempt.error} />
      {undo && (
        <Notice kind="good">
          For 72 hours you can undo the change from <bdi>{undo.to}</bdi>, with the link in the email we sent there.
          Until then the address can’t be changed again.
        </Notice>
      )}
      <Dialog title="New email address" isOpen={isChanging} onClose={() => setChanging(false)}>
        <NewAddress
          onCancel={() => setChanging(false)}
          onAsked={async () => {
            await accountChanged()
            setChanging(false)
          }}
        />
      </Dialog>
    </Section>
  )
}

interface NewAddressProps {
  readonly onAsked: () => Promise<void>
  readonly onCancel: () => void
}

function NewAddress({ onAsked, onCancel }: NewAddressProps) {
  const [email, setEmail] = useState('')
  const attempt = useAttempt()
  const change = attempt.by(async () => {
    await ask('POST', '/account/email', { email })
    await onAsked()
  })
  return (
    <Form attempt={attempt} onSubmit={change}>
      <Field
        label="New address"
        hint="We’ll email you a link there, and tell your old address."
        type="email"
        autoComplete="email"
        value={email}
        onText={setEmail}
        problem={problemOf(attempt.error, 'email') && 'Enter an email address we can write to.'}
        required
      />
      <Choices>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Send the email
        </Button>
      </Choices>
    </Form>
  )
}
