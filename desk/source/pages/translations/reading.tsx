import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { TranslationPage } from '../../../../server/features/pieces/desk-schema.ts'
import { ApiError, callApi } from '../../api/client.ts'
import { invalidateTranslations, type TranslationRequest } from '../../api/translations.ts'
import { ErrorNotice } from '../../components/form.tsx'
import { Loading } from '../../components/load-states.tsx'
import { t } from '../../messages.ts'
import styles from './translations.module.css'

/** The translation as readers would see it, in a sandboxed frame. Only its newest revision is shown. */
export function Reading({ request: { id, headline, revision } }: { readonly request: TranslationRequest }) {
  const { data: page, error } = useQuery({
    queryKey: ['translation', id, revision],
    queryFn: async () => (await callApi<TranslationPage>('POST', `/translations/${id}/preview`, { revision })).page,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isChanged = error instanceof ApiError && error.status === 404
  useEffect(() => {
    // The list has the newer revision, or no longer the request.
    if (isChanged) void invalidateTranslations()
  }, [isChanged])
  if (page) {
    const title = t('desk.translations.frame', { headline })
    return <iframe key={page} className={styles.frame} title={title} src={page} sandbox="" tabIndex={-1} />
  }
  return error && !isChanged ? <ErrorNotice error={error} /> : <Loading />
}
