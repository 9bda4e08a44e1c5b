import { categoryLabel } from '#features/pieces/category-label.ts'
import { type Category, categories } from '#features/pieces/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { type LanguageLabel, languageLabel } from '#http/language-label.ts'
import { searchField } from '#http/page-layout.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { langOf } from './byline.ts'

export const longestTerm = 200

/** What a search is limited to, as the form sends it. */
interface Chosen {
  readonly category: Category | undefined
  readonly language: string | undefined
  /** By name or by address. */
  readonly author: string | undefined
  readonly tag: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
}

export interface SearchForm {
  readonly urls: Urls
  readonly chosen: Chosen
  /** Of the languages to choose from. */
  readonly labels: readonly LanguageLabel[]
}

/** The address of the same search for another term. */
export function searchAddress({ urls, chosen: { language, ...chosen } }: SearchForm, term: string): string {
  const given = Object.entries(chosen).filter((one): one is [string, string] => one[1] !== undefined)
  const more = given.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('')
  return inLanguage(`${urls.search(term)}${more}`, language)
}

export function column(t: Translator, term: string, form: SearchForm, content: Html): Html {
  const { urls, chosen, labels } = form
  const more = html`${languageChoice(t, labels, chosen.language)}${filters(t, chosen)}`
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

/** Open where something is chosen, so that nobody wonders why little is found. */
function filters(t: Translator, { category, author, tag, since, until }: Chosen): Html {
  const isOpen = [category, author, tag, since, until].some((value) => value !== undefined)
  return html`<details class="search-filters"${isOpen && html` open`}><summary>${t('site.search.filters')}</summary>
<p><label for="category">${t('site.search.section')}</label>
<select id="category" name="category">
<option value="">${t('site.search.all_sections')}</option>
${categories.map((one) => html`<option value="${one}"${one === category && html` selected`}>${categoryLabel(t, one)}</option>\n`)}</select></p>
<p><label for="author">${t('site.search.author')}</label>
<input id="author" name="author" value="${author ?? ''}" maxlength="100" dir="auto" autocomplete="off"></p>
<p><label for="tag">${t('site.search.tag')}</label>
<input id="tag" name="tag" value="${tag ?? ''}" maxlength="100" dir="auto" autocomplete="off"></p>
<p><label for="since">${t('site.search.since')}</label>
<input type="date" id="since" name="since" value="${since ?? ''}"></p>
<p><label for="until">${t('site.search.until')}</label>
<input type="date" id="until" name="until" value="${until ?? ''}"></p>
</details>
`
}

export const invitation = (t: Translator, form: SearchForm): Html =>
  column(t, '', form, html`<p class="note">${t('site.search.hint')}</p>`)

export const tooLong = (t: Translator, term: string, form: SearchForm): Html =>
  column(
    t,
    [...term].slice(0, longestTerm).join(''),
    form,
    html`<p class="note" role="status">${t('site.search.too_long', { limit: longestTerm })}</p>`,
  )
