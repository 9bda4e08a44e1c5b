import { useQuery } from '@tanstack/react-query'
import type { DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { DeskProduct, DeskProductFound, DeskShop } from '../../../../server/features/products/schema.ts'
import { callApi, callApiWithTag, errorMessage } from '../../api/client.ts'
import { withQuery } from '../../api/pages.ts'
import { invalidate } from '../../api/queries.ts'
import { showToast, showUndoToast } from '../../components/notice.tsx'
import { createStore } from '../../components/store.ts'
import { t } from '../../messages.ts'
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
      const path = withQuery('/pieces', { status: 'approved', limit: '8', q })
      return (await callApi<DeskPage>('GET', path, undefined, { signal })).pieces
    },
    placeholderData: (before) => before,
  })

export const invalidateShop = (): Promise<void> => invalidate(...shopKey)

/** Ids of listings that are deleted once the undo time has passed. Outlives the page, as the undo toast does. */
const pendingIds = createStore<readonly string[]>([])
export const usePendingDeletes = pendingIds.use

/** Hides the listing at once, and deletes it when it can no longer be undone. */
export function deleteListing({ id, name }: Pick<DeskProduct, 'id' | 'name'>): void {
  const stay = () => pendingIds.set(pendingIds.get().filter((one) => one !== id))
  const remove = async () => {
    try {
      await callApi('DELETE', `/products/${id}`, undefined, { keepalive: true })
    } catch (error) {
      showToast(t('desk.shop.delete_failed', { name, reason: errorMessage(error) }))
    }
    await invalidateShop()
  }
  pendingIds.set([...pendingIds.get(), id])
  showUndoToast(t('desk.shop.deleted', { name }), stay, () => void remove().finally(stay))
}
