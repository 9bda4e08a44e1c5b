import type { FastifyInstance } from 'fastify'

/** Everything a reader, a feed reader or a program can get from a site, by following its addresses. */

interface CachedAnswer {
  readonly status: number
  readonly content: string
  readonly tags: readonly string[]
}

/** By address and by what was asked for there. */
export type Crawl = ReadonlyMap<string, CachedAnswer>

const base = 'https://site.test'
const beginnings = [
  ...['/', '/about', '/shop', '/trust', '/search', '/search?q=tea', '/search?q=ada', '/shop?q=notebook'],
  ...['/feed.json', '/feed.xml', '/sitemap.xml', '/llms.txt', '/llms-products.txt', '/robots.txt', '/developers'],
  ...['/api/public/pieces/recent', '/api/public/pieces/recent?limit=1', '/api/public/pieces/trending'],
  ...[
    '/api/public/pieces/search?q=tea',
    '/api/public/authors/search?q=writer',
    '/api/public/products/search?q=notebook',
  ],
  ...['/api/mcp', '/api/openapi.json', '/.well-known/standfirst-receipts.json'],
]
const kinds = ['badge', 'card', 'bio', 'list']
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** All links, and the known addresses of each author, piece and listing that is named. */
function leadsIn(path: string, body: string): string[] {
  const named = [...body.matchAll(/(?:https:\/\/site\.test|["'(=])(\/[^\s"'<>()\\]*)/g)].map(([, to]) =>
    to!.replaceAll('&amp;', '&').replace(/#.*/, ''),
  )
  return [...named, path].flatMap((to) => {
    const [, author, piece] = /^\/author\/([a-z0-9-]+)(?:\/([a-z0-9-]+))?$/.exec(to) ?? []
    const [, id] = new RegExp(`(?:/p/|piece/|pieces/|/r/)(${uuid})`).exec(to) ?? []
    return [
      to,
      ...(author ? ofAuthor(author) : []),
      ...(piece
        ? [`${to}.md`, `/oembed?url=${encodeURIComponent(base + to)}`, `/embed/${author}/card?piece=${piece}`]
        : []),
      ...(id ? [`/api/public/pieces/${id}`, `/p/${id}/receipt`, `/image/piece/${id}.png`] : []),
    ]
  })
}

const ofAuthor = (slug: string): string[] => [
  ...[`/author/${slug}`, `/author/${slug}.md`, `/author/${slug}/feed.json`, `/author/${slug}/feed.xml`],
  ...[`/api/public/authors/${slug}`, `/api/public/pieces/recent?author=${slug}`, `/embed/${slug}/badge.svg`],
  ...[
    `/image/author/${slug}.png`,
    `/oembed?url=${encodeURIComponent(`${base}/author/${slug}`)}`,
    `/shop?seller=${slug}`,
  ],
  ...kinds.map((kind) => `/embed/${slug}/${kind}`),
]

/** Paths that are not cached, or show nothing of writers. */
const elsewhere = /^\/(?:desk|api\/v1|r|fonts|style|script|developers\/|embed\/[^/]*$)|\.(?:css|js|woff2)$/
const hasTwins = /^\/(?:author|shop|p|topic)\//

/** Everything an edge may cache of the site now. */
export async function crawl(app: FastifyInstance, also: Iterable<string> = []): Promise<Crawl> {
  const kept = new Map<string, CachedAnswer>()
  const known = new Set<string>()
  const queue = [...beginnings, ...[...also].map((address) => address.split(' ')[0]!)]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (known.has(path) || elsewhere.test(path)) continue
    known.add(path)
    for (const accept of hasTwins.test(path) ? ['text/html', 'text/markdown', 'application/json'] : ['*/*']) {
      const answer = await app.inject({ url: path, headers: { accept } })
      const { statusCode: status, headers, body } = answer
      if (status === 200 && !accept.includes('markdown')) queue.push(...leadsIn(path, body))
      if (/no-store/.test(String(headers['cache-control']))) continue
      const tags = String(headers['surrogate-key'] ?? '')
        .split(' ')
        .filter(Boolean)
      kept.set(`${path} ${accept}`, {
        status,
        tags,
        content: `${headers['link'] ?? ''}\n${answer.rawPayload.toString('latin1')}`,
      })
    }
  }
  return kept
}
