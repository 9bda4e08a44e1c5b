import { useQuery } from '@tanstack/react-query'
import type { Account } from '../../../server/features/accounts/schema.ts'
import type { longest, Profile, ProfileFound } from '../../../server/features/profiles/schema.ts'
import { callApi, setPageWriter } from './client.ts'
import { invalidate, queries } from './queries.ts'

export type { Account }

export const accountKey = ['account'] as const

export async function readAccount(): Promise<Account> {
  const { account } = await callApi<{ readonly account: Account }>('GET', '/account', undefined, { skipReauth: true })
  setPageWriter(account.writer?.id)
  return account
}

/** The signed-in account. Read once, and again when the window regains focus. */
export const useAccount = () => useQuery({ queryKey: accountKey, queryFn: readAccount })

/** Marks the cached account as out of date. */
export const invalidateAccount = (): Promise<void> => invalidate(...accountKey)

export const isModerator = ({ role }: Account): boolean => role !== 'writer'

export type { Profile }

/** In characters. Typed with the server's constant, so the two cannot differ. */
export const profileLimits: typeof longest = { name: 80, bio: 2000, line: 120 }

const profileKey = ['profile'] as const

/** `every` returns the polling interval in milliseconds while something is in progress. */
export const useProfile = (every?: (profile: Profile | undefined) => number | false) =>
  useQuery({
    queryKey: profileKey,
    queryFn: async () => (await callApi<ProfileFound>('GET', '/profile')).profile,
    refetchInterval: ({ state }) => every?.(state.data) ?? false,
  })

/** Updates parts of the profile; resolves with the new profile. */
export async function updateProfile(method: 'PATCH' | 'PUT', path: '' | '/slug', given: object): Promise<Profile> {
  const { profile } = await callApi<ProfileFound>(method, `/profile${path}`, given)
  queries.setQueryData(profileKey, profile)
  await invalidateAccount()
  return profile
}

/** For changes whose answer did not contain the profile. */
export const invalidateProfile = (): Promise<void> => invalidate(...profileKey)
