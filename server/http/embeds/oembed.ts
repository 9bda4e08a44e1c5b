import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { authorAt } from '#features/authors/reads.ts'
import { tagsOfByline, tagsOfPresented } from '#features/cache-tags.ts'
import { type PublishedPiece, pieceAtAddress } from '#features/pieces/public-lists.ts'
import { getPiece } from '#features/pieces/reads.ts'
import type { PublicContext } from '#http/public-context.ts'
import { message } from '#messages/message.ts'
import { translatorOf } from '#messages/translator.ts'
import { notFound, ServiceError } from '#platform/errors.ts'
import { html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { errorBody } from '#platform/http/errors.ts'
import { frameSizes } from '../../../embed/release.ts'

/** oEmbed (https://oembed.com): returns the widget for one of our addresses. */

const pixels = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }))
const OembedQuery = Type.Object({
  url: Type.String({ maxLength: 2048 }),
  maxwidth: pixels,
  maxheight: pixels,
  format: Type.Optional(Type.String()),
})

export const oembedRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/oembed',
    { onRequest: gate('single', 'read'), schema: { hide: true, querystring: OembedQuery } },
    async ({ id, query: { url, maxwidth, maxheight, format = 'json' } }, reply) => {
      if (format !== 'json') return reply.code(501).send(errorBody(onlyJson(), id))
      const found = await find(url)
      // If a card does not fit, the badge does.
      const small = maxheight !== undefined && maxheight < frameSizes[found.widget].height
      const frame = small ? frameSizes.badge : frameSizes[found.widget]
      const src = small ? urls.widget(found.slug, 'badge') : found.src
      const size = {
        width: Math.min(frame.width, maxwidth ?? frame.width),
        height: Math.min(frame.height, maxheight ?? frame.height),
      }
      reply.type('application/json; charset=utf-8')
      return withCacheTags(
        reply,
        JSON.stringify({
          version: '1.0',
          type: 'rich',
          provider_name: siteInfo.name,
          provider_url: urls.home(),
          title: found.title,
          author_name: found.author.name,
          author_url: found.author.url,
          cache_age: 300,
          ...size,
          html: String(
            html`<iframe src="${src}" width="${size.width}" height="${size.height}" title="${found.title}"${found.language && html` lang="${found.language}"`} loading="lazy" style="border:0;max-width:100%;vertical-align:bottom"></iframe>`,
          ),
        }),
        found.tags,
      )
    },
  )

  interface Found {
    readonly widget: 'card' | 'piece'
    readonly slug: string
    readonly src: string
    readonly title: string
    /** Of the title; undefined for a name, and if it is not known. */
    readonly language?: string | undefined
    readonly author: { readonly name: string; readonly url: string }
    readonly tags: readonly string[]
  }

  async function find(url: string): Promise<Found> {
    const page = urls.pageAt(url)
    if (!page) throw unknown()
    if ('id' in page) return find((await getPiece(reads, page)).piece.url)
    const { author, piece } = page
    if (piece === undefined) {
      const found = await authorAt(reads, author)
      if (!found) throw unknown()
      const { slug, name, urls: own } = found.author
      return {
        widget: 'card',
        slug,
        src: urls.widget(slug, 'card'),
        title: name,
        author: { name, url: own.profile },
        tags: tagsOfByline(slug),
      }
    }
    const found = await pieceAtAddress(reads, author, piece)
    if (!found) throw unknown()
    return ofPiece(found)
  }

  function ofPiece({ piece, slug }: PublishedPiece): Found {
    const [author] = piece.authors
    if (!author) throw unknown()
    return {
      widget: 'piece',
      slug: author.slug,
      src: `${urls.widget(author.slug, 'card')}?piece=${encodeURIComponent(slug)}`,
      title: piece.title,
      language: piece.language === 'und' ? undefined : piece.language,
      author: { name: t.list(piece.authors.map(({ name }) => name)), url: author.url },
      tags: tagsOfPresented(piece),
    }
  }
}

const unknown = () => notFound(message('embed.oembed_not_found'))

const onlyJson = () => new ServiceError(501, 'unsupported_media_type', message('embed.oembed_json_only'))
