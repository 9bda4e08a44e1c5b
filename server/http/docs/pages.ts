import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { SiteInfo } from '#config/site-info.ts'
import type { Urls } from '#features/urls.ts'
import { type DocsPage, docsGroups, docsPages, docsPath } from '#http/docs-toc.ts'
import { sourceLanguage, type Translator, translatorOf } from '#messages/translator.ts'
import { html as markup } from '#platform/html.ts'
import { renderMarkdown } from '#platform/markdown/render.ts'

export interface ReadPage {
  /** The first paragraph, as plain text. */
  readonly description: string
  readonly lead: string
  /** The whole page, for programs. */
  readonly markdown: string
  /** The body without title and lead. */
  readonly html: string
  readonly sections: readonly Section[]
}

const root = new URL('../../../', import.meta.url)

/** Reads a docs page, fills in this site's names and addresses, and renders it with the site's Markdown pipeline. */
export function readPage(page: DocsPage, file: string, siteInfo: SiteInfo, urls: Urls): ReadPage {
  const t = translatorOf(siteInfo.language)
  const source = siteLinks(readFileSync(new URL(file, root), 'utf8'), file, urls.base)
  const markdown = isSiteGuide(page) ? withSiteNames(source, page, siteInfo, urls) : source
  const body = markdown.replace(/^# .+\n/, '')
  const rendered = renderMarkdown(body.replaceAll(`](${urls.base}${pictures}`, `](${placeholderOrigin}${pictures}`))
  const { html, sections } = addHeadingAnchors(t, asSiteMarkup(t, rendered.html, urls))
  const description = rendered.text.split('\n\n')[0] ?? ''
  const [, lead = '', rest = ''] = /^<p>([\s\S]*?)<\/p>\n([\s\S]*)$/.exec(html) ?? []
  return lead && description.length <= maxLead
    ? { description, lead, markdown, html: rest, sections }
    : { description: page.about, lead: page.about, markdown, html, sections }
}

/** A longer first paragraph is no lead; the page's description from the table of contents is used instead. */
const maxLead = 300

/** Where an image of the docs is served. */
export const picturePath = (file: string): string => `/developers/pictures/${posix.basename(file)}`

/** The pipeline allows images over https only, but those of the docs come from the site itself, which may use http. */
const placeholderOrigin = 'https://pictures.invalid'
const pictures = picturePath('')

const isSiteGuide = (page: DocsPage): boolean =>
  docsGroups.some(({ ofThisSite, pages }) => ofThisSite && pages.includes(page))

/** The example addresses in the docs, replaced with the site's own. */
const exampleBases: Readonly<Record<string, string>> = { sdk: 'https://standfirst.example' }
const exampleBase = 'http://localhost:8080'

/** Replaced if the site has a contact, or no legal notice. */
const imprint = /\[The imprint\]\(\S+\) says who runs this site: write to them\./

function withSiteNames(source: string, { name }: DocsPage, { slug, contact, texts }: SiteInfo, urls: Urls): string {
  const text = source.replaceAll(exampleBases[name] ?? exampleBase, urls.base)
  // In client configurations the server is named after the site.
  if (name === 'tools') return text.replace(/(?<=--transport http |")standfirst(?=[ "-])/g, slug)
  if (contact) return text.replace(imprint, `Email [${contact}](mailto:${contact}).`)
  return texts.imprint === undefined
    ? text.replace(imprint, translatorOf(sourceLanguage)('docs.security_contact'))
    : text
}

/** The pipeline marks every link as user-generated; these are the site's own. Wide tables scroll, also by keyboard. */
const asSiteMarkup = (t: Translator, html: string, { base }: Urls): string =>
  html
    .replaceAll(` rel="ugc nofollow noopener noreferrer">`, '>')
    .replaceAll(`href="${base}/`, 'href="/')
    .replaceAll(`<img src="${placeholderOrigin}`, '<img src="')
    .replaceAll('<pre>', '<div class="sample"><pre tabindex="0">')
    .replaceAll('</pre>', '</pre></div>')
    .replaceAll(
      '<table>',
      String(markup`<div class="wide" role="group" aria-label="${t('docs.table')}" tabindex="0"><table>`),
    )
    .replaceAll('</table>', '</table></div>')

/** A heading listed in the page's table of contents. */
export interface Section {
  readonly id: string
  readonly words: string
}

/**
 * Gives headings the ids that GitHub gives them, so that `webhooks.md#verify-it` works there and here, and a link to
 * themselves. The pipeline prefixes ids with `s-`, which writers' texts need and ours do not.
 */
function addHeadingAnchors(t: Translator, html: string): { html: string; sections: Section[] } {
  const nameOf = anchorNames()
  const names = new Map<string, string>()
  const sections: Section[] = []
  const named = html.replace(
    /<h([1-6]) id="([^"]+)">([\s\S]*?)<\/h\1>/g,
    (_, level: string, former: string, inner: string) => {
      const words = inner.replace(/<[^>]+>/g, '')
      const id = nameOf(plain(words))
      names.set(former, id)
      if (level === '2') sections.push({ id, words: plain(words) })
      const label = t('docs.link_to_section', { heading: plain(words) })
      return `<h${level} id="${id}">${inner} ${markup`<a class="anchor" href="#${id}" aria-label="${label}">#</a>`}</h${level}>`
    },
  )
  const led = named.replace(/href="#(s-[^"]+)"/g, (whole, former: string) => {
    const id = names.get(former)
    return id ? `href="#${id}"` : whole
  })
  return { html: led, sections }
}

/** Repeated headings get a number, beginning with the second. */
function anchorNames(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const plain = (words: string): string => words.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)

const byFile = new Map(docsPages.map((page) => [page.file, page]))

/**
 * Rewrites repository links for the site: pages to their address, the table of contents to the index, images to where
 * they are served. What exists only in the repository becomes code.
 */
function siteLinks(markdown: string, file: string, base: string): string {
  const linked = (words: string, href: string): string => {
    if (/^(https?:|mailto:|#)/.test(href)) return `[${words}](${href})`
    const [path = '', fragment] = href.split('#')
    const target = posix.join(posix.dirname(file), path)
    if (target === 'docs/README.md') return `[${words}](${base}/developers)`
    const page = byFile.get(target)
    if (!page) return words.includes('`') ? words : `\`${words}\``
    // A file name means little on the site.
    return `[${words === path ? page.title : words}](${base}${docsPath(page)}${fragment ? `#${fragment}` : ''})`
  }
  return outsideFences(markdown, (prose) =>
    prose.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, isPicture: string, words: string, href: string) => {
      if (!isPicture) return linked(words, href)
      return /^https?:/.test(href) ? whole : `![${words}](${base}${picturePath(href)})`
    }),
  )
}

/** Leaves fenced code unchanged. */
const outsideFences = (markdown: string, change: (prose: string) => string): string =>
  markdown
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('')
