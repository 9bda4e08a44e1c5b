import { type SiteInfo, type SitePage, sitePages } from '#config/site-info.ts'
import { categoryLabel } from '#features/pieces/category-label.ts'
import { type Category, categories } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { inHtml } from '#http/translate.ts'
import type { PlainMessageId } from '#messages/message.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import type { ServiceError } from '#platform/errors.ts'
import { type Html, html, jsonData } from '#platform/html.ts'
import type { ErrorPages } from '#platform/http/errors.ts'
import { tokenColour } from '#platform/page/colours.ts'
import { style } from '#platform/page/style.ts'
import { openGraphLocale } from '#platform/text/language.ts'

/** Metadata of a page for browsers, search engines and other sites. */
export interface PageHead {
  /** Without the site's name, which follows it. */
  readonly title: string
  readonly description?: string | undefined
  /** The language of the content, if it is not the site's. */
  readonly lang?: string | undefined
  readonly dir?: 'ltr' | 'rtl' | undefined
  readonly canonical?: string | undefined
  /** The page in each of its languages, itself included. */
  readonly languages?: readonly PageLanguage[] | undefined
  readonly robots?: string | undefined
  readonly feeds?: readonly PageFeed[] | undefined
  /** The same page as Markdown. */
  readonly markdown?: string | undefined
  /** What the page is of, in the fediverse. */
  readonly activity?: string | undefined
  /** What shared links say instead of title and description. */
  readonly shared?: { readonly title: string; readonly description: string } | undefined
  /** 1200 × 630, for link previews. A page with an address of its own has the site's, unless it names another. */
  readonly image?: string | undefined
  /** An image of another size. */
  readonly picture?: { readonly url: string; readonly width: number; readonly height: number } | undefined
  readonly oembed?: string | undefined
  readonly jsonLd?: readonly object[] | undefined
  readonly kind?: 'article' | 'profile' | 'website' | undefined
  readonly published?: string | undefined
  readonly modified?: string | undefined
  /** Of an article: the section's name, tags, and addresses of its authors. */
  readonly section?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly authors?: readonly string[] | undefined
  /** Whether it contains italics; detected if undefined. */
  readonly hasItalics?: boolean | undefined
  /** The category that the page is about, marked in the header. */
  readonly category?: Category | undefined
  /** The front page: the site's name is its headline. */
  readonly isFront?: boolean | undefined
}

interface PageLanguage {
  /** A language tag, or `x-default`. */
  readonly tag: string
  readonly url: string
}

export interface PageFeed {
  readonly title: string
  readonly json: string
  readonly rss: string
}

/**
 * A whole page: `main` between the site's header and footer. No script runs in it. `<html>` has the language of the
 * content and the direction of the site.
 */
export function document(siteInfo: SiteInfo, urls: Urls, head: PageHead, main: Html): string {
  const t = translatorOf(siteInfo.language)
  const { lang = t.language, dir = t.dir } = head
  const shell = shellOf(siteInfo, urls)
  return String(html`<!doctype html>
<html lang="${lang}"${t.dir === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<title>${head.title === siteInfo.name ? siteInfo.name : `${head.title} · ${siteInfo.name}`}</title>
${shell.head}
${(head.hasItalics ?? hasItalics(String(main))) && shell.italic}${description(head)}${links(head)}${social(siteInfo, t, withImage(head, urls))}${head.jsonLd?.map(data)}</head>
<body>
${shell.header(head)}
<main id="main" tabindex="-1" dir="${dir}">
${main}
</main>
${shell.footer}
</body>
</html>
`)
}

/** Search engines may show pictures large. */
const description = ({ description, robots = 'max-image-preview:large' }: PageHead): Html[] => [
  ...(description ? [html`<meta name="description" content="${description}">\n`] : []),
  html`<meta name="robots" content="${robots}">\n`,
]

const withImage = (head: PageHead, urls: Urls): PageHead =>
  head.canonical && !head.image && !head.picture ? { ...head, image: urls.siteImage() } : head

const alternate = (type: string, href: string, title?: string): Html =>
  html`<link rel="alternate" type="${type}"${title && html` title="${title}"`} href="${href}">\n`

const links = ({ title, canonical, languages = [], feeds = [], markdown, activity, oembed }: PageHead): Html[] => [
  ...(canonical ? [html`<link rel="canonical" href="${canonical}">\n`] : []),
  ...languages.map(({ tag, url }) => html`<link rel="alternate" hreflang="${tag}" href="${url}">\n`),
  ...feeds.flatMap((feed) => [
    alternate('application/feed+json', feed.json, feed.title),
    alternate('application/rss+xml', feed.rss, feed.title),
  ]),
  ...(markdown ? [alternate('text/markdown', markdown)] : []),
  ...(activity ? [alternate('application/activity+json', activity)] : []),
  ...(oembed ? [alternate('application/json+oembed', oembed, title)] : []),
]

