import { ask } from '../api/client.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { Page } from '../components/page.tsx'

type Reason = 'gone' | 'unreachable' | 'signed_out' | 'no_writer'

const notNow = 'This piece cannot be opened just now'
const words: Readonly<Record<Reason, { readonly page: string; readonly title: string; readonly next: string }>> = {
  gone: {
    page: 'No such piece',
    title: 'You have no piece at this address.',
    next: 'It may have been deleted. Your list shows the pieces you have.',
  },
  unreachable: {
    page: notNow,
    title: 'The server did not answer.',
    next: 'Look at your connection. What you wrote on this device is kept.',
  },
  signed_out: {
    page: notNow,
    title: 'You were signed out.',
    next: 'Sign in to open it. What you wrote on this device is kept.',
  },
  no_writer: {
    page: 'Only writers write pieces',
    title: 'This account is not a writer’s.',
    next: 'Sign in with the account of a writer.',
  },
}

/** In place of a piece that cannot be shown: why, and what to do. */
export function Closed({ why, onAgain }: { readonly why: Reason; readonly onAgain?: () => void }) {
  const { page, title, next } = words[why]
  /** Asks aloud, so that the shell lets them sign in above the page. */
  const signIn = () => void ask('GET', '/account').then(onAgain, () => undefined)
  return (
    <Page title={page}>
      <Empty title={title}>
        <p>{next}</p>
        {why === 'unreachable' && <Button onClick={onAgain}>Try again</Button>}
        {why === 'signed_out' && <Button onClick={signIn}>Sign in</Button>}
        {(why === 'gone' || why === 'no_writer') && <LinkButton to="/desk">To your pieces</LinkButton>}
      </Empty>
    </Page>
  )
}
