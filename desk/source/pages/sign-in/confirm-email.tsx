import { useInvalidateAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Form, FormActions, useAttempt } from '../../components/form.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useFragment } from '../../components/router.ts'
import { DeadLink, isDeadLink, LinkNeeded } from './email-link.tsx'

/** Needs a button press, since mail scanners open links. */
export function ConfirmEmailPage() {
  const token = useFragment()
  return token ? <ConfirmEmailForm key={token} token={token} /> : <LinkNeeded requestPath={requestPath} />
}

const requestPath = '/desk/account'

function ConfirmEmailForm({ token }: { readonly token: string }) {
  const invalidateAccount = useInvalidateAccount()
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <DeadLink requestPath={requestPath} />
  const confirm = attempt.handler(async () => {
    await callApi('POST', '/account/email/confirm', { token })
    await invalidateAccount()
    showToast('You sign in with your new address from now on.')
    navigate('/desk/account', { replace: true })
  })
  return (
    <Page
      title="Use this address"
      lead="From now on you sign in with the address this letter came to, and we write there."
    >
      <Form attempt={attempt} onSubmit={confirm}>
        <FormActions>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Use this address
          </Button>
        </FormActions>
      </Form>
    </Page>
  )
}

/** Needs a button press, since mail scanners open links. */
export function KeepAccountPage() {
  const token = useFragment()
  return token ? <KeepAccountForm key={token} token={token} /> : <LinkNeeded requestPath="/desk/account" />
}

function KeepAccountForm({ token }: { readonly token: string }) {
  const invalidateAccount = useInvalidateAccount()
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <DeadLink requestPath="/desk/account" />
  const keep = attempt.handler(async () => {
    await callApi('POST', '/account/deletion/cancel', { token })
    await invalidateAccount()
    showToast('Your account stays.')
    navigate('/desk', { replace: true })
  })
  return (
    <Page
      title="Keep your account?"
      lead="It will not be deleted, and everything stays as it is. If you did not ask to delete it, reset your password afterwards: somebody else was signed in."
    >
      <Form attempt={attempt} onSubmit={keep}>
        <FormActions>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Keep my account
          </Button>
        </FormActions>
      </Form>
    </Page>
  )
}
