import { useQuery } from '@tanstack/react-query'
import type { CoAuthorInvitations } from '../../../server/features/pieces/co-authors-schema.ts'
import { callApi } from './client.ts'
import { invalidate } from './queries.ts'

export type Invitation = CoAuthorInvitations['invitations'][number]

/** Pieces of others that the writer is invited to sign, or has signed. */
export const useInvitations = (isWriter = true) =>
  useQuery({
    queryKey: ['co-authors'],
    queryFn: () => callApi<CoAuthorInvitations>('GET', '/co-authors'),
    enabled: isWriter,
  })

export const invalidateInvitations = (): Promise<void> => invalidate('co-authors')
