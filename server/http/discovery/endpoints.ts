import { categories } from '#features/pieces/schema.ts'
import { type DocsGroup, docsGroups, docsPath } from '#http/docs-toc.ts'

/**
 * Every public address in one list, from which /llms.txt, /robots.txt, the sitemap's static pages, security.txt and
 * /developers/addresses are made. test/pages/discovery.test.ts compares it with the registered routes.
 */

export type Section =
  | 'guides'
  | 'background'
  | 'reading'
  | 'drafting'
  | 'feeds'
  | 'tools'
  | 'markdown'
  | 'embeds'
  | 'pages'
  | 'discovery'

export interface Address {
  readonly section: Section
  /** Parameters are in braces: `/author/{slug}/feed.json`. */
  readonly path: string
  readonly title: string
  readonly about: string
  /** Default: GET. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** A required or example query. */
  readonly query?: string
  /** A page to list in the sitemap. */
  readonly onMap?: true
}

type Line = readonly [path: string, title: string, about: string, more?: Pick<Address, 'method' | 'query' | 'onMap'>]

const section = (name: Section, lines: readonly Line[]): Address[] =>
  lines.map(([path, title, about, more]) => ({ section: name, path, title, about, ...more }))

const inSitemap = { onMap: true } as const

/** Each guide as a page, then each as Markdown. */
function docsLines(groups: readonly DocsGroup[]): Line[] {
  const pages = groups.flatMap((group) => group.pages)
  return [
    ...pages.map((page): Line => [docsPath(page), page.title, page.about, inSitemap]),
    ...pages
      .filter(({ file }) => file)
      .map((page): Line => [`${docsPath(page)}.md`, `${page.title}, as Markdown`, 'The same words, for programs.']),
  ]
}

const siteGuides = docsGroups.filter((group) => group.ofThisSite)
const generalGuides = docsGroups.filter((group) => !group.ofThisSite)

