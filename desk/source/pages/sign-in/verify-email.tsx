import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { hasPasskeys, makePasskey } from '../../api/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Acts, Form, useAttempt } from '../../components/form.tsx'
import { Page } from '../../components/page.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { go } from '../../components/router.ts'
import { isDeadLink, LetterLink, LinkDead } from './email-link.tsx'

/** By the link in the letter: a name, a way in, and the desk is theirs. */
export const Room = () => (
  <LetterLink opens="verify" title="Confirm your address" askAt={askAt}>
    {(token) => <Newcomer token={token} />}
  </LetterLink>
)

const askAt = '/desk/sign-up'

function Newcomer({ token }: { readonly token: string }) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [wantsPassword, setWantsPassword] = useState(!hasPasskeys())
  const [hasChosen, setHasChosen] = useState(false)
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <LinkDead askAt={askAt} />

  const enter = () => {
    queries.clear()
    go('/desk/welcome', { replace: true })
  }
  const byPasskey = attempt.by(async () => {
    const newcomer = { token, name }
    const credential = await makePasskey('/first-passkey/options', newcomer)
    await ask('POST', '/first-passkey', { ...newcomer, credential })
    enter()
  })
  const byPassword = attempt.by(async () => {
    const { email } = await ask<{ readonly email: string }>('POST', '/verify-email', { token, name, password })
    await ask('POST', '/sign-in', { email, password })
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
        <Acts>
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
        </Acts>
      </Form>
    </Page>
  )
}
