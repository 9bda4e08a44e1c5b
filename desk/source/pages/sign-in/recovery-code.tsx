import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Acts, Form, useAttempt } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { go } from '../../components/router.ts'
import { Foot } from './footer.tsx'

/** In place of a password or a passkey. What comes next is a new one. */
export function Room() {
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const attempt = useAttempt()
  const enter = attempt.by(async () => {
    await ask('POST', '/sign-in/recovery-code', { email, code })
    queries.clear()
    tell('You are signed in here and nowhere else. Set a new password or add a passkey now.')
    go('/desk/account', { replace: true })
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
        <Acts>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Sign in
          </Button>
        </Acts>
      </Form>
      <Foot>
        <Link to="/desk/sign-in">Use your password or a passkey</Link>
      </Foot>
    </Page>
  )
}
