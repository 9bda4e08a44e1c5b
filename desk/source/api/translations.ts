import { useQuery } from '@tanstack/react-query'
import type { TranslationList } from '../../../server/features/pieces/desk-schema.ts'
import { callApi } from './client.ts'
import { invalidate } from './queries.ts'

export type TranslationRequest = TranslationList['translations'][number]

/** Translations of the writer's pieces that others have asked about. */
export const useTranslations = (isWriter = true) =>
  useQuery({
    queryKey: ['translations'],
    queryFn: () => callApi<TranslationList>('GET', '/translations'),
    enabled: isWriter,
  })

export const invalidateTranslations = (): Promise<void> => invalidate('translations')
