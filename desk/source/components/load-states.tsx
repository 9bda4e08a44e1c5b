import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, errorMessage } from '../api/client.ts'
import { t } from '../messages.ts'
import { Button } from './button.tsx'
import styles from './load-states.module.css'
import { Notice } from './notice.tsx'

/** A loading line such as “Loading…”, shown only after 250 ms. */
export function Loading({ words = t('desk.common.loading') }: { readonly words?: string }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 250)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className={styles.loading} role="status">
      {isSlow && words}
    </p>
  )
}

interface LoadErrorProps {
  readonly error: unknown
  readonly onRetry: () => unknown
  /** The text for a 400 or 404, where a retry would not help. */
  readonly gone?: string
}

/** Shown instead of content that could not be loaded. */
export function LoadError({ error, onRetry, gone }: LoadErrorProps) {
  const isGone = gone !== undefined && error instanceof ApiError && [400, 404].includes(error.status)
  return (
    <Notice kind="bad">
      <p>{isGone ? gone : errorMessage(error)}</p>
      {!isGone && <Button onClick={() => onRetry()}>{t('desk.common.try_again')}</Button>}
    </Notice>
  )
}

interface EmptyProps {
  readonly title: string
  /** What could be here, and the first step to it. */
  readonly children?: ReactNode
}

/** An empty state. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div className={styles.empty}>
    <h2>{title}</h2>
    {children}
  </div>
)
