import { useAccountChanged } from '../../api/account.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Acts, Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { go, useFragment } from '../../components/router.ts'
import { isDeadLink, LinkDead } from './email-link.tsx'
import { LinkNeeded } from './link-needed.tsx'

/** A press of a button: programs that look at emails open their links too. */
export function Room() {
  const token = useFragment()
  return token ? <Keeping key={token} token={token} /> : <LinkNeeded askAt="/desk/account" />
}

function Keeping({ token }: { readonly token: string }) {
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <LinkDead askAt="/desk/account" />
  const keep = attempt.by(async () => {
    await ask('POST', '/account/deletion/cancel', { token })
    await accountChanged()
    tell('Your account stays.')
    go('/desk', { replace: true })
  })
  return (
    <Page
      title="Keep your account?"
      lead="It will not be deleted, and everything stays as it is. If you did not ask to delete it, reset your password afterwards: somebody else was signed in."
    >
      <Form attempt={attempt} onSubmit={keep}>
        <Acts>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Keep my account
          </Button>
        </Acts>
      </Form>
    </Page>
  )
}
