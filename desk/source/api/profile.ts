import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Profile } from '../../../server/features/profiles/schema.ts'
import { useAccountChanged } from './account.ts'
import { ask } from './client.ts'

export type { Profile }

interface Found {
  readonly profile: Profile
}

const key = ['profile'] as const

/** `every`: asked again after that many milliseconds, while something is under way. */
export const useProfile = (every?: (profile: Profile | undefined) => number | false) =>
  useQuery({
    queryKey: key,
    queryFn: async () => (await ask<Found>('GET', '/profile')).profile,
    refetchInterval: ({ state }) => every?.(state.data) ?? false,
  })

/** Changes some of the profile; answers with it as it then is. */
export function useProfileChange(): (method: 'PATCH' | 'PUT', path: '' | '/slug', given: object) => Promise<Profile> {
  const queries = useQueryClient()
  const accountChanged = useAccountChanged()
  return async (method, path, given) => {
    const { profile } = await ask<Found>(method, `/profile${path}`, given)
    queries.setQueryData(key, profile)
    await accountChanged()
    return profile
  }
}

/** For when something about the profile has changed that was not answered. */
export function useProfileChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: key })
}
