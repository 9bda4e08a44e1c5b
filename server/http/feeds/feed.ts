import type { SiteInfo } from '#config/site-info.ts'
import { authorAt } from '#features/authors/reads.ts'
import { tagsOfAuthor, tagsOfPieceLists } from '#features/cache-tags.ts'
import type { ReadContext } from '#features/context.ts'
import { categoryLabel, isCategory } from '#features/pieces/category-label.ts'
import type { Filter } from '#features/pieces/list-queries.ts'
import {
  editionByIds,
  listEdition,
  type PublishedPiece,
  wholePieces,
  wholePiecesByIds,
} from '#features/pieces/public-lists.ts'
import { categories } from '#features/pieces/schema.ts'
import { topicAt } from '#features/pieces/topics.ts'
import { seriesAt } from '#features/series/reads.ts'
import { trendingIds } from '#features/trending/reads.ts'
import { defaultWindow, type TrendingWindow } from '#features/trending/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { withLanguage } from '#http/language-label.ts'
import { message } from '#messages/message.ts'
import { translatorOf } from '#messages/translator.ts'
import { notFound } from '#platform/errors.ts'

/** Enough for readers that poll once a month; older pieces are on the next pages. */
const piecesInFeed = 30

/** A key of everything the feed is written from: equal keys give equal bytes. */
const editionOf = (channel: Channel, pieces: string): string => `${JSON.stringify(channel)} ${pieces}`

/** One page of a channel, before serialisation. */
export interface Feed {
  readonly channel: Channel
  readonly pieces: readonly PublishedPiece[]
  /** Which page; undefined for the newest. */
  readonly cursor: string | undefined
  readonly nextCursor: string | null
  /** The last change of any piece; undefined if there are none. */
  readonly modified: string | undefined
  /** A BCP 47 tag: the language asked for, else that of most pieces; the site's if there are none. */
  readonly language: string
  readonly edition: string
}

export async function readFeed(reads: ReadContext, channel: Channel, cursor: string | undefined): Promise<Feed> {
  if (channel.ranked) {
    const { items, edition } = await wholePiecesByIds(reads, await rankedIds(reads, channel))
    return feedOf(channel, items, { cursor: undefined, nextCursor: null, edition: editionOf(channel, edition) })
  }
  const { items, next_cursor, edition } = await wholePieces(reads, channel.source, { limit: piecesInFeed, cursor })
  return feedOf(channel, items, { cursor, nextCursor: next_cursor, edition: editionOf(channel, edition) })
}

/** The edition `readFeed` would return now, for a fiftieth of the bytes. */
export async function currentEdition(reads: ReadContext, channel: Channel): Promise<string> {
  const pieces = channel.ranked
    ? await editionByIds(reads, await rankedIds(reads, channel))
    : await listEdition(reads, channel.source, { limit: piecesInFeed })
  return editionOf(channel, pieces)
}

/** What is read most has one page: its order changes all the time. */
const rankedIds = (reads: ReadContext, { ranked = defaultWindow, source: { language } }: Channel): Promise<string[]> =>
  trendingIds(reads, { window: ranked, language, limit: piecesInFeed })

export const feedOf = (
  channel: Channel,
  pieces: readonly PublishedPiece[],
  paging: Pick<Feed, 'cursor' | 'nextCursor' | 'edition'>,
): Feed => ({
  channel,
  pieces,
  ...paging,
  modified: lastChange(pieces),
  language: channel.source.language ?? mostUsed(pieces) ?? channel.language,
})

/** The dates have one format and zone, so they compare as text. */
const lastChange = (pieces: readonly PublishedPiece[]): string | undefined =>
  pieces.reduce<string | undefined>(
    (last, { piece }) => (last !== undefined && last > piece.date_modified ? last : piece.date_modified),
    undefined,
  )

