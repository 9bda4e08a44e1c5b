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
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, uncached, withCacheTags } from '#platform/http/caching.ts'
import { fold } from '#platform/text/fold.ts'
import { tick } from './byline.ts'
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
  const { reads, gate, onPartial } = context
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/search', { onRequest: gate('search', 'search'), schema }, async (request, reply) => {
    const { q = '', cursor } = request.query
    const head = { title: q ? `Search: ${q}` : 'Search', robots: 'noindex, follow' }
    if (q === '') return page(reply, context, head, invitation(reads.urls))
    if ([...q].length > longestTerm) {
      reply.code(400)
      return page(reply, context, { ...head, title: 'Search' }, tooLong(q, reads.urls))
    }
    const [hits, authors] = await Promise.all([
      searchPieces(reads, { q, limit: perPage, ...(cursor ? { cursor } : {}) }),
      cursor ? [] : searchAuthors(reads, { q, limit: mostAuthors }).then(({ results }) => results),
    ])
    const markup = page(reply, context, head, results({ hits, authors, isFirst: !cursor }, reads.urls))
    if (!hits.partial) return withCacheTags(reply, markup, [...tagsOfPieceLists, ...tagsOfAuthorLists])
    onPartial()
    return uncached(reply, markup)
  })
}

const column = (term: string, urls: Urls, content: Html): Html =>
  html`<div class="column">
<h1 class="title">Search</h1>
${searchField(urls, term)}
${content}
</div>`

const invitation = (urls: Urls): Html =>
  column('', urls, html`<p class="note">A word, a part of one or a phrase, as it stands in the text.</p>`)

const tooLong = (term: string, urls: Urls): Html =>
  column(
    [...term].slice(0, longestTerm).join(''),
    urls,
    html`<p class="note" role="status">A search takes at most ${longestTerm} characters. Leave some out and try again.</p>`,
  )

interface Found {
  readonly hits: PieceHits
  readonly authors: readonly AuthorHit[]
  readonly isFirst: boolean
}

function results({ hits, authors, isFirst }: Found, urls: Urls): Html {
  const { query, results, next_cursor, partial } = hits
  return column(
    query,
    urls,
    html`<p class="note" role="status">${countLine(hits, isFirst)}${
      partial && ' The search ran out of time, so there may be more. A longer term is found faster.'
    }</p>
${authors.length > 0 && writers(authors, query)}
${matchSites.map((site) => group(site, results, query))}
${older(urls.search(query), next_cursor, 'More pieces')}`,
  )
}

function countLine({ count, query, next_cursor }: PieceHits, isFirst: boolean): Html {
  const term = html`“<bdi>${query}</bdi>”`
  if (!isFirst) return count === 0 ? html`No more pieces have ${term}.` : html`More pieces with ${term}.`
  if (count === 0) return html`No piece has ${term}. Try a shorter word, or another spelling.`
  if (next_cursor !== null) return html`The first ${count} pieces with ${term}.`
  return count === 1 ? html`One piece has ${term}.` : html`${count} pieces have ${term}.`
}

const siteNames: Readonly<Record<MatchSite, string>> = {
  headline: 'In the headline',
  standfirst: 'In the standfirst',
  body: 'In the text',
}

function group(site: MatchSite, hits: readonly PieceHit[], query: string): Html | null {
  const ofSite = hits.filter(({ match_site }) => match_site === site)
  if (ofSite.length === 0) return null
  return html`<section aria-labelledby="${site}">
<h2 class="label" id="${site}">${siteNames[site]}</h2>
<ol class="quiet">
${ofSite.map((hit) => hitItem(hit, query))}</ol>
</section>
`
}

const hitItem = (hit: PieceHit, query: string): Html =>
  html`<li>
<h3 class="title" dir="auto"><a href="${hit.url}">${highlight(hit.title, query)}</a></h3>
<p class="standfirst" dir="auto">${highlight(hit.snippet ?? hit.summary, query)}</p>
${metaLine(hit)}
</li>
`

const writers = (authors: readonly AuthorHit[], query: string): Html =>
  html`<section aria-labelledby="writers">
<h2 class="label" id="writers">Writers</h2>
<ul class="quiet">
${authors.map(
  ({ name, role, identity_verified, urls }) => html`<li>
<h3 class="title"><a href="${urls.profile}"><bdi>${highlight(name, query)}</bdi></a>${identity_verified && tick}</h3>
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
