import { useQuery } from '@tanstack/react-query'
import type {
  DeskFollowers,
  FollowerImport,
  ImportAgreed,
  ImportPreview,
  WelcomeSaved,
} from '../../../server/features/followers/desk-schema.ts'
import { callApi } from './client.ts'
import { queries } from './queries.ts'

export type { DeskFollowers, FollowerImport, ImportPreview }

/** The same limit as the server's. */
export const longestWelcome = 5000

const followersKey = ['followers'] as const

export const useFollowers = (isNeeded = true) =>
  useQuery({
    queryKey: followersKey,
    queryFn: () => callApi<DeskFollowers>('GET', '/followers'),
    enabled: isNeeded,
    refetchInterval: ({ state: { data } }) => data?.imports.some((one) => !one.is_finished) && progressInterval,
  })

/** Milliseconds. */
const progressInterval = 1000

/** Resolves with what is kept: null for nothing. */
export async function saveWelcome(text: string): Promise<string | null> {
  const { welcome } = await callApi<WelcomeSaved>('PUT', '/followers/welcome', { text })
  queries.setQueryData<DeskFollowers>(followersKey, (before) => before && { ...before, welcome })
  return welcome
}

/** Nobody is added yet. */
export const previewImport = (file: File): Promise<ImportPreview> =>
  callApi('POST', '/followers/imports', new Blob([file], { type: 'text/csv' }))

/** Begins the import; the writer agrees to the statement of the preview. */
export async function agreeToImport(id: string): Promise<void> {
  const { imports } = await callApi<ImportAgreed>('POST', `/followers/imports/${id}/agree`)
  queries.setQueryData<DeskFollowers>(
    followersKey,
    (before) => before && { ...before, imports: [...imports, ...before.imports] },
  )
  await queries.invalidateQueries({ queryKey: followersKey })
}
