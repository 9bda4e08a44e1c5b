import { useState } from 'react'
import { type Account, invalidateAccount, useAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Page, Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { rich, t } from '../../messages.ts'
import { Passkeys, Password, RecoveryCodes } from './credentials.tsx'
import { EmailAddress, EmailPreferences } from './email.tsx'
import { Export } from './export.tsx'
import { Language } from './language.tsx'
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
      title={t('desk.common.nav.account')}
      actions={
        <Button isBusy={attempt.isBusy} onClick={signOut}>
          {t('desk.account.sign_out')}
        </Button>
      }
    >
      <ErrorNotice error={attempt.error} />
      <EmailAddress account={account} />
      <Language account={account} />
      <EmailPreferences account={account} />
      <Passkeys />
      <Password account={account} />
      <RecoveryCodes account={account} />
      <Sessions />
      <SecurityHistory />
      {account.writer && <Export />}
      {account.writer && (
        <Section title={t('desk.account.import.title')} lead={t('desk.account.import.lead')}>
          <LinkButton to="/desk/import">{t('desk.account.import.button')}</LinkButton>
        </Section>
      )}
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
    <Section title={t('desk.account.delete.title')} lead={t('desk.account.delete.lead')}>
      <Button kind="grave" onClick={() => setOpen(true)}>
        {t('desk.account.delete.button')}
      </Button>
      {isOpen && (
        <FormDialog
          title={t('desk.account.delete.confirm_title')}
          about={rich('desk.account.delete.confirm', {
            name: account.name,
            strong: (content) => <strong>{content}</strong>,
          })}
          initial={{ name: '' }}
          onSubmit={async ({ name }) => {
            await callApi('DELETE', '/account', { name })
            close()
            await invalidateAccount()
            scrollTo(0, 0)
          }}
          isReady={({ name }) => name === account.name}
          submit={t('desk.account.delete.submit')}
          kind="grave"
          onClose={close}
        >
          {({ field }) => (
            <Field label={t('desk.account.delete.name')} autoComplete="off" {...field('name')} required />
          )}
        </FormDialog>
      )}
    </Section>
  )
}
