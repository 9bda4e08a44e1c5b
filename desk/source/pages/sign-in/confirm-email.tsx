import { invalidateAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Form, FormActions, SubmitButton, useForm } from '../../components/form.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useFragment } from '../../components/router.ts'
import { DeadLink, isDeadLink, LinkNeeded } from './email-link.tsx'

const requestPath = '/desk/account'

export const ConfirmEmailPage = () => (
  <ConfirmPage
    path="/account/email/confirm"
    title="Use this address"
    lead="From now on you sign in with the address this letter came to, and we write there."
    button="Use this address"
    done="You sign in with your new address from now on."
    next="/desk/account"
  />
)

export const KeepAccountPage = () => (
  <ConfirmPage
    path="/account/deletion/cancel"
    title="Keep your account?"
    lead="It will not be deleted, and everything stays as it is. If you did not ask to delete it, reset your password afterwards: somebody else was signed in."
    button="Keep my account"
    done="Your account stays."
    next="/desk"
  />
)

interface ConfirmPageProps {
  /** Where the link's token is sent. */
  readonly path: string
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly done: string
  readonly next: string
}

/** Needs a button press, since mail scanners open links. */
function ConfirmPage(props: ConfirmPageProps) {
  const token = useFragment()
  return token ? <ConfirmForm key={token} token={token} {...props} /> : <LinkNeeded requestPath={requestPath} />
}

function ConfirmForm({ token, path, title, lead, button, done, next }: ConfirmPageProps & { readonly token: string }) {
  const form = useForm({ token })
  if (isDeadLink(form.error)) return <DeadLink requestPath={requestPath} />
  const confirm = async () => {
    await callApi('POST', path, { token })
    await invalidateAccount()
    showToast(done)
    navigate(next, { replace: true })
  }
  return (
    <Page title={title} lead={lead}>
      <Form form={form} onSubmit={confirm}>
        <FormActions>
          <SubmitButton>{button}</SubmitButton>
        </FormActions>
      </Form>
    </Page>
  )
}
