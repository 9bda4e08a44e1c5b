import type { FastifyReply, onRequestHookHandler } from 'fastify'
import type { Urls } from '../urls.ts'
import { requestIdHeader } from './request-id.ts'

/** Headers of everything that passes through Fastify. */
const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const

/** Of what is data or a picture: shown by itself, it runs and loads nothing, and no page frames it. */
const dataPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** Machine-readable and open to every origin, without credentials. */
const openData = {
  'content-security-policy': dataPolicy,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** For people who are signed in and for keys: no other origin reads it, nobody keeps it. */
const closedData = {
  'content-security-policy': dataPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** The desk and the write API, whatever they answer, and be it that there is no such address. */
export const isPrivate = (path: string): boolean => /^\/(desk|api\/v1)(?![^/?])/.test(path)

/** For every route of theirs: an address may be spelled in more ways than `isPrivate` knows. */
export const privateHeaders: onRequestHookHandler = (_request, reply, done) => {
  for (const name of Object.keys(openData)) reply.removeHeader(name)
  reply.headers(closedData)
  done()
}

export interface SiteHeaders {
  readonly open: Readonly<Record<string, string>>
  readonly closed: Readonly<Record<string, string>>
}

export function headersOfAll(https: boolean): SiteHeaders {
  const all = {
    ...everywhere,
    ...(https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
  return { open: { ...all, ...openData }, closed: { ...all, ...closedData } }
}

export function securityHeaders({ open, closed }: SiteHeaders): onRequestHookHandler {
  return (request, reply, done) => {
    reply.headers(isPrivate(request.url) ? closed : open).header(requestIdHeader, request.id)
    done()
  }
}

/** A page with writers' text: no script ever, nothing from elsewhere but the pictures they chose. */
export function publicPage(reply: FastifyReply, urls: Urls): void {
  reply.header('content-security-policy', urls.base.startsWith('https:') ? overHttps : pagePolicy)
}

const pagePolicy =
  "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self' https:; font-src 'self'; " +
  "base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'none'"
const overHttps = `${pagePolicy}; upgrade-insecure-requests`

/** The same page before it is public, in a frame of the desk or for whoever was sent a link: it can do nothing at all. */
export function previewPage(reply: FastifyReply, urls: Urls): void {
  publicPage(reply, urls)
  const policy = String(reply.getHeader('content-security-policy'))
  reply
    .header('content-security-policy', `${policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox`)
    .header('x-robots-tag', 'noindex, nofollow, noarchive')
}

/** The same, where its reader's address is nobody else's business. */
export function ownPicturesOnly(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', policy.replace("img-src 'self' https:", "img-src 'self'"))
}

/** Bytes that somebody sent us: shown as a picture or not at all. Pages in a sandbox are of no origin, and show it too. */
export function mediaBytes(reply: FastifyReply): void {
  reply.header('content-security-policy', dataPolicy).header('cross-origin-resource-policy', 'cross-origin')
}

/** The pages for developers run our own script; of writers' they show what the widgets do, portraits from anywhere too. */
export function developerPage(reply: FastifyReply, scriptHashes: readonly string[]): void {
  const scripts = ["'self'", ...scriptHashes.map((hash) => `'sha256-${hash}'`)].join(' ')
  reply.header(
    'content-security-policy',
    `default-src 'none'; script-src ${scripts}; connect-src 'self'; style-src 'self' 'unsafe-inline'; ` +
      "img-src 'self' https: data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
}

/**
 * The desk's application: scripts that the document names by its nonce, and what those load. Text becomes markup only
 * through the policy `desk`. `frame-src` is for previews of a piece.
 */
export function deskPage(reply: FastifyReply, nonce: string): void {
  reply.headers({
    'content-security-policy':
      `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'self' 'nonce-${nonce}'; ` +
      "img-src 'self' https:; connect-src 'self'; font-src 'self'; frame-src 'self'; base-uri 'none'; " +
      "form-action 'self'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
      'trusted-types desk; report-to csp',
    'reporting-endpoints': 'csp="/desk/csp-reports"',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
}
