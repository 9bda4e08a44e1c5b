import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { SiteBase } from './security.ts'

/**
 * Announces on every response that a route is deprecated: since when (RFC 9745), until when (RFC 8594), and the guide.
 */
export function deprecated(since: Date, sunset: Date, guide: string): onRequestHookHandler {
  const headers = {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    sunset: sunset.toUTCString(),
    link: `<${guide}>; rel="deprecation"`,
  }
  return (_request, reply, done) => {
    reply.headers(headers)
    done()
  }
}

/** Adds the next page as a `Link` header, for clients that follow links. */
export function linkNext<Page extends { next_cursor: string | null }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { base }: SiteBase,
  page: Page,
): Page {
  if (page.next_cursor !== null) {
    const next = new URL(request.url, base)
    next.searchParams.set('cursor', page.next_cursor)
    reply.header('link', `<${base}${next.pathname}${next.search}>; rel="next"`)
  }
  return page
}

/** The same list, starting at the cursor. */
export const pageAddress = (list: string, cursor: string | null | undefined): string =>
  cursor ? `${list}${list.includes('?') ? '&' : '?'}cursor=${cursor}` : list
