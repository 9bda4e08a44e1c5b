import { type ReactNode, useEffect } from 'react'
import { useAccount } from '../api/account.ts'
import { Refusal, wordsOf } from '../api/api-error.ts'
import { Button } from '../components/button.tsx'
import { Link } from '../components/link.tsx'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { go, usePlace } from '../components/router.ts'
import { Deletion } from './deletion.tsx'
import { Navigation } from './navigation.tsx'
import styles from './shell.module.css'
import { Shortcuts } from './shortcuts.tsx'

interface ShellProps {
  readonly frame: 'desk' | 'paper'
  readonly children: ReactNode
}

const Suspended = ({ reason }: { readonly reason: string }) => (
  <Notice kind="bad">
    <p>
      <strong>You are suspended on this site.</strong> Nothing of yours is public, and you cannot write or publish. You
      can still read and <Link to="/desk/account">export your work</Link>. The reason: “<bdi>{reason}</bdi>”
    </p>
  </Notice>
)

/** What stands around the rooms of those who are signed in; whoever is not is led to the sign-in, and back. */
export function Shell({ frame, children }: ShellProps) {
  const { data: account, error, refetch } = useAccount()
  const { path, query } = usePlace()
  // Whoever has begun stays where they are: what they do next asks them to sign in again.
  const isOutside = !account && error instanceof Refusal && error.status === 401
  useEffect(() => {
    if (!isOutside) return
    const here = query.size > 0 ? `${path}?${query}` : path
    go(here === '/desk' ? '/desk/sign-in' : `/desk/sign-in?to=${encodeURIComponent(here)}`, { replace: true })
  }, [isOutside, path, query])

  if (!account) {
    return (
      <main className={styles.alone}>
        {error && !isOutside ? (
          <Notice kind="bad">
            <p>{wordsOf(error)}</p>
            <Button onClick={() => refetch()}>Try again</Button>
          </Notice>
        ) : (
          <Loading />
        )}
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
        {account.suspended && <Suspended reason={account.suspended.reason} />}
        {frame === 'desk' && account.deletion && <Deletion deletion={account.deletion} />}
        {children}
      </main>
      <Shortcuts />
    </div>
  )
}
