import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Urls } from '#features/urls.ts'
import { document, type PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import type { Html } from '#platform/html.ts'
import { preferred, varyBy } from '#platform/http/negotiation.ts'
import { publicPage } from '#platform/http/security.ts'
import { createLru } from '#platform/lru.ts'

/** A rendered page and its Link header. */
export interface RenderedPage<Markup = string | Buffer> {
  readonly markup: Markup
  readonly links: string
}

export const renderPage = (
  { siteInfo, reads: { urls } }: PublicContext,
  head: PageHead,
  main: Html,
): RenderedPage<string> => ({
  markup: document(siteInfo, urls, head, main),
  links: linksOf(head),
})

/** Sets the security headers, Link and content type of a page. */
export function pageHeaders<Markup>(reply: FastifyReply, urls: Urls, { markup, links }: RenderedPage<Markup>): Markup {
  publicPage(reply, urls)
  if (links) reply.header('link', links)
  reply.type('text/html; charset=utf-8')
  return markup
}

export const page = (reply: FastifyReply, context: PublicContext, head: PageHead, main: Html): string =>
  pageHeaders(reply, context.reads.urls, renderPage(context, head, main))

/** Whether the client prefers Markdown at the page's own address. */
export function isForMarkdown(request: FastifyRequest, reply: FastifyReply): boolean {
  varyBy(reply, 'Accept')
  return preferred(request.headers.accept, ['text/html', 'text/markdown']) === 'text/markdown'
}

/** Our addresses are ASCII; the URL parser encodes others. */
function linksOf({ canonical, markdown, activity, feeds = [] }: PageHead): string {
  return [
    ...(canonical ? [`<${canonical}>; rel="canonical"`] : []),
    ...(markdown ? [`<${markdown}>; rel="alternate"; type="text/markdown"`] : []),
    ...(activity ? [`<${activity}>; rel="alternate"; type="application/activity+json"`] : []),
    ...feeds.flatMap(({ json, rss }) => [
      `<${json}>; rel="alternate"; type="application/feed+json"`,
      `<${rss}>; rel="alternate"; type="application/rss+xml"`,
    ]),
  ].join(', ')
}

/** Bytes of cached pages per process; with their source data about four times as much. */
const cacheBytes = 8 * 1024 * 1024

type CachedRender<Facts> = (
  key: string,
  facts: Facts,
  draw: (facts: Facts) => RenderedPage<string>,
) => RenderedPage<Buffer>

/**
 * Renders a page again only if its data changed. The data is read and compared each time, which takes a tenth of
 * rendering, encoding and hashing.
 */
export function createPageCache<Facts>(): CachedRender<Facts> {
  const cache = createLru<{ facts: Facts; page: RenderedPage<Buffer> }>(cacheBytes)
  return (key, facts, draw) => {
    const known = cache.get(key)
    if (known && isDeepEqual(known.facts, facts)) return known.page
    const { markup, links } = draw(facts)
    const page = { markup: Buffer.from(markup), links }
    cache.set(key, { facts, page }, page.markup.length)
    return page
  }
}

/** For plain data only. */
function isDeepEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => isDeepEqual(one[name as keyof typeof one], other[name as keyof typeof other]))
}
