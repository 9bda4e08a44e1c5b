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
import { type PlainMessageId, t } from '../messages.ts'

interface ReauthQuestion {
  readonly reason: ReauthReason
  /** The nonce of the text to publish, which the passkey assertion is bound to. */
  readonly nonce: string | undefined
  readonly settle: (isIdentified: boolean) => void
}

const texts: Readonly<Record<ReauthReason, { readonly title: PlainMessageId; readonly why: PlainMessageId }>> = {
  again: { title: 'desk.common.reauth.again_title', why: 'desk.common.reauth.again_why' },
  passkey: { title: 'desk.common.reauth.passkey_title', why: 'desk.common.reauth.passkey_why' },
  'signed out': { title: 'desk.common.reauth.signed_out_title', why: 'desk.common.reauth.signed_out_why' },
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
    <Dialog title={t(texts[question.reason].title)} onClose={() => question.settle(false)}>
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
      <p>{t(texts[reason].why)}</p>
      {reason === 'passkey' && !canUsePasskey && (
        <Notice kind="bad">{t('desk.common.reauth.passkey_unsupported')}</Notice>
      )}
      <Form form={form} onSubmit={byPassword}>
        {!isAgain && !account && (
          <Field
            label={t('desk.common.email_address')}
            type="email"
            autoComplete="username"
            {...form.field('email')}
            required
          />
        )}
        {hasPassword && (
          <Field
            label={account ? t('desk.common.reauth.password_for', { email: account.email }) : t('desk.common.password')}
            type="password"
            autoComplete="current-password"
            {...form.field('password')}
            required
          />
        )}
        <DialogActions>
          <Button kind="quiet" onClick={() => settle(false)}>
            {t('desk.common.cancel')}
          </Button>
          {canUsePasskey && (
            <Button kind={hasPassword ? 'plain' : 'main'} isBusy={form.isBusy} onClick={byPasskey}>
              {t('desk.common.use_passkey')}
            </Button>
          )}
          {hasPassword && <SubmitButton>{t(isAgain ? 'desk.common.confirm' : 'desk.common.sign_in')}</SubmitButton>}
        </DialogActions>
      </Form>
    </>
  )
}
