import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { authorAt } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import { tagsOfAuthorPieces, tagsOfPresented, tagsOfSeries, tagsOfTranslations } from '#features/cache-tags.ts'
import {
  type Page,
  type Part,
  type PublishedPiece,
  pieceAtAddress,
  piecesOfAuthor,
} from '#features/pieces/public-lists.ts'
import {
  type Cover,
  languageFilter,
  type Piece,
  type PieceListItem,
  type Translation,
} from '#features/pieces/schema.ts'
import type { Topic } from '#features/pieces/topics.ts'
import { noProducts, productsOfAuthor, type SellerProducts } from '#features/products/reads.ts'
import type { Product, ProductHit } from '#features/products/schema.ts'
import { type ListedSeries, type Series, seriesOfAuthor } from '#features/series/reads.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { askedLanguage } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { toMarkdown } from '#platform/markdown/to-markdown.ts'
import { wordsAsMarkdown } from '#platform/markdown/to-markdown-inline.ts'
import { langOf, safeUrl } from './byline.ts'

/** Pieces per page of an author. */
const perPage = 100

const pieceParams = Type.Object({ author: Type.String(), piece: Type.String() })
const authorParams = Type.Object({ author: Type.String() })
const querystring = Type.Object({ cursor, language: languageFilter })

/** `/author/{slug}.md` and `/author/{slug}/{piece}.md`: the pages as Markdown, for programs. */
export const markdownRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/author/:author/:piece.md',
    {
      onRequest: gate('single', 'read'),
      schema: { hide: true, params: pieceParams } as { params: typeof pieceParams },
    },
    async (request, reply) => {
      const { author, piece: slug } = request.params
      const published = await pieceAtAddress(reads, author, slug)
      if (!published) throw failure(404)
      const { slug: current } = published.piece.authors[0]!
      if (current !== author) return reply.redirect(urls.pieceMarkdown(current, slug), 301)
      return withCacheTags(reply, pieceMarkdownReply(reply, published), [
        ...tagsOfPresented(published.piece),
        ...tagsOfTranslations(published.piece),
        ...tagsOfSeries(published.piece),
      ])
    },
  )

  app.get(
    '/author/:author.md',
    {
      onRequest: gate('list', 'read'),
      schema: { hide: true, params: authorParams, querystring } as {
        params: typeof authorParams
        querystring: typeof querystring
      },
    },
    async (request, reply) => {
      const { author: slug } = request.params
      const found = await authorAt(reads, slug)
      if (!found) throw failure(404)
      const { id, author } = found
      const { cursor } = request.query
      const language = askedLanguage(request.query.language)
      if (author.slug !== slug)
        return reply.redirect(pageAddress(inLanguage(urls.profileMarkdown(author.slug), language), cursor), 301)
      const isFirst = cursor === undefined
      const [pieces, sold, series] = await Promise.all([
        piecesOfAuthor(reads, id, { cursor, language, limit: perPage }),
        isFirst ? productsOfAuthor(reads, id) : noProducts,
        isFirst ? seriesOfAuthor(reads, found) : [],
      ])
      const markdown = authorMarkdown(t, author, { pieces, sold, series, language }, urls)
      const page = inLanguage(author.urls.profile, language)
      return withCacheTags(reply, markdownHeaders(reply, markdown, page), tagsOfAuthorPieces(slug, pieces.items))
    },
  )
}

/** If it was first published elsewhere, that address is canonical, as on its page. */
export const pieceMarkdownReply = (reply: FastifyReply, published: PublishedPiece): string =>
  markdownHeaders(reply, pieceMarkdown(published), safeUrl(published.piece.external_url) ?? published.piece.url)

/** The names of facts are for programs, and the same on every site. */
function pieceMarkdown(published: PublishedPiece): string {
  const { piece, standfirst } = published
  const original = safeUrl(piece.external_url)
  const facts = [
    `Published: ${piece.date_published}`,
    `Modified: ${piece.date_modified}`,
    ...(piece.language === 'und' ? [] : [`Language: ${piece.language}`]),
    ...(piece.category ? [`Category: ${piece.category}`] : []),
    ...(piece.tags.length > 0 ? [`Tags: ${piece.tags.map(wordsAsMarkdown).join(', ')}`] : []),
    `Address: <${piece.url}>`,
    ...(original ? [`First published at: <${original}>`] : []),
    ...translationFacts(piece),
    ...seriesFacts(published),
  ]
  const bylines = piece.authors.map(
    ({ name, url, identity_verified }) =>
      `[${wordsAsMarkdown(name)}](${url})${identity_verified ? ' (identity verified)' : ''}`,
  )
  return joinBlocks([
    `# ${wordsAsMarkdown(piece.title)}`,
    standfirst && `> ${wordsAsMarkdown(standfirst)}`,
    `By ${bylines.join(', ')}`,
    list(facts),
    '---',
    ...(piece.cover ? coverMarkdown(piece.cover) : []),
    piece.content_html === null ? wordsAsMarkdown(piece.content_text) : toMarkdown(piece.content_html).trimEnd(),
  ])
}

