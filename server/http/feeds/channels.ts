import { tagsOfAuthor } from '#features/authors/cache-tags.ts'
import { authorAt } from '#features/authors/reads.ts'
import { tagsOfPieceLists } from '#features/pieces/cache-tags.ts'
import type { Shelf } from '#features/pieces/queries.ts'
import { categories, categoryName } from '#features/pieces/schema.ts'
import type { ReadContext } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import type { SiteInfo } from '#platform/site.ts'
import type { Urls } from '#platform/urls.ts'

/** What a feed is of, and what it says of itself in every format. */
export interface Channel {
  readonly shelf: Shelf
  readonly title: string
  readonly description: string
  /** The page that shows the same to people. */
  readonly page: string
  readonly json: string
  readonly rss: string
  readonly favicon: string
  /** Whose feed it is, if it is one person's. */
  readonly author?: { readonly name: string; readonly url: string; readonly avatar: string | null }
  /** What an edge calls it. */
  readonly tags: readonly string[]
}

const faviconOf = (urls: Urls): string => urls.page('favicon.svg')

export const siteChannel = (urls: Urls, { name, description }: SiteInfo): Channel => ({
  shelf: 'all',
  title: name,
  description: description || `Everything published at ${name}, newest first.`,
  page: urls.home(),
  json: urls.siteFeedJson(),
  rss: urls.siteFeedRss(),
  favicon: faviconOf(urls),
  tags: tagsOfPieceLists,
})

export function categoryChannel(urls: Urls, { name }: SiteInfo, given: string): Channel {
  const category = categories.find((one) => one === given)
  if (category === undefined) throw notFound(`No category has this name. There are ${categories.join(', ')}.`)
  const heading = categoryName(category)
  return {
    shelf: { category },
    title: `${heading} · ${name}`,
    description: `Pieces in ${heading} at ${name}, newest first.`,
    page: urls.category(category),
    json: urls.categoryFeedJson(category),
    rss: urls.categoryFeedRss(category),
    favicon: faviconOf(urls),
    tags: tagsOfPieceLists,
  }
}

/** A former slug finds the author too: the channel's own addresses are the ones it has. */
export async function authorChannel(reads: ReadContext, slug: string): Promise<Channel> {
  const found = await authorAt(reads, slug)
  if (!found) throw notFound('No author has this slug.')
  const { id: authorId, author } = found
  return {
    shelf: { authorId },
    title: author.name,
    description: author.bio || `Pieces by ${author.name}, newest first.`,
    page: author.urls.profile,
    json: author.urls.feed_json,
    rss: author.urls.feed_rss,
    favicon: faviconOf(reads.urls),
    author: { name: author.name, url: author.urls.profile, avatar: author.avatar_url },
    tags: tagsOfAuthor(author.slug),
  }
}