/** On a tie, the language of the newest piece; undefined if no piece has a known one. */
function mostUsed(pieces: readonly PublishedPiece[]): string | undefined {
  const known = pieces.map(({ piece }) => piece.language).filter((language) => language !== 'und')
  const counts = new Map<string, number>()
  for (const language of known) counts.set(language, (counts.get(language) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return known.find((language) => counts.get(language) === most)
}

/** Encoded part by part: in one string, a single wide character would make all of it two-byte and slow to encode. */
export const inUtf8 = (parts: readonly string[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)))

/** What a feed contains, and its metadata in every format. */
export interface Channel {
  readonly source: Filter
  /** For the most read of this window, instead of the newest. */
  readonly ranked?: TrendingWindow
  readonly title: string
  readonly description: string
  /** The HTML page with the same content. */
  readonly page: string
  readonly json: string
  readonly rss: string
  /** Where one subscribes to it. */
  readonly hub: string
  readonly favicon: string
  /** The site's, as a BCP 47 tag: for a feed without pieces. */
  readonly language: string
  /** The author, for an author's feed. */
  readonly author?: { readonly name: string; readonly url: string; readonly avatar: string | null }
  /** Cache tags. */
  readonly tags: readonly string[]
}

/** The same in every feed of the site. */
const ofSite = (urls: Urls, { language }: Pick<SiteInfo, 'language'>) => ({
  hub: urls.feedHub(),
  favicon: urls.page('favicon.svg'),
  language,
})

export const siteChannel = (urls: Urls, { name, description, language }: SiteInfo): Channel => ({
  source: {},
  title: name,
  description: description || translatorOf(language)('site.feed.description', { site: name }),
  page: urls.home(),
  json: urls.siteFeedJson(),
  rss: urls.siteFeedRss(),
  ...ofSite(urls, { language }),
  tags: tagsOfPieceLists,
})

export function categoryChannel(urls: Urls, { name, language }: SiteInfo, category: string): Channel {
  const t = translatorOf(language)
  if (!isCategory(category)) throw notFound(message('site.feed.category_not_found', { names: categories.join(', ') }))
  const label = categoryLabel(t, category)
  return {
    source: { category },
    title: `${label} · ${name}`,
    description: t('site.feed.category_description', { category: label, site: name }),
    page: urls.category(category),
    json: urls.categoryFeedJson(category),
    rss: urls.categoryFeedRss(category),
    ...ofSite(urls, { language }),
    tags: tagsOfPieceLists,
  }
}

export function trendingChannel(urls: Urls, { name, language }: SiteInfo): Channel {
  const t = translatorOf(language)
  return {
    source: {},
    ranked: defaultWindow,
    title: t('site.feed.named', { name: t('site.trending.title'), site: name }),
    description: t('site.trending.description', { site: name }),
    page: urls.trending(),
    json: urls.trendingFeedJson(),
    rss: urls.trendingFeedRss(),
    ...ofSite(urls, { language }),
    tags: tagsOfPieceLists,
  }
}

/** By any spelling; the channel has the current address. */
export async function topicChannel(reads: ReadContext, { name: site, language }: SiteInfo, tag: string) {
  const found = await topicAt(reads, tag)
  if (!found) throw notFound(message('site.feed.topic_not_found'))
  const { topic, name } = found
  const { urls } = reads
  const t = translatorOf(language)
  return {
    source: { topic },
    title: t('site.feed.named', { name, site }),
    description: t('site.topic.description', { name, site }),
    page: urls.topic(topic),
    json: urls.topicFeedJson(topic),
    rss: urls.topicFeedRss(topic),
    ...ofSite(urls, { language }),
    tags: tagsOfPieceLists,
  } satisfies Channel
}

/** The pieces of a channel in one language: a feed of its own. */
export const channelInLanguage = (
  channel: Channel,
  { language: spoken }: SiteInfo,
  language: string | undefined,
): Channel =>
  language === undefined
    ? channel
    : {
        ...channel,
        source: { ...channel.source, language },
        title: withLanguage(translatorOf(spoken), channel.title, language),
        page: inLanguage(channel.page, language),
        json: inLanguage(channel.json, language),
        rss: inLanguage(channel.rss, language),
      }

/** The newest parts first, like every feed. Accepts a former slug of the author. */
export async function seriesChannel(
  reads: ReadContext,
  siteInfo: SiteInfo,
  authorSlug: string,
  slug: string,
): Promise<Channel> {
  const { urls } = reads
  const found = await authorAt(reads, authorSlug)
  const series = found && (await seriesAt(reads, found, slug))
  if (!series) throw notFound(message('site.feed.series_not_found'))
  const { author } = found
  const t = translatorOf(siteInfo.language)
  return {
    source: { seriesId: series.id },
    title: series.title,
    description:
      series.description ??
      t('site.feed.series_description', { title: series.title, name: author.name, site: siteInfo.name }),
    page: series.url,
    json: urls.seriesFeedJson(author.slug, series.slug),
    rss: urls.seriesFeedRss(author.slug, series.slug),
    ...ofSite(urls, siteInfo),
    author: { name: author.name, url: author.urls.profile, avatar: author.avatar_url },
    tags: tagsOfAuthor(author.slug),
  }
}

/** Accepts a former slug; the channel has the current addresses. */
export async function authorChannel(reads: ReadContext, siteInfo: SiteInfo, slug: string): Promise<Channel> {
  const found = await authorAt(reads, slug)
  if (!found) throw notFound(message('site.feed.author_not_found'))
  const { id: authorId, author } = found
  const t = translatorOf(siteInfo.language)
  const names = { name: author.name, site: siteInfo.name }
  return {
    source: { authorId },
    title: author.name,
    description: author.bio || t('site.feed.author_description', names),
    page: author.urls.profile,
    json: author.urls.feed_json,
    rss: author.urls.feed_rss,
    ...ofSite(reads.urls, siteInfo),
    author: { name: author.name, url: author.urls.profile, avatar: author.avatar_url },
    tags: tagsOfAuthor(author.slug),
  }
}
