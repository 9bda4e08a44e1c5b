import { enqueue } from '#features/jobs.ts'

/**
 * Cache tags (surrogate keys): which responses show what, and what is purged when it changes. One query purges all
 * responses with a tag from the edge caches.
 */

/** Tags responses that show an author's name, portrait or verified mark; purged when these change. */
export const tagsOfByline = (slug: string): string[] => [`byline-${slug}`]

/** Tags what is derived from everything they published or signed: lists, counts and products; purged with each publication too. */
export const tagOfWork = (slug: string): string => `author-${slug}`

/** Tags of an author's page and profile. */
export const tagsOfAuthor = (slug: string): string[] => [tagOfWork(slug), ...tagsOfByline(slug)]

export const tagsOfAuthorLists: readonly string[] = ['authors']

/** Tags every list and search of pieces: each may gain or lose a piece with any publication, and names authors. */
export const tagsOfPieceLists: readonly string[] = ['pieces']

const tagOfFrontPage = 'front-page'

/** Tags of the front page: a list of pieces, with what moderators chose for it. */
export const tagsOfFrontPage: readonly string[] = [...tagsOfPieceLists, tagOfFrontPage]

/** Tags of what the fediverse reads of the site itself. */
export const tagsOfSiteActor: readonly string[] = ['site-actor']

/** Purges the front page after moderators have changed it. */
export async function purgeFrontPage(tx: Parameters<typeof enqueue>[0]): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: [tagOfFrontPage] })
}

/** Tags to purge when an author's profile changes, for each of these slugs. */
export const purgedWithAuthor = (...slugs: readonly string[]): string[] => [
  ...slugs.flatMap(tagsOfAuthor),
  ...tagsOfPieceLists,
  ...tagsOfAuthorLists,
]

const tagOfPiece = (id: string): string => `piece-${id.toLowerCase()}`

/** Cache tags (surrogate keys) of responses that show a piece. */
export const tagsOfPiece = (id: string, ...authorSlugs: readonly string[]): string[] => [
  tagOfPiece(id),
  ...authorSlugs.flatMap(tagsOfByline),
]

interface Signed {
  readonly authors: readonly { readonly slug: string }[]
}

/** The same of a piece as it is presented: `id` is a URI that ends in the UUID. */
export const tagsOfPresented = ({ id, authors }: Signed & { readonly id: string }): string[] =>
  tagsOfPiece(id.slice(-36), ...authors.map(({ slug }) => slug))

/** Tags for the names of those who sign pieces together, which change with their profiles. */
export const tagsOfCoAuthors = (pieces: readonly Signed[]): string[] => [
  ...new Set(
    pieces.flatMap(({ authors }) => (authors.length > 1 ? authors.flatMap(({ slug }) => tagsOfByline(slug)) : [])),
  ),
]

/** Tags of a list of what an author wrote and signed. */
export const tagsOfAuthorPieces = (slug: string, pieces: readonly Signed[]): string[] => [
  ...new Set([...tagsOfAuthor(slug), ...tagsOfCoAuthors(pieces)]),
]

interface Translated {
  readonly translations?: readonly { readonly id: string; readonly authors: readonly { readonly slug: string }[] }[]
}

/** Tags of the translations that a response about a piece names; purged when one of them changes. */
export const tagsOfTranslations = ({ translations = [] }: Translated): string[] => translations.flatMap(tagsOfPresented)

interface InSeries {
  readonly authors: readonly { readonly slug: string }[]
  readonly series?: object
}

/**
 * The tag of everything its author published, if a response names the place of a piece in a series: that changes with the
 * other parts, which are by the same author.
 */
export const tagsOfSeries = ({ authors, series }: InSeries): string[] =>
  series ? authors.slice(0, 1).map(({ slug }) => tagOfWork(slug)) : []

/**
 * Tags to purge when a piece is published, changed or removed: whatever shows, could list or counts it, for each who signs
 * it, and the pieces it is now a translation or the original of.
 */
export const purgedWithPiece = (id: string, signers: readonly string[], translated: Translated = {}): string[] => [
  tagOfPiece(id),
  ...(translated.translations ?? []).map((one) => tagOfPiece(one.id.slice(-36))),
  ...signers.map(tagOfWork),
  ...tagsOfPieceLists,
  ...tagsOfAuthorLists,
]

/** Tags to purge when a piece is no longer, or is again, the translation of another: whatever names one of them. */
export const purgedWithTranslation = (id: string, original: string): string[] => [tagOfPiece(id), tagOfPiece(original)]

/** Tags to purge when the card of a link in a piece arrives or changes: its page, and the picture. */
export const purgedWithCards = (id: string): string[] => [tagOfPiece(id)]

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
