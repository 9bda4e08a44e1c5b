import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tagsOfAuthor } from '#features/authors/cache-tags.ts'
import { getAuthor } from '#features/authors/reads.ts'
import { type Author, OneAuthor } from '#features/authors/schema.ts'
import { tagsOfPiece } from '#features/pieces/cache-tags.ts'
import { type PublishedPiece, publishedPiece } from '#features/pieces/public-lists.ts'
import { categoryName, OnePiece } from '#features/pieces/schema.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import type { Poster } from '#platform/images/og-image/poster.ts'
import { createDrawer } from '#platform/images/og-image/worker.ts'
import type { SiteInfo } from '#platform/site.ts'

/** /image/…: the pictures that other sites show with a link, drawn when they are asked for. */
export const imageRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  const drawer = createDrawer()
  app.addHook('onClose', () => drawer.close())
  app.addHook('onSend', cached('publicRead'))
  // As dear as a search, and the first to give way with it.
  const onRequest = gate('search', 'search')
  const hidden = { hide: true } as object

  app.get('/image/piece/:id.png', { onRequest, schema: { ...hidden, params: OnePiece } }, async ({ params }, reply) => {
    const published = await publishedPiece(reads, params)
    const picture = await drawer.draw(posterOfPiece(siteInfo, published))
    return tagged(reply.type('image/png'), picture, tagsOfPiece(params.id, published.piece.authors[0]?.slug ?? ''))
  })

  app.get(
    '/image/author/:slug.png',
    { onRequest, schema: { ...hidden, params: OneAuthor } },
    async ({ params }, reply) => {
      const { author } = await getAuthor(reads, params)
      if (author.slug !== params.slug) return reply.redirect(reads.urls.profileImage(author.slug), 301)
      const picture = await drawer.draw(posterOfAuthor(siteInfo, author))
      return tagged(reply.type('image/png'), picture, tagsOfAuthor(author.slug))
    },
  )
}

const siteOf = ({ name, mark, hasOwnMark }: SiteInfo) => ({ site: name, mark: hasOwnMark ? mark : null })

/** Where its writer gave no standfirst the summary is how the text begins: too little to stand under a headline. */
function posterOfPiece(siteInfo: SiteInfo, { piece, standfirst }: PublishedPiece): Poster {
  const { title, category, authors } = piece
  const [author] = authors
  return {
    ...siteOf(siteInfo),
    kicker: category && categoryName(category),
    title,
    titleTicked: false,
    text: standfirst,
    foot: author?.name ?? null,
    footTicked: author?.identity_verified ?? false,
  }
}

function posterOfAuthor(siteInfo: SiteInfo, { name, role, bio, location, identity_verified, stats }: Author): Poster {
  const count = stats.pieces_count
  const pieces = count === 0 ? null : count === 1 ? '1 piece' : `${count.toLocaleString('en')} pieces`
  return {
    ...siteOf(siteInfo),
    kicker: role,
    title: name,
    titleTicked: identity_verified,
    text: bio,
    foot: [location, pieces].filter((part) => part !== null).join(' · '),
    footTicked: false,
  }
}
