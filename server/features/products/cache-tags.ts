import { tagsOfAuthor, tagsOfAuthorLists } from '#features/authors/cache-tags.ts'

/** By its seller too: related writing that goes away, and a new name, purge what carries the author's tag. */
export const tagsOfProduct = (id: string, sellerSlug: string): string[] => [
  `product-${id}`,
  ...tagsOfAuthor(sellerSlug),
]

/** Every list and search of the shop. They name sellers, so that they go with lists of authors. */
export const tagsOfProductLists: readonly string[] = ['products', ...tagsOfAuthorLists]
