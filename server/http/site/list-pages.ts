import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfPieceLists } from '#features/cache-tags.ts'
import { languagesOf } from '#features/pieces/languages.ts'
import { frontPage, recentPieces } from '#features/pieces/reads.ts'
import { categories, languageFilter, type PieceList } from '#features/pieces/schema.ts'
import { trendingPieces } from '#features/trending/reads.ts'
import type { TrendingList } from '#features/trending/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { categoryLabel, isCategory } from '#http/category-label.ts'
import { askedLanguage, languageLabel, withLanguage } from '#http/language-label.ts'
import { searchField } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { dateLine } from './byline.ts'
import { breadcrumbs, website } from './json-ld.ts'
import { feedIn, feedLinks, languageLinks, lead, older, pieceList, siteFeed } from './lists.ts'
import { page } from './page.ts'

const ofFront = 3
const perPage = 25
const mostRead = 5

const querystring = Type.Object({ cursor, language: languageFilter })
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
    const { cursor } = request.query
    const language = askedLanguage(request.query.language)
    const isFirst = cursor === undefined
    const [list, trending, languages] = await Promise.all([
      isFirst
        ? frontPage(reads, { limit: perPage, language })
        : recentPieces(reads, { cursor, language, limit: perPage }),
      isFirst ? trendingPieces(reads, { window: '7d', limit: mostRead, language }) : undefined,
      isFirst ? languagesOf(reads) : [],
    ])
    const address = inLanguage(urls.home(), language)
    const name = language && languageLabel(t, language).name
    const head = {
      title: isFirst ? (name ?? siteInfo.name) : t('site.list.older'),
      description: siteInfo.description,
      canonical: isFirst ? address : undefined,
      robots: isFirst && !(language && list.items.length === 0) ? undefined : 'noindex, follow',
      feeds: [feedIn(t, siteFeed(context), language)],
      jsonLd: isFirst && language === undefined ? [website(siteInfo, urls)] : undefined,
      isFront: isFirst,
    }
    const choice = languageLinks(t, urls.home(), languages, language)
    return withCacheTags(
      reply,
      page(
        reply,
        context,
        head,
        trending ? front(t, list, trending, { urls, address, choice }) : olderPieces(t, list, address),
      ),
      tagsOfPieceLists,
    )
  })

  app.get(
    '/category/:category',
    { onRequest: gate('list', 'read'), schema: hidden({ querystring, params }) },
    async (request, reply) => {
      const category = request.params.category.toLowerCase()
      if (!isCategory(category)) throw failure(404)
      const { cursor } = request.query
      const language = askedLanguage(request.query.language)
      const address = inLanguage(urls.category(category), language)
      if (category !== request.params.category) return reply.redirect(pageAddress(address, cursor), 301)
      const isFirst = cursor === undefined
      const [list, languages] = await Promise.all([
        recentPieces(reads, { cursor, category, language, limit: perPage }),
        isFirst ? languagesOf(reads, { category }) : [],
      ])
      const name = categoryLabel(t, category)
      const all = {
        title: t('site.feed.named', { name, site: siteInfo.name }),
        json: urls.categoryFeedJson(category),
        rss: urls.categoryFeedRss(category),
      }
      const feed = feedIn(t, all, language)
      const head = {
        title: withLanguage(t, name, language),
        description: t('site.feed.category_description', { category: name, site: siteInfo.name }),
        canonical: isFirst ? address : undefined,
        robots: isFirst && !(language && list.items.length === 0) ? undefined : 'noindex, follow',
        feeds: [feed],
        jsonLd: [breadcrumbs([siteInfo.name, urls.home()], [name, urls.category(category)])],
      }
      const main = html`<div class="column">
<h1 class="title">${name}</h1>
${languageLinks(t, urls.category(category), languages, language)}${list.items.length === 0 && html`<p class="standfirst">${t('site.list.empty')}</p>`}
${pieceList(t, list.items, { standfirst: true })}
${older(address, list.next_cursor, t('site.list.older'))}
${feedLinks(t, feed)}
</div>`
      return withCacheTags(reply, page(reply, context, head, main), tagsOfPieceLists)
    },
  )
}

const sections = (t: Translator, urls: Urls) =>
  html`<nav class="sections" aria-label="${t('site.list.categories')}"><ul>
${categories.map((category) => html`<li><a href="${urls.category(category)}">${categoryLabel(t, category)}</a></li>\n`)}</ul></nav>`

interface FrontOptions {
  readonly urls: Urls
  /** Of this list, in its language. */
  readonly address: string
  readonly choice: Html | null
}

const front = (
  t: Translator,
  { items, next_cursor }: PieceList,
  trending: TrendingList,
  { urls, address, choice }: FrontOptions,
) =>
  html`<div class="dateline-row"><p class="dateline">${dateLine(t, new Date().toISOString().slice(0, 10))}</p>
${sections(t, urls)}</div>
${choice}${items.length === 0 ? nothingYet(t, urls) : listed(t, items, older(address, next_cursor, t('site.list.older')), trending.items, urls)}`

const listed = (
  t: Translator,
  items: PieceList['items'],
  next: Html | null,
  trending: TrendingList['items'],
  urls: Urls,
) =>
  html`<div class="leads">
${items.slice(0, ofFront).map((piece) => lead(t, piece, urls))}</div>
<div class="two${trending.length > 0 && ' beside'}">
<div>
${pieceList(t, items.slice(ofFront))}
${next}
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

const olderPieces = (t: Translator, { items, next_cursor }: PieceList, address: string) =>
  html`<div class="column">
<h1 class="title">${t('site.list.older')}</h1>
${pieceList(t, items)}
${older(address, next_cursor, t('site.list.older'))}
</div>`
