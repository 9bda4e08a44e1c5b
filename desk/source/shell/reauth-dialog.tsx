import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type Account, accountKey, readAccount } from '../api/account.ts'
import { errorMessage, problemOf } from '../api/api-error.ts'
import { callApi, type ReauthReason, setReauthPrompt } from '../api/client.ts'
import { getPasskeyAssertion, hasPasskeys } from '../api/passkeys.ts'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
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
  const account = useQueryClient().getQueryData<Account>(accountKey)
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
  return (
    <Dialog
      title={question ? texts[question.reason].title : ''}
      isOpen={question !== undefined}
      onClose={() => question?.settle(false)}
    >
      {question && <ReauthForm {...question} account={account} />}
    </Dialog>
  )
}

function ReauthForm({ reason, nonce, settle, account }: ReauthQuestion & { readonly account: Account | undefined }) {
  const [email, setEmail] = useState(account?.email ?? '')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isAgain = reason !== 'signed out'

  const attempt = async (prove: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await prove()
      if (account && (await readAccount()).email !== account.email) location.assign('/desk')
      else settle(true)
    } catch (error) {
      setError(error)
      setBusy(false)
    }
  }
  const byPassword = (event: FormEvent) => {
    event.preventDefault()
    attempt(() =>
      isAgain ? callApi('POST', '/reauthenticate', { password }) : callApi('POST', '/sign-in', { email, password }),
    )
  }
  const byPasskey = () =>
    attempt(async () => {
      const path = isAgain ? '/reauthenticate' : '/sign-in/passkey'
      const about = isAgain && nonce ? { nonce } : {}
      await callApi('POST', path, { credential: await getPasskeyAssertion(`${path}/options`, {}, about), ...about })
    })
  const hasPassword = (account?.has_password ?? true) && reason !== 'passkey'
  const canUsePasskey = hasPasskeys() && (reason === 'passkey' || (account?.passkeys ?? 1) > 0)
  return (
    <form onSubmit={byPassword}>
      <p>{texts[reason].why}</p>
      {reason === 'passkey' && !canUsePasskey && (
        <Notice kind="bad">This browser can’t use passkeys. Open the desk in one where yours is saved.</Notice>
      )}
      {error !== undefined && !problemOf(error, 'password') && <Notice kind="bad">{errorMessage(error)}</Notice>}
      {!isAgain && !account && (
        <Field label="E-mail address" type="email" autoComplete="username" value={email} onText={setEmail} required />
      )}
      {hasPassword && (
        <Field
          label={account ? `Password of ${account.email}` : 'Password'}
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          problem={problemOf(error, 'password')}
          required
        />
      )}
      <DialogActions>
        <Button kind="quiet" onClick={() => settle(false)}>
          Not now
        </Button>
        {canUsePasskey && (
          <Button kind={hasPassword ? 'plain' : 'main'} isBusy={isBusy} onClick={byPasskey}>
            Use a passkey
          </Button>
        )}
        {hasPassword && (
          <Button kind="main" type="submit" isBusy={isBusy}>
            {isAgain ? 'Confirm' : 'Sign in'}
          </Button>
        )}
      </DialogActions>
    </form>
  )
}