const property = (name: string, content: string | undefined): Html | undefined =>
  content ? html`<meta property="${name}" content="${content}">\n` : undefined

/** Open Graph, and the one property that Twitter adds. */
const social = ({ name }: SiteInfo, t: Translator, head: PageHead): (Html | undefined)[] => [
  property('og:site_name', name),
  property('og:locale', localeOf(t, head.lang)),
  ...otherLocales(t, head),
  property('og:type', head.kind ?? 'website'),
  property('og:title', head.shared?.title ?? head.title),
  property('og:description', head.shared?.description ?? head.description),
  property('og:url', head.canonical),
  property('article:published_time', head.published),
  property('article:modified_time', head.modified),
  property('article:section', head.section),
  ...(head.authors ?? []).map((author) => property('article:author', author)),
  ...(head.tags ?? []).map((tag) => property('article:tag', tag)),
  property('og:image', head.image),
  head.image
    ? html`<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">\n`
    : undefined,
  property('og:image', head.picture?.url),
  property('og:image:width', head.picture && String(head.picture.width)),
  property('og:image:height', head.picture && String(head.picture.height)),
  property('og:image:alt', head.image || head.picture ? (head.shared?.title ?? head.title) : undefined),
]

/** English is British unless the site or the piece says otherwise. */
const localeOf = (t: Translator, lang = t.language): string | undefined =>
  openGraphLocale(lang === t.language ? t.locale : lang)

function otherLocales(t: Translator, { lang, languages = [] }: PageHead): (Html | undefined)[] {
  const own = localeOf(t, lang)
  const all = languages.flatMap(({ tag }) => (tag === 'x-default' ? [] : localeOf(t, tag)))
  return [...new Set(all)].filter((locale) => locale !== own).map((locale) => property('og:locale:alternate', locale))
}

const data = (block: object): Html => html`<script type="application/ld+json">${jsonData(block)}</script>\n`

/** Emphasis and quotations. */
export const hasItalics = (markup: string): boolean => markup.includes('<em>') || markup.includes('<blockquote>')

interface Shell {
  readonly head: Html
  readonly italic: Html
  readonly header: (place: Pick<PageHead, 'category' | 'isFront'>) => Html
  readonly footer: Html
}

/** The parts that are the same on every page are rendered once. */
const shells = new WeakMap<SiteInfo, Shell>()

function shellOf(siteInfo: SiteInfo, urls: Urls): Shell {
  const known = shells.get(siteInfo)
  if (known) return known
  const t = translatorOf(siteInfo.language)
  const shell: Shell = {
    head: headOf(siteInfo),
    italic: preload(style().fonts.italic),
    header: headersOf(t, siteInfo, urls),
    footer: footerOf(t, siteInfo, urls),
  }
  shells.set(siteInfo, shell)
  return shell
}

const preload = (font: string): Html =>
  html`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>\n`

function headOf({ name }: SiteInfo): Html {
  const { path, fonts } = style()
  return html`<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${tokenColour('paper')}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${tokenColour('paper', 'dark')}" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="${path}">
${fonts.first.map(preload)}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="search" type="application/opensearchdescription+xml" title="${name}" href="/opensearch.xml">`
}

/** One for the front page, one for each category and one for all other pages. */
function headersOf(t: Translator, siteInfo: SiteInfo, urls: Urls): Shell['header'] {
  const ofCategory = new Map(categories.map((one) => [one, headerOf(t, siteInfo, urls, { category: one })]))
  const front = headerOf(t, siteInfo, urls, { isFront: true })
  const plain = headerOf(t, siteInfo, urls, {})
  return ({ category, isFront }) => (isFront ? front : ((category && ofCategory.get(category)) ?? plain))
}

function headerOf(
  t: Translator,
  { name, hasOwnMark }: SiteInfo,
  urls: Urls,
  { category: current, isFront = false }: Pick<PageHead, 'category' | 'isFront'>,
): Html {
  const mark = hasOwnMark && html`<img src="/favicon.svg" alt="" width="32" height="32">`
  const wordmark = html`<a class="wordmark" href="${urls.home()}" dir="auto">${mark}${name}</a>`
  return html`<a class="skip" href="#main" lang="${t.language}">${t('site.nav.skip')}</a>
<header class="site-header${isFront && ' front'}" lang="${t.language}">
${isFront ? html`<h1>${wordmark}</h1>` : wordmark}
<nav aria-label="${t('site.nav.label')}"><a href="${urls.search()}">${t('site.nav.search')}</a><a href="${urls.page('desk')}">${t('site.nav.write')}</a></nav>
<nav class="sections" aria-label="${t('site.list.categories')}"><ul>
${categories.map((one) => html`<li><a href="${urls.category(one)}"${one === current && html` aria-current="page"`}>${categoryLabel(t, one)}</a></li>\n`)}</ul></nav>
</header>`
}

