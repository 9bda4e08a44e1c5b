import { createLru } from '#platform/lru.ts'
import type { Feed } from './feed.ts'

/** Some three hundred feeds of usual length, for each format. */
const room = 64 * 1024 * 1024

/** A feed in a format, and what its headers say. */
interface Written extends Pick<Feed, 'edition' | 'modified' | 'nextCursor'> {
  readonly bytes: Buffer
}

type Newest = (name: string, current: () => Promise<string>, read: () => Promise<Feed>) => Promise<Written>

export interface Writer {
  /** Writes this page. */
  page(feed: Feed): Written
  /** The newest page of a channel: read and written only where it is not as it was. */
  readonly newest: Newest
}

/**
 * To read and write thirty texts takes twenty times as long as to ask whether they have changed. Only newest pages are
 * kept: others are seldom asked for twice.
 */
export function writer(write: (feed: Feed) => Buffer, most: number = room): Writer {
  const kept = createLru<Written>(most)

  const page = (feed: Feed): Written => {
    const { edition, modified, nextCursor } = feed
    return { edition, modified, nextCursor, bytes: write(feed) }
  }

  return {
    page,
    async newest(name, current, read) {
      const known = kept.get(name)
      if (known && known.edition === (await current())) return known
      // Under the edition of what was read: a replica that lags may give less than was asked for.
      const written = page(await read())
      kept.set(name, written, written.bytes.length)
      return written
    },
  }
}
