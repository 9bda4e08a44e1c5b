import { type ReactNode, useEffect } from 'react'
import { type Account, invalidateAccount, useAccount } from '../api/account.ts'
import { ApiError, callApi } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice, useAttempt } from '../components/form.tsx'
import { Link } from '../components/link.tsx'
import { LoadError, Loading } from '../components/load-states.tsx'
import { Notice, showToast } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { navigate, useLocation } from '../components/router.ts'
import { ShortcutsDialog } from '../components/shortcuts.tsx'
import { Navigation, Wordmark } from './navigation.tsx'
import styles from './shell.module.css'

interface ShellProps {
  readonly frame: 'desk' | 'paper'
  readonly children: ReactNode
}

const SuspensionNotice = ({ reason }: { readonly reason: string }) => (
  <Notice kind="bad">
    <p>
      <strong>You are suspended on this site.</strong> Nothing of yours is public, and you cannot write or publish. You
      can still read and <Link to="/desk/account">export your work</Link>. The reason: “<bdi>{reason}</bdi>”
    </p>
  </Notice>
)

/** The layout for signed-in users; redirects others to the sign-in and back. */
export function Shell({ frame, children }: ShellProps) {
  const { data: account, error, refetch } = useAccount()
  const { path, query } = useLocation()
  // With an account already loaded the page stays: the next request asks to sign in again.
  const isSignedOut = !account && error instanceof ApiError && error.status === 401
  useEffect(() => {
    if (!isSignedOut) return
    const here = query.size > 0 ? `${path}?${query}` : path
    navigate(here === '/desk' ? '/desk/sign-in' : `/desk/sign-in?to=${encodeURIComponent(here)}`, { replace: true })
  }, [isSignedOut, path, query])

  if (!account) {
    return (
      <main className={styles.alone}>
        {error && !isSignedOut ? <LoadError error={error} onRetry={refetch} /> : <Loading />}
      </main>
    )
  }
  return (
    <div className={frame === 'desk' ? styles.desk : styles.paper}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      {frame === 'desk' && <Navigation account={account} path={path} />}
      <main id="main" tabIndex={-1} className={styles.main}>
        {account.suspended && <SuspensionNotice reason={account.suspended.reason} />}
        {frame === 'desk' && account.deletion && <DeletionNotice deletion={account.deletion} />}
        {children}
      </main>
      <ShortcutsDialog />
    </div>
  )
}

/** Shown on every page while the account waits for deletion. */
function DeletionNotice({ deletion }: { readonly deletion: NonNullable<Account['deletion']> }) {
  const attempt = useAttempt()
  const keep = attempt.handler(async () => {
    await callApi('DELETE', '/account/deletion')
    await invalidateAccount()
    showToast('Your account stays.')
  })
  return (
    <div className={styles.deletion}>
      <Notice kind="bad">
        <p>
          Your account will be deleted on <time dateTime={deletion.at}>{day.format(new Date(deletion.at))}</time>, with
          everything you have written. Until then everything stays as it is.
        </p>
        <ErrorNotice error={attempt.error} />
        <Button isBusy={attempt.isBusy} onClick={keep}>
          Keep my account
        </Button>
      </Notice>
    </div>
  )
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** The layout for signed-out users. */
export const SignedOutLayout = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.threshold}>
    <header>
      <Wordmark />
    </header>
    <main>{children}</main>
  </div>
)

export const NotFound = () => (
  <SignedOutLayout>
    <Page title="There is nothing here" lead="The address may have a slip in it, or what was here has gone.">
      <p>
        <Link to="/desk">To your pieces</Link>
      </p>
    </Page>
  </SignedOutLayout>
)
