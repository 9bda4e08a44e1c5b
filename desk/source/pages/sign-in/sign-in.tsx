import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { callApi } from '../../api/client.ts'
import { getPasskeyAssertion, hasPasskeys } from '../../api/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form, FormActions, useAttempt } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { navigate, useLocation } from '../../components/router.ts'
import { FormFooter } from './email-link.tsx'

/** The page to return to; only ever one of the desk. */
const returnPath = (query: URLSearchParams): string => {
  const to = query.get('to') ?? ''
  return /^\/desk(\/|\?|$)/.test(to) ? to : '/desk'
}

export function SignInPage() {
  const { query } = useLocation()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const attempt = useAttempt()

  const enter = () => {
    // Cached data may belong to another account.
    queries.clear()
    navigate(returnPath(query), { replace: true })
  }
  const withdrawOffer = useConditionalPasskey(enter)
  const byPassword = attempt.handler(async () => {
    await callApi('POST', '/sign-in', { email, password })
    enter()
  })
  const byPasskey = attempt.handler(async () => {
    withdrawOffer()
    await callApi('POST', '/sign-in/passkey', { credential: await getPasskeyAssertion('/sign-in/passkey/options') })
    enter()
  })

  return (
    <Page title="Sign in">
      <Form attempt={attempt} onSubmit={byPassword}>
        <Field
          label="E-mail address"
          type="email"
          autoComplete="username webauthn"
          value={email}
          onText={setEmail}
          required
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          required
        />
        <FormActions>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Sign in
          </Button>
          {hasPasskeys() && (
            <Button isBusy={attempt.isBusy} onClick={byPasskey}>
              Use a passkey
            </Button>
          )}
        </FormActions>
      </Form>
      <FormFooter>
        <Link to="/desk/forgot-password">Forgotten your password?</Link>
        <br />
        <Link to="/desk/sign-in/recovery-code">Use a recovery code</Link>
        <br />
        New here? <Link to="/desk/sign-up">Begin to write</Link>
      </FormFooter>
    </Page>
  )
}

/**
 * Conditional UI: the browser offers a passkey in the email field. Returns a function that cancels it, since only one
 * WebAuthn request can be active.
 */
function useConditionalPasskey(enter: () => void): () => void {
  const offer = useRef(new AbortController())
  const onShown = useEffectEvent(enter)
  useEffect(() => {
    const open = new AbortController()
    offer.current = open
    signInWithOfferedPasskey(open.signal).then(
      (isIn) => isIn && onShown(),
      () => {},
    )
    return () => open.abort()
  }, [])
  return () => offer.current.abort()
}

async function signInWithOfferedPasskey(signal: AbortSignal): Promise<boolean> {
  if (!hasPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return false
  if (signal.aborted) return false
  const credential = await getPasskeyAssertion('/sign-in/passkey/options', { mediation: 'conditional', signal })
  await callApi('POST', '/sign-in/passkey', { credential })
  return true
}

/** Signs in with a recovery code instead of a password or passkey. */
export function RecoveryCodePage() {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const attempt = useAttempt()
  const enter = attempt.handler(async () => {
    await callApi('POST', '/sign-in/recovery-code', { email, code })
    queries.clear()
    showToast('You are signed in here and nowhere else. Set a new password or add a passkey now.')
    navigate('/desk/account', { replace: true })
  })
  return (
    <Page title="Use a recovery code" lead="One of the ten codes you made under Account. Each works once.">
      <Form attempt={attempt} onSubmit={enter}>
        <Field label="Email address" type="email" autoComplete="username" value={email} onText={setEmail} required />
        <Field
          label="Recovery code"
          hint="16 letters and digits, with or without hyphens."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          onText={setCode}
          required
        />
        <FormActions>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Sign in
          </Button>
        </FormActions>
      </Form>
      <FormFooter>
        <Link to="/desk/sign-in">Use your password or a passkey</Link>
      </FormFooter>
    </Page>
  )
}
