import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Account } from '../../../server/features/accounts/schema.ts'
import { ask, openedBy } from './client.ts'

export type { Account }

export const accountKey = ['account'] as const

export async function readAccount(): Promise<Account> {
  const { account } = await ask<{ readonly account: Account }>('GET', '/account', undefined, { isQuiet: true })
  openedBy(account.writer?.id)
  return account
}

/** Who is signed in. Asked once, and again when the window comes back. */
export const useAccount = () => useQuery({ queryKey: accountKey, queryFn: readAccount })

/** For when something about the account has changed. */
export function useAccountChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: accountKey })
}

export const isModerator = ({ role }: Account): boolean => role !== 'writer'
