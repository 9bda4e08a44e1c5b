import { useState } from 'react'
import { type Account, useInvalidateAccount } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { PasswordField } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { showToast } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'

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
  const invalidateAccount = useInvalidateAccount()
  const attempt = useAttempt()
  const change = attempt.handler(async () => {
    await callApi('PUT', '/account/password', { password })
    await invalidateAccount()
    showToast('Your new password is set. You are signed out everywhere else.')
    onClose()
  })
  return (
    <Form attempt={attempt} onSubmit={change}>
      {/* Password managers look for the username. */}
      <input type="hidden" autoComplete="username" value={account.email} readOnly />
      <PasswordField
        label="New password"
        value={password}
        onText={setPassword}
        problem={problemOf(attempt.error, 'password')}
      />
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Leave it
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Set the password
        </Button>
      </DialogActions>
    </Form>
  )
}
