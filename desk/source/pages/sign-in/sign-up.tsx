import { useState } from 'react'
import { callApi } from '../../api/client.ts'
import { createPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { PasswordField } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { Form, FormActions, FormFooter, SubmitButton, useForm } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useFragment } from '../../components/router.ts'
import { signUp, siteName } from '../../components/site.ts'
import { DeadLink, EmailLink, EmailRequest, isDeadLink } from './email-link.tsx'

export function SignUpPage() {
  const invitation = useFragment()
  if (signUp === 'closed') {
    return (
      <Page title="Sign-up is closed" lead={`${siteName} takes no new writers at the moment.`}>
        <SignInLink />
      </Page>
    )
  }
  if (signUp === 'invited' && !invitation) {
    return (
      <Page
        title="You need an invitation"
        lead={`New writers join ${siteName} by invitation. If you have one, open the link in it.`}
      >
        <SignInLink />
      </Page>
    )
  }
  return (
    <EmailRequest
      title="Begin to write"
      lead={`An address is all we need to start. We send a letter there; its link opens your desk at ${siteName}.`}
      act="Send me the letter"
      path="/sign-up"
      given={invitation ? { invitation } : {}}
    >
      <SignInLink />
    </EmailRequest>
  )
}

const SignInLink = () => (
  <FormFooter>
    Have you been here before? <Link to="/desk/sign-in">Sign in</Link>
  </FormFooter>
)

/** Completes the sign-up from the link in the email: name, then passkey or password. */
export const VerifyEmailPage = () => (
  <EmailLink opens="verify" title="Confirm your address" requestPath={requestPath}>
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

  const enter = () => {
    queries.clear()
    navigate('/desk/welcome', { replace: true })
  }
  const byPasskey = async () => {
    const newcomer = { token, name }
    const credential = await createPasskey('/first-passkey/options', newcomer)
    await callApi('POST', '/first-passkey', { ...newcomer, credential })
    enter()
  }
  const byPassword = async () => {
    const { email } = await callApi<{ readonly email: string }>('POST', '/verify-email', { token, name, password })
    await callApi('POST', '/sign-in', { email, password })
    enter()
  }

  return (
    <Page title="Confirm your address" lead="Two things, and the desk is yours.">
      <Form form={form} onSubmit={wantsPassword ? byPassword : byPasskey}>
        <Field
          label="Your name"
          hint="As readers see it above your pieces. You can change it later."
          autoComplete="name"
          autoFocus
          {...form.field('name')}
          limit={80}
          required
        />
        {wantsPassword ? (
          <PasswordField {...form.field('password')} autoFocus={hasChosen} />
        ) : (
          <p>
            A passkey signs you in with your finger, your face or the code of your device. There is nothing to remember,
            and nothing that can be stolen from us.
          </p>
        )}
        <FormActions>
          <SubmitButton>{wantsPassword ? 'Open my desk' : 'Make a passkey'}</SubmitButton>
          {hasPasskeys() && (
            <Button
              kind="quiet"
              onClick={() => {
                setHasChosen(true)
                setWantsPassword(!wantsPassword)
              }}
            >
              {wantsPassword ? 'Use a passkey instead' : 'Use a password instead'}
            </Button>
          )}
        </FormActions>
      </Form>
    </Page>
  )
}
