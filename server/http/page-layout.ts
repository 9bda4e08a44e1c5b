import { type SiteInfo, sitePages } from '#config/site-info.ts'
import type { Urls } from '#features/urls.ts'
import type { ServiceError } from '#platform/errors.ts'
import { type Html, html, jsonData } from '#platform/html.ts'
import type { ErrorPages } from '#platform/http/errors.ts'
import { style } from '#platform/page/style.ts'

/** Metadata of a page for browsers, search engines and other sites. */
export interface PageHead {
  /** Without the site's name, which follows it. */
  readonly title: string
  readonly description?: string | undefined
  /** The language of the content; the text around it is English. */
  readonly lang?: string | undefined
  readonly dir?: 'ltr' | 'rtl' | undefined
  readonly canonical?: string | undefined
  readonly robots?: string | undefined
  readonly feeds?: readonly PageFeed[] | undefined
  /** The same page as Markdown. */
  readonly markdown?: string | undefined
  /** 1200 × 630, for link previews. */
  readonly image?: string | undefined
  /** An image of another size. */
  readonly picture?: { readonly url: string; readonly width: number; readonly height: number } | undefined
  readonly oembed?: string | undefined
  readonly jsonLd?: readonly object[] | undefined
  readonly kind?: 'article' | 'profile' | 'website' | undefined
  readonly published?: string | undefined
  readonly modified?: string | undefined
  /** Whether it contains italics; detected if undefined. */
  readonly hasItalics?: boolean | undefined
  /** The front page: the site's name is its headline. */
  readonly isFront?: boolean | undefined
}

interface PageFeed {
  readonly title: string
  readonly json: string
  readonly rss: string
}

