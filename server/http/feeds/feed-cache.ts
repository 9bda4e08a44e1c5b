import { tagsOfCoAuthors } from '#features/cache-tags.ts'
import { createLru } from '#platform/lru.ts'
import type { Feed } from './feed.ts'

/** About 300 feeds of usual length, per format. */
const cacheBytes = 64 * 1024 * 1024

/** A serialised feed and what its headers need. */
export interface CachedFeed extends Pick<Feed, 'edition' | 'modified' | 'nextCursor'> {
  readonly bytes: Buffer
  /** Cache tags of those who sign pieces of it together. */
  readonly tags: readonly string[]
}

type Newest = (name: string, current: () => Promise<string>, read: () => Promise<Feed>) => Promise<CachedFeed>

export interface FeedCache {
  /** Serialises this page. */
  page(feed: Feed): CachedFeed
  /** The newest page of a channel, read and serialised only if it changed. */
  readonly newest: Newest
}

/**
 * Reading and serialising thirty texts takes twenty times as long as checking whether they changed. Only newest pages
 * are cached: others are rarely requested twice.
 */
export function createFeedCache(write: (feed: Feed) => Buffer, most: number = cacheBytes): FeedCache {
  const cache = createLru<CachedFeed>(most)

  const page = (feed: Feed): CachedFeed => {
    const { edition, modified, nextCursor } = feed
    return {
      edition,
      modified,
      nextCursor,
      bytes: write(feed),
      tags: tagsOfCoAuthors(feed.pieces.map(({ piece }) => piece)),
    }
  }

  return {
    page,
    async newest(name, current, read) {
      const known = cache.get(name)
      if (known && known.edition === (await current())) return known
      // Stored under the edition that was read: a lagging replica may return an older one than requested.
      const entry = page(await read())
      cache.set(name, entry, entry.bytes.length)
      return entry
    },
  }
}
