import { useQuery } from '@tanstack/react-query'
import type {
  NewComment,
  Outcome,
  Reply,
  Thread as SentThread,
  Threads,
} from '../../../server/features/comments/schema.ts'
import { callApi, newId } from '../api/client.ts'
import { queries } from '../api/queries.ts'

/** The comments on a piece, as the desk's API tells them. */
export type Thread = SentThread
export type Comment = Reply

const keyOf = (piece: string | null) => ['comments', piece] as const

/** How often others' comments are asked for, while the page is visible (milliseconds). */
const askEvery = 30_000

export const useThreads = (piece: string | null) =>
  useQuery({
    queryKey: keyOf(piece),
    queryFn: async () => (await callApi<Threads>('GET', `/pieces/${piece}/comments`)).threads,
    enabled: piece !== null,
    refetchInterval: askEvery,
    refetchOnWindowFocus: true,
  })

/** Each change answers with all threads. */
async function change(piece: string, method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
  await queries.cancelQueries({ queryKey: keyOf(piece) })
  const { threads } = await callApi<Threads>(method, `/pieces/${piece}/comments/${path}`, body)
  queries.setQueryData(keyOf(piece), threads)
}

export const addComment = (piece: string, comment: NewComment, id: string = newId()): Promise<void> =>
  change(piece, 'PUT', id, comment)

export const settle = (piece: string, id: string, resolved: boolean, outcome: Outcome | null = null): Promise<void> =>
  change(piece, 'POST', `${id}/settle`, { resolved, outcome })

export const deleteComment = (piece: string, id: string): Promise<void> => change(piece, 'DELETE', id)

export const isOpen = ({ resolved_at }: Thread): boolean => resolved_at === null
