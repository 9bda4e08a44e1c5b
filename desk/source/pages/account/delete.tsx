import { useState } from 'react'
import { type Account, useAccountChanged } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'

/** Done seven days later, and asked for by name. While it waits, every page says so and offers to keep the account. */
export function Leaving({ account }: { readonly account: Account }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (account.deletion) return null
  return (
    <Section
      title="Delete account"
      lead="Your account is deleted seven days after you ask, with everything of yours: pieces, drafts, their history, listings, pictures, keys and your profile. Until then you can change your mind. Download your export first."
    >
      <Button kind="grave" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <Dialog title="Delete your account?" isOpen={isOpen} onClose={close}>
        <Asking account={account} onClose={close} />
      </Dialog>
    </Section>
  )
}

interface AskingProps {
  readonly account: Account
  readonly onClose: () => void
}

function Asking({ account, onClose }: AskingProps) {
  const [name, setName] = useState('')
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  const deleteIt = attempt.by(async () => {
    await ask('DELETE', '/account', { name })
    onClose()
    await accountChanged()
    scrollTo(0, 0)
  })
  return (
    <Form attempt={attempt} onSubmit={deleteIt}>
      <p>
        For seven days everything stays as it is, and you can keep your account: at the desk, or by the link we email
        you. Then it is deleted for good. Backups from before that day hold it until they are thrown away. To confirm,
        type your name: <strong>{account.name}</strong>
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
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="grave" type="submit" isBusy={attempt.isBusy} disabled={name !== account.name}>
          Delete in seven days
        </Button>
      </Choices>
    </Form>
  )
}
