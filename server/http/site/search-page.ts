import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { searchAuthors } from '#features/authors/reads.ts'
import type { AuthorHit } from '#features/authors/schema.ts'
import { tagsOfAuthorLists, tagsOfPieceLists } from '#features/cache-tags.ts'
import { languagesOf } from '#features/pieces/languages.ts'
import { searchPieces } from '#features/pieces/reads.ts'
import { type MatchSite, matchSites, type PieceHit, type PieceHits } from '#features/pieces/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { askedLanguage, type LanguageLabel, languageLabel, languageLabels } from '#http/language-label.ts'
import { searchField } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, uncached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { isLanguageTag } from '#platform/text/language.ts'
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
  // Empty for all: what the form sends.
  language: Type.Optional(Type.String()),
})

/** `/search?q=`: pieces by where they match, and authors. */
export const searchPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo, onPartial } = context
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/search', { onRequest: gate('search', 'search'), schema }, async (request, reply) => {
    const { q = '', cursor } = request.query
    if (request.query.language && !isLanguageTag(request.query.language)) throw failure(400)
    const language = askedLanguage(request.query.language || undefined)
    const languages = await languagesOf(reads)
    const form: SearchForm = { urls: reads.urls, language, labels: languageLabels(t, languages) }
    const title = t('site.search.title')
    const head = { title: q ? t('site.search.title_of', { query: q }) : title, robots: 'noindex, follow' }
    if (q === '') return withCacheTags(reply, page(reply, context, head, invitation(t, form)), tagsOfPieceLists)
    if ([...q].length > longestTerm) {
      reply.code(400)
      return page(reply, context, { ...head, title }, tooLong(t, q, form))
    }
    const [hits, authors] = await Promise.all([
      searchPieces(reads, { q, language, limit: perPage, ...(cursor ? { cursor } : {}) }),
      cursor ? [] : searchAuthors(reads, { q, limit: mostAuthors }).then(({ results }) => results),
    ])
    const markup = page(reply, context, head, results(t, { hits, authors, isFirst: !cursor }, form))
    if (!hits.partial) return withCacheTags(reply, markup, [...tagsOfPieceLists, ...tagsOfAuthorLists])
    onPartial()
    return uncached(reply, markup)
  })
}

interface SearchForm {
  readonly urls: Urls
  readonly language: string | undefined
  /** Of the languages to choose from. */
  readonly labels: readonly LanguageLabel[]
}

function column(t: Translator, term: string, { urls, language, labels }: SearchForm, content: Html): Html {
  const more = languageChoice(t, labels, language)
  return html`<div class="column">
<h1 class="title">${t('site.search.title')}</h1>
${searchField(t, urls, term, { action: urls.search(), label: t('site.search.field'), more })}
${content}
</div>`
}

/** Null if there is no choice. A language that was asked for is kept, even if nothing is written in it. */
function languageChoice(t: Translator, labels: readonly LanguageLabel[], language: string | undefined): Html | null {
  const isListed = labels.some((label) => label.language === language)
  const offered = language === undefined || isListed ? labels : [...labels, languageLabel(t, language)]
  if (offered.length < 2 && language === undefined) return null
  return html`<p class="search-language"><label for="language">${t('site.search.language')}</label>
<select id="language" name="language">
<option value="">${t('site.list.all_languages')}</option>
${offered.map(
  (label) =>
    html`<option value="${label.language}"${label.isOwn && langOf(t, label.language)}${label.language === language && html` selected`}>${label.name}</option>\n`,
)}</select></p>
`
}

const invitation = (t: Translator, form: SearchForm): Html =>
  column(t, '', form, html`<p class="note">${t('site.search.hint')}</p>`)

const tooLong = (t: Translator, term: string, form: SearchForm): Html =>
  column(
    t,
    [...term].slice(0, longestTerm).join(''),
    form,
    html`<p class="note" role="status">${t('site.search.too_long', { limit: longestTerm })}</p>`,
  )

interface Found {
  readonly hits: PieceHits
  readonly authors: readonly AuthorHit[]
  readonly isFirst: boolean
}

function results(t: Translator, { hits, authors, isFirst }: Found, form: SearchForm): Html {
  const { query, results, next_cursor, partial } = hits
  return column(
    t,
    query,
    form,
    html`<p class="note" role="status">${inHtml(t, statusOf(hits, authors.length > 0, isFirst), { query: html`<bdi>${query}</bdi>` })}</p>
${partial && html`<p class="note">${t('site.search.partial')}</p>`}
${authors.length > 0 && writers(t, authors, query)}
${matchSites.map((site) => group(t, site, results, query))}
${older(inLanguage(form.urls.search(query), form.language), next_cursor, t('site.search.more'))}`,
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
