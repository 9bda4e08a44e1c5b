import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { DeskProduct, DeskProductFound, DeskShop } from '../../../../server/features/products/desk-schema.ts'
import { ask, askWithTag } from '../../api/client.ts'
import { isSame, type Said, saidBy, sentOf } from './form-values.ts'

/** A listing, and the version it was read or saved at. */
export interface Kept {
  readonly product: DeskProduct
  readonly tag: string
}

export const shopKey = ['shop', 'list'] as const

export const useShop = () =>
  useQuery({ queryKey: shopKey, queryFn: async () => (await ask<DeskShop>('GET', '/products')).products })

/** Read once, for a form: what is being filled in does not change under the hand. */
export const useListing = (id: string) =>
  useQuery({
    queryKey: ['shop', 'one', id],
    queryFn: () => readListing(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const readListing = async (id: string): Promise<Kept> =>
  keptOf(await askWithTag<DeskProductFound>('GET', `/products/${id}`))

/**
 * The first save makes it, under the id the page has given it: sent twice, it is there once. If the answer to the first
 * was lost, the second is answered with what was sent then; so what is there now is saved over it.
 */
export async function saveListing(id: string, said: Said, tag: string | undefined): Promise<Kept> {
  const sent = sentOf(said)
  if (tag === undefined) {
    const begun = keptOf(await askWithTag<DeskProductFound>('POST', `/products?id=${id}`, sent))
    return isSame(saidBy(begun.product, said.currency), said) ? begun : saveListing(id, said, begun.tag)
  }
  return keptOf(await askWithTag<DeskProductFound>('PATCH', `/products/${id}`, sent, { ifMatch: tag }))
}

/** Lists, updates or withdraws it; the first two exactly the revision that was shown. */
export const performAct = async (id: string, act: string, revision: number | undefined): Promise<Kept> =>
  keptOf(await askWithTag<DeskProductFound>('POST', `/products/${id}/${act}`, revision ? { revision } : undefined))

const keptOf = ({ answer, tag }: { readonly answer: DeskProductFound; readonly tag: string | null }): Kept => ({
  product: answer.product,
  tag: tag ?? `"${answer.product.revision}"`,
})

/** The writer's own public pieces that have these words, the last changed first. */
export const usePublicPieces = (q: string) =>
  useQuery({
    queryKey: ['shop', 'pieces', q],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ status: 'approved', limit: '8', ...(q ? { q } : {}) })
      return (await ask<DeskPage>('GET', `/pieces?${query}`, undefined, { signal })).pieces
    },
    placeholderData: (before) => before,
  })

/** For when the list is out of date. */
export function useShopChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: shopKey })
}