/** A whole page: `main` between the site's header and footer. No script runs in it. */
export function document(siteInfo: SiteInfo, urls: Urls, head: PageHead, main: Html): string {
  const { lang = 'en', dir = 'ltr', isFront = false } = head
  const shell = shellOf(siteInfo, urls)
  return String(html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<title>${head.title === siteInfo.name ? siteInfo.name : `${head.title} · ${siteInfo.name}`}</title>
${shell.head}
${(head.hasItalics ?? hasItalics(String(main))) && shell.italic}${description(head)}${links(head)}${social(siteInfo, head)}${head.jsonLd?.map(data)}</head>
<body>
${isFront ? shell.front : shell.header}
<main id="main" tabindex="-1" dir="${dir}">
${main}
</main>
${shell.footer}
</body>
</html>
`)
}

const description = ({ description, robots }: PageHead): Html[] => [
  ...(description ? [html`<meta name="description" content="${description}">\n`] : []),
  ...(robots ? [html`<meta name="robots" content="${robots}">\n`] : []),
]

const alternate = (type: string, href: string, title?: string): Html =>
  html`<link rel="alternate" type="${type}"${title && html` title="${title}"`} href="${href}">\n`

const links = ({ title, canonical, feeds = [], markdown, oembed }: PageHead): Html[] => [
  ...(canonical ? [html`<link rel="canonical" href="${canonical}">\n`] : []),
  ...feeds.flatMap((feed) => [
    alternate('application/feed+json', feed.json, feed.title),
    alternate('application/rss+xml', feed.rss, feed.title),
  ]),
  ...(markdown ? [alternate('text/markdown', markdown)] : []),
  ...(oembed ? [alternate('application/json+oembed', oembed, title)] : []),
]

const property = (name: string, content: string | undefined): Html | undefined =>
  content ? html`<meta property="${name}" content="${content}">\n` : undefined

/** Open Graph, and the one property that Twitter adds. */
const social = ({ name }: SiteInfo, head: PageHead): (Html | undefined)[] => [
  property('og:site_name', name),
  property('og:type', head.kind ?? 'website'),
  property('og:title', head.title),
  property('og:description', head.description),
  property('og:url', head.canonical),
  property('article:published_time', head.published),
  property('article:modified_time', head.modified),
  property('og:image', head.image),
  head.image
    ? html`<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">\n`
    : undefined,
  property('og:image', head.picture?.url),
  property('og:image:width', head.picture && String(head.picture.width)),
  property('og:image:height', head.picture && String(head.picture.height)),
]

const data = (block: object): Html => html`<script type="application/ld+json">${jsonData(block)}</script>\n`

/** Emphasis and quotations. */
export const hasItalics = (markup: string): boolean => markup.includes('<em>') || markup.includes('<blockquote>')

interface Shell {
  readonly head: Html
  readonly italic: Html
  readonly header: Html
  readonly front: Html
  readonly footer: Html
}

/** The parts that are the same on every page are rendered once. */
const shells = new WeakMap<SiteInfo, Shell>()

function shellOf(siteInfo: SiteInfo, urls: Urls): Shell {
  const known = shells.get(siteInfo)
  if (known) return known
  const shell: Shell = {
    head: headOf(),
    italic: preload(style().fonts.italic),
    header: headerOf(siteInfo, urls, false),
    front: headerOf(siteInfo, urls, true),
    footer: footerOf(siteInfo, urls),
  }
  shells.set(siteInfo, shell)
  return shell
}

const preload = (font: string): Html =>
  html`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>\n`

function headOf(): Html {
  const { path, fonts } = style()
  return html`<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${path}">
${fonts.first.map(preload)}<link rel="icon" href="/favicon.svg" type="image/svg+xml">`
}

function headerOf({ name, hasOwnMark }: SiteInfo, urls: Urls, isFront: boolean): Html {
  const mark = hasOwnMark && html`<img src="/favicon.svg" alt="" width="32" height="32">`
  const wordmark = html`<a class="wordmark" href="${urls.home()}" dir="auto">${mark}${name}</a>`
  return html`<a class="skip" href="#main" lang="en">Skip to the text</a>
<header class="site-header${isFront && ' front'}" lang="en">
${isFront ? html`<h1>${wordmark}</h1>` : wordmark}
<nav aria-label="Site"><a href="${urls.search()}">Search</a><a href="${urls.page('desk')}">Write</a></nav>
</header>`
}

const titles: Readonly<Record<(typeof sitePages)[number], string>> = {
  about: 'About',
  imprint: 'Imprint',
  privacy: 'Privacy',
}

const footerOf = ({ name, description }: SiteInfo, urls: Urls): Html =>
  html`<footer class="colophon" lang="en">
<div class="colophon-lines">
<p dir="auto"><strong>${name}</strong><br>${description}</p>
<ul>
<li><a href="${urls.shop()}">Shop</a></li>
<li><a href="${urls.page('desk')}">Write here</a></li>
${sitePages.map((page) => html`<li><a href="${urls.page(page)}">${titles[page]}</a></li>\n`)}<li><a href="${urls.page('trust')}">Trust</a></li>
<li><a href="${urls.page('developers')}">Developers</a></li>
<li><a href="${urls.siteFeedRss()}">RSS</a></li>
<li><a href="${urls.siteFeedJson()}">JSON Feed</a></li>
</ul>
</div>
</footer>`

/** The only form on public pages: searches pieces, or what its page is about. */
export const searchField = (
  urls: Urls,
  term = '',
  { action, label } = { action: urls.search(), label: 'Search for' },
): Html =>
  html`<form class="search-field" role="search" action="${action}" lang="en">
<label class="hidden" for="q">${label}</label>
<input type="search" id="q" name="q" value="${term}" maxlength="200" dir="auto" enterkeyhint="search">
<button>Search</button>
</form>`

/** For people: what happened, and what to do. The JSON response has the code. */
const words: Readonly<Record<number | string, readonly [title: string, advice: string]>> = {
  400: [
    'This address cannot be read',
    'A part of it is missing or was changed on the way. Search for what you were after, or begin at the front page.',
  ],
  404: [
    'There is nothing at this address',
    'Its writer may have taken it back, or the address lost a letter on its way to you. Search for it, or begin at the front page.',
  ],
  405: ['This address is for reading', 'What you sent was not taken. Go back and try it from there.'],
  414: ['This address is too long', 'Shorten it, or search for what you were after.'],
  429: ['A little slower, please', 'Many requests came from your network at once. Wait a minute, then try again.'],
  500: ['Something went wrong on our side', 'It has been noted. Try again in a moment.'],
  database_away: [
    'The site is unavailable just now',
    'We cannot reach our database. Nothing is lost: try again in a few minutes.',
  ],
  503: ['We are busy just now', 'Try again in a moment: nothing is lost.'],
}

export const errorPagesOf = (siteInfo: SiteInfo, urls: Urls): ErrorPages => ({
  site: urls,
  draw: (error, requestId) => errorPage(siteInfo, urls, error, requestId),
})

function errorPage(siteInfo: SiteInfo, urls: Urls, error: ServiceError, requestId: string): string {
  const [title, advice] = words[error.reason] ?? words[error.status] ?? ['This did not work', error.message]
  return document(
    siteInfo,
    urls,
    { title, robots: 'noindex' },
    html`<div class="column">
<h1 class="title">${title}</h1>
<p class="standfirst">${advice}</p>
${searchField(urls)}
<p class="note"><a href="${urls.home()}">Front page</a><span class="dot">${error.status}</span></p>
<p class="note request-id">If you write to us about this, mention <code>${requestId}</code></p>
</div>`,
  )
}
