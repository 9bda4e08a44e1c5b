import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { SiteInfo } from '#config/site-info.ts'
import { getAuthor } from '#features/authors/reads.ts'
import { type Author, OneAuthor } from '#features/authors/schema.ts'
import { tagsOfAuthor, tagsOfPiece } from '#features/cache-tags.ts'
import { type PublishedPiece, publishedPiece } from '#features/pieces/public-lists.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { categoryLabel } from '#http/category-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorFor, translatorOf } from '#messages/translator.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import type { OgImageContent } from '#platform/images/og-image/poster.ts'
import { createOgImageRenderer } from '#platform/images/og-image/worker.ts'

/** /image/…: Open Graph images, drawn on request. */
export const ogImageRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  const drawer = createOgImageRenderer()
  const t = translatorOf(siteInfo.language)
  app.addHook('onClose', () => drawer.close())
  app.addHook('onSend', cached('publicRead'))
  // As expensive as a search, and shed first along with it.
  const onRequest = gate('search', 'search')
  const hidden = { hide: true } as object

  app.get('/image/piece/:id.png', { onRequest, schema: { ...hidden, params: OnePiece } }, async ({ params }, reply) => {
    const published = await publishedPiece(reads, params)
    const picture = await drawer.draw(posterOfPiece(translatorFor(published.piece.language, t), siteInfo, published))
    return withCacheTags(
      reply.type('image/png'),
      picture,
      tagsOfPiece(params.id, published.piece.authors[0]?.slug ?? ''),
    )
  })

  app.get(
    '/image/author/:slug.png',
    { onRequest, schema: { ...hidden, params: OneAuthor } },
    async ({ params }, reply) => {
      const { author } = await getAuthor(reads, params)
      if (author.slug !== params.slug) return reply.redirect(reads.urls.profileImage(author.slug), 301)
      const picture = await drawer.draw(posterOfAuthor(t, siteInfo, author))
      return withCacheTags(reply.type('image/png'), picture, tagsOfAuthor(author.slug))
    },
  )
}

const siteOf = ({ name, mark, hasOwnMark }: SiteInfo) => ({ site: name, mark: hasOwnMark ? mark : null })

/** Without a standfirst, the summary is the beginning of the text, which makes no subtitle. */
function posterOfPiece(t: Translator, siteInfo: SiteInfo, { piece, standfirst }: PublishedPiece): OgImageContent {
  const { title, category, authors, language } = piece
  const [author] = authors
  return {
    ...siteOf(siteInfo),
    kicker: category && categoryLabel(t, category),
    title,
    titleTicked: false,
    text: standfirst,
    foot: author?.name ?? null,
    footTicked: author?.identity_verified ?? false,
    language,
  }
}

function posterOfAuthor(
  t: Translator,
  siteInfo: SiteInfo,
  { name, role, bio, location, identity_verified, stats }: Author,
): OgImageContent {
  const count = stats.pieces_count
  const pieces = count === 0 ? null : t('site.author.piece_count', { count })
  return {
    ...siteOf(siteInfo),
    kicker: role,
    title: name,
    titleTicked: identity_verified,
    text: bio,
    foot: [location, pieces].filter((part) => part !== null).join(' · '),
    footTicked: false,
    // Nobody says in which language a name is; most names are in that of the site.
    language: t.language,
  }
}
