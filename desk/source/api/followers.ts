import { useQuery } from '@tanstack/react-query'
import type { DeskFollowers, WelcomeSaved } from '../../../server/features/followers/desk-schema.ts'
import { callApi } from './client.ts'
import { queries } from './queries.ts'

export type { DeskFollowers }

/** The same limit as the server's. */
export const longestWelcome = 5000

const followersKey = ['followers'] as const

export const useFollowers = (isNeeded = true) =>
  useQuery({
    queryKey: followersKey,
    queryFn: () => callApi<DeskFollowers>('GET', '/followers'),
    enabled: isNeeded,
  })

/** Resolves with what is kept: null for nothing. */
export async function saveWelcome(text: string): Promise<string | null> {
  const { welcome } = await callApi<WelcomeSaved>('PUT', '/followers/welcome', { text })
  queries.setQueryData<DeskFollowers>(followersKey, (before) => before && { ...before, welcome })
  return welcome
}
