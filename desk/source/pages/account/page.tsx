import { useState } from 'react'
import { type Account, invalidateAccount, useAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Page, Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { Passkeys, Password, RecoveryCodes } from './credentials.tsx'
import { EmailAddress, EmailPreferences } from './email.tsx'
import { Export } from './export.tsx'
import { SecurityHistory, Sessions } from './security.tsx'

export function AccountPage() {
  const { data: account } = useAccount()
  const attempt = useAttempt()
  const signOut = attempt.handler(async () => {
    await callApi('POST', '/sign-out')
    queries.clear()
    navigate('/desk/sign-in')
  })
  if (!account) return null
  return (
    <Page
      title="Account"
      actions={
        <Button isBusy={attempt.isBusy} onClick={signOut}>
          Sign out
        </Button>
      }
    >
      <ErrorNotice error={attempt.error} />
      <EmailAddress account={account} />
      {account.writer && <EmailPreferences account={account} />}
      <Passkeys />
      <Password account={account} />
      <RecoveryCodes account={account} />
      <Sessions />
      <SecurityHistory />
      {account.writer && <Export />}
      <DeleteAccount account={account} />
    </Page>
  )
}

/** Deletion happens after seven days and needs the typed name. Meanwhile every page offers to keep the account. */
function DeleteAccount({ account }: { readonly account: Account }) {
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
      {isOpen && (
        <FormDialog
          title="Delete your account?"
          about={
            <>
              For seven days everything stays as it is, and you can keep your account: at the desk, or by the link we
              email you. Then it is deleted for good. Backups from before that day hold it until they are thrown away.
              To confirm, type your name: <strong>{account.name}</strong>
            </>
          }
          initial={{ name: '' }}
          onSubmit={async ({ name }) => {
            await callApi('DELETE', '/account', { name })
            close()
            await invalidateAccount()
            scrollTo(0, 0)
          }}
          isReady={({ name }) => name === account.name}
          submit="Delete in seven days"
          kind="grave"
          onClose={close}
        >
          {({ field }) => <Field label="Your name" autoComplete="off" {...field('name')} required />}
        </FormDialog>
      )}
    </Section>
  )
}
