import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

/** The cache of what the API has answered. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A 4xx would be the same again; a network error may not.
      retry: (tries, error) => tries < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
})

/** Reads again what begins with this key, if a page shows it. */
export const invalidate = (...queryKey: readonly unknown[]): Promise<void> => queries.invalidateQueries({ queryKey })