function coverMarkdown({ url, alt, caption, credit }: Cover): string[] {
  const words = [
    ...(caption ? [wordsAsMarkdown(caption)] : []),
    ...(credit ? [`Credit: ${wordsAsMarkdown(credit)}`] : []),
  ]
  return [`![${wordsAsMarkdown(alt)}](${url})`, ...(words.length > 0 ? [words.join(' · ')] : [])]
}

/** The original of a translation, and the other languages. */
function translationFacts({ translations = [] }: Piece): string[] {
  const linked = ({ title, url, language }: Translation) => `[${wordsAsMarkdown(title)}](${url}.md) (${language})`
  const original = translations.find(({ is_original }) => is_original)
  const others = translations.filter(({ is_original }) => !is_original)
  return [
    ...(original ? [`Original: ${linked(original)}, ${wordsAsMarkdown(original.authors[0]!.name)}`] : []),
    ...(others.length > 0 ? [`Translations: ${others.map(linked).join(', ')}`] : []),
  ]
}

/** Its number in a series, and the parts before and after it. */
function seriesFacts({ piece: { series }, previous, next }: PublishedPiece): string[] {
  if (!series) return []
  const linked = (name: string, part: Part | null) =>
    part ? [`${name}: [${wordsAsMarkdown(part.title)}](${part.url}.md)`] : []
  return [
    `Series: [${wordsAsMarkdown(series.title)}](${series.url}.md), part ${series.position} of ${series.count}`,
    ...linked('Previous', previous),
    ...linked('Next', next),
  ]
}

export function seriesMarkdown(
  t: Translator,
  author: Author,
  series: Series,
  pieces: readonly PieceListItem[],
  urls: Urls,
): string {
  const facts = [
    `Parts: ${pieces.length}`,
    `Address: <${series.url}>`,
    `Feeds: <${urls.seriesFeedJson(author.slug, series.slug)}>, <${urls.seriesFeedRss(author.slug, series.slug)}>`,
  ]
  return joinBlocks([
    `# ${wordsAsMarkdown(series.title)}`,
    series.description && `> ${wordsAsMarkdown(series.description)}`,
    `By [${wordsAsMarkdown(author.name)}](${author.urls.profile}.md)${author.identity_verified ? ' (identity verified)' : ''}`,
    list(facts),
    pieces.map((piece, at) => `${at + 1}. ${pieceLine(t, piece)}`).join('\n'),
  ])
}

const pieceLine = (t: Translator, { title, url, date_published, language }: PieceListItem): string =>
  `[${wordsAsMarkdown(title)}](${url}.md), ${date_published.slice(0, 10)}${otherLanguage(t, language)}`

interface AuthorLists {
  readonly pieces: Page<PieceListItem>
  readonly sold: SellerProducts
  readonly series: readonly ListedSeries[]
  /** What the pieces are limited to. */
  readonly language: string | undefined
}

export function authorMarkdown(
  t: Translator,
  author: Author,
  { pieces: { items, next_cursor }, sold: { products, hasMore }, series, language }: AuthorLists,
  urls: Urls,
): string {
  const website = safeUrl(author.website)
  const elsewhere = Object.entries(author.socials).flatMap(([name, address]) => {
    const link = safeUrl(address)
    return link ? [`${name}: <${link}>`] : []
  })
  const facts = [
    ...(author.role ? [`Role: ${wordsAsMarkdown(author.role)}`] : []),
    ...(author.niche ? [`Niche: ${wordsAsMarkdown(author.niche)}`] : []),
    ...(author.location ? [`Location: ${wordsAsMarkdown(author.location)}`] : []),
    `Identity: ${author.identity_verified ? 'verified' : 'not verified'}`,
    ...(website ? [`Website: <${website}>${author.website_verified ? ' (verified)' : ''}`] : []),
    ...elsewhere,
    ...(author.joined_at ? [`Joined: ${author.joined_at}`] : []),
    `Pieces: ${author.stats.pieces_count}`,
    `Address: <${author.urls.profile}>`,
    `Feeds: <${author.urls.feed_json}>, <${author.urls.feed_rss}>`,
  ]
  const pieces = items.map((piece) => pieceLine(t, piece))
  return joinBlocks([
    `# ${wordsAsMarkdown(author.name)}`,
    ...(author.bio ?? '').split(/\n\s*\n/).map(wordsAsMarkdown),
    list(facts),
    pieces.length > 0 && `## ${t('site.author.pieces')}`,
    list(pieces),
    next_cursor &&
      `[${t('site.list.older')}](${pageAddress(inLanguage(urls.profileMarkdown(author.slug), language), next_cursor)})`,
    series.length > 0 && `## ${t('site.author.series')}`,
    list(series.map(({ title, url, count }) => `[${wordsAsMarkdown(title)}](${url}.md), ${count}`)),
    products.length > 0 && `## ${t('site.author.shop')}`,
    productListMarkdown(products),
    hasMore && `[${wordsAsMarkdown(t('site.author.see_all', { name: author.name }))}](${urls.shopOf(author.slug)})`,
  ])
}

