import type { AuthorHit } from '#features/authors/schema.ts'
import { matchSites, type PieceHit, type PieceHits } from '#features/pieces/schema.ts'
import { cutAround } from '#features/pieces/search/snippet.ts'
import { matchesIn, type Span } from '#features/pieces/search/words-match.ts'
import { type Question, withPart } from '#features/pieces/search/words-query.ts'
import type { Urls } from '#features/urls.ts'
import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { fold } from '#platform/text/fold.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import { withoutAccents } from '#platform/text/slug.ts'
import { langOf, portraitOrInitial, tick } from './byline.ts'
import { coverLink } from './cover.ts'
import { metaLine, older } from './lists.ts'
import { column, type SearchForm, searchAddress } from './search-form.ts'

type Writer = AuthorHit & { readonly bio: string | null }

interface Found {
  readonly hits: PieceHits
  readonly writers: readonly Writer[]
  readonly isFirst: boolean
  /** What the hits answer. */
  readonly question: Question
}

export function results(t: Translator, { hits, writers, isFirst, question }: Found, form: SearchForm): Html {
  const { query, results, next_cursor, partial } = hits
  const parts = withPart(question) ?? question
  return column(
    t,
    query,
    form,
    html`<p class="note" role="status">${inHtml(t, statusOf(hits, writers.length > 0, isFirst), { query: html`<bdi>${query}</bdi>` })}</p>
${suggestion(t, hits, form)}${partial && html`<p class="note">${t('site.search.partial')}</p>`}
${writers.length > 0 && writerHits(t, writers, query, form.urls)}
${matchSites.map((site) =>
  group(
    t,
    site,
    results.filter((hit) => !hit.is_part && hit.match_site === site),
    question,
    form.urls,
  ),
)}
${group(
  t,
  'part',
  results.filter((hit) => hit.is_part),
  parts,
  form.urls,
)}
${older(searchAddress(form, query), next_cursor, t('site.search.more'))}`,
  )
}

function statusOf({ count, corrected }: PieceHits, hasWriters: boolean, isFirst: boolean) {
  if (corrected && !hasWriters) return 'site.search.nothing_as_typed'
  if (count > 0 || hasWriters) return isFirst ? 'site.search.results' : 'site.search.more_results'
  return isFirst ? 'site.search.no_results' : 'site.search.no_more_results'
}

function suggestion(t: Translator, { did_you_mean, corrected }: PieceHits, form: SearchForm): Html | null {
  if (did_you_mean === undefined) return null
  const link = html`<a href="${searchAddress(form, did_you_mean)}"><bdi>${did_you_mean}</bdi></a>`
  const words = corrected ? 'site.search.results_instead' : 'site.search.did_you_mean'
  return html`<p class="note">${inHtml(t, words, { query: link })}</p>
`
}

function group(
  t: Translator,
  site: PieceHit['match_site'] | 'part',
  hits: readonly PieceHit[],
  question: Question,
  urls: Urls,
): Html | null {
  if (hits.length === 0) return null
  return html`<section aria-labelledby="${site}">
<h2 class="label" id="${site}">${t(`site.search.in_${site}`)}</h2>
<ol class="quiet covered">
${hits.map((hit) => hitItem(t, hit, question, urls))}</ol>
</section>
`
}

const hitItem = (t: Translator, hit: PieceHit, question: Question, urls: Urls): Html =>
  html`<li>
<div>
<h3 class="title" dir="auto"${langOf(t, hit.language)}><a href="${hit.url}">${markWords(hit.title, question, hit.language)}</a></h3>
<p class="standfirst" dir="auto"${langOf(t, hit.language)}>${markWords(hit.snippet ?? hit.summary, question, hit.language)}</p>
${metaLine(t, hit)}
</div>
${coverLink(hit, urls, { size: 'small' })}
</li>
`

const writerHits = (t: Translator, writers: readonly Writer[], query: string, urls: Urls): Html =>
  html`<section aria-labelledby="writers">
<h2 class="label" id="writers">${t('site.search.writers')}</h2>
<ul class="quiet writers">
${writers.map(
  (writer) => html`<li>
${portraitOrInitial(writer.avatar_url, writer.name, 48, urls)}
<div>
<h3 class="title"><a href="${writer.urls.profile}"><bdi>${markTerm(writer.name, query)}</bdi></a>${writer.identity_verified && tick(t)}</h3>
${writer.role && html`<p class="meta" dir="auto">${markTerm(writer.role, query)}</p>\n`}${whyFound(writer, query)}</div>
</li>
`,
)}</ul>
</section>`

/** What else of a writer has the term, if name and role do not show it. */
function whyFound({ name, role, niche, bio }: Writer, query: string): Html | null {
  if ([name, role].some((text) => text && spansOf(text, query).length > 0)) return null
  for (const text of [niche, bio]) {
    const line = normaliseLine(text ?? '')
    const [span] = spansOf(line, query)
    if (span)
      return html`<p class="standfirst" dir="auto">${markTerm(cutAround(line, ...span), query)}</p>
`
  }
  return null
}

/** Marks the words that were looked for, in whichever form, and no parts of others. */
function markWords(text: string, question: Question, language: string): Html {
  const folded = fold(text)
  // Folding keeps the length of normalised lines; other text stays unmarked.
  if (folded.length !== text.length) return html`${text}`
  return marked(
    text,
    matchesIn(question, folded, primaryLanguage(language)).map(({ span }) => span),
  )
}

/** Marks a term as it stands, as authors are found by it. */
const markTerm = (text: string, term: string): Html => marked(text, spansOf(text, term))

/** Without accents too, where that leaves every character in its place. */
function spansOf(text: string, term: string): Span[] {
  for (const plain of [fold, withoutAccents]) {
    const [folded, wanted] = [plain(text), plain(term)]
    if (folded.length !== text.length || wanted === '') continue
    const spans: Span[] = []
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length))
      spans.push([at, at + wanted.length])
    if (spans.length > 0) return spans
  }
  return []
}

function marked(text: string, spans: readonly Span[]): Html {
  const parts: Html[] = []
  let end = 0
  for (const [from, to] of spans) {
    parts.push(html`${text.slice(end, from)}<mark>${text.slice(from, to)}</mark>`)
    end = to
  }
  return html`${parts}${text.slice(end)}`
}
