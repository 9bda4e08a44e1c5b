import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '../api/account.ts'
import { ask } from '../api/ask.ts'
import { problemOf } from '../api/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Choices, Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useAttempt } from '../ui/form.tsx'
import { tell } from '../ui/notice.tsx'
import { go } from '../ui/place.ts'
import { Section } from '../ui/section.tsx'

/** Nothing of it can be undone, so it asks for the name. */
export function Leaving({ account }: { readonly account: Account }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Section
      title="Leaving"
      lead="Deleting your account takes everything of yours away at once: pieces, drafts, their history, listings, pictures, keys and your profile. Take your export first."
    >
      <Button kind="grave" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <Dialog title="Delete your account?" isOpen={isOpen} onClose={close}>
        <Farewell account={account} onCancel={close} />
      </Dialog>
    </Section>
  )
}

interface FarewellProps {
  readonly account: Account
  readonly onCancel: () => void
}

function Farewell({ account, onCancel }: FarewellProps) {
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const attempt = useAttempt()
  const leave = attempt.by(async () => {
    await ask('DELETE', '/account', { name })
    queries.clear()
    tell('Your account and everything of yours are gone. Thank you for having written here.')
    go('/desk/sign-up', { replace: true })
  })
  return (
    <Form attempt={attempt} onSubmit={leave}>
      <p>
        Your public pieces vanish at once, and there is no way back: take a copy along first. Backups of the house from
        before today hold it until they are thrown away. To say that you mean it, type your name:{' '}
        <strong>{account.name}</strong>
      </p>
      <Field
        label="Your name"
        autoComplete="off"
        value={name}
        onText={setName}
        problem={problemOf(attempt.error, 'name')}
        required
      />
      <Choices>
        <Button kind="quiet" onClick={onCancel}>
          Stay
        </Button>
        <Button kind="grave" type="submit" isBusy={attempt.isBusy} disabled={name !== account.name}>
          Delete everything
        </Button>
      </Choices>
    </Form>
  )
}