interface TopicList {
  readonly list: Page<PieceListItem>
  /** What the pieces are limited to. */
  readonly language: string | undefined
  readonly site: string
}

export const topicMarkdown = (
  t: Translator,
  { topic, name }: Topic,
  { list: { items, next_cursor }, language, site }: TopicList,
  urls: Urls,
): string =>
  joinBlocks([
    `# ${wordsAsMarkdown(name)}`,
    `> ${wordsAsMarkdown(t('site.topic.description', { name, site }))}`,
    list([`Address: <${urls.topic(topic)}>`, `Feeds: <${urls.topicFeedJson(topic)}>, <${urls.topicFeedRss(topic)}>`]),
    list(
      items.map(
        ({ title, url, date_published, language, authors }) =>
          `[${wordsAsMarkdown(title)}](${url}.md), ${wordsAsMarkdown(authors[0]!.name)}, ${date_published.slice(0, 10)}${otherLanguage(t, language)}`,
      ),
    ),
    next_cursor &&
      `[${t('site.list.older')}](${pageAddress(inLanguage(urls.topicMarkdown(topic), language), next_cursor)})`,
  ])

/** Named only where it is not the site's. */
const otherLanguage = (t: Translator, language: string): string => (langOf(t, language) ? `, ${language}` : '')

/** Helpers for Markdown responses. */

/** Sets the headers of a Markdown response, with the HTML page as canonical. */
export function markdownHeaders(reply: FastifyReply, markdown: string, page: string): string {
  reply
    .type('text/markdown; charset=utf-8')
    .header('x-robots-tag', 'noindex')
    .header('link', `<${page}>; rel="canonical"`)
  return markdown
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** Joins the non-empty blocks. */
const joinBlocks = (blocks: readonly (string | false | null)[]): string => `${blocks.filter(Boolean).join('\n\n')}\n`

/** A shop listing as Markdown. */
export function productMarkdown(t: Translator, product: Product): string {
  const { seller } = product
  const sellerLink = `[${wordsAsMarkdown(seller.name)}](${seller.url})${seller.identity_verified ? ' (identity verified)' : ''}`
  const payment = safeUrl(product.payment_url)
  const facts = [
    ...(product.price ? [`Price: ${product.price.amount} ${product.price.currency}`] : []),
    ...(product.category ? [`Category: ${wordsAsMarkdown(product.category)}`] : []),
    ...(payment ? [`Buy at: <${payment}>`] : []),
    `Updated: ${product.updated_at}`,
    `Address: <${product.url}>`,
  ]
  return joinBlocks([
    `# ${wordsAsMarkdown(product.name)}`,
    product.summary && `> ${wordsAsMarkdown(product.summary)}`,
    t('site.shop.sold_by', { seller: sellerLink }),
    list(facts),
    ...(product.description ?? '').split(/\n\n+/).map(paragraph),
    product.related_pieces.length > 0 && `## ${t('site.shop.related')}`,
    list(product.related_pieces.map(({ title, url }) => `[${wordsAsMarkdown(title)}](${url}.md)`)),
  ])
}

/** Keeps line breaks, as on the page. */
const paragraph = (text: string): string => text.split('\n').map(wordsAsMarkdown).filter(Boolean).join('\\\n')

/** The listings on a seller's page. */
const productListMarkdown = (products: readonly ProductHit[]): string =>
  list(
    products.map(
      ({ name, url, price }) =>
        `[${wordsAsMarkdown(name)}](${url}.md)${price ? `, ${price.amount} ${price.currency}` : ''}`,
    ),
  )
