import { useQueryClient } from '@tanstack/react-query'
import { useAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Page } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { DeleteAccount } from './delete.tsx'
import { EmailAddress, EmailPreferences } from './email.tsx'
import { Export } from './export.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecurityHistory } from './security-history.tsx'
import { Sessions } from './sessions.tsx'

export function AccountPage() {
  const { data: account } = useAccount()
  const queries = useQueryClient()
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
