import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type Account, accountKey, readAccount } from '../api/account.ts'
import { problemOf, wordsOf } from '../api/api-error.ts'
import { ask } from '../api/client.ts'
import { askBy, type Occasion } from '../api/identity.ts'
import { hasPasskeys, showPasskey } from '../api/passkeys.ts'
import { Button } from '../components/button.tsx'
import { Choices, Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { Notice } from '../components/notice.tsx'

interface Question {
  readonly occasion: Occasion
  /** Of the text to publish, for which the passkey is shown. */
  readonly nonce: string | undefined
  readonly settle: (isIdentified: boolean) => void
}

const words: Readonly<Record<Occasion, { readonly title: string; readonly why: string }>> = {
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

/** Asks the person to show who they are, above whatever they are doing, and then lets that go on. */
export function ReauthDialog() {
  const [question, setQuestion] = useState<Question>()
  const account = useQueryClient().getQueryData<Account>(accountKey)
  useEffect(
    () =>
      askBy(
        (occasion, nonce) =>
          new Promise((resolve, reject) => {
            setQuestion({
              occasion,
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
      title={question ? words[question.occasion].title : ''}
      isOpen={question !== undefined}
      onClose={() => question?.settle(false)}
    >
      {question && <Proof {...question} account={account} />}
    </Dialog>
  )
}

function Proof({ occasion, nonce, settle, account }: Question & { readonly account: Account | undefined }) {
  const [email, setEmail] = useState(account?.email ?? '')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isAgain = occasion !== 'signed out'

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
      isAgain ? ask('POST', '/reauthenticate', { password }) : ask('POST', '/sign-in', { email, password }),
    )
  }
  const byPasskey = () =>
    attempt(async () => {
      const path = isAgain ? '/reauthenticate' : '/sign-in/passkey'
      const about = isAgain && nonce ? { nonce } : {}
      await ask('POST', path, { credential: await showPasskey(`${path}/options`, {}, about), ...about })
    })
  const hasPassword = (account?.has_password ?? true) && occasion !== 'passkey'
  const canUsePasskey = hasPasskeys() && (occasion === 'passkey' || (account?.passkeys ?? 1) > 0)
  return (
    <form onSubmit={byPassword}>
      <p>{words[occasion].why}</p>
      {occasion === 'passkey' && !canUsePasskey && (
        <Notice kind="bad">This browser can’t use passkeys. Open the desk in one where yours is saved.</Notice>
      )}
      {error !== undefined && !problemOf(error, 'password') && <Notice kind="bad">{wordsOf(error)}</Notice>}
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
      <Choices>
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
      </Choices>
    </form>
  )
}