function footerOf(t: Translator, siteInfo: SiteInfo, urls: Urls): Html {
  const links: readonly (readonly [label: string, address: string])[] = [
    [t('site.topics.title'), urls.topics()],
    [t('site.writers.title'), urls.writers()],
    [t('site.trending.title'), urls.trending()],
    [t('site.archive.title'), urls.archive()],
    [t('site.nav.shop'), urls.shop()],
    [t('site.nav.follow'), urls.follow('site')],
    [t('site.nav.start_writing'), urls.page('desk')],
    ...sitePagesOf(siteInfo).map((page) => [t(`site.nav.${page}`), urls.page(page)] as const),
    [t('site.nav.trust'), urls.page('trust')],
    [t('site.nav.developers'), urls.page('developers')],
    ['RSS', urls.siteFeedRss()],
    ['JSON Feed', urls.siteFeedJson()],
  ]
  return html`<footer class="colophon" lang="${t.language}">
<div class="colophon-lines">
<p dir="auto"><strong>${siteInfo.name}</strong><br>${siteInfo.description}</p>
<ul>
${links.map(([label, address]) => html`<li><a href="${address}">${label}</a></li>\n`)}</ul>
</div>
</footer>`
}

/** Only the site itself can write a legal notice; about and privacy have a default (site/static-pages.ts). */
export const sitePagesOf = ({ texts }: SiteInfo): readonly SitePage[] =>
  sitePages.filter((page) => page !== 'imprint' || texts.imprint !== undefined)

interface SearchFieldOptions {
  readonly action: string
  readonly label: string
  /** Further fields. */
  readonly more?: Html | null
}

/** Searches pieces, or what its page is about. */
export const searchField = (
  t: Translator,
  urls: Urls,
  term = '',
  { action, label, more }: SearchFieldOptions = { action: urls.search(), label: t('site.search.field') },
): Html =>
  html`<form class="search-field" role="search" action="${action}">
<label class="hidden" for="q">${label}</label>
<input type="search" id="q" name="q" value="${term}" maxlength="200" dir="auto" enterkeyhint="search">
<button>${t('site.search.submit')}</button>
${more}</form>`

/** A field that people do not see and bots fill in. */
export const honeypot = (t: Translator): Html =>
  html`<p hidden><label>${t('site.report.leave_empty')} <input name="website" tabindex="-1" autocomplete="off"></label></p>`

/** For people: what happened, and what to do. The JSON response has the code. */
const errorMessages: Readonly<Record<number | string, readonly [title: PlainMessageId, advice: PlainMessageId]>> = {
  400: ['site.error.title_400', 'site.error.advice_400'],
  404: ['site.error.title_404', 'site.error.advice_404'],
  405: ['site.error.title_405', 'site.error.advice_405'],
  414: ['site.error.title_414', 'site.error.advice_414'],
  429: ['site.error.title_429', 'site.error.advice_429'],
  500: ['site.error.title_500', 'site.error.advice_500'],
  503: ['site.error.title_503', 'site.error.advice_503'],
  database_away: ['site.error.title_unavailable', 'site.error.advice_unavailable'],
}

export const errorPagesOf = (siteInfo: SiteInfo, urls: Urls): ErrorPages => ({
  site: urls,
  draw: (error, requestId) => errorPage(siteInfo, urls, error, requestId),
})

/** `more` is what could be read instead. */
export function errorPage(
  siteInfo: SiteInfo,
  urls: Urls,
  error: ServiceError,
  requestId: string,
  more: Html | null = null,
): string {
  const t = translatorOf(siteInfo.language)
  const known = errorMessages[error.reason] ?? errorMessages[error.status]
  const title = t(known?.[0] ?? 'site.error.title_500')
  const advice = known ? t(known[1]) : error.detailIn(t.language)
  return document(
    siteInfo,
    urls,
    { title, robots: 'noindex' },
    html`<div class="column">
<h1 class="title">${title}</h1>
<p class="standfirst">${advice}</p>
${searchField(t, urls)}
${more}<p class="note"><a href="${urls.home()}">${t('site.nav.home')}</a><span class="dot">${error.status}</span></p>
<p class="note request-id">${inHtml(t, 'site.error.request_id', { id: html`<code>${requestId}</code>` })}</p>
</div>`,
  )
}