export const addresses: readonly Address[] = [
  ...section('guides', [
    ['/developers', 'For developers', 'What one may want to do, and where that is told.', inSitemap],
    ...docsLines(siteGuides),
  ]),
  ...section('background', docsLines(generalGuides)),
  ...section('reading', [
    [
      '/api/public/pieces/recent',
      'Recent pieces',
      'The newest, of one category, in one language (language=de), or of all.',
      { query: 'limit=20' },
    ],
    [
      '/api/public/pieces/trending',
      'Trending pieces',
      'Most read first, in a day, a week or a month.',
      { query: 'limit=10' },
    ],
    ['/api/public/pieces/search', 'Search pieces', 'Those that contain a term, best match first.', { query: 'q=tea' }],
    ['/api/public/pieces/{id}', 'One piece', 'Whole, in the shape of a JSON Feed item.'],
    ['/p/{id}/receipt', 'How a piece was published', 'A signed receipt, to verify offline; as a page for people.'],
    ['/api/public/authors/search', 'Search authors', 'By name, niche, role or bio, verified first.', { query: 'q=a' }],
    ['/api/public/authors/{slug}', 'One author', 'Who they are, and where their feeds and badge are.'],
    [
      '/api/public/products/search',
      'Search the shop',
      'What writers sell, by a term or the newest.',
      { query: 'q=tea' },
    ],
    ['/api/public/products/{product}', 'One listing', 'Whole, with where to buy it and related writing.'],
  ]),
  ...section('tools', [
    ['/api/mcp', 'The tool server', 'Model Context Protocol over HTTP: POST JSON-RPC here. GET says what it is.'],
    ['/.well-known/mcp.json', 'Manifest of the tool server', 'Its address, its tools and what they take.'],
    ['/api/mcp/server-card', 'Server card', 'The tool server in short, for clients that know cards.'],
    ['/.well-known/ai-catalog.json', 'AI catalogue', 'Where the server card is.'],
  ]),
  ...section('drafting', [
    ['/api/v1/pieces', 'Make a draft', 'It stays one until its writer publishes it.', { method: 'POST' }],
    ['/api/v1/pieces/me', "The writer's pieces", 'In every state, newest first.'],
    ['/api/v1/pieces/{id}', 'One of them', 'With its text while it is a draft.'],
    ['/api/v1/pieces/{id}', 'Change a draft', 'With the ETag it was read with.', { method: 'PATCH' }],
    ['/api/v1/pieces/{id}', 'Delete a draft', 'With the ETag it was read with.', { method: 'DELETE' }],
    ['/api/v1/leaked-keys', 'Report leaked keys', 'For secret scanners: they are revoked.', { method: 'POST' }],
    ['/api/v1/mcp', 'The tool server for drafts', 'Model Context Protocol with a key: four tools, none publishes.'],
    ['/api/v1/mcp', 'Draft by tools', 'POST JSON-RPC here; GET says what it is.', { method: 'POST' }],
  ]),
  ...section('feeds', [
    [
      '/feed.json',
      'Everything, as JSON Feed',
      'The 30 newest pieces, whole; next_url leads back to the first. Every feed takes language=de, and names a WebSub hub.',
    ],
    ['/feed.xml', 'Everything, as RSS', 'The same for readers that know RSS.'],
    ['/category/{category}/feed.json', 'A category, as JSON Feed', `One of ${categories.join(', ')}.`],
    ['/category/{category}/feed.xml', 'A category, as RSS', 'The same as RSS.'],
    ['/topic/{topic}/feed.json', 'A topic, as JSON Feed', 'The pieces with one tag, however it is spelled.'],
    ['/topic/{topic}/feed.xml', 'A topic, as RSS', 'The same as RSS.'],
    ['/trending/feed.json', 'Trending, as JSON Feed', 'The 30 most read of the week, most read first.'],
    ['/trending/feed.xml', 'Trending, as RSS', 'The same as RSS.'],
    ['/author/{slug}/feed.json', 'An author, as JSON Feed', 'What one author publishes, whole.'],
    ['/author/{slug}/feed.xml', 'An author, as RSS', 'The same as RSS.'],
    ['/author/{writer}/series/{series}/feed.json', 'A series, as JSON Feed', 'Its pieces, whole, newest first.'],
    ['/author/{writer}/series/{series}/feed.xml', 'A series, as RSS', 'The same as RSS.'],
  ]),
  ...section('markdown', [
    ['/author/{slug}.md', 'An author as Markdown', 'Who they are and what they wrote.'],
    ['/topic/{topic}.md', 'A topic as Markdown', 'Its pieces, newest first.'],
    ['/author/{slug}/{piece}.md', 'A piece as Markdown', 'Byline, dates and the whole text.'],
    ['/author/{writer}/series/{series}.md', 'A series as Markdown', 'Its pieces in their order.'],
    ['/shop/{listing}.md', 'A listing as Markdown', 'What it is, what it costs and where to buy it.'],
  ]),
  ...section('embeds', [
    ['/embed.js', 'The widgets', 'One script without dependencies, for any page.'],
    ['/embed/{slug}/badge.svg', 'Badge', "A picture of the writer's name, with the tick if they are verified."],
    ['/embed/{slug}/{kind}', 'A widget as a page', 'For frames: badge, card, list or bio.'],
    ['/oembed', 'oEmbed', 'What to embed for the address of a piece or an author.', { query: 'url={page}' }],
    ['/image/piece/{id}.png', 'Picture of a piece', 'What other sites show with a link to it.'],
    ['/image/author/{slug}.png', 'Picture of an author', 'The same for an author.'],
    ['/image/section/{category}.png', 'Picture of a section', 'The same for a section.'],
    ['/image/site.png', 'Picture of the site', 'The same for all other pages.'],
  ]),
  ...section('pages', [
    ['/', 'Home', 'The newest pieces.', inSitemap],
    ['/category/{category}', 'A category', 'Its pieces, newest first.', inSitemap],
    ['/topics', 'Topics', 'What people write about, with the number of pieces.', inSitemap],
    ['/topic/{topic}', 'A topic', 'The pieces with one tag, newest first.'],
    ['/writers', 'Writers', 'Everyone who publishes here, by name.', inSitemap],
    ['/trending', 'Trending', 'What is read most, today, in 7 or in 30 days.', inSitemap],
    ['/archive', 'Archive', 'Everything, month by month.', inSitemap],
    ['/archive/{year}/{month}', 'A month', 'What was published in it, newest first.'],
    ['/author/{slug}', 'An author', 'Who they are and what they wrote.'],
    ['/author/{slug}/{piece}', 'A piece', 'To read.'],
    ['/author/{writer}/series/{series}', 'A series', "A writer's pieces in the order they chose."],
    ['/p/{id}', 'The permanent address of a piece', 'Leads to its page, wherever that is.'],
    ['/search', 'Search', 'For people.', { query: 'q=tea' }],
    ['/shop', 'Shop', 'What writers sell, newest first.', inSitemap],
    ['/shop/{listing}', 'A listing of the shop', 'What it is, and where to buy it.'],
    ['/about', 'About', 'What this site is.', inSitemap],
    ['/trust', 'Trust', 'What is promised, how it is held, and who is verified.', inSitemap],
    ['/imprint', 'Legal notice', 'Who runs it, if the site says so.'],
    ['/privacy', 'Privacy', 'What it knows of its visitors.', inSitemap],
  ]),
  ...section('discovery', [
    ['/api/openapi.json', 'OpenAPI description', 'Every call of the API, for programs.'],
    ['/api/openapi.yaml', 'OpenAPI description as YAML', 'The same.'],
    ['/llms.txt', 'llms.txt', 'This site for language models, by llmstxt.org.'],
    ['/llms-products.txt', 'llms-products.txt', 'The shop as text, a line for each listing.'],
    ['/sitemap.xml', 'Sitemap', 'Every page, topic, month, author, listing, series and piece, in parts.'],
    ['/sitemap-{part}.xml', 'A part of the sitemap', 'As /sitemap.xml names it.'],
    ['/robots.txt', 'robots.txt', 'What crawlers may ask: all that is public.'],
    ['/.well-known/security.txt', 'security.txt', 'Where to report a weakness, by RFC 9116.'],
    ['/.well-known/standfirst-receipts.json', 'Keys of receipts', 'What receipts are verified with, by RFC 7517.'],
    ['/.well-known/webfinger', 'WebFinger', 'Who is behind @name@host, by RFC 7033.', { query: 'resource={resource}' }],
    ['/.well-known/nodeinfo', 'NodeInfo', 'Where other servers of the fediverse learn what this is.'],
    ['/fediverse/nodeinfo/2.1', 'NodeInfo 2.1', 'Which software this is, and that it speaks ActivityPub.'],
    ['/fediverse/actors/{actor}', 'An actor', 'An author or the site in the fediverse, by ActivityPub.'],
    ['/fediverse/actors/{actor}/outbox', 'Outbox', 'What an actor has posted, newest first.'],
    ['/fediverse/actors/{actor}/followers', 'Followers', 'How many follow an actor.'],
    ['/fediverse/pieces/{id}', 'A piece in the fediverse', 'As an article of ActivityStreams.'],
    ['/favicon.svg', 'The mark of the site', 'For tabs and feeds.'],
    ['/apple-touch-icon.png', 'The mark as a PNG', 'For home screens.'],
    ['/opensearch.xml', 'OpenSearch description', 'How browsers search this site.'],
  ]),
]

