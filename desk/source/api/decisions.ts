import { useQuery } from '@tanstack/react-query'
import type { DecisionList } from '../../../server/features/moderation/decisions-schema.ts'
import { ask } from './client.ts'

/** The last decision about a piece or a listing of one's own that has not been reversed, where it is known to have one. */
export function useLastDecision(id: string | null | undefined) {
  const { data } = useQuery({
    queryKey: ['decisions', id],
    queryFn: () => ask<DecisionList>('GET', `/decisions?about=${id}`),
    enabled: Boolean(id),
  })
  return data?.decisions.find(({ outcome }) => outcome !== 'reversed')
}
