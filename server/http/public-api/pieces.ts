import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tagsOfAuthor } from '#features/authors/cache-tags.ts'
import { knownAuthor } from '#features/authors/reads.ts'
import { tagsOfPiece, tagsOfPieceLists } from '#features/pieces/cache-tags.ts'
import { getPiece, recentPieces, searchPieces } from '#features/pieces/reads.ts'
import { OnePiece, PieceFound, PieceHits, PieceList, RecentPiecesOf, SearchPieces } from '#features/pieces/schema.ts'
import { trendingPieces } from '#features/trending/reads.ts'
import { TrendingList, TrendingPieces, trendingFormula } from '#features/trending/schema.ts'
import { cached, tagged, uncached } from '#platform/http/caching.ts'
import { described } from '#platform/http/openapi.ts'
import { linkNext } from '#platform/http/paging.ts'
import { failures, type PublicContext } from '#platform/http/public-context.ts'

/** /api/public/pieces: open to all, cacheable by all. */
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
        description: 'The newest public pieces, of one category, of one author, or of all.',
        querystring: RecentPiecesOf,
        response: { 200: described(PieceList, 'A page of pieces, newest first.'), ...failures(400, 404) },
      },
    },
    async (request, reply) => {
      const { author: slug, ...asked } = request.query
      const known = slug === undefined ? undefined : await knownAuthor(reads, slug)
      const list = await recentPieces(reads, { ...asked, authorId: known?.id })
      const tags = known ? tagsOfAuthor(known.author.slug) : tagsOfPieceLists
      return tagged(reply, linkNext(request, reply, reads.urls, list), tags)
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
        description: `Public pieces by how much they are read, most read first, down to the five hundredth. ${trendingFormula}`,
        querystring: TrendingPieces,
        response: { 200: described(TrendingList, 'A page of pieces, most read first.'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const list = await trendingPieces(reads, request.query)
      return tagged(reply, linkNext(request, reply, reads.urls, list), tagsOfPieceLists)
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
          'Public pieces that contain a term in headline, standfirst or body. Headline matches come first, then standfirst, then body; within each the newest first.',
        querystring: SearchPieces,
        response: { 200: described(PieceHits, 'Matches, best site first.'), ...failures(400) },
      },
    },
    async (request, reply) => {
      const hits = await searchPieces(reads, request.query)
      linkNext(request, reply, reads.urls, hits)
      if (!hits.partial) return tagged(reply, hits, tagsOfPieceLists)
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
      return tagged(reply, found, tagsOfPiece(request.params.id, found.piece.authors[0]?.slug ?? ''))
    },
  )
}
