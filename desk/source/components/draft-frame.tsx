import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DraftPage } from '../../../server/features/pieces/desk-schema.ts'
import { ApiError, callApi } from '../api/client.ts'
import styles from './draft-frame.module.css'
import { ErrorNotice } from './form.tsx'
import { Loading } from './load-states.tsx'

interface DraftFrameProps {
  /** Where the page of a revision is asked for. */
  readonly path: string
  readonly revision: number
  readonly title: string
  /** Reads the list again: it has the newer revision, or the draft may no longer be read. */
  readonly onChanged: () => Promise<void>
}

/** The draft of another writer as readers would see it, in a sandboxed frame. Only its newest revision is shown. */
export function DraftFrame({ path, revision, title, onChanged }: DraftFrameProps) {
  const { data: page, error } = useQuery({
    queryKey: ['draft-frame', path, revision],
    queryFn: async () => (await callApi<DraftPage>('POST', path, { revision })).page,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isChanged = error instanceof ApiError && error.status === 404
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change.
  useEffect(() => {
    if (isChanged) void onChanged()
  }, [isChanged])
  if (page) return <iframe key={page} className={styles.frame} title={title} src={page} sandbox="" tabIndex={-1} />
  return error && !isChanged ? <ErrorNotice error={error} /> : <Loading />
}
