import { isUuid } from '#platform/cursor.ts'
import { initialsOf } from '#platform/text/initials.ts'

/** Builds every public URL of the service, and reads those that people paste. */

/** A piece by its id, or what is at the address of an author or of one of their pieces. */
type PageAddress = { readonly id: string } | { readonly author: string; readonly piece: string | undefined }

export interface Urls {
  readonly base: string
  /**
   * What a URL of ours is the page of, or its Markdown; undefined for any other text. Over http or https, whatever its
   * query and fragment are. Nothing may be there.
   */
  pageAt(url: string): PageAddress | undefined
  home(): string
  category(category: string): string
  search(query?: string): string
  /** All topics, and one of them. */
  topics(): string
  topic(topic: string): string
  topicMarkdown(topic: string): string
  topicFeedJson(topic: string): string
  topicFeedRss(topic: string): string
  /** All authors by name; from an initial on. */
  writers(from?: string): string
  /** What is read most; in another window than the usual one. */
  trending(window?: string): string
  trendingFeedJson(): string
  trendingFeedRss(): string
  /** All months, and one such as `2026-11`. */
  archive(month?: string): string
  /** A static page of the site: about, imprint, privacy, developers. */
  page(name: string): string
  /** The permanent id of a piece, used in feeds, tools and webhooks. */
  pieceId(id: string): string
  /** The same piece from the API, and its publication receipt. */
  pieceJson(id: string): string
  receipt(id: string): string
  receiptKeys(): string
  piece(authorSlug: string, pieceSlug: string): string
  profile(authorSlug: string): string
  series(authorSlug: string, seriesSlug: string): string
  seriesMarkdown(authorSlug: string, seriesSlug: string): string
  seriesFeedJson(authorSlug: string, seriesSlug: string): string
  seriesFeedRss(authorSlug: string, seriesSlug: string): string
  /** The same page as Markdown. */
  pieceMarkdown(authorSlug: string, pieceSlug: string): string
  profileMarkdown(authorSlug: string): string
  /** The preview image that other sites show with a link. */
  pieceImage(id: string): string
  profileImage(authorSlug: string): string
  siteImage(): string
  sectionImage(category: string): string
  /**
   * The drawn cover of a piece that has no picture (3:2, SVG). The address is all that the drawing is made of, so it can
   * be cached forever. The id may be the UUID or the permanent id.
   */
  drawnCover(category: string | null, id: string, title: string): string
  /** The one-pixel image that counts reads of a piece. */
  pixel(id: string): string
  badge(authorSlug: string): string
  /** A widget as a page, for iframes. */
  widget(authorSlug: string, kind: string): string
  embedScript(): string
  oembed(url: string): string
  feedJson(authorSlug: string): string
  feedRss(authorSlug: string): string
  categoryFeedJson(category: string): string
  categoryFeedRss(category: string): string
  siteFeedJson(): string
  siteFeedRss(): string
  /** Where feed readers subscribe to a feed (W3C WebSub). */
  feedHub(): string
  /** An author or the site in the fediverse (ActivityPub), and what belongs to it. These outlive every change of a slug. */
  actor(id: string): string
  actorOutbox(id: string): string
  actorFollowers(id: string): string
  /** Where other servers send what concerns an actor; and what concerns any. */
  actorInbox(id: string): string
  sharedInbox(): string
  /** A piece in the fediverse, and what happened to it. */
  pieceObject(id: string): string
  activity(id: string): string
  /** The shop, or its products that match a search. */
  shop(query?: string): string
  /** All products of one author. */
  shopOf(seller: string): string
  product(slug: string): string
  productMarkdown(slug: string): string
  /** An image used by a public piece or profile. */
  media(hash: string): string
  /** The form to follow something by email, by its path: `site`, `author/ada-okafor`. */
  follow(subject: string): string
  /** Where a reader sees and changes what they follow. */
  following(token: string): string
  /** Ends what one email was sent for: a page with a button, and the target of RFC 8058. */
  stopEmail(token: string): string
  /** The public MCP server. */
  toolServer(): string
  /** The MCP server for drafting, which requires an API key. */
  draftingServer(): string
  /** The preview page of an unpublished piece, for anyone who has the token. */
  preview(token: string): string
  invitation(token: string): string
  /** The editor of a piece in the desk. */
  editPiece(id: string): string
}

