import { useState } from 'react'
import type { Account } from '../api/account.ts'
import { ask } from '../api/ask.ts'
import { problemOf } from '../api/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Choices, Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useAttempt } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Row, Rows } from '../ui/rows.tsx'
import { Section } from '../ui/section.tsx'

/** Where letters go, and what one signs in with. A new one counts once its letter has been opened. */
export function Address({ account }: { readonly account: Account }) {
  const [isChanging, setChanging] = useState(false)
  const [askedFor, setAskedFor] = useState<string>()
  return (
    <Section title="E-mail address">
      <Rows>
        <Row
          title={<bdi>{account.email}</bdi>}
          about="You sign in with it, and our letters go there. Readers do not see it."
          acts={
            <Button kind="quiet" aria-label="Change the e-mail address" onClick={() => setChanging(true)}>
              Change
            </Button>
          }
        />
      </Rows>
      {askedFor && (
        <Notice kind="good">
          If <bdi>{askedFor}</bdi> can get a letter from us, it is on its way. Open the link in it; until then nothing
          changes.
        </Notice>
      )}
      <Dialog title="A new e-mail address" isOpen={isChanging} onClose={() => setChanging(false)}>
        <NewAddress
          onCancel={() => setChanging(false)}
          onAsked={(email) => {
            setChanging(false)
            setAskedFor(email)
          }}
        />
      </Dialog>
    </Section>
  )
}

interface NewAddressProps {
  readonly onAsked: (email: string) => void
  readonly onCancel: () => void
}

function NewAddress({ onAsked, onCancel }: NewAddressProps) {
  const [email, setEmail] = useState('')
  const attempt = useAttempt()
  const change = attempt.by(async () => {
    await ask('POST', '/account/email', { email })
    onAsked(email.trim())
  })
  return (
    <Form attempt={attempt} onSubmit={change}>
      <Field
        label="New address"
        hint="We send a letter there first. Your old address is told, too."
        type="email"
        autoComplete="email"
        value={email}
        onText={setEmail}
        problem={problemOf(attempt.error, 'email') && 'This is no e-mail address we can write to.'}
        required
      />
      <Choices>
        <Button kind="quiet" onClick={onCancel}>
          Keep the old one
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Send the letter
        </Button>
      </Choices>
    </Form>
  )
}
