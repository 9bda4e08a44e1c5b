import { type DocsPage, docsGroups, docsPages, docsPath } from '#http/docs-toc.ts'
import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import type { Section } from './pages.ts'

/** Shorter pages need no table of contents. */
const minSections = 4

interface DocsContent {
  readonly lead: Html | string
  /** In the site's language, not in English. */
  readonly isLeadTranslated?: boolean
  readonly sections: readonly Section[]
  readonly main: Html
}

/**
 * A docs page: navigation beside it, its table of contents on top, previous and next below. The guides and their titles
 * are in English on every site.
 */
export const docsLayout = (
  t: Translator,
  page: DocsPage,
  { lead, isLeadTranslated = false, sections, main }: DocsContent,
): Html =>
  html`<div class="guide">
${navigation(t, page)}
<article>
<header class="guide-head">
<h1${english(t)}>${page.title}</h1>
<p class="guide-lead"${!isLeadTranslated && english(t)}>${lead}</p>
${page.file && html`<p class="guide-twin"><a href="${docsPath(page)}.md">${t('docs.as_markdown')}</a></p>\n`}</header>
${sections.length >= minSections && onThisPage(t, sections)}${main}${neighbours(t, page)}</article>
</div>`

/** Attributes of English text on a page in the site's language. */
export const english = (t: Translator): Html | undefined =>
  t.language.startsWith('en') ? undefined : html` lang="en" dir="ltr"`

/** Open where there is space beside the text, collapsed otherwise; needs no script. */
const navigation = (t: Translator, current: DocsPage): Html => html`<details class="guide-ways">
<summary>${t('docs.all_pages')}</summary>
<nav aria-label="${t('docs.title')}">
<p><a href="/developers">${t('docs.title')}</a></p>
${docsGroups.map(
  ({ title, pages }, at) => html`<p id="ways-${at}"${english(t)}>${title}</p>
<ul aria-labelledby="ways-${at}"${english(t)}>
${pages.map((page) => html`<li><a href="${docsPath(page)}"${page === current && html` aria-current="page"`}>${page.title}</a></li>\n`)}</ul>
`,
)}</nav>
</details>`

const onThisPage = (t: Translator, sections: readonly Section[]): Html => html`<details class="guide-sections">
<summary>${t('docs.on_this_page')}</summary>
<nav aria-label="${t('docs.on_this_page')}">
<p aria-hidden="true">${t('docs.on_this_page')}</p>
<ul${english(t)}>
${sections.map(({ id, words }) => html`<li><a href="#${id}">${words}</a></li>\n`)}</ul>
</nav>
</details>
`

function neighbours(t: Translator, page: DocsPage): Html {
  const at = docsPages.indexOf(page)
  const neighbourLink = (rel: 'prev' | 'next', to: DocsPage | undefined): Html | undefined =>
    to &&
    html`<a rel="${rel}" href="${docsPath(to)}">${inHtml(t, rel === 'prev' ? 'docs.previous' : 'docs.next', {
      label: (text) => html`<span>${text}</span>`,
      title: html`<bdi${english(t)}>${to.title}</bdi>`,
    })}</a>\n`
  return html`<nav class="guide-neighbours" aria-label="${t('docs.previous_and_next')}">
${neighbourLink('prev', docsPages[at - 1])}${neighbourLink('next', docsPages[at + 1])}</nav>
`
}

/** /developers: the index of all docs. */
export const docsIndex = (t: Translator, site: string): Html => html`<div class="developers">
<header class="developers-head">
<h1>${inHtml(t, 'docs.index_title', { site: html`<bdi>${site}</bdi>` })}</h1>
<p class="developers-lead">${t('docs.index_lead')}</p>
</header>
${docsGroups.map(
  ({ title, about, pages }) => html`<section class="doorways"${english(t)}>
<div><h2>${title}</h2><p>${about}</p></div>
<ul>
${pages.map((page) => html`<li><a href="${docsPath(page)}">${page.title}</a><p>${page.about}</p></li>\n`)}</ul>
</section>
`,
)}</div>`
