import { hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { SiteInfo } from '#config/site-info.ts'
import { getAuthor } from '#features/authors/reads.ts'
import { type Author, OneAuthor } from '#features/authors/schema.ts'
import { tagsOfAuthor, tagsOfPresented } from '#features/cache-tags.ts'
import { bytesOf, mediumInPublic } from '#features/media/serve.ts'
import { hueOf } from '#features/pieces/category-hues.ts'
import { categoryLabel, isCategory } from '#features/pieces/category-label.ts'
import { type PreviewedPiece, previewMedia } from '#features/pieces/preview.ts'
import { type PublishedPiece, publishedPiece } from '#features/pieces/public-lists.ts'
import { type Category, OnePiece } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorFor, translatorOf } from '#messages/translator.ts'
import { ServiceError } from '#platform/errors.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import type { OgImageContent } from '#platform/images/og-image/poster.ts'
import { createOgImageRenderer } from '#platform/images/og-image/worker.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { initialsOf } from '#platform/text/initials.ts'

export interface OgImageRoutesContext extends PublicContext {
  readonly store: MediaStore | undefined
}

/** /image/…: Open Graph images, drawn on request. */
export const ogImageRoutes: FastifyPluginAsyncTypebox<OgImageRoutesContext> = async (
  app,
  { reads, gate, siteInfo, store },
) => {
  const { urls } = reads
  const drawer = createOgImageRenderer({
    // Asked again, since the image is drawn some time after the text was read.
    async readPicture(hash) {
      try {
        await mediumInPublic(reads.db, hash)
        return await buffer(await bytesOf(store, hash))
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) return undefined
        throw error
      }
    },
  })
  const t = translatorOf(siteInfo.language)
  app.addHook('onClose', () => drawer.close())
  app.addHook('onSend', cached('publicRead'))
  // As expensive as a search, and shed first along with it.
  const onRequest = gate('search', 'search')
  const hidden = { hide: true } as object

  app.get('/image/piece/:id.png', { onRequest, schema: { ...hidden, params: OnePiece } }, async ({ params }, reply) => {
    const published = await publishedPiece(reads, params)
    const language = translatorFor(published.piece.language, t)
    const picture = await drawer.draw(posterOfPiece(language, siteInfo, urls, published))
    return withCacheTags(reply.type('image/png'), picture, tagsOfPresented(published.piece))
  })

  app.get(
    '/image/author/:slug.png',
    { onRequest, schema: { ...hidden, params: OneAuthor } },
    async ({ params }, reply) => {
      const { author } = await getAuthor(reads, params)
      if (author.slug !== params.slug) return reply.redirect(urls.profileImage(author.slug), 301)
      const picture = await drawer.draw(posterOfAuthor(t, siteInfo, urls, author))
      return withCacheTags(reply.type('image/png'), picture, tagsOfAuthor(author.slug))
    },
  )

  app.get('/image/site.png', { onRequest, schema: hidden }, async (_request, reply) => {
    reply.type('image/png')
    return drawer.draw(posterOfSite(t, siteInfo))
  })

  const params = Type.Object({ category: Type.String() })
  const schema = { ...hidden, params } as { params: typeof params }
  app.get('/image/section/:category.png', { onRequest, schema }, async (request, reply) => {
    const { category } = request.params
    if (!isCategory(category)) throw failure(404)
    reply.type('image/png')
    return drawer.draw(posterOfSite(t, siteInfo, category))
  })
}

/** The picture of a piece that is not public, for those who have the token of its preview. */
export function previewLinkPictures(siteInfo: SiteInfo, urls: Urls, store: MediaStore | undefined) {
  const t = translatorOf(siteInfo.language)
  const drawer = createOgImageRenderer({ readPicture: (hash) => storedPicture(store, hash) })
  return {
    draw: ({ published }: PreviewedPiece, token: string): Promise<Buffer> => {
      const inPreview: Urls = { ...urls, media: (hash) => previewMedia(urls, token, hash) }
      const language = translatorFor(published.piece.language, t)
      return drawer.draw(posterOfPiece(language, siteInfo, inPreview, published))
    },
    close: drawer.close,
  }
}

/** Undefined if it is not there. */
async function storedPicture(store: MediaStore | undefined, hash: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await bytesOf(store, hash))
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined
    throw error
  }
}

const siteOf = ({ name, mark, hasOwnMark }: SiteInfo) => ({ site: name, mark: hasOwnMark ? mark : null })

/** Pictures that this site has itself: no other is ever fetched for a reader. */
const ownMedium = (address: string | null | undefined, urls: Urls): string | null =>
  address?.startsWith(urls.media('')) ? address.slice(urls.media('').length) : null

const middle = { x: 50, y: 50 }

/** Without a standfirst, the summary is the beginning of the text, which makes no subtitle. */
function posterOfPiece(
  t: Translator,
  siteInfo: SiteInfo,
  urls: Urls,
  { piece, uuid, standfirst, meta }: PublishedPiece,
): OgImageContent {
  const { title, category, authors, language, cover } = piece
  const [author] = authors
  const hash = ownMedium(cover?.url, urls)
  return {
    ...siteOf(siteInfo),
    picture: cover && hash !== null ? { hash, focus: cover.focus } : null,
    art: { hue: hueOf(category) ?? 0, seed: uuid.slice(-12), initials: initialsOf(title) },
    portrait: ownMedium(author?.avatar, urls),
    kicker: category && categoryLabel(t, category),
    title: meta?.social_title ?? title,
    titleTicked: false,
    text: standfirst,
    foot: t.list(authors.map(({ name }) => name)) || null,
    footTicked: authors.length === 1 && (author?.identity_verified ?? false),
    language,
  }
}

/** Drawn from a name: always the same for the same. */
function artOf(name: string, shown: string, hue?: number): OgImageContent['art'] {
  const digest = hash('sha1', name)
  return {
    hue: hue ?? Number.parseInt(digest.slice(-4), 16) % 360,
    seed: digest.slice(0, 12),
    initials: initialsOf(shown),
  }
}

function posterOfAuthor(
  t: Translator,
  siteInfo: SiteInfo,
  urls: Urls,
  { slug, name, role, bio, location, avatar_url, identity_verified, stats }: Author,
): OgImageContent {
  const count = stats.pieces_count
  const pieces = count === 0 ? null : t('site.author.piece_count', { count })
  const picture = ownMedium(avatar_url, urls)
  return {
    ...siteOf(siteInfo),
    picture: picture === null ? null : { hash: picture, focus: middle },
    art: artOf(slug, name),
    portrait: null,
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

/** The site, or one of its sections. */
function posterOfSite(t: Translator, siteInfo: SiteInfo, category?: Category): OgImageContent {
  const { name, description } = siteInfo
  const title = category === undefined ? name : categoryLabel(t, category)
  return {
    ...siteOf(siteInfo),
    picture: null,
    art: artOf(category ?? name, title, hueOf(category ?? null)),
    portrait: null,
    kicker: null,
    title,
    titleTicked: false,
    text: description,
    foot: null,
    footTicked: false,
    language: t.language,
  }
}
