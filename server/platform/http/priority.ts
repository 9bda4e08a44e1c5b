/**
 * What a request weighs, from what gives way first to what gives way last: dear questions before cheap ones, readers
 * before writers, and whoever sits at the desk last of all.
 */
export const weights = ['search', 'tools', 'list', 'single', 'write', 'desk'] as const
export type Weight = (typeof weights)[number]

/**
 * By the address alone, for whoever must know before there is a route. deploy/haproxy/weights.map says the same to the
 * balancer. No address of ours needs a %: one that has it could be anything, and gives way first.
 */
const places: readonly (readonly [RegExp, Weight | undefined])[] = [
  // Fonts, styles, scripts and the icon: bytes at hand, and a page without them helps nobody.
  [/^\/(?:fonts|embed|desk\/assets|developers|developers\/reference\/js)\/[\w.-]+\.(?:css|js|svg|woff2)$/, undefined],
  [/^\/(?:style\.[\w-]+\.css|embed\.js|favicon\.(?:svg|ico))$/, undefined],
  [/%/, 'search'],
  [/^\/desk(?:\/|$)/, 'desk'],
  [/^\/api\/v1\//, 'write'],
  [/^\/api\/mcp$/, 'tools'],
  [/^\/(?:search|shop|api\/public\/[a-z]+\/search)$|^\/image\//, 'search'],
  [/^\/(?:category\/[^/]+|author\/[^/]+|api\/public\/pieces\/(?:recent|trending)|[^/]+\.txt)?$/, 'list'],
  [/\/(?:feed\.(?:json|xml)|sitemap[^/]*\.xml)$/, 'list'],
]

/** Undefined for what is never refused. */
export function weightOf(url: string): Weight | undefined {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  for (const [pattern, weight] of places) if (pattern.test(path)) return weight
  return 'single'
}
