import type { SiteInfo } from '#config/site-info.ts'
import type { ReadContext } from '#features/context.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { askedLanguage } from '#http/language-label.ts'
import { ServiceError } from '#platform/errors.ts'
import {
  authorChannel,
  type Channel,
  categoryChannel,
  channelInLanguage,
  currentEdition,
  readFeed,
  seriesChannel,
  siteChannel,
  topicChannel,
  trendingChannel,
} from './feed.ts'
import { type CachedFeed, createFeedCache, type FeedCache } from './feed-cache.ts'
import { writeJsonFeed, writeRss } from './formats.ts'

/** Every feed of the site: where it is, and its bytes. For the routes, and for those who subscribe to one. */

export const formats = {
  json: { type: 'application/feed+json', write: writeJsonFeed, address: ({ json }: Channel) => json },
  xml: { type: 'application/rss+xml; charset=utf-8', write: writeRss, address: ({ rss }: Channel) => rss },
} as const

export type Ending = keyof typeof formats
type Names = Readonly<Record<string, string>>

/** Feeds of one kind. */
export interface FeedPlace {
  /** The address, up to `/feed.json`. */
  readonly path: string
  /** The page that a feed with these names is of, if they are current. */
  page(urls: Urls, names: Names): string
  channel(reads: ReadContext, siteInfo: SiteInfo, names: Names): Channel | Promise<Channel>
}

export const feedPlaces: readonly FeedPlace[] = [
  { path: '', page: (urls) => urls.home(), channel: ({ urls }, siteInfo) => siteChannel(urls, siteInfo) },
  {
    path: '/category/:category',
    page: (urls, { category }) => urls.category(category!),
    channel: ({ urls }, siteInfo, { category }) => categoryChannel(urls, siteInfo, category!),
  },
  {
    path: '/trending',
    page: (urls) => urls.trending(),
    channel: ({ urls }, siteInfo) => trendingChannel(urls, siteInfo),
  },
  {
    path: '/topic/:topic',
    page: (urls, { topic }) => urls.topic(topic!),
    channel: (reads, siteInfo, { topic }) => topicChannel(reads, siteInfo, topic!),
  },
  {
    path: '/author/:slug',
    page: (urls, { slug }) => urls.profile(slug!),
    channel: (reads, siteInfo, { slug }) => authorChannel(reads, siteInfo, slug!),
  },
  {
    path: '/author/:slug/series/:series',
    page: (urls, { slug, series }) => urls.series(slug!, series!),
    channel: (reads, siteInfo, { slug, series }) => seriesChannel(reads, siteInfo, slug!, series!),
  },
]

/** A feed that is there now. */
export interface FoundFeed {
  readonly channel: Channel
  readonly ending: Ending
  /** The current address, which may be another than the one that was asked for. */
  readonly address: string
  /** What it is of, as the database notes what has changed: `site`, `author:…`. */
  readonly subject: string
}

/** Undefined if there is none at this address of ours, or no longer. */
export async function feedAt(reads: ReadContext, siteInfo: SiteInfo, address: string): Promise<FoundFeed | undefined> {
  const asked = readAddress(reads.urls, address)
  if (!asked) return undefined
  const { place, names, ending, language } = asked
  try {
    const channel = channelInLanguage(await place.channel(reads, siteInfo, names), siteInfo, language)
    return { channel, ending, address: formats[ending].address(channel), subject: subjectOf(channel) }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined
    throw error
  }
}

function readAddress({ base }: Urls, address: string) {
  if (!address.startsWith(`${base}/`) || !URL.canParse(address)) return undefined
  const { searchParams } = new URL(address)
  const [path = ''] = address.slice(base.length).split(/[?#]/, 1)
  const [, before = '', ending] = /^(.*)\/feed\.(json|xml)$/.exec(path) ?? []
  for (const place of ending ? feedPlaces : []) {
    const names = namesIn(place.path, before)
    const language = askedLanguage(searchParams.get('language') ?? undefined)
    if (names) return { place, names, ending: ending as Ending, language }
  }
  return undefined
}

function namesIn(pattern: string, path: string): Names | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const names: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    if (!part.startsWith(':') && part !== given[at]) return undefined
    if (part.startsWith(':')) {
      try {
        names[part.slice(1)] = decodeURIComponent(given[at]!)
      } catch {
        return undefined
      }
    }
  }
  return names
}

function subjectOf({ ranked, source: { category, topic, authorId, seriesId } }: Channel): string {
  if (ranked) return 'trending'
  if (category) return `section:${category}`
  if (topic) return `topic:${topic}`
  if (seriesId) return `series:${seriesId}`
  return authorId ? `author:${authorId}` : 'site'
}

/** The address of the same feed, in the language that was asked for. */
export const currentAddress = (channel: Channel, ending: Ending, language: string | undefined): string =>
  inLanguage(formats[ending].address(channel), askedLanguage(language))

/** `most` bytes of each format are kept. */
export interface FeedWriter {
  write(channel: Channel, ending: Ending, cursor?: string): Promise<CachedFeed>
}

export function createFeedWriter(reads: ReadContext, most?: number): FeedWriter {
  const caches: Readonly<Record<Ending, FeedCache>> = {
    json: createFeedCache(formats.json.write, most),
    xml: createFeedCache(formats.xml.write, most),
  }
  return {
    async write(channel, ending, cursor) {
      const cache = caches[ending]
      const read = () => readFeed(reads, channel, cursor)
      return cursor ? cache.page(await read()) : cache.newest(channel.page, () => currentEdition(reads, channel), read)
    },
  }
}
