import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { searchAuthors } from '#features/authors/reads.ts'
import type { AuthorHit } from '#features/authors/schema.ts'
import { tagsOfAuthorLists, tagsOfPieceLists } from '#features/cache-tags.ts'
import { searchPieces } from '#features/pieces/reads.ts'
import { type MatchSite, matchSites, type PieceHit, type PieceHits } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { searchField } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, uncached, withCacheTags } from '#platform/http/caching.ts'
import { fold } from '#platform/text/fold.ts'
import { langOf, tick } from './byline.ts'
import { metaLine, older } from './lists.ts'
import { page } from './page.ts'

const perPage = 20
const mostAuthors = 3
const longestTerm = 200

/** Length is checked here, not by the schema: an empty field gets a page that invites to search. */
const querystring = Type.Object({
  q: Type.Optional(Type.String({ 'x-line': true })),
  cursor,
})

/** `/search?q=`: pieces by where they match, and authors. */
export const searchPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo, onPartial } = context
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/search', { onRequest: gate('search', 'search'), schema }, async (request, reply) => {
    const { q = '', cursor } = request.query
    const title = t('site.search.title')
    const head = { title: q ? t('site.search.title_of', { query: q }) : title, robots: 'noindex, follow' }
    if (q === '') return page(reply, context, head, invitation(t, reads.urls))
    if ([...q].length > longestTerm) {
      reply.code(400)
      return page(reply, context, { ...head, title }, tooLong(t, q, reads.urls))
    }
    const [hits, authors] = await Promise.all([
      searchPieces(reads, { q, limit: perPage, ...(cursor ? { cursor } : {}) }),
      cursor ? [] : searchAuthors(reads, { q, limit: mostAuthors }).then(({ results }) => results),
    ])
    const markup = page(reply, context, head, results(t, { hits, authors, isFirst: !cursor }, reads.urls))
    if (!hits.partial) return withCacheTags(reply, markup, [...tagsOfPieceLists, ...tagsOfAuthorLists])
    onPartial()
    return uncached(reply, markup)
  })
}

const column = (t: Translator, term: string, urls: Urls, content: Html): Html =>
  html`<div class="column">
<h1 class="title">${t('site.search.title')}</h1>
${searchField(t, urls, term)}
${content}
</div>`

const invitation = (t: Translator, urls: Urls): Html =>
  column(t, '', urls, html`<p class="note">${t('site.search.hint')}</p>`)

const tooLong = (t: Translator, term: string, urls: Urls): Html =>
  column(
    t,
    [...term].slice(0, longestTerm).join(''),
    urls,
    html`<p class="note" role="status">${t('site.search.too_long', { limit: longestTerm })}</p>`,
  )

interface Found {
  readonly hits: PieceHits
  readonly authors: readonly AuthorHit[]
  readonly isFirst: boolean
}

function results(t: Translator, { hits, authors, isFirst }: Found, urls: Urls): Html {
  const { query, results, next_cursor, partial } = hits
  return column(
    t,
    query,
    urls,
    html`<p class="note" role="status">${inHtml(t, statusOf(hits, authors.length > 0, isFirst), { query: html`<bdi>${query}</bdi>` })}</p>
${partial && html`<p class="note">${t('site.search.partial')}</p>`}
${authors.length > 0 && writers(t, authors, query)}
${matchSites.map((site) => group(t, site, results, query))}
${older(urls.search(query), next_cursor, t('site.search.more'))}`,
  )
}

function statusOf({ count }: PieceHits, hasAuthors: boolean, isFirst: boolean) {
  if (count > 0 || hasAuthors) return isFirst ? 'site.search.results' : 'site.search.more_results'
  return isFirst ? 'site.search.no_results' : 'site.search.no_more_results'
}

function group(t: Translator, site: MatchSite, hits: readonly PieceHit[], query: string): Html | null {
  const ofSite = hits.filter(({ match_site }) => match_site === site)
  if (ofSite.length === 0) return null
  return html`<section aria-labelledby="${site}">
<h2 class="label" id="${site}">${t(`site.search.in_${site}`)}</h2>
<ol class="quiet">
${ofSite.map((hit) => hitItem(t, hit, query))}</ol>
</section>
`
}

const hitItem = (t: Translator, hit: PieceHit, query: string): Html =>
  html`<li>
<h3 class="title" dir="auto"${langOf(t, hit.language)}><a href="${hit.url}">${highlight(hit.title, query)}</a></h3>
<p class="standfirst" dir="auto"${langOf(t, hit.language)}>${highlight(hit.snippet ?? hit.summary, query)}</p>
${metaLine(t, hit)}
</li>
`

const writers = (t: Translator, authors: readonly AuthorHit[], query: string): Html =>
  html`<section aria-labelledby="writers">
<h2 class="label" id="writers">${t('site.search.writers')}</h2>
<ul class="quiet">
${authors.map(
  ({ name, role, identity_verified, urls }) => html`<li>
<h3 class="title"><a href="${urls.profile}"><bdi>${highlight(name, query)}</bdi></a>${identity_verified && tick(t)}</h3>
${role && html`<p class="meta" dir="auto">${highlight(role, query)}</p>`}
</li>
`,
)}</ul>
</section>`

/** Marks every match of a search term, with the same folding as the search. */
function highlight(text: string, term: string): Html {
  const folded = fold(text)
  const foldedTerm = fold(term)
  // Folding keeps the length of normalised lines; other text stays unmarked.
  if (folded.length !== text.length || foldedTerm === '') return html`${text}`
  const parts: Html[] = []
  let from = 0
  for (let at = folded.indexOf(foldedTerm); at !== -1; at = folded.indexOf(foldedTerm, from)) {
    const to = at + foldedTerm.length
    parts.push(html`${text.slice(from, at)}<mark>${text.slice(at, to)}</mark>`)
    from = to
  }
  return html`${parts}${text.slice(from)}`
}
