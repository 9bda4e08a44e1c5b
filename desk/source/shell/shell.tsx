import { type ReactNode, useEffect } from 'react'
import { type Account, invalidateAccount, useAccount } from '../api/account.ts'
import { ApiError, callApi } from '../api/client.ts'
import { useIsOffline } from '../api/kept-answers.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice, useAttempt } from '../components/form.tsx'
import { Link } from '../components/link.tsx'
import { LoadError, Loading } from '../components/load-states.tsx'
import { Notice, showToast } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { navigate, useLocation } from '../components/router.ts'
import { ShortcutsDialog } from '../components/shortcuts.tsx'
import { formats, rich, t } from '../messages.ts'
import { installOffline } from './install-offline.ts'
import { Navigation, Wordmark } from './navigation.tsx'
import styles from './shell.module.css'

interface ShellProps {
  readonly frame: 'desk' | 'paper'
  readonly children: ReactNode
}

const SuspensionNotice = ({ reason }: { readonly reason: string }) => (
  <Notice kind="bad">
    <p>
      {rich('desk.common.suspended', {
        strong: (content) => <strong>{content}</strong>,
        link: (content) => <Link to="/desk/account">{content}</Link>,
        reason: <bdi>{reason}</bdi>,
      })}
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
  const isSignedIn = account !== undefined
  useEffect(() => {
    if (isSignedIn) void installOffline()
  }, [isSignedIn])
  const isOffline = useIsOffline()

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
        {t('desk.common.skip_to_content')}
      </a>
      {frame === 'desk' && <Navigation account={account} path={path} />}
      <main id="main" tabIndex={-1} className={styles.main}>
        {frame === 'desk' && isOffline && <Notice>{t('desk.common.offline')}</Notice>}
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
    showToast(t('desk.common.deletion.kept'))
  })
  return (
    <div className={styles.deletion}>
      <Notice kind="bad">
        <p>
          {rich('desk.common.deletion.notice', {
            at: (
              <time dateTime={deletion.at}>{formats.date(deletion.at, { dateStyle: 'long', timeStyle: 'short' })}</time>
            ),
          })}
        </p>
        <ErrorNotice error={attempt.error} />
        <Button isBusy={attempt.isBusy} onClick={keep}>
          {t('desk.common.deletion.keep')}
        </Button>
      </Notice>
    </div>
  )
}

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
    <Page title={t('desk.common.not_found.title')} lead={t('desk.common.not_found.lead')}>
      <p>
        <Link to="/desk">{t('desk.common.go_to_pieces')}</Link>
      </p>
    </Page>
  </SignedOutLayout>
)
