import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getAuthor, knownAuthor, searchAuthors } from '#features/authors/reads.ts'
import { AuthorFound, AuthorHits, OneAuthor, SearchAuthors } from '#features/authors/schema.ts'
import {
  tagsOfAuthor,
  tagsOfAuthorLists,
  tagsOfAuthorPieces,
  tagsOfPieceLists,
  tagsOfPresented,
  tagsOfProduct,
  tagsOfProductLists,
  tagsOfSeries,
  tagsOfTranslations,
} from '#features/cache-tags.ts'
import { getPiece, recentPieces, searchPieces } from '#features/pieces/reads.ts'
import { OnePiece, PieceFound, PieceHits, PieceList, RecentPiecesOf, SearchPiecesIn } from '#features/pieces/schema.ts'
import { refuseWordsFilters, searchByWords } from '#features/pieces/words-reads.ts'
import { getProduct, searchProducts } from '#features/products/reads.ts'
import { OneProduct, ProductFound, ProductHits, SearchProducts } from '#features/products/schema.ts'
import { trendingPieces } from '#features/trending/reads.ts'
import { TrendingList, TrendingPiecesIn, trendingFormula } from '#features/trending/schema.ts'
import { askedLanguage } from '#http/language-label.ts'
import { failures, type PublicContext } from '#http/public-context.ts'
import { described } from '#platform/common-schemas.ts'
import { cached, uncached, withCacheTags } from '#platform/http/caching.ts'
import { linkNext } from '#platform/http/link-headers.ts'

const asked = <Query extends { language?: string }>(query: Query) => ({
  ...query,
  language: askedLanguage(query.language),
})

/** /api/public/pieces: public and cacheable. */
export const pieceRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, onPartial }) => {
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/recent',
    {
      onRequest: gate('list', 'read'),
      schema: {
        operationId: 'recentPieces',
        tags: ['Pieces'],
        summary: 'Recent pieces',
        description: 'The newest public pieces, of one category, of one author, in one language, or of all.',
        querystring: RecentPiecesOf,
        response: { 200: described(PieceList, 'A page of pieces, newest first.'), ...failures(400, 404) },
      },
    },
    async (request, reply) => {
      const { author: slug, ...filter } = asked(request.query)
      const known = slug === undefined ? undefined : await knownAuthor(reads, slug)
      const list = await recentPieces(reads, { ...filter, authorId: known?.id })
      const tags = known ? tagsOfAuthorPieces(known.author.slug, list.items) : tagsOfPieceLists
      return withCacheTags(reply, linkNext(request, reply, reads.urls, list), tags)
    },
  )

  app.get(
    '/trending',
    {
      onRequest: gate('list', 'read'),
      schema: {
        operationId: 'trendingPieces',
        tags: ['Pieces'],
        summary: 'Trending pieces',
        description: `Public pieces by how much they are read, most read first, down to the five hundredth. With language, those of that list in one language. ${trendingFormula}`,
        querystring: TrendingPiecesIn,
        response: { 200: described(TrendingList, 'A page of pieces, most read first.'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const list = await trendingPieces(reads, asked(request.query))
      return withCacheTags(reply, linkNext(request, reply, reads.urls, list), tagsOfPieceLists)
    },
  )

  app.get(
    '/search',
    {
      onRequest: gate('search', 'search'),
      schema: {
        operationId: 'searchPieces',
        tags: ['Pieces'],
        summary: 'Search pieces',
        description:
          'Public pieces that contain a term in headline, standfirst or body. Headline matches come first, then standfirst, then body; within each the newest first. With mode=words, those that have all its words, in any order and inflection; author, tag, since and until narrow that.',
        querystring: SearchPiecesIn,
        response: { 200: described(PieceHits, 'Matches, best site first.'), ...failures(400, 404) },
      },
    },
    async (request, reply) => {
      const { mode, author, ...query } = asked(request.query)
      const known = author === undefined ? undefined : await knownAuthor(reads, author)
      const hits =
        mode === 'words'
          ? await searchByWords(reads, { ...query, authorId: known?.id })
          : await searchPieces(reads, refuseWordsFilters({ ...query, author }))
      linkNext(request, reply, reads.urls, hits)
      if (!hits.partial) return withCacheTags(reply, hits, tagsOfPieceLists)
      onPartial()
      return uncached(reply, hits)
    },
  )

  app.get(
    '/:id',
    {
      onRequest: gate('single', 'read'),
      schema: {
        operationId: 'getPiece',
        tags: ['Pieces'],
        summary: 'One public piece, whole',
        params: OnePiece,
        response: { 200: described(PieceFound, 'The piece.'), ...failures(404) },
      },
    },
    async (request, reply) => {
      const found = await getPiece(reads, request.params)
      return withCacheTags(reply, found, [
        ...tagsOfPresented(found.piece),
        ...tagsOfTranslations(found.piece),
        ...tagsOfSeries(found.piece),
      ])
    },
  )
}

/** /api/public/authors: public and cacheable. */
export const authorRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate }) => {
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/search',
    {
      onRequest: gate('search', 'search'),
      schema: {
        operationId: 'searchAuthors',
        tags: ['Authors'],
        summary: 'Search authors',
        description:
          'Authors whose name, niche, role or bio contains a term. Verified authors come first, then those with more pieces.',
        querystring: SearchAuthors,
        response: { 200: described(AuthorHits, 'Authors, verified first.'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const hits = await searchAuthors(reads, request.query)
      return withCacheTags(reply, linkNext(request, reply, reads.urls, hits), tagsOfAuthorLists)
    },
  )

  app.get(
    '/:slug',
    {
      onRequest: gate('single', 'read'),
      schema: {
        operationId: 'getAuthor',
        tags: ['Authors'],
        summary: 'One author',
        params: OneAuthor,
        response: { 200: described(AuthorFound, 'The author.'), ...failures(404) },
      },
    },
    async (request, reply) => {
      const found = await getAuthor(reads, request.params)
      return withCacheTags(reply, found, tagsOfAuthor(found.author.slug))
    },
  )
}

/** /api/public/products: public and cacheable. */
export const productRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate }) => {
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/search',
    {
      onRequest: gate('search', 'search'),
      schema: {
        operationId: 'searchProducts',
        tags: ['Products'],
        summary: 'Search the shop',
        description:
          'Listings that contain a term in name, summary, description or category; all of them, the newest first, without one. Matches in the name come first, then the others; within each the newest first. Buying happens at `payment_url`, never here.',
        querystring: SearchProducts,
        response: { 200: described(ProductHits, 'Listings, best match first.'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const hits = await searchProducts(reads, request.query)
      return withCacheTags(reply, linkNext(request, reply, reads.urls, hits), tagsOfProductLists)
    },
  )

  app.get(
    '/:id',
    {
      onRequest: gate('single', 'read'),
      schema: {
        operationId: 'getProduct',
        tags: ['Products'],
        summary: 'One listing of the shop, whole',
        params: OneProduct,
        response: { 200: described(ProductFound, 'The listing.'), ...failures(404) },
      },
    },
    async (request, reply) => {
      const found = await getProduct(reads, request.params)
      return withCacheTags(reply, found, tagsOfProduct(found.product.id, found.product.seller.slug))
    },
  )
}
