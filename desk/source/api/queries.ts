import { QueryClient, type QueryFilters } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** The cache of what the API has answered. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Without a network, answers may be on the device.
      networkMode: 'always',
      refetchOnReconnect: true,
      // A 4xx would be the same again; a network error may not.
      retry: (tries, error) => tries < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})

/** Reads again what begins with this key, if a page shows it. */
export const invalidate = (...queryKey: readonly unknown[]): Promise<void> => invalidateBy({ queryKey })

/** A query that has no answer yet would keep the one under way, which may be older than what has changed. */
export async function invalidateBy(filters: QueryFilters): Promise<void> {
  await queries.cancelQueries(filters)
  await queries.invalidateQueries(filters)
}
