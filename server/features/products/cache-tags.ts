import { tagOfWork, tagsOfAuthor, tagsOfAuthorLists } from '#features/authors/cache-tags.ts'
import { enqueue } from '#features/jobs.ts'

const tagOfProduct = (id: string): string => `product-${id}`

/** Includes the tag of everything its seller published: a listing names related pieces, which can change. */
export const tagsOfProduct = (id: string, sellerSlug: string): string[] => [
  tagOfProduct(id),
  ...tagsOfAuthor(sellerSlug),
]

const tagOfShop = 'products'

/** Tags of every list and search of the shop. They name sellers, so they are purged with lists of authors too. */
export const tagsOfProductLists: readonly string[] = [tagOfShop, ...tagsOfAuthorLists]

/** Tags to purge when a listing is added, changed or removed: whatever shows it, could list it, or shows its image. */
const purgedWithProduct = (id: string, sellerSlug: string): string[] => [
  tagOfProduct(id),
  tagOfWork(sellerSlug),
  tagOfShop,
]

/** Purges every cached response that shows it, could list it, or shows its image. */
export async function purgeProduct(tx: Parameters<typeof enqueue>[0], id: string, sellerSlug: string): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: purgedWithProduct(id, sellerSlug) })
}
