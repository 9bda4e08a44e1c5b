import { useState } from 'react'
import { type Account, useInvalidateAccount } from '../../api/account.ts'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { Section } from '../../components/page.tsx'

/** Deletion happens after seven days and needs the typed name. Meanwhile every page offers to keep the account. */
export function DeleteAccount({ account }: { readonly account: Account }) {
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
        <ConfirmDeletion account={account} onClose={close} />
      </Dialog>
    </Section>
  )
}

interface ConfirmDeletionProps {
  readonly account: Account
  readonly onClose: () => void
}

function ConfirmDeletion({ account, onClose }: ConfirmDeletionProps) {
  const [name, setName] = useState('')
  const invalidateAccount = useInvalidateAccount()
  const attempt = useAttempt()
  const deleteIt = attempt.handler(async () => {
    await callApi('DELETE', '/account', { name })
    onClose()
    await invalidateAccount()
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
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="grave" type="submit" isBusy={attempt.isBusy} disabled={name !== account.name}>
          Delete in seven days
        </Button>
      </DialogActions>
    </Form>
  )
}
