import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfFrontPage, tagsOfPieceLists } from '#features/cache-tags.ts'
import { categoryLabel, isCategory } from '#features/pieces/category-label.ts'
import { languagesOf } from '#features/pieces/languages.ts'
import { recentPieces } from '#features/pieces/reads.ts'
import { languageFilter, type PieceList } from '#features/pieces/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { askedLanguage } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { createFrontPage } from './front-page.ts'
import { breadcrumbs } from './json-ld.ts'
import { feedIn, feedNamed, older, pieceList, pieceListPage, siteFeed } from './lists.ts'
import { page, pageHeaders } from './page.ts'

const perPage = 25

const querystring = Type.Object({ cursor, language: languageFilter })
const params = Type.Object({ category: Type.String() })
type Hidden<Schema> = Schema & { hide: true }
const hidden = <Schema extends object>(schema: Schema): Hidden<Schema> => ({ ...schema, hide: true })

/** `/` and `/category/{c}`: the newest pieces. */
export const listPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const frontPage = createFrontPage(context)
  app.addHook('onSend', cached('publicRead'))

  app.get('/', { onRequest: gate('list', 'read'), schema: hidden({ querystring }) }, async (request, reply) => {
    // The router maps `GET *` to `/`.
    if (request.url.startsWith('*')) throw failure(404)
    const { cursor } = request.query
    const language = askedLanguage(request.query.language)
    if (cursor === undefined)
      return withCacheTags(reply, pageHeaders(reply, urls, await frontPage(language)), tagsOfFrontPage)
    const list = await recentPieces(reads, { cursor, language, limit: perPage })
    const head = {
      title: t('site.list.older'),
      description: siteInfo.description,
      robots: 'noindex, follow',
      feeds: [feedIn(t, siteFeed(context), language)],
    }
    const main = olderPieces(t, list, urls, inLanguage(urls.home(), language))
    return withCacheTags(reply, page(reply, context, head, main), tagsOfPieceLists)
  })

  app.get(
    '/category/:category',
    { onRequest: gate('list', 'read'), schema: hidden({ querystring, params }) },
    async (request, reply) => {
      const category = request.params.category.toLowerCase()
      if (!isCategory(category)) throw failure(404)
      const { cursor } = request.query
      const language = askedLanguage(request.query.language)
      if (category !== request.params.category)
        return reply.redirect(pageAddress(inLanguage(urls.category(category), language), cursor), 301)
      const isFirst = cursor === undefined
      const [list, languages] = await Promise.all([
        recentPieces(reads, { cursor, category, language, limit: perPage }),
        isFirst ? languagesOf(reads, { category }) : [],
      ])
      const name = categoryLabel(t, category)
      return pieceListPage(reply, context, {
        ...{ name, list, cursor, languages, language, category },
        description: t('site.feed.category_description', { category: name, site: siteInfo.name }),
        address: urls.category(category),
        feed: feedNamed(context, name, urls.categoryFeedJson(category), urls.categoryFeedRss(category)),
        followed: { kind: 'section', name: category, path: `section/${category}` },
        isIndexed: isFirst && (language === undefined || list.items.length > 0),
        large: isFirst ? 'first' : undefined,
        image: urls.sectionImage(category),
        jsonLd: [breadcrumbs([siteInfo.name, urls.home()], [name, urls.category(category)])],
      })
    },
  )
}

const olderPieces = (t: Translator, { items, next_cursor }: PieceList, urls: Urls, address: string) =>
  html`<div class="column">
<h1 class="title">${t('site.list.older')}</h1>
${pieceList(t, items, urls)}
${older(address, next_cursor, t('site.list.older'))}
</div>`
