import { type DocsPage, docsGroups, docsPages, docsPath } from '#http/docs-toc.ts'
import { type Html, html } from '#platform/html.ts'
import type { Section } from './pages.ts'

/** Shorter pages need no table of contents. */
const minSections = 4

interface DocsContent {
  readonly lead: Html | string
  readonly sections: readonly Section[]
  readonly main: Html
}

/** A docs page: navigation beside it, its table of contents on top, previous and next below. */
export const docsLayout = (page: DocsPage, { lead, sections, main }: DocsContent): Html => html`<div class="guide">
${navigation(page)}
<article>
<header class="guide-head">
<h1>${page.title}</h1>
<p class="guide-lead">${lead}</p>
${page.file && html`<p class="guide-twin"><a href="${docsPath(page)}.md">This page as Markdown</a></p>\n`}</header>
${sections.length >= minSections && onThisPage(sections)}${main}${neighbours(page)}</article>
</div>`

/** Open where there is space beside the text, collapsed otherwise; needs no script. */
const navigation = (current: DocsPage): Html => html`<details class="guide-ways">
<summary>All pages</summary>
<nav aria-label="For developers">
<p><a href="/developers">For developers</a></p>
${docsGroups.map(
  ({ title, pages }, at) => html`<p id="ways-${at}">${title}</p>
<ul aria-labelledby="ways-${at}">
${pages.map((page) => html`<li><a href="${docsPath(page)}"${page === current && html` aria-current="page"`}>${page.title}</a></li>\n`)}</ul>
`,
)}</nav>
</details>`

const onThisPage = (sections: readonly Section[]): Html => html`<details class="guide-sections">
<summary>On this page</summary>
<nav aria-label="On this page">
<p aria-hidden="true">On this page</p>
<ul>
${sections.map(({ id, words }) => html`<li><a href="#${id}">${words}</a></li>\n`)}</ul>
</nav>
</details>
`

function neighbours(page: DocsPage): Html {
  const at = docsPages.indexOf(page)
  const neighbourLink = (rel: 'prev' | 'next', words: string, to: DocsPage | undefined): Html | undefined =>
    to && html`<a rel="${rel}" href="${docsPath(to)}"><span>${words}</span> ${to.title}</a>\n`
  return html`<nav class="guide-neighbours" aria-label="Before and after">
${neighbourLink('prev', 'Before', docsPages[at - 1])}${neighbourLink('next', 'Next', docsPages[at + 1])}</nav>
`
}

/** /developers: the index of all docs. */
export const docsIndex = (site: string, lead: string): Html => html`<div class="developers">
<header class="developers-head">
<h1><bdi>${site}</bdi> for developers</h1>
<p class="developers-lead">${lead}</p>
</header>
${docsGroups.map(
  ({ title, about, pages }) => html`<section class="doorways">
<div><h2>${title}</h2><p>${about}</p></div>
<ul>
${pages.map((page) => html`<li><a href="${docsPath(page)}">${page.title}</a><p>${page.about}</p></li>\n`)}</ul>
</section>
`,
)}</div>`
