import { useQueryClient } from '@tanstack/react-query'
import { useAccount } from '../../api/account.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Refused, useAttempt } from '../../components/form.tsx'
import { Page } from '../../components/page.tsx'
import { go } from '../../components/router.ts'
import { Address } from './address.tsx'
import { Leaving } from './delete.tsx'
import { Letters } from './emails.tsx'
import { Export } from './export.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecurityHistory } from './security-history.tsx'
import { Sessions } from './sessions.tsx'

export function Room() {
  const { data: account } = useAccount()
  const queries = useQueryClient()
  const attempt = useAttempt()
  const signOut = attempt.by(async () => {
    await ask('POST', '/sign-out')
    queries.clear()
    go('/desk/sign-in')
  })
  if (!account) return null
  return (
    <Page
      title="Account"
      acts={
        <Button isBusy={attempt.isBusy} onClick={signOut}>
          Sign out
        </Button>
      }
    >
      <Refused error={attempt.error} />
      <Address account={account} />
      {account.writer && <Letters account={account} />}
      <Passkeys />
      <Password account={account} />
      <RecoveryCodes account={account} />
      <Sessions />
      <SecurityHistory />
      {account.writer && <Export />}
      <Leaving account={account} />
    </Page>
  )
}
