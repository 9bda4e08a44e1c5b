import { useQuery } from '@tanstack/react-query'
import type { CoAuthoredPiece, CoAuthorInvitations } from '../../../server/features/pieces/co-authors-schema.ts'
import type { RequestedDraft, TranslationList } from '../../../server/features/pieces/desk-schema.ts'
import { callApi } from './client.ts'
import { invalidate } from './queries.ts'

/** What others ask this writer: to translate a piece of theirs, or to sign one of the other's. */
export type RequestKind = 'translation' | 'co_author'

export interface WriterRequest extends RequestedDraft {
  /** Who translates, or invites. */
  readonly person: string
  readonly at: string
  readonly answer: 'agreed' | 'declined' | 'withdrawn' | null
  readonly original?: { readonly id: string; readonly headline: string }
}

interface RequestList {
  readonly count: number
  /** How many wait for an answer; they come first. */
  readonly waiting: number
  readonly requests: readonly WriterRequest[]
}

export const apiPaths = { translation: '/translations', co_author: '/co-authors' } as const

const read: Readonly<Record<RequestKind, () => Promise<RequestList>>> = {
  async translation() {
    const { translations, ...counts } = await callApi<TranslationList>('GET', apiPaths.translation)
    return {
      ...counts,
      requests: translations.map((one) => ({ ...one, person: one.translator.name, at: one.asked_at })),
    }
  },
  async co_author() {
    const { invitations, ...counts } = await callApi<CoAuthorInvitations>('GET', apiPaths.co_author)
    return { ...counts, requests: invitations.map((one) => ({ ...one, person: one.writer.name, at: one.invited_at })) }
  },
}

export const useRequests = (kind: RequestKind, isWriter = true) =>
  useQuery({ queryKey: ['requests', kind], queryFn: read[kind], enabled: isWriter })

/** The draft of a piece that the writer has agreed to sign. */
export const useCoAuthoredPiece = (id: string) =>
  useQuery({
    queryKey: ['requests', 'co_author', id],
    queryFn: async () => (await callApi<CoAuthoredPiece>('GET', `${apiPaths.co_author}/${id}`)).piece,
  })

export const invalidateRequests = (kind: RequestKind): Promise<void> => invalidate('requests', kind)
