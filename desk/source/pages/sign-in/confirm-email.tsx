import { invalidateAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Form, FormActions, SubmitButton, useForm } from '../../components/form.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useFragment } from '../../components/router.ts'
import { t } from '../../messages.ts'
import { DeadLink, isDeadLink, LinkNeeded } from './email-link.tsx'

const requestPath = '/desk/account'

export const ConfirmEmailPage = () => (
  <ConfirmPage
    path="/account/email/confirm"
    title={t('desk.sign-in.confirm_email.title')}
    lead={t('desk.sign-in.confirm_email.lead')}
    button={t('desk.sign-in.confirm_email.button')}
    done={t('desk.sign-in.confirm_email.done')}
    next="/desk/account"
  />
)

export const KeepAccountPage = () => (
  <ConfirmPage
    path="/account/deletion/cancel"
    title={t('desk.sign-in.keep_account.title')}
    lead={t('desk.sign-in.keep_account.lead')}
    button={t('desk.common.deletion.keep')}
    done={t('desk.common.deletion.kept')}
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
