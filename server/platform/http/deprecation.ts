import type { onRequestHookHandler } from 'fastify'

/** Announces on every answer of a route that it will go: since when (RFC 9745), until when (RFC 8594), and what instead. */
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
