import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { createPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { Field, PasswordField } from '../../components/field.tsx'
import { Form, FormActions, useAttempt } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useFragment } from '../../components/router.ts'
import { signUp, siteName } from '../../components/site.ts'
import { DeadLink, EmailLink, EmailRequest, FormFooter, isDeadLink } from './email-link.tsx'

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
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [wantsPassword, setWantsPassword] = useState(!hasPasskeys())
  const [hasChosen, setHasChosen] = useState(false)
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <DeadLink requestPath={requestPath} />

  const enter = () => {
    queries.clear()
    navigate('/desk/welcome', { replace: true })
  }
  const byPasskey = attempt.handler(async () => {
    const newcomer = { token, name }
    const credential = await createPasskey('/first-passkey/options', newcomer)
    await callApi('POST', '/first-passkey', { ...newcomer, credential })
    enter()
  })
  const byPassword = attempt.handler(async () => {
    const { email } = await callApi<{ readonly email: string }>('POST', '/verify-email', { token, name, password })
    await callApi('POST', '/sign-in', { email, password })
    enter()
  })

  return (
    <Page title="Confirm your address" lead="Two things, and the desk is yours.">
      <Form attempt={attempt} onSubmit={wantsPassword ? byPassword : byPasskey}>
        <Field
          label="Your name"
          hint="As readers see it above your pieces. You can change it later."
          autoComplete="name"
          autoFocus
          value={name}
          onText={setName}
          limit={80}
          problem={problemOf(attempt.error, 'name')}
          required
        />
        {wantsPassword ? (
          <PasswordField
            value={password}
            onText={setPassword}
            autoFocus={hasChosen}
            problem={problemOf(attempt.error, 'password')}
          />
        ) : (
          <p>
            A passkey signs you in with your finger, your face or the code of your device. There is nothing to remember,
            and nothing that can be stolen from us.
          </p>
        )}
        <FormActions>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            {wantsPassword ? 'Open my desk' : 'Make a passkey'}
          </Button>
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
