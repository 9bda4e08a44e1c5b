import type { FastifyReply, onRequestHookHandler } from 'fastify'
import { requestIdHeader } from '../observability/requests.ts'

/** Headers of every response. */
const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const

/** For data and images: opened directly they run and load nothing, and no page can frame them. */
const dataPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/** Machine-readable, for every origin, without credentials. */
const openData = {
  'content-security-policy': dataPolicy,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  'cross-origin-resource-policy': 'cross-origin',
} as const

/** For signed-in users and API keys: no other origin can read it, nothing caches it. */
const closedData = {
  'content-security-policy': dataPolicy,
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** The desk and the write API, including their unknown addresses. */
export const isPrivate = (path: string): boolean => /^\/(desk|api\/v1)(?![^/?])/.test(path)

/** For their routes: an address can be spelled in more ways than `isPrivate` recognises. */
export const privateHeaders: onRequestHookHandler = (_request, reply, done) => {
  for (const name of Object.keys(openData)) reply.removeHeader(name)
  reply.headers(closedData)
  done()
}

export interface SiteHeaders {
  readonly open: Readonly<Record<string, string>>
  readonly closed: Readonly<Record<string, string>>
}

export function siteHeaders(https: boolean): SiteHeaders {
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

/** Where the site is reached. */
export interface SiteBase {
  readonly base: string
}

/** A page with people's text: no scripts, and nothing from other sites except the images they chose. */
export function publicPage(reply: FastifyReply, { base }: SiteBase): void {
  reply.header('content-security-policy', base.startsWith('https:') ? overHttps : pagePolicy)
}

const pagePolicy =
  "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self' https:; font-src 'self'; " +
  "base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'none'"
const overHttps = `${pagePolicy}; upgrade-insecure-requests`

/** The same page as a preview, in a frame of the desk or by a shared link: fully sandboxed. */
export function previewPage(reply: FastifyReply, site: SiteBase): void {
  publicPage(reply, site)
  const policy = String(reply.getHeader('content-security-policy'))
  reply
    .header('content-security-policy', `${policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox`)
    .header('x-robots-tag', 'noindex, nofollow, noarchive')
}

/**
 * The page of a private link, which has a form: sandboxed but for sending it to this site. `allow-same-origin` gives the
 * page the site's origin, which distinguishes the form from another site's; without scripts nothing else uses it.
 */
export function sharedPreviewPage(reply: FastifyReply, site: SiteBase): void {
  previewPage(reply, site)
  reply.header('content-security-policy', `${reply.getHeader('content-security-policy')} allow-forms allow-same-origin`)
}

/** Without images from other sites, which would reveal the reader's address to them. */
export function ownPicturesOnly(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', policy.replace("img-src 'self' https:", "img-src 'self'"))
}

/** Uploaded bytes: shown as an image or not at all. Sandboxed pages have no origin, and can show it too. */
export function mediaBytes(reply: FastifyReply): void {
  reply.header('content-security-policy', dataPolicy).header('cross-origin-resource-policy', 'cross-origin')
}

/** A drawing with a style of its own, for light and dark; it runs and loads nothing either. */
export function styledImage(reply: FastifyReply): void {
  reply.header('content-security-policy', `${dataPolicy}; style-src 'unsafe-inline'`)
}

/** Developer pages run our own script. They show widgets, so portraits from any site are allowed. */
export function developerPage(reply: FastifyReply): void {
  reply.header(
    'content-security-policy',
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; " +
      "img-src 'self' https: data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
}

/**
 * The desk's application: scripts with the document's nonce, and what those load. Text becomes markup only through the
 * Trusted Types policy `desk`. `frame-src` is for previews.
 */
export function deskPage(reply: FastifyReply, nonce: string): void {
  reply.headers({
    'content-security-policy':
      `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'self' 'nonce-${nonce}'; ` +
      "img-src 'self' https:; connect-src 'self'; font-src 'self'; frame-src 'self'; worker-src 'self'; " +
      "base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
      'trusted-types desk; report-to csp',
    'reporting-endpoints': 'csp="/desk/csp-reports"',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
}

/** The desk's service worker may fetch its files, and nothing else. */
export function serviceWorker(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': "default-src 'none'; connect-src 'self'",
    'service-worker-allowed': '/desk',
    'cross-origin-resource-policy': 'same-origin',
  })
}
