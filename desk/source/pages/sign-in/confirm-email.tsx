import { useAccountChanged } from '../../api/account.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Acts, Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { go, useFragment } from '../../components/router.ts'
import { isDeadLink, LinkDead } from './email-link.tsx'
import { LinkNeeded } from './link-needed.tsx'

/** A press of a button, not the mere opening of the link: programs that look at letters open links too. */
export function Room() {
  const token = useFragment()
  return token ? <NewAddress key={token} token={token} /> : <LinkNeeded askAt={askAt} />
}

const askAt = '/desk/account'

function NewAddress({ token }: { readonly token: string }) {
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  if (isDeadLink(attempt.error)) return <LinkDead askAt={askAt} />
  const confirm = attempt.by(async () => {
    await ask('POST', '/account/email/confirm', { token })
    await accountChanged()
    tell('You sign in with your new address from now on.')
    go('/desk/account', { replace: true })
  })
  return (
    <Page
      title="Use this address"
      lead="From now on you sign in with the address this letter came to, and we write there."
    >
      <Form attempt={attempt} onSubmit={confirm}>
        <Acts>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            Use this address
          </Button>
        </Acts>
      </Form>
    </Page>
  )
}
