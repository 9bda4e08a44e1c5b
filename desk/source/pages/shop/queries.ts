import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { DeskProduct, DeskProductFound, DeskShop } from '../../../../server/features/products/schema.ts'
import { errorMessage } from '../../api/api-error.ts'
import { callApi, callApiWithTag } from '../../api/client.ts'
import { runUnlessUndone, showToast } from '../../components/notice.tsx'
import { isSameListing, type ListingValues, type SavedListing, toRequest, toValues } from './listing-form.ts'

export const shopKey = ['shop', 'list'] as const

export const useShop = () =>
  useQuery({ queryKey: shopKey, queryFn: async () => (await callApi<DeskShop>('GET', '/products')).products })

/** Read once for the form, so that values do not change while typing. */
export const useListing = (id: string) =>
  useQuery({
    queryKey: ['shop', 'one', id],
    queryFn: () => readListing(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const readListing = async (id: string): Promise<SavedListing> =>
  toSavedListing(await callApiWithTag<DeskProductFound>('GET', `/products/${id}`))

/**
 * The first save creates the listing under the page's id, so a repeat creates nothing twice. If the first answer was
 * lost, the repeat returns what was sent then, and the current values are saved over it.
 */
export async function saveListing(id: string, values: ListingValues, tag: string | undefined): Promise<SavedListing> {
  const sent = toRequest(values)
  if (tag === undefined) {
    const begun = toSavedListing(await callApiWithTag<DeskProductFound>('POST', `/products?id=${id}`, sent))
    return isSameListing(toValues(begun.product, values.currency), values) ? begun : saveListing(id, values, begun.tag)
  }
  return toSavedListing(await callApiWithTag<DeskProductFound>('PATCH', `/products/${id}`, sent, { ifMatch: tag }))
}

/** Lists, updates or withdraws; the first two apply to exactly the shown revision. */
export const performAction = async (id: string, act: string, revision: number | undefined): Promise<SavedListing> =>
  toSavedListing(
    await callApiWithTag<DeskProductFound>('POST', `/products/${id}/${act}`, revision ? { revision } : undefined),
  )

const toSavedListing = ({
  answer,
  tag,
}: {
  readonly answer: DeskProductFound
  readonly tag: string | null
}): SavedListing => ({
  product: answer.product,
  tag: tag ?? `"${answer.product.revision}"`,
})

/** The writer's public pieces that match, last changed first. */
export const usePublicPieces = (q: string) =>
  useQuery({
    queryKey: ['shop', 'pieces', q],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ status: 'approved', limit: '8', ...(q ? { q } : {}) })
      return (await callApi<DeskPage>('GET', `/pieces?${query}`, undefined, { signal })).pieces
    },
    placeholderData: (before) => before,
  })

export function useInvalidateShop(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: shopKey })
}

export function useDeleteListing(): (product: Pick<DeskProduct, 'id' | 'name'>) => void {
  const changed = useInvalidateShop()
  return ({ id, name }) =>
    deleteUnlessUndone(id, name, async () => {
      try {
        await callApi('DELETE', `/products/${id}`, undefined, { keepalive: true })
      } catch (error) {
        showToast(`“${name}” is still there. ${errorMessage(error)}`)
      }
      await changed()
    })
}

/** Ids of listings that are deleted once the undo time has passed. Outlives the page, as the undo toast does. */
let pendingIds: readonly string[] = []
const listeners = new Set<() => void>()

function setPendingIds(next: readonly string[]): void {
  pendingIds = next
  for (const listener of listeners) listener()
}

export const usePendingDeletes = (): readonly string[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pendingIds,
  )

/** Hides the listing at once and deletes it later. `remove` resolves when the lists are up to date. */
function deleteUnlessUndone(id: string, name: string, remove: () => Promise<void>): void {
  const stay = () => setPendingIds(pendingIds.filter((one) => one !== id))
  setPendingIds([...pendingIds, id])
  runUnlessUndone(`“${name}” is deleted.`, () => void remove().finally(stay), stay)
}
