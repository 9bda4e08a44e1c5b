import { tagOfWork, tagsOfAuthor, tagsOfAuthorLists } from '#features/authors/cache-tags.ts'

const tagOfProduct = (id: string): string => `product-${id}`

/** By all its seller published too: a listing names related pieces, which come and go. */
export const tagsOfProduct = (id: string, sellerSlug: string): string[] => [
  tagOfProduct(id),
  ...tagsOfAuthor(sellerSlug),
]

const tagOfShop = 'products'

/** Every list and search of the shop. They name sellers, so that they go with lists of authors. */
export const tagsOfProductLists: readonly string[] = [tagOfShop, ...tagsOfAuthorLists]

/** What goes when a listing comes, changes or goes: what shows it, could list it, or shows its picture. */
export const purgedWithProduct = (id: string, sellerSlug: string): string[] => [
  tagOfProduct(id),
  tagOfWork(sellerSlug),
  tagOfShop,
]
