import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfPieceLists } from '#features/cache-tags.ts'
import { languagesOf } from '#features/pieces/languages.ts'
import { trendingPieces } from '#features/trending/reads.ts'
import {
  defaultWindow,
  TrendingPieces,
  TrendingPiecesIn,
  type TrendingWindow,
  trendingWindows,
} from '#features/trending/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { askedLanguage, withLanguage } from '#http/language-label.ts'
import type { PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { feedIn, feedLinks, languageLinks, older, pieceList } from './lists.ts'
import { page } from './page.ts'

const perPage = 25

const querystring = Type.Object({
  window: TrendingPieces.properties.window,
  cursor: TrendingPieces.properties.cursor,
  language: TrendingPiecesIn.properties.language,
})

/** `/trending`: what is read most, today, in a week or in a month. */
export const trendingPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/trending', { onRequest: gate('list', 'read'), schema }, async (request, reply) => {
    const { cursor, window = defaultWindow } = request.query
    const language = askedLanguage(request.query.language)
    const isFirst = cursor === undefined
    const inWindow = addressOf(urls, window)
    const address = inLanguage(inWindow, language)
    const [list, languages] = await Promise.all([
      trendingPieces(reads, { window, cursor, language, limit: perPage }),
      isFirst ? languagesOf(reads) : [],
    ])
    const title = t('site.trending.title')
    const all = {
      title: t('site.feed.named', { name: title, site: siteInfo.name }),
      json: urls.trendingFeedJson(),
      rss: urls.trendingFeedRss(),
    }
    const feed = feedIn(t, all, language)
    const head: PageHead = {
      title: withLanguage(t, title, language),
      description: t('site.trending.description', { site: siteInfo.name }),
      canonical: isFirst ? address : undefined,
      robots: isFirst && list.items.length > 0 ? undefined : 'noindex, follow',
      feeds: [feed],
    }
    const main = html`<div class="column">
<h1 class="title">${title}</h1>
${windowLinks(t, window, language, urls)}
${languageLinks(t, inWindow, languages, language)}${list.items.length === 0 && html`<p class="standfirst">${t('site.trending.empty')}</p>`}
${pieceList(t, list.items, urls, { standfirst: true })}
${older(address, list.next_cursor, t('site.list.more'))}
${feedLinks(t, feed)}
</div>`
    return withCacheTags(reply, page(reply, context, head, main), tagsOfPieceLists)
  })
}

/** The usual window is at the plain address. */
const addressOf = (urls: Urls, window: TrendingWindow): string =>
  urls.trending(window === defaultWindow ? undefined : window)

const windowLinks = (t: Translator, current: TrendingWindow, language: string | undefined, urls: Urls): Html =>
  html`<nav class="sections languages" aria-label="${t('site.trending.periods')}"><ul>
${trendingWindows.map((window) => html`<li><a href="${inLanguage(addressOf(urls, window), language)}"${window === current && html` aria-current="page"`}>${t(`site.trending.${window}`)}</a></li>\n`)}</ul></nav>`
