import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { authorAt, type KnownAuthor } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import { tagsOfAuthorPieces } from '#features/cache-tags.ts'
import type { Part, PublishedPiece } from '#features/pieces/public-lists.ts'
import type { Piece, PieceListItem } from '#features/pieces/schema.ts'
import { type ListedSeries, piecesOfSeries, type Series, seriesAt } from '#features/series/reads.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { shortened } from '#platform/text/normalise.ts'
import { typographic } from '#platform/text/typography.ts'
import { authorName, langIn, langOf } from './byline.ts'
import { breadcrumbs, seriesData } from './json-ld.ts'
import { feedNamed, listPage, pieceList } from './lists.ts'
import { markdownHeaders, seriesMarkdown } from './markdown.ts'
import { isForMarkdown } from './page.ts'

const params = Type.Object({ author: Type.String(), series: Type.String() })

interface SeriesOnPage extends KnownAuthor {
  readonly series: Series
  readonly pieces: readonly PieceListItem[]
}

/** `/author/{slug}/series/{series}`: the pieces of a series in its order, as a page and as Markdown. */
export const seriesPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const route = {
    onRequest: gate('list', 'read'),
    schema: { hide: true, params } as { params: typeof params },
  }
  app.addHook('onSend', cached('publicRead'))

  const found = async (given: { author: string; series: string }): Promise<SeriesOnPage> => {
    const author = await authorAt(reads, given.author.toLowerCase())
    const series = author && (await seriesAt(reads, author, given.series))
    if (!series) throw failure(404)
    const pieces = await piecesOfSeries(reads, series)
    // Its last piece was unpublished in between.
    if (pieces.length === 0) throw failure(404)
    return { ...author, series, pieces }
  }

  app.get('/author/:author/series/:series', route, async (request, reply) => {
    const data = await found(request.params)
    const { author, series, pieces } = data
    if (request.params.author !== author.slug || request.params.series !== series.slug)
      return reply.redirect(series.url, 301)
    const tags = tagsOfAuthorPieces(author.slug, pieces)
    if (isForMarkdown(request, reply))
      return withCacheTags(
        reply,
        markdownHeaders(reply, seriesMarkdown(t, author, series, pieces, urls), series.url),
        tags,
      )
    return listPage(
      reply,
      context,
      {
        name: series.title,
        description: descriptionOf(t, data, siteInfo.name),
        address: series.url,
        feed: feedNamed(
          context,
          series.title,
          urls.seriesFeedJson(author.slug, series.slug),
          urls.seriesFeedRss(author.slug, series.slug),
        ),
        followed: {
          kind: 'series',
          name: series.title,
          path: `series/${author.slug}/${encodeURIComponent(series.slug)}`,
        },
        isIndexed: true,
        heading: seriesHeading(t, data),
        cacheTags: tags,
        markdown: urls.seriesMarkdown(author.slug, series.slug),
        image: urls.profileImage(author.slug),
        jsonLd: [
          seriesData(series, author, pieces),
          breadcrumbs([siteInfo.name, urls.home()], [author.name, author.urls.profile], [series.title, series.url]),
        ],
      },
      html`<div class="parts">
${pieceList(t, pieces, urls, { standfirst: true })}
</div>`,
    )
  })

  app.get('/author/:author/series/:series.md', route, async (request, reply) => {
    const { author, series, pieces } = await found(request.params)
    if (request.params.author !== author.slug || request.params.series !== series.slug)
      return reply.redirect(urls.seriesMarkdown(author.slug, series.slug), 301)
    const markdown = seriesMarkdown(t, author, series, pieces, urls)
    return withCacheTags(reply, markdownHeaders(reply, markdown, series.url), tagsOfAuthorPieces(author.slug, pieces))
  })
}

const descriptionOf = (t: Translator, { author, series }: SeriesOnPage, site: string): string =>
  series.description
    ? shortened(series.description, 200)
    : t('site.feed.series_description', { title: series.title, name: author.name, site })

const seriesHeading = (t: Translator, { author, series, pieces }: SeriesOnPage): Html =>
  html`<header class="piece-head">
<p class="kicker">${t('site.series.label')}</p>
<h1 class="title" dir="auto">${series.title}</h1>
${series.description && html`<p class="standfirst" dir="auto">${series.description}</p>`}
<p class="byline"><span>${authorName(t, bylineOf(author))}</span><span class="dot">${t('site.series.parts', { count: pieces.length })}</span></p>
</header>`

const bylineOf = ({ name, slug, avatar_url, urls, identity_verified }: Author): PieceListItem['authors'][number] => ({
  name,
  slug,
  url: urls.profile,
  avatar: avatar_url,
  identity_verified,
})

/** On the author's page. */
export const seriesSection = (t: Translator, series: readonly ListedSeries[]): Html =>
  html`<section aria-labelledby="series">
<h2 class="label" id="series">${t('site.author.series')}</h2>
<ul class="quiet">
${series.map(
  ({ url, title, description, count }) => html`<li>
<h3 class="title" dir="auto"><a href="${url}">${title}</a></h3>
${description && html`<p class="standfirst" dir="auto">${description}</p>\n`}<p class="meta">${t('site.series.parts', { count })}</p>
</li>
`,
)}</ul>
</section>
`

/** "Part 2 of 5 in Slow tea", above the headline of a piece. */
export function partLine(t: Translator, { series, language }: Piece): Html | null {
  if (!series) return null
  const { position, count, title, url } = series
  const link = html`<a href="${url}" dir="auto">${title}</a>`
  return html`<p class="part"${langIn(t, language)}>${inHtml(t, 'site.piece.part', { position: t.number(position), count: t.number(count), series: link })}</p>\n`
}

/** The parts before and after, below the text. */
export function partLinks(t: Translator, { piece, previous, next }: PublishedPiece): Html | null {
  if (!piece.series || !(previous || next)) return null
  return html`<nav class="part-links" aria-label="${t('site.series.label')}"${langIn(t, piece.language)}>
${previous && partLink(t, previous, 'previous')}${next && partLink(t, next, 'next')}</nav>
`
}

const partLink = (t: Translator, { url, title, language }: Part, which: 'previous' | 'next'): Html =>
  html`<a class="${which}" href="${url}" rel="${which === 'next' ? 'next' : 'prev'}"><span class="meta">${t(`site.piece.${which}_part`)}</span>
<span class="title" dir="auto"${langOf(t, language)}>${typographic(title, language)}</span></a>
`
