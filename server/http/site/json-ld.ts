import type { SiteInfo } from '#config/site-info.ts'
import type { Author } from '#features/authors/schema.ts'
import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import type { Piece, PieceListItem, Translation } from '#features/pieces/schema.ts'
import type { Product } from '#features/products/schema.ts'
import type { Series } from '#features/series/reads.ts'
import type { Urls } from '#features/urls.ts'
import { shortened } from '#platform/text/normalise.ts'

/** JSON-LD for search engines (schema.org). */

const context = 'https://schema.org'

const publisher = ({ name }: SiteInfo, urls: Urls) => ({
  '@type': 'Organization',
  name,
  url: urls.home(),
  logo: urls.page('favicon.svg'),
})

export const website = (siteInfo: SiteInfo, urls: Urls) => ({
  '@context': context,
  '@type': 'WebSite',
  name: siteInfo.name,
  description: siteInfo.description,
  inLanguage: siteInfo.language,
  url: urls.home(),
  publisher: publisher(siteInfo, urls),
  potentialAction: {
    '@type': 'SearchAction',
    target: `${urls.search()}?q={search_term_string}`,
    'query-input': 'required name=search_term_string',
  },
})

/** Google's limit for headlines. */
const longestHeadline = 110

export const article = ({ piece, uuid, versions, meta }: PublishedPiece, siteInfo: SiteInfo, urls: Urls) => ({
  '@context': context,
  '@type': 'Article',
  '@id': piece.id,
  mainEntityOfPage: piece.url,
  headline: shortened(piece.title, longestHeadline),
  description: meta?.description ?? piece.summary,
  image: [...(piece.cover ? [piece.cover.url] : []), urls.pieceImage(uuid)],
  datePublished: piece.date_published,
  dateModified: piece.date_modified,
  ...(piece.language === 'und' ? {} : { inLanguage: piece.language }),
  ...(piece.category ? { articleSection: piece.category } : {}),
  ...(piece.tags.length > 0 ? { keywords: piece.tags.join(', ') } : {}),
  ...(piece.external_url ? { isBasedOn: piece.external_url } : {}),
  ...translationsOf(piece, versions),
  ...(piece.series
    ? {
        isPartOf: {
          '@type': 'CreativeWorkSeries',
          '@id': piece.series.url,
          name: piece.series.title,
          url: piece.series.url,
        },
        position: piece.series.position,
      }
    : {}),
  isAccessibleForFree: true,
  author: piece.authors.map(({ name, url, avatar }) => ({
    '@type': 'Person',
    name,
    url,
    ...(avatar ? { image: avatar } : {}),
  })),
  publisher: publisher(siteInfo, urls),
})

/** A translation names its original; an original its translations. */
function translationsOf({ id, translations = [] }: Piece, versions: PublishedPiece['versions']) {
  const original = translations.find(({ is_original }) => is_original)
  if (original) return { translationOfWork: work(original) }
  const isOriginal = versions.some((version) => version.id === id && version.is_original)
  return isOriginal ? { workTranslation: translations.map(work) } : {}
}

const work = ({ id, url, title, language }: Translation) => ({
  '@type': 'Article',
  '@id': id,
  url,
  name: title,
  inLanguage: language,
})

export const seriesData = (series: Series, author: Author, pieces: readonly PieceListItem[]) => ({
  '@context': context,
  '@type': 'CreativeWorkSeries',
  '@id': series.url,
  name: series.title,
  url: series.url,
  ...(series.description ? { description: series.description } : {}),
  author: { '@type': 'Person', name: author.name, url: author.urls.profile },
  hasPart: pieces.map(({ id, url, title, date_published }, at) => ({
    '@type': 'Article',
    '@id': id,
    url,
    headline: shortened(title, longestHeadline),
    datePublished: date_published,
    position: at + 1,
  })),
})

/** A product; without a price there is no offer. */
export const productData = (product: Product) => ({
  '@context': context,
  '@type': 'Product',
  '@id': product.url,
  name: product.name,
  url: product.url,
  ...((product.summary ?? product.description) ? { description: product.summary ?? product.description } : {}),
  ...(product.image_url ? { image: product.image_url } : {}),
  ...(product.category ? { category: product.category } : {}),
  ...(product.price
    ? {
        offers: {
          '@type': 'Offer',
          price: product.price.amount,
          priceCurrency: product.price.currency,
          availability: `${context}/InStock`,
          url: product.url,
          seller: { '@type': 'Person', name: product.seller.name, url: product.seller.url },
        },
      }
    : {}),
})

export const person = (author: Author, siteInfo: SiteInfo) => ({
  '@context': context,
  '@type': 'ProfilePage',
  inLanguage: siteInfo.language,
  mainEntity: {
    '@type': 'Person',
    '@id': author.urls.profile,
    name: author.name,
    url: author.urls.profile,
    ...(author.bio ? { description: author.bio } : {}),
    ...(author.role ? { jobTitle: author.role } : {}),
    ...(author.avatar_url ? { image: author.avatar_url } : {}),
    sameAs: [author.website, ...Object.values(author.socials)].filter((address) => address !== null),
  },
})

/** The path from the front page. */
export const breadcrumbs = (...steps: readonly (readonly [name: string, address: string])[]) => ({
  '@context': context,
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(([name, item], at) => ({ '@type': 'ListItem', position: at + 1, name, item })),
})
