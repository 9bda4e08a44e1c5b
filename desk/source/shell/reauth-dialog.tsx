import { useEffect, useState } from 'react'
import { type Account, accountKey, readAccount } from '../api/account.ts'
import { callApi, type ReauthReason, setReauthPrompt } from '../api/client.ts'
import { getPasskeyAssertion, hasPasskeys } from '../api/passkeys.ts'
import { queries } from '../api/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { Form, SubmitButton, useForm } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'

interface ReauthQuestion {
  readonly reason: ReauthReason
  /** The nonce of the text to publish, which the passkey assertion is bound to. */
  readonly nonce: string | undefined
  readonly settle: (isIdentified: boolean) => void
}

const texts: Readonly<Record<ReauthReason, { readonly title: string; readonly why: string }>> = {
  again: {
    title: 'Confirm it’s you',
    why: 'This can be done only shortly after signing in, so that a borrowed computer cannot do it for you.',
  },
  passkey: {
    title: 'Confirm with your passkey',
    why: 'This needs your passkey, so that nobody can do it with your password alone.',
  },
  'signed out': {
    title: 'You have been signed out',
    why: 'Sign in to go on. What is on this page is still here.',
  },
}

/** Asks the user to authenticate, above any page, and then lets the request continue. */
export function ReauthDialog() {
  const [question, setQuestion] = useState<ReauthQuestion>()
  const account = queries.getQueryData<Account>(accountKey)
  useEffect(
    () =>
      setReauthPrompt(
        (reason, nonce) =>
          new Promise((resolve, reject) => {
            setQuestion({
              reason,
              nonce,
              settle: (isIdentified) => {
                setQuestion(undefined)
                if (isIdentified) resolve()
                else reject(new Error('not identified'))
              },
            })
          }),
      ),
    [],
  )
  if (!question) return null
  return (
    <Dialog title={texts[question.reason].title} onClose={() => question.settle(false)}>
      <ReauthForm {...question} account={account} />
    </Dialog>
  )
}

function ReauthForm({ reason, nonce, settle, account }: ReauthQuestion & { readonly account: Account | undefined }) {
  const form = useForm({ email: account?.email ?? '', password: '' })
  const isAgain = reason !== 'signed out'

  const attempt = async (prove: () => Promise<unknown>) => {
    await prove()
    if (account && (await readAccount()).email !== account.email) location.assign('/desk')
    else settle(true)
  }
  const byPassword = ({ email, password }: typeof form.values) =>
    attempt(() =>
      isAgain ? callApi('POST', '/reauthenticate', { password }) : callApi('POST', '/sign-in', { email, password }),
    )
  const byPasskey = form.handler(() =>
    attempt(async () => {
      const path = isAgain ? '/reauthenticate' : '/sign-in/passkey'
      const about = isAgain && nonce ? { nonce } : {}
      await callApi('POST', path, { credential: await getPasskeyAssertion(`${path}/options`, {}, about), ...about })
    }),
  )
  const hasPassword = (account?.has_password ?? true) && reason !== 'passkey'
  const canUsePasskey = hasPasskeys() && (reason === 'passkey' || (account?.passkeys ?? 1) > 0)
  return (
    <>
      <p>{texts[reason].why}</p>
      {reason === 'passkey' && !canUsePasskey && (
        <Notice kind="bad">This browser can’t use passkeys. Open the desk in one where yours is saved.</Notice>
      )}
      <Form form={form} onSubmit={byPassword}>
        {!isAgain && !account && (
          <Field label="E-mail address" type="email" autoComplete="username" {...form.field('email')} required />
        )}
        {hasPassword && (
          <Field
            label={account ? `Password of ${account.email}` : 'Password'}
            type="password"
            autoComplete="current-password"
            {...form.field('password')}
            required
          />
        )}
        <DialogActions>
          <Button kind="quiet" onClick={() => settle(false)}>
            Not now
          </Button>
          {canUsePasskey && (
            <Button kind={hasPassword ? 'plain' : 'main'} isBusy={form.isBusy} onClick={byPasskey}>
              Use a passkey
            </Button>
          )}
          {hasPassword && <SubmitButton>{isAgain ? 'Confirm' : 'Sign in'}</SubmitButton>}
        </DialogActions>
      </Form>
    </>
  )
}
