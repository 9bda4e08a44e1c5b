import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from '#platform/html.ts'
import { preferred } from '#platform/http/accept.ts'
import { varyBy } from '#platform/http/compression.ts'
import type { PublicContext } from '#platform/http/public-context.ts'
import { publicPage } from '#platform/http/security.ts'
import { document, type PageHead } from '#platform/page/layout.ts'
import type { Urls } from '#platform/urls.ts'

/** A page in the site's shell, and its links as a header has them. */
export interface DrawnPage<Markup = string | Buffer> {
  readonly markup: Markup
  readonly links: string
}

export const draw = ({ siteInfo, reads: { urls } }: PublicContext, head: PageHead, main: Html): DrawnPage<string> => ({
  markup: document(siteInfo, urls, head, main),
  links: linksOf(head),
})

/** With the policy of pages. */
export function show<Markup>(reply: FastifyReply, urls: Urls, { markup, links }: DrawnPage<Markup>): Markup {
  publicPage(reply, urls)
  if (links) reply.header('link', links)
  reply.type('text/html; charset=utf-8')
  return markup
}

export const page = (reply: FastifyReply, context: PublicContext, head: PageHead, main: Html): string =>
  show(reply, context.reads.urls, draw(context, head, main))

/** Whoever would rather have Markdown gets it at the page's own address. */
export function isForMarkdown(request: FastifyRequest, reply: FastifyReply): boolean {
  varyBy(reply, 'Accept')
  return preferred(request.headers.accept, ['text/html', 'text/markdown']) === 'text/markdown'
}

/** Addresses of ours are ASCII; those of others are written so by the URL parser. */
function linksOf({ canonical, markdown, feeds = [] }: PageHead): string {
  return [
    ...(canonical ? [`<${canonical}>; rel="canonical"`] : []),
    ...(markdown ? [`<${markdown}>; rel="alternate"; type="text/markdown"`] : []),
    ...feeds.flatMap(({ json, rss }) => [
      `<${json}>; rel="alternate"; type="application/feed+json"`,
      `<${rss}>; rel="alternate"; type="application/rss+xml"`,
    ]),
  ].join(', ')
}
