import { useState } from 'react'
import { callApi } from '../../api/client.ts'
import { createPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { PasswordField } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { Form, FormActions, FormFooter, SubmitButton, useForm } from '../../components/form.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useFragment } from '../../components/router.ts'
import { signUp, siteName } from '../../components/site.ts'
import { rich, t } from '../../messages.ts'
import { DeadLink, EmailLink, EmailRequest, isDeadLink, toSignIn } from './email-link.tsx'

export function SignUpPage() {
  const invitation = useFragment()
  if (signUp === 'closed') {
    return (
      <Page
        title={t('desk.sign-in.sign_up.closed_title')}
        lead={t('desk.sign-in.sign_up.closed_lead', { site: siteName })}
      >
        <SignInLink />
      </Page>
    )
  }
  if (signUp === 'invited' && !invitation) {
    return (
      <Page
        title={t('desk.sign-in.sign_up.invited_title')}
        lead={t('desk.sign-in.sign_up.invited_lead', { site: siteName })}
      >
        <SignInLink />
      </Page>
    )
  }
  return (
    <EmailRequest
      title={t('desk.sign-in.sign_up.title')}
      lead={t('desk.sign-in.sign_up.lead', { site: siteName })}
      path="/sign-up"
      given={invitation ? { invitation } : {}}
    >
      <SignInLink />
    </EmailRequest>
  )
}

const SignInLink = () => <FormFooter>{rich('desk.sign-in.sign_up.sign_in', { link: toSignIn })}</FormFooter>

/** Completes the sign-up from the link in the email: name, then passkey or password. */
export const VerifyEmailPage = () => (
  <EmailLink opens="verify" title={t('desk.sign-in.verify.title')} requestPath={requestPath}>
    {(token) => <NewAccountForm token={token} />}
  </EmailLink>
)

const requestPath = '/desk/sign-up'

function NewAccountForm({ token }: { readonly token: string }) {
  const [wantsPassword, setWantsPassword] = useState(!hasPasskeys())
  const [hasChosen, setHasChosen] = useState(false)
  const form = useForm({ name: '', password: '' })
  const { name, password } = form.values
  if (isDeadLink(form.error)) return <DeadLink requestPath={requestPath} />

  const enter = async () => {
    queries.clear()
    // Their language is the one of this form. If it is not stored, the desk still follows the browser.
    await callApi('PATCH', '/account', { language: document.documentElement.lang }).catch(() => {})
    navigate('/desk/welcome', { replace: true })
  }
  const byPasskey = async () => {
    const newcomer = { token, name }
    const credential = await createPasskey('/first-passkey/options', newcomer)
    await callApi('POST', '/first-passkey', { ...newcomer, credential })
    await enter()
  }
  const byPassword = async () => {
    const { email } = await callApi<{ readonly email: string }>('POST', '/verify-email', { token, name, password })
    await callApi('POST', '/sign-in', { email, password })
    await enter()
  }

  return (
    <Page title={t('desk.sign-in.verify.title')} lead={t('desk.sign-in.verify.lead')}>
      <Form form={form} onSubmit={wantsPassword ? byPassword : byPasskey}>
        <Field
          label={t('desk.sign-in.verify.name')}
          hint={t('desk.sign-in.verify.name_hint')}
          autoComplete="name"
          autoFocus
          {...form.field('name', { empty: t('desk.sign-in.verify.name_missing') })}
          limit={80}
          required
        />
        {wantsPassword ? (
          <PasswordField {...form.field('password')} autoFocus={hasChosen} />
        ) : (
          <p>{t('desk.sign-in.verify.passkey')}</p>
        )}
        <FormActions>
          <SubmitButton>
            {t(wantsPassword ? 'desk.sign-in.verify.with_password' : 'desk.sign-in.verify.with_passkey')}
          </SubmitButton>
          {hasPasskeys() && (
            <Button
              kind="quiet"
              onClick={() => {
                setHasChosen(true)
                setWantsPassword(!wantsPassword)
              }}
            >
              {t(wantsPassword ? 'desk.sign-in.verify.passkey_instead' : 'desk.sign-in.verify.password_instead')}
            </Button>
          )}
        </FormActions>
      </Form>
    </Page>
  )
}
