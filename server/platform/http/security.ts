import type { FastifyReply, onRequestHookHandler } from 'fastify'

/** Headers of everything that passes through Fastify. */
const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const

/** Machine-readable and open to every origin, without credentials. */
const openData = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, Retry-After, RateLimit, RateLimit-Policy',
  'cross-origin-resource-policy': 'cross-origin',
} as const

export const headersOfAll = (https: boolean): Readonly<Record<string, string>> => ({
  ...everywhere,
  ...openData,
  ...(https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
})

export function securityHeaders(headers: Readonly<Record<string, string>>): onRequestHookHandler {
  return (_request, reply, done) => {
    reply.headers(headers)
    done()
  }
}

/** The pages for developers run our own script and show no writer's text. */
export function developerPage(reply: FastifyReply, scriptHashes: readonly string[]): void {
  const scripts = ["'self'", ...scriptHashes.map((hash) => `'sha256-${hash}'`)].join(' ')
  reply.header(
    'content-security-policy',
    `default-src 'none'; script-src ${scripts}; connect-src 'self'; style-src 'self' 'unsafe-inline'; ` +
      "img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
}
