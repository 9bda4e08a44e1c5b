import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfPieceLists } from '#features/cache-tags.ts'
import { frontPage, recentPieces } from '#features/pieces/reads.ts'
import { categories, type PieceList } from '#features/pieces/schema.ts'
import { trendingPieces } from '#features/trending/reads.ts'
import type { TrendingList } from '#features/trending/schema.ts'
import type { Urls } from '#features/urls.ts'
import { categoryLabel, isCategory } from '#http/category-label.ts'
import { searchField } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { dateLine } from './byline.ts'
import { breadcrumbs, website } from './json-ld.ts'
import { feedLinks, lead, older, pieceList, siteFeed } from './lists.ts'
import { page } from './page.ts'

const ofFront = 3
const perPage = 25
const mostRead = 5

const querystring = Type.Object({ cursor })
const params = Type.Object({ category: Type.String() })
type Hidden<Schema> = Schema & { hide: true }
const hidden = <Schema extends object>(schema: Schema): Hidden<Schema> => ({ ...schema, hide: true })

/** `/` and `/category/{c}`: the newest pieces. */
export const listPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  app.addHook('onSend', cached('publicRead'))

  app.get('/', { onRequest: gate('list', 'read'), schema: hidden({ querystring }) }, async (request, reply) => {
    // The router maps `GET *` to `/`.
    if (request.url.startsWith('*')) throw failure(404)
    const isFirst = request.query.cursor === undefined
    const [list, trending] = await Promise.all([
      isFirst ? frontPage(reads, perPage) : recentPieces(reads, { cursor: request.query.cursor, limit: perPage }),
      isFirst ? trendingPieces(reads, { window: '7d', limit: mostRead }) : undefined,
    ])
    const head = {
      title: isFirst ? siteInfo.name : t('site.list.older'),
      description: siteInfo.description,
      canonical: isFirst ? urls.home() : undefined,
      robots: isFirst ? undefined : 'noindex, follow',
      feeds: [siteFeed(context)],
      jsonLd: isFirst ? [website(siteInfo, urls)] : undefined,
      isFront: isFirst,
    }
    return withCacheTags(
      reply,
      page(reply, context, head, trending ? front(t, list, trending, urls) : olderPieces(t, list, urls)),
      tagsOfPieceLists,
    )
  })

  app.get(
    '/category/:category',
    { onRequest: gate('list', 'read'), schema: hidden({ querystring, params }) },
    async (request, reply) => {
      const category = request.params.category.toLowerCase()
      if (!isCategory(category)) throw failure(404)
      if (category !== request.params.category)
        return reply.redirect(pageAddress(urls.category(category), request.query.cursor), 301)
      const list = await recentPieces(reads, { cursor: request.query.cursor, category, limit: perPage })
      const name = categoryLabel(t, category)
      const feed = {
        title: t('site.feed.named', { name, site: siteInfo.name }),
        json: urls.categoryFeedJson(category),
        rss: urls.categoryFeedRss(category),
      }
      const isFirst = request.query.cursor === undefined
      const head = {
        title: name,
        description: t('site.feed.category_description', { category: name, site: siteInfo.name }),
        canonical: isFirst ? urls.category(category) : undefined,
        robots: isFirst ? undefined : 'noindex, follow',
        feeds: [feed],
        jsonLd: [breadcrumbs([siteInfo.name, urls.home()], [name, urls.category(category)])],
      }
      const main = html`<div class="column">
<h1 class="title">${name}</h1>
${list.items.length === 0 && html`<p class="standfirst">${t('site.list.empty')}</p>`}
${pieceList(t, list.items, { standfirst: true })}
${older(urls.category(category), list.next_cursor, t('site.list.older'))}
${feedLinks(t, feed)}
</div>`
      return withCacheTags(reply, page(reply, context, head, main), tagsOfPieceLists)
    },
  )
}

const sections = (t: Translator, urls: Urls) =>
  html`<nav class="sections" aria-label="${t('site.list.categories')}"><ul>
${categories.map((category) => html`<li><a href="${urls.category(category)}">${categoryLabel(t, category)}</a></li>\n`)}</ul></nav>`

const front = (t: Translator, { items, next_cursor }: PieceList, trending: TrendingList, urls: Urls) =>
  html`<div class="dateline-row"><p class="dateline">${dateLine(t, new Date().toISOString().slice(0, 10))}</p>
${sections(t, urls)}</div>
${items.length === 0 ? nothingYet(t, urls) : listed(t, items, next_cursor, trending.items, urls)}`

const listed = (
  t: Translator,
  items: PieceList['items'],
  next_cursor: PieceList['next_cursor'],
  trending: TrendingList['items'],
  urls: Urls,
) =>
  html`<div class="leads">
${items.slice(0, ofFront).map((piece) => lead(t, piece, urls))}</div>
<div class="two${trending.length > 0 && ' beside'}">
<div>
${pieceList(t, items.slice(ofFront))}
${older(urls.home(), next_cursor, t('site.list.older'))}
</div>
${trending.length > 0 && mostReadList(t, trending)}
</div>`

const mostReadList = (t: Translator, pieces: TrendingList['items']) =>
  html`<section class="most-read" aria-labelledby="most-read">
<h2 class="label" id="most-read">${t('site.list.most_read')}</h2>
${pieceList(t, pieces, { heading: 'h3' })}
</section>`

const nothingYet = (t: Translator, urls: Urls) =>
  html`<p class="standfirst">${t('site.list.empty')}</p>
${searchField(t, urls)}`

const olderPieces = (t: Translator, { items, next_cursor }: PieceList, urls: Urls) =>
  html`<div class="column">
<h1 class="title">${t('site.list.older')}</h1>
${pieceList(t, items)}
${older(urls.home(), next_cursor, t('site.list.older'))}
</div>`
