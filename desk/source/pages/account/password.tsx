import { useState } from 'react'
import { type Account, useAccountChanged } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { Section } from '../../components/section.tsx'

export function Password({ account }: { readonly account: Account }) {
  const [isOpen, setOpen] = useState(false)
  const label = account.has_password ? 'Change the password' : 'Set a password'
  const close = () => setOpen(false)
  return (
    <Section
      title="Password"
      lead={
        account.has_password
          ? 'Changing it signs you out everywhere but here.'
          : 'You have none, and need none while you have a passkey.'
      }
    >
      <Button onClick={() => setOpen(true)}>{label}</Button>
      <Dialog title={label} isOpen={isOpen} onClose={close}>
        <NewPassword account={account} onClose={close} />
      </Dialog>
    </Section>
  )
}

interface NewPasswordProps {
  readonly account: Account
  readonly onClose: () => void
}

function NewPassword({ account, onClose }: NewPasswordProps) {
  const [password, setPassword] = useState('')
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  const change = attempt.by(async () => {
    await ask('PUT', '/account/password', { password })
    await accountChanged()
    tell('Your new password is set. You are signed out everywhere else.')
    onClose()
  })
  return (
    <Form attempt={attempt} onSubmit={change}>
      {/* Password managers look for the name the password belongs to. */}
      <input type="hidden" autoComplete="username" value={account.email} readOnly />
      <PasswordField
        label="New password"
        value={password}
        onText={setPassword}
        problem={problemOf(attempt.error, 'password')}
      />
      <Choices>
        <Button kind="quiet" onClick={onClose}>
          Leave it
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Set the password
        </Button>
      </Choices>
    </Form>
  )
}
