import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Urls } from '../urls.ts'

/** The next page as a `Link` header too, for clients that follow links. */
export function linkNext<Page extends { next_cursor: string | null }>(
  request: FastifyRequest,
  reply: FastifyReply,
  urls: Urls,
  page: Page,
): Page {
  if (page.next_cursor !== null) {
    const next = new URL(request.url, urls.base)
    next.searchParams.set('cursor', page.next_cursor)
    reply.header('link', `<${urls.base}${next.pathname}${next.search}>; rel="next"`)
  }
  return page
}

/** The same list from another place on. */
export const pageAddress = (list: string, cursor: string | null | undefined): string =>
  cursor ? `${list}?cursor=${cursor}` : list
