import { readFileSync } from 'node:fs'
import { renderMarkdown } from '#platform/markdown/render.ts'
import { type DocsPage, docsGroups } from '#platform/page/docs-toc.ts'
import type { SiteInfo } from '#platform/site.ts'
import type { Urls } from '#platform/urls.ts'
import { nameHeadings, type Section } from './headings.ts'
import { picturePath, siteLinks } from './links.ts'

export interface ReadPage {
  /** Its first paragraph: as one plain sentence or two, and marked up. */
  readonly description: string
  readonly lead: string
  /** The whole, for programs. */
  readonly markdown: string
  /** What stands under title and lead. */
  readonly html: string
  readonly sections: readonly Section[]
}

const root = new URL('../../../', import.meta.url)

/** Reads a page of the docs, makes it this site's, and renders it by the site's own pipeline. */
export function readPage(page: DocsPage, file: string, siteInfo: SiteInfo, urls: Urls): ReadPage {
  const source = siteLinks(readFileSync(new URL(file, root), 'utf8'), file, urls.base)
  const markdown = isOfThisSite(page) ? filled(source, page, siteInfo, urls) : source
  const body = markdown.replace(/^# .+\n/, '')
  const rendered = renderMarkdown(body.replaceAll(`](${urls.base}${pictures}`, `](${safe}${pictures}`))
  const { html, sections } = nameHeadings(asOurs(rendered.html, urls))
  const description = rendered.text.split('\n\n')[0] ?? ''
  const [, lead = '', rest = ''] = /^<p>([\s\S]*?)<\/p>\n([\s\S]*)$/.exec(html) ?? []
  return lead && description.length <= longestLead
    ? { description, lead, markdown, html: rest, sections }
    : { description: page.about, lead: page.about, markdown, html, sections }
}

/** More than this is no sentence or two to set large: then the contents' own words lead. */
const longestLead = 300

/** The pipeline shows pictures over https only; those of the docs come from the site itself, however it is asked. */
const safe = 'https://pictures.invalid'
const pictures = picturePath('')

const isOfThisSite = (page: DocsPage): boolean =>
  docsGroups.some(({ ofThisSite, pages }) => ofThisSite && pages.includes(page))

/** What stands in the repository for the address of a site. */
const exampleBases: Readonly<Record<string, string>> = { sdk: 'https://standfirst.example' }
const exampleBase = 'http://localhost:8080'

/** And for whom to write to. */
const imprint = /\[The imprint\]\(\S+\) says who runs this site: write to them\./

function filled(source: string, { name }: DocsPage, { slug, contact }: SiteInfo, urls: Urls): string {
  const text = source.replaceAll(exampleBases[name] ?? exampleBase, urls.base)
  // In the settings of clients the server has the site's name.
  if (name === 'tools') return text.replace(/(?<=--transport http |")standfirst(?=[ "-])/g, slug)
  return contact ? text.replace(imprint, `Write to [${contact}](mailto:${contact}).`) : text
}

/** The pipeline marks every link as a writer's; these are the site's own. What is too wide scrolls, by keyboard too. */
const asOurs = (html: string, { base }: Urls): string =>
  html
    .replaceAll(` rel="ugc nofollow noopener noreferrer">`, '>')
    .replaceAll(`href="${base}/`, 'href="/')
    .replaceAll(`<img src="${safe}`, '<img src="')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
