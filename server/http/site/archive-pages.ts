import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfPieceLists } from '#features/cache-tags.ts'
import {
  archiveMonths,
  type Month,
  maxCounted,
  neighboursOf,
  piecesOfMonth,
  spanOfMonth,
} from '#features/pieces/archive.ts'
import type { Urls } from '#features/urls.ts'
import type { PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { yearOf } from './byline.ts'
import { breadcrumbs } from './json-ld.ts'
import { feedLinks, older, pieceList, siteFeed } from './lists.ts'
import { page } from './page.ts'

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
    const head: PageHead = {
      title: t('site.archive.title'),
      description: t('site.archive.description', { site: siteInfo.name }),
      canonical: urls.archive(),
      robots: months.length === 0 ? 'noindex, follow' : undefined,
      feeds: [siteFeed(context)],
    }
    return withCacheTags(reply, page(reply, context, head, archiveMain(t, months, context)), tagsOfPieceLists)
  })

  const schema = { hide: true, params, querystring } as { params: typeof params; querystring: typeof querystring }
  app.get('/archive/:year/:month', { onRequest, schema }, async (request, reply) => {
    const { params, query } = request
    const month = `${params.year}-${params.month}`
    const span = spanOfMonth(month)
    if (!span) throw failure(404)
    const isFirst = query.cursor === undefined
    const [list, { earlier, later }] = await Promise.all([
      piecesOfMonth(reads, span, { cursor: query.cursor, limit: perPage }),
      neighboursOf(reads, span),
    ])
    if (isFirst && list.items.length === 0) throw failure(404)
    const name = nameOfMonth(t, month)
    const address = urls.archive(month)
    const head: PageHead = {
      title: name,
      description: t('site.archive.month_description', { site: siteInfo.name, month: name }),
      canonical: isFirst ? address : undefined,
      robots: isFirst ? undefined : 'noindex, follow',
      feeds: [siteFeed(context)],
      jsonLd: [breadcrumbs([siteInfo.name, urls.home()], [t('site.archive.title'), urls.archive()], [name, address])],
    }
    const main = html`<div class="column">
<p class="kicker above-title"><a href="${urls.archive()}">${t('site.archive.title')}</a></p>
<h1 class="title">${name}</h1>
${pieceList(t, list.items, urls, { standfirst: true })}
${older(address, list.next_cursor, t('site.list.older'))}
${neighbours(t, { earlier, later }, urls)}
${feedLinks(t, siteFeed(context))}
</div>`
    return withCacheTags(reply, page(reply, context, head, main), tagsOfPieceLists)
  })
}

/** "November 2026". */
const nameOfMonth = (t: Translator, month: string): string => t.date(`${month}-01`, { month: 'long', year: 'numeric' })

function archiveMain(t: Translator, months: readonly Month[], context: PublicContext): Html {
  const { urls } = context.reads
  const years = Map.groupBy(months, ({ month }) => month.slice(0, 4))
  return html`<div class="column">
<h1 class="title">${t('site.archive.title')}</h1>
${months.length === 0 && html`<p class="standfirst">${t('site.list.empty')}</p>\n<p class="note"><a href="${urls.page('desk')}">${t('site.nav.start_writing')}</a></p>`}
${[...years].map(([year, ofYear]) => html`<h2 class="year">${yearOf(t, `${year}-01-01`)}</h2>\n${monthList(t, ofYear, urls)}\n`)}
${feedLinks(t, siteFeed(context))}
</div>`
}

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
