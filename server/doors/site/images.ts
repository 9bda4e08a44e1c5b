import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { tagsOfAuthor } from '#features/authors/cache-tags.ts'
import { getAuthor } from '#features/authors/reads.ts'
import { type Author, OneAuthor } from '#features/authors/schema.ts'
import { tagsOfPiece } from '#features/pieces/cache-tags.ts'
import { getPiece } from '#features/pieces/reads.ts'
import { OnePiece, type Piece } from '#features/pieces/schema.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import type { PublicDoor } from '#platform/http/public-door.ts'
import type { Masthead } from '#platform/masthead.ts'
import { createDrawer } from '#platform/picture/drawer.ts'
import type { Poster } from '#platform/picture/poster.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { categoryName } from './byline.ts'

/** /image/…: the pictures that other sites show with a link, drawn when they are asked for. */
export const imageRoutes: FastifyPluginAsyncTypebox<PublicDoor> = async (app, { reads, gate, masthead }) => {
  const drawer = createDrawer()
  app.addHook('onClose', () => drawer.close())
  app.addHook('onSend', cached('picture'))
  // As dear as a search, and the first to give way with it.
  const onRequest = gate('search', 'search')
  const hidden = { hide: true } as object

  app.get('/image/piece/:id.png', { onRequest, schema: { ...hidden, params: OnePiece } }, async ({ params }, reply) => {
    const { piece } = await getPiece(reads, params)
    const picture = await drawer.draw(posterOfPiece(masthead, piece))
    return tagged(reply.type('image/png'), picture, tagsOfPiece(params.id, piece.authors[0]?.slug ?? ''))
  })

  app.get(
    '/image/author/:slug.png',
    { onRequest, schema: { ...hidden, params: OneAuthor } },
    async ({ params }, reply) => {
      const { author } = await getAuthor(reads, params)
      if (author.slug !== params.slug) return reply.redirect(reads.urls.profileImage(author.slug), 301)
      const picture = await drawer.draw(posterOfAuthor(masthead, author))
      return tagged(reply.type('image/png'), picture, tagsOfAuthor(author.slug))
    },
  )
}

const houseOf = ({ name, mark, hasOwnMark }: Masthead) => ({ house: name, mark: hasOwnMark ? mark : null })

function posterOfPiece(masthead: Masthead, { title, summary, category, authors, content_text: text }: Piece): Poster {
  const [author] = authors
  return {
    ...houseOf(masthead),
    kicker: category && categoryName(category),
    title,
    titleTicked: false,
    text: isOpening(summary, text) ? null : summary,
    foot: author?.name ?? null,
    footTicked: author?.identity_verified ?? false,
  }
}

/** Where its writer gave no standfirst the summary is how the text begins: too little to stand under a headline. */
const isOpening = (summary: string, text: string): boolean =>
  normaliseLine(text.slice(0, 1_000)).startsWith(summary.replace(/…$/, ''))

function posterOfAuthor(masthead: Masthead, { name, role, bio, location, identity_verified, stats }: Author): Poster {
  const count = stats.pieces_count
  const pieces = count === 0 ? null : count === 1 ? '1 piece' : `${count.toLocaleString('en')} pieces`
  return {
    ...houseOf(masthead),
    kicker: role,
    title: name,
    titleTicked: identity_verified,
    text: bio,
    foot: [location, pieces].filter((part) => part !== null).join(' · '),
    footTicked: false,
  }
}