/** Disallowed in robots.txt: for signed-in people and for keys. */
export const disallowed: readonly string[] = ['/desk', '/api/v1']

/** Addresses of one section that need no key. */
export const inSection = (name: Section): Address[] =>
  addresses.filter(({ section, method }) => section === name && method === undefined)

/** Values for the parameters in example addresses, as far as the site has content. */
export type Examples = Readonly<
  Partial<
    Record<
      | 'slug'
      | 'piece'
      | 'id'
      | 'category'
      | 'topic'
      | 'year'
      | 'month'
      | 'kind'
      | 'part'
      | 'page'
      | 'product'
      | 'listing'
      | 'writer'
      | 'series'
      | 'actor'
      | 'resource',
      string
    >
  >
>

/** A complete example address; undefined if a value is missing. */
export function exampleOf(base: string, { path, query }: Address, examples: Examples): string | undefined {
  let complete = true
  const fill = (template: string, write: (value: string) => string) =>
    template.replace(/\{(\w+)\}/g, (_, name: keyof Examples) => {
      const value = examples[name]
      complete &&= value !== undefined
      return write(value ?? '')
    })
  const address = base + fill(path, String) + (query === undefined ? '' : `?${fill(query, encodeURIComponent)}`)
  return complete ? address : undefined
}

/** The static pages of the sitemap. */
export const sitemapPages = (base: string): string[] =>
  addresses
    .filter((address) => address.onMap)
    .flatMap((address) => {
      const choices = address.path.includes('{category}') ? categories.map((category) => ({ category })) : [{}]
      return choices.flatMap((examples) => exampleOf(base, address, examples) ?? [])
    })
