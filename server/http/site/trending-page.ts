import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
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
import { askedLanguage } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { feedNamed, pieceListPage } from './lists.ts'

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
    const [list, languages] = await Promise.all([
      trendingPieces(reads, { window, cursor, language, limit: perPage }),
      cursor === undefined ? languagesOf(reads) : [],
    ])
    const name = t('site.trending.title')
    return pieceListPage(reply, context, {
      ...{ name, list, cursor, languages, language },
      description: t('site.trending.description', { site: siteInfo.name }),
      address: addressOf(urls, window),
      feed: feedNamed(context, name, urls.trendingFeedJson(), urls.trendingFeedRss()),
      heading: html`<h1 class="title">${name}</h1>
${windowLinks(t, window, language, urls)}`,
      empty: t('site.trending.empty'),
      more: t('site.list.more'),
    })
  })
}

/** The usual window is at the plain address. */
const addressOf = (urls: Urls, window: TrendingWindow): string =>
  urls.trending(window === defaultWindow ? undefined : window)

const windowLinks = (t: Translator, current: TrendingWindow, language: string | undefined, urls: Urls): Html =>
  html`<nav class="sections languages" aria-label="${t('site.trending.periods')}"><ul>
${trendingWindows.map((window) => html`<li><a href="${inLanguage(addressOf(urls, window), language)}"${window === current && html` aria-current="page"`}>${t(`site.trending.${window}`)}</a></li>\n`)}</ul></nav>`
