import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WayIn } from '../../../../server/features/accounts/schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/field.tsx'
import { Acts, Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { go } from '../../components/router.ts'
import { Section } from '../../components/section.tsx'
import { AddedAndUsed } from '../../components/time.tsx'
import { isDeadLink, LetterLink, LinkDead } from './email-link.tsx'

const title = 'Set a new password'
const askAt = '/desk/forgot-password'

export const Room = () => (
  <LetterLink opens="reset" title={title} askAt={askAt}>
    {(token, waysIn) => <NewPassword token={token} waysIn={waysIn} />}
  </LetterLink>
)

interface NewPasswordProps {
  readonly token: string
  readonly waysIn: readonly WayIn[]
}

function NewPassword({ token, waysIn }: NewPasswordProps) {
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [remove, setRemove] = useState<readonly string[]>([])
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <LinkDead askAt={askAt} />
  const reset = attempt.by(async () => {
    const { email } = await ask<{ readonly email: string }>('POST', '/reset-password', { token, password, remove })
    await ask('POST', '/sign-in', { email, password })
    queries.clear()
    tell('Your new password is set. You are signed in here, and signed out everywhere else.')
    go('/desk', { replace: true })
  })
  return (
    <Page title={title} lead="Everyone else who is signed in to your account will be signed out.">
      <Form attempt={attempt} onSubmit={reset}>
        <PasswordField
          label="New password"
          value={password}
          onText={setPassword}
          problem={problemOf(attempt.error, 'password')}
        />
        {waysIn.length > 0 && (
          <Section
            title="What else opens your account"
            lead="A new password does not stop these. Select any that you don’t recognize, and they are removed."
          >
            {waysIn.map((wayIn) => (
              <Choice
                key={wayIn.id}
                label={
                  <>
                    Remove the {nameOf[wayIn.kind]} <bdi>{wayIn.name}</bdi>
                  </>
                }
                hint={<AddedAndUsed {...wayIn} />}
                isOn={remove.includes(wayIn.id)}
                onChoice={(isOn) => setRemove(isOn ? [...remove, wayIn.id] : remove.filter((id) => id !== wayIn.id))}
              />
            ))}
          </Section>
        )}
        <Acts>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Set password and sign in
          </Button>
        </Acts>
      </Form>
    </Page>
  )
}

const nameOf = { passkey: 'passkey', key: 'API key', link: 'private link to' } as const
