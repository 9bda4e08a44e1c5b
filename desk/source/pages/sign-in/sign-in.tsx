import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ask } from '../../api/client.ts'
import { hasPasskeys, showPasskey } from '../../api/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Acts, Form, useAttempt } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Page } from '../../components/page.tsx'
import { go, usePlace } from '../../components/router.ts'
import { Foot } from './footer.tsx'

/** Where a person wanted to go: only ever a page of the desk. */
const wantedPlace = (query: URLSearchParams): string => {
  const to = query.get('to') ?? ''
  return /^\/desk(\/|\?|$)/.test(to) ? to : '/desk'
}

export function Room() {
  const { query } = usePlace()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const attempt = useAttempt()

  const enter = () => {
    // Whatever was read before was read by somebody else, or by nobody.
    queries.clear()
    go(wantedPlace(query), { replace: true })
  }
  const withdrawOffer = useOfferedPasskey(enter)
  const byPassword = attempt.by(async () => {
    await ask('POST', '/sign-in', { email, password })
    enter()
  })
  const byPasskey = attempt.by(async () => {
    withdrawOffer()
    await ask('POST', '/sign-in/passkey', { credential: await showPasskey('/sign-in/passkey/options') })
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
        <Acts>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Sign in
          </Button>
          {hasPasskeys() && (
            <Button isBusy={attempt.isBusy} onClick={byPasskey}>
              Use a passkey
            </Button>
          )}
        </Acts>
      </Form>
      <Foot>
        <Link to="/desk/forgot-password">Forgotten your password?</Link>
        <br />
        <Link to="/desk/sign-in/recovery-code">Use a recovery code</Link>
        <br />
        New here? <Link to="/desk/sign-up">Begin to write</Link>
      </Foot>
    </Page>
  )
}

/**
 * The browser offers a passkey where the address is typed; nothing is seen of it where there is none. Answers how to
 * take the offer back, since there can be only one question to the authenticator at a time.
 */
function useOfferedPasskey(enter: () => void): () => void {
  const offer = useRef(new AbortController())
  const onShown = useEffectEvent(enter)
  useEffect(() => {
    const open = new AbortController()
    offer.current = open
    isShown(open.signal).then(
      (isIn) => isIn && onShown(),
      () => {},
    )
    return () => open.abort()
  }, [])
  return () => offer.current.abort()
}

async function isShown(signal: AbortSignal): Promise<boolean> {
  if (!hasPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return false
  if (signal.aborted) return false
  const credential = await showPasskey('/sign-in/passkey/options', { mediation: 'conditional', signal })
  await ask('POST', '/sign-in/passkey', { credential })
  return true
}
