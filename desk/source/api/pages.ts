import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from './client.ts'

/** The path with these parameters; those that are empty or undefined are left out. */
export function withQuery(path: string, given: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return query.size > 0 ? `${path}?${query}` : path
}

interface PagesOptions {
  readonly queryKey: readonly unknown[]
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  /** Shows the list before until another, such as that of another filter, is loaded. */
  readonly keepsPrevious?: boolean
}

/** A list that is loaded page by page. */
export const usePages = <Page extends { readonly next_cursor?: string | null }>({
  queryKey,
  path,
  query = {},
  keepsPrevious = false,
}: PagesOptions) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      callApi<Page>('GET', withQuery(path, { ...query, cursor: pageParam }), undefined, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: (before) => (keepsPrevious ? before : undefined),
  })
