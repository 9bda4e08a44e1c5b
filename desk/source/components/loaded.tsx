import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorNotice } from './form.tsx'
import styles from './load-states.module.css'
import { LoadError, Loading } from './load-states.tsx'
import { Page } from './page.tsx'

/** What most pages show of a query, apart from what is loaded before the first of them. */

interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: unknown; readonly refetch: () => unknown }
  readonly gone?: string
  readonly children: (data: Data) => ReactNode
}

/** What a query has found, or its state until then. */
export function Loaded<Data>({ query: { data, error, refetch }, gone, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  return error ? <LoadError error={error} onRetry={refetch} {...(gone ? { gone } : {})} /> : <Loading />
}

interface LoadingPageProps {
  readonly title: string
  readonly error: unknown
  readonly children?: ReactNode
}

/** Shown until the content of a page is loaded. */
export const LoadingPage = ({ title, error, children }: LoadingPageProps) => (
  <Page title={title}>
    <ErrorNotice error={error} />
    {!error && <Loading />}
    {children}
  </Page>
)

interface LoadMoreProps {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
  readonly label: string
}

/** Loads the next page of a list. */
export const LoadMore = ({ list, label }: LoadMoreProps) =>
  list.hasNextPage ? (
    <p className={styles.more}>
      <Button isBusy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {label}
      </Button>
    </p>
  ) : null
