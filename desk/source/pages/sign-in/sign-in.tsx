import { useEffect, useEffectEvent, useRef } from 'react'
import type { SignedInto } from '../../../../server/features/accounts/schema.ts'
import { callApi } from '../../api/client.ts'
import { getPasskeyAssertion, hasPasskeys } from '../../api/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form, FormActions, FormFooter, SubmitButton, useForm } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { useLocation } from '../../components/router.ts'
import { rich, t } from '../../messages.ts'
import { enterDesk } from './enter.ts'

/** The page to return to; only ever one of the desk. */
const returnPath = (query: URLSearchParams): string => {
  const to = query.get('to') ?? ''
  return /^\/desk(\/|\?|$)/.test(to) ? to : '/desk'
}

export function SignInPage() {
  const { query } = useLocation()
  const form = useForm({ email: '', password: '' })

  const enter = (signedInto: SignedInto) => enterDesk(signedInto, returnPath(query))
  const withdrawOffer = useConditionalPasskey(enter)
  const byPassword = async (given: object) => enter(await callApi<SignedInto>('POST', '/sign-in', given))
  const byPasskey = form.handler(async () => {
    withdrawOffer()
    enter(await signInWith(await getPasskeyAssertion('/sign-in/passkey/options')))
  })

  return (
    <Page title={t('desk.common.sign_in')}>
      <Form form={form} onSubmit={byPassword}>
        <Field
          label={t('desk.common.email_address')}
          type="email"
          autoComplete="username webauthn"
          {...form.field('email')}
          required
        />
        <Field
          label={t('desk.common.password')}
          type="password"
          autoComplete="current-password"
          {...form.field('password')}
          required
        />
        <FormActions>
          <SubmitButton>{t('desk.common.sign_in')}</SubmitButton>
          {hasPasskeys() && (
            <Button isBusy={form.isBusy} onClick={byPasskey}>
              {t('desk.common.use_passkey')}
            </Button>
          )}
        </FormActions>
      </Form>
      <FormFooter>
        <Link to="/desk/forgot-password">{t('desk.sign-in.forgot_link')}</Link>
        <br />
        <Link to="/desk/sign-in/recovery-code">{t('desk.sign-in.recovery_link')}</Link>
        <br />
        {rich('desk.sign-in.sign_up_link', { link: (content) => <Link to="/desk/sign-up">{content}</Link> })}
      </FormFooter>
    </Page>
  )
}

/**
 * Conditional UI: the browser offers a passkey in the email field. Returns a function that cancels it, since only one
 * WebAuthn request can be active.
 */
function useConditionalPasskey(enter: (signedInto: SignedInto) => void): () => void {
  const offer = useRef(new AbortController())
  const onShown = useEffectEvent(enter)
  useEffect(() => {
    const open = new AbortController()
    offer.current = open
    signInWithOfferedPasskey(open.signal).then(
      (signedInto) => signedInto && onShown(signedInto),
      () => {},
    )
    return () => open.abort()
  }, [])
  return () => offer.current.abort()
}

const signInWith = (credential: object): Promise<SignedInto> => callApi('POST', '/sign-in/passkey', { credential })

async function signInWithOfferedPasskey(signal: AbortSignal): Promise<SignedInto | undefined> {
  if (!hasPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
  if (signal.aborted) return undefined
  const credential = await getPasskeyAssertion('/sign-in/passkey/options', { mediation: 'conditional', signal })
  return signInWith(credential)
}

/** Signs in with a recovery code instead of a password or passkey. */
export function RecoveryCodePage() {
  return (
    <Page title={t('desk.sign-in.recovery.title')} lead={t('desk.sign-in.recovery.lead')}>
      <Form
        initial={{ email: '', code: '' }}
        onSubmit={async (given) => {
          const signedInto = await callApi<SignedInto>('POST', '/sign-in/recovery-code', given)
          showToast(t('desk.sign-in.recovery.done'))
          enterDesk(signedInto, '/desk/account')
        }}
      >
        {({ field }) => (
          <>
            <Field
              label={t('desk.common.email_address')}
              type="email"
              autoComplete="username"
              {...field('email')}
              required
            />
            <Field
              label={t('desk.sign-in.recovery.code')}
              hint={t('desk.sign-in.recovery.code_hint')}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              {...field('code')}
              required
            />
            <FormActions>
              <SubmitButton>{t('desk.common.sign_in')}</SubmitButton>
            </FormActions>
          </>
        )}
      </Form>
      <FormFooter>
        <Link to="/desk/sign-in">{t('desk.sign-in.recovery.other_ways')}</Link>
      </FormFooter>
    </Page>
  )
}