/** The address of a list, limited to one language. */
export const inLanguage = (address: string, language: string | undefined): string =>
  language === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}language=${language}`

/** Raised whenever the drawing changes: caches keep every address for a year. */
export const coverVersion = 1
/** In addresses of drawn covers: a piece without a category, and a headline without a character to draw. */
export const noCategory = '_'
export const noInitials = '_'

export function urlsFor(baseUrl: string): Urls {
  const base = baseUrl.replace(/\/+$/, '')
  /** One segment longer than the address of a piece, so a piece called "series" is not in its way. */
  const series = (authorSlug: string, seriesSlug: string) =>
    `${base}/author/${authorSlug}/series/${encodeURIComponent(seriesSlug)}`
  return {
    base,
    pageAt: (url) => readPageAddress(url, base),
    home: () => `${base}/`,
    category: (category) => `${base}/category/${category}`,
    search: (query) => (query === undefined ? `${base}/search` : `${base}/search?q=${encodeURIComponent(query)}`),
    topics: () => `${base}/topics`,
    topic: (topic) => `${base}/topic/${encodeURIComponent(topic)}`,
    topicMarkdown: (topic) => `${base}/topic/${encodeURIComponent(topic)}.md`,
    topicFeedJson: (topic) => `${base}/topic/${encodeURIComponent(topic)}/feed.json`,
    topicFeedRss: (topic) => `${base}/topic/${encodeURIComponent(topic)}/feed.xml`,
    writers: (from) => (from === undefined ? `${base}/writers` : `${base}/writers?from=${encodeURIComponent(from)}`),
    trending: (window) => (window === undefined ? `${base}/trending` : `${base}/trending?window=${window}`),
    trendingFeedJson: () => `${base}/trending/feed.json`,
    trendingFeedRss: () => `${base}/trending/feed.xml`,
    archive: (month) => (month === undefined ? `${base}/archive` : `${base}/archive/${month.replace('-', '/')}`),
    page: (name) => `${base}/${name}`,
    pieceId: (id) => `${base}/p/${id}`,
    pieceJson: (id) => `${base}/api/public/pieces/${id}`,
    receipt: (id) => `${base}/p/${id}/receipt`,
    receiptKeys: () => `${base}/.well-known/standfirst-receipts.json`,
    piece: (authorSlug, pieceSlug) => `${base}/author/${authorSlug}/${encodeURIComponent(pieceSlug)}`,
    profile: (authorSlug) => `${base}/author/${authorSlug}`,
    series,
    seriesMarkdown: (authorSlug, seriesSlug) => `${series(authorSlug, seriesSlug)}.md`,
    seriesFeedJson: (authorSlug, seriesSlug) => `${series(authorSlug, seriesSlug)}/feed.json`,
    seriesFeedRss: (authorSlug, seriesSlug) => `${series(authorSlug, seriesSlug)}/feed.xml`,
    pieceMarkdown: (authorSlug, pieceSlug) => `${base}/author/${authorSlug}/${encodeURIComponent(pieceSlug)}.md`,
    profileMarkdown: (authorSlug) => `${base}/author/${authorSlug}.md`,
    pieceImage: (id) => `${base}/image/piece/${id}.png`,
    profileImage: (authorSlug) => `${base}/image/author/${authorSlug}.png`,
    siteImage: () => `${base}/image/site.png`,
    sectionImage: (category) => `${base}/image/section/${category}.png`,
    drawnCover: (category, id, title) =>
      `${base}/cover/${coverVersion}/${category ?? noCategory}/${id.slice(-12)}/${encodeURIComponent(initialsOf(title) || noInitials)}.svg`,
    pixel: (id) => `${base}/r/${id}.gif`,
    badge: (authorSlug) => `${base}/embed/${authorSlug}/badge.svg`,
    widget: (authorSlug, kind) => `${base}/embed/${authorSlug}/${kind}`,
    embedScript: () => `${base}/embed.js`,
    oembed: (url) => `${base}/oembed?url=${encodeURIComponent(url)}`,
    feedJson: (authorSlug) => `${base}/author/${authorSlug}/feed.json`,
    feedRss: (authorSlug) => `${base}/author/${authorSlug}/feed.xml`,
    categoryFeedJson: (category) => `${base}/category/${category}/feed.json`,
    categoryFeedRss: (category) => `${base}/category/${category}/feed.xml`,
    siteFeedJson: () => `${base}/feed.json`,
    siteFeedRss: () => `${base}/feed.xml`,
    shop: (query) => (query === undefined ? `${base}/shop` : `${base}/shop?q=${encodeURIComponent(query)}`),
    shopOf: (seller) => `${base}/shop?seller=${seller}`,
    product: (slug) => `${base}/shop/${encodeURIComponent(slug)}`,
    productMarkdown: (slug) => `${base}/shop/${encodeURIComponent(slug)}.md`,
    toolServer: () => `${base}/api/mcp`,
    draftingServer: () => `${base}/api/v1/mcp`,
    media: (hash) => `${base}/media/${hash}`,
    follow: (subject) => `${base}/desk/follow/${subject}`,
    following: (token) => `${base}/desk/following/${token}`,
    feedHub: () => `${base}/desk/websub`,
    actor: (id) => `${base}/fediverse/actors/${id}`,
    actorOutbox: (id) => `${base}/fediverse/actors/${id}/outbox`,
    actorFollowers: (id) => `${base}/fediverse/actors/${id}/followers`,
    actorInbox: (id) => `${base}/desk/fediverse/actors/${id}/inbox`,
    sharedInbox: () => `${base}/desk/fediverse/inbox`,
    pieceObject: (id) => `${base}/fediverse/pieces/${id}`,
    activity: (id) => `${base}/fediverse/activities/${id}`,
    stopEmail: (token) => `${base}/desk/following/stop/${token}`,
    preview: (token) => `${base}/desk/preview/${token}`,
    // A fragment is never sent: the token appears in no server log and no Referer.
    invitation: (token) => `${base}/desk/sign-up#${token}`,
    editPiece: (id) => `${base}/desk/edit/pieces/${id}`,
  }
}

function readPageAddress(url: string, base: string): PageAddress | undefined {
  const [given, ours] = [URL.parse(url), new URL(base)]
  const prefix = ours.pathname.replace(/\/$/, '')
  const isOurs = given && /^https?:$/.test(given.protocol) && given.host === ours.host
  if (!isOurs || !given.pathname.startsWith(`${prefix}/`)) return undefined
  const [kind, first, second, ...rest] = decoded(given.pathname.slice(prefix.length + 1).replace(/(?:\.md|\/)$/, ''))
  if (!first || rest.length > 0) return undefined
  const name = first.toLowerCase()
  if (kind === 'p') return second === undefined && isUuid(name) ? { id: name } : undefined
  return kind === 'author' ? { author: name, piece: second?.toLowerCase().normalize('NFC') } : undefined
}

/** The parts of a path. Slugs may be in any script; a path with a broken escape is none of ours. */
function decoded(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}
