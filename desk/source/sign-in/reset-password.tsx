import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../api/ask.ts'
import { problemOf } from '../api/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Acts, Form, useAttempt } from '../ui/form.tsx'
import { tell } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { go } from '../ui/place.ts'
import { isDeadLink, LetterLink, LinkDead } from './letter-link.tsx'

const title = 'Set a new password'
const askAt = '/desk/forgot-password'

export const Room = () => (
  <LetterLink opens="reset" title={title} askAt={askAt}>
    {(token) => <NewPassword token={token} />}
  </LetterLink>
)

function NewPassword({ token }: { readonly token: string }) {
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <LinkDead askAt={askAt} />
  const reset = attempt.by(async () => {
    const { email } = await ask<{ readonly email: string }>('POST', '/reset-password', { token, password })
    await ask('POST', '/sign-in', { email, password })
    queries.clear()
    tell('Your new password is set. You are signed in here, and signed out everywhere else.')
    go('/desk', { replace: true })
  })
  return (
    <Page title={title} lead="You are signed out everywhere else when it is set.">
      <Form attempt={attempt} onSubmit={reset}>
        <PasswordField
          label="New password"
          value={password}
          onText={setPassword}
          problem={problemOf(attempt.error, 'password')}
        />
        <Acts>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Set it and sign in
          </Button>
        </Acts>
      </Form>
    </Page>
  )
}
