import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import {
  archiveMonths,
  type Month,
  maxCounted,
  neighboursOf,
  piecesOfMonth,
  spanOfMonth,
} from '#features/pieces/archive.ts'
import type { Urls } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { yearOf } from './byline.ts'
import { breadcrumbs } from './json-ld.ts'
import { emptyList, listPage, pieceListPage } from './lists.ts'

const perPage = 50

const params = Type.Object({ year: Type.String(), month: Type.String() })
const querystring = Type.Object({ cursor })

/** `/archive` and `/archive/{year}/{month}`: everything, by the month of its publication. */
export const archivePages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const onRequest = gate('list', 'read')
  app.addHook('onSend', cached('publicRead'))

  app.get('/archive', { onRequest, schema: { hide: true } as object }, async (_request, reply) => {
    const months = await archiveMonths(reads)
    const description = t('site.archive.description', { site: siteInfo.name })
    const of = { name: t('site.archive.title'), description, address: urls.archive(), isIndexed: months.length > 0 }
    return listPage(reply, context, of, archiveYears(t, months, urls))
  })

  const schema = { hide: true, params, querystring } as { params: typeof params; querystring: typeof querystring }
  app.get('/archive/:year/:month', { onRequest, schema }, async (request, reply) => {
    const { params, query } = request
    const month = `${params.year}-${params.month}`
    const span = spanOfMonth(month)
    if (!span) throw failure(404)
    const { cursor } = query
    const [list, { earlier, later }] = await Promise.all([
      piecesOfMonth(reads, span, { cursor, limit: perPage }),
      neighboursOf(reads, span),
    ])
    if (cursor === undefined && list.items.length === 0) throw failure(404)
    const name = nameOfMonth(t, month)
    const title = t('site.archive.title')
    const address = urls.archive(month)
    return pieceListPage(reply, context, {
      ...{ name, list, cursor, address },
      description: t('site.archive.month_description', { site: siteInfo.name, month: name }),
      heading: html`<p class="kicker above-title"><a href="${urls.archive()}">${title}</a></p>
<h1 class="title">${name}</h1>`,
      below: neighbours(t, { earlier, later }, urls),
      jsonLd: [breadcrumbs([siteInfo.name, urls.home()], [title, urls.archive()], [name, address])],
    })
  })
}

/** "November 2026". */
const nameOfMonth = (t: Translator, month: string): string => t.date(`${month}-01`, { month: 'long', year: 'numeric' })

const archiveYears = (t: Translator, months: readonly Month[], urls: Urls): Html =>
  html`${months.length === 0 && emptyList(t, t('site.list.empty'), urls)}
${[...Map.groupBy(months, ({ month }) => month.slice(0, 4))].map(([year, ofYear]) => html`<h2 class="year">${yearOf(t, `${year}-01-01`)}</h2>\n${monthList(t, ofYear, urls)}\n`)}`

const monthList = (t: Translator, months: readonly Month[], urls: Urls): Html =>
  html`<ul class="directory">
${months.map(({ month, pieces }) => html`<li><a href="${urls.archive(month)}">${t.date(`${month}-01`, { month: 'long' })}</a> <span class="meta">${countOf(t, pieces)}</span></li>\n`)}</ul>`

const countOf = (t: Translator, pieces: number): string =>
  pieces < maxCounted
    ? t('site.author.piece_count', { count: pieces })
    : t('site.archive.many', { count: t.number(maxCounted) })

const neighbours = (
  t: Translator,
  { earlier, later }: { readonly earlier: string | null; readonly later: string | null },
  urls: Urls,
): Html | null =>
  earlier === null && later === null
    ? null
    : html`<nav class="sections neighbours" aria-label="${t('site.archive.months')}"><ul>
${earlier && html`<li><a href="${urls.archive(earlier)}">${nameOfMonth(t, earlier)}</a></li>\n`}${later && html`<li><a href="${urls.archive(later)}">${nameOfMonth(t, later)}</a></li>\n`}</ul></nav>`
