import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { CommonTrie } from '#platform/ngram-index/trie.ts'
import type { Doc, Segment } from './segment.ts'

/** A piece that is not indexed yet. */
export interface WaitingDoc extends Doc {
  /** Another one whenever its words may have changed. */
  readonly version: string
}

/** What one search reads: the segments, newest first, and the pieces that are not indexed yet. */
export interface IndexSnapshot {
  readonly segments: readonly Segment[]
  readonly waiting: readonly WaitingDoc[]
  /** More pieces are waiting than a search can scan. */
  readonly isIncomplete: boolean
}

/** Scanning so many takes some 20 ms. */
export const maxWaiting = 2_000

interface SnapshotRow {
  readonly volumes: readonly [
    id: number,
    trie: number,
    docCount: number,
    newest: number,
    ...has: [languages: boolean, words: boolean],
  ][]
  readonly waiting: readonly [id: string, publishedAt: number, since: number][]
}

/** One statement, hence one snapshot: a piece that is just being indexed is either in a segment or waiting. */
const currentSnapshot = statement.raw<{ max: number }, SnapshotRow>(
  'search_shelf',
  `select (select coalesce(json_agg(json_build_array(id, tree, pieces, extract(epoch from newest) * 1000,
                                                             has_languages, has_words)), '[]')
             from search.volumes where state = 'ready') as volumes,
          (select coalesce(json_agg(json_build_array(piece_id, extract(epoch from published_at) * 1000,
                                                             extract(epoch from since) * 1000)), '[]')
             from (select * from search.waiting order by published_at desc, piece_id desc limit $1) newest) as waiting`,
  ['max'],
)

export async function readIndexSnapshot(db: Database): Promise<IndexSnapshot> {
  const [row] = await db.query(currentSnapshot, { max: maxWaiting + 1 })
  const segments = row!.volumes
    .map(([id, trie, docCount, newest, hasLanguages, hasWords]) => ({
      id,
      trie,
      docCount,
      newest: new Date(newest),
      hasLanguages,
      hasWords,
    }))
    .sort((a, b) => b.newest.getTime() - a.newest.getTime() || b.docCount - a.docCount)
  const waiting = row!.waiting.map(([id, publishedAt, since]) => ({
    id,
    publishedAt: new Date(publishedAt),
    version: `since ${since}`,
  }))
  return { segments, waiting: waiting.slice(0, maxWaiting), isIncomplete: waiting.length > maxWaiting }
}

/** Never evicted: a few tries at most, and each is in use for months. */
const tries = new WeakMap<Database, Map<number, Promise<CommonTrie>>>()

/** The trie of a segment: some megabytes, read once per process. */
export function trieOf(db: Database, id: number): Promise<CommonTrie> {
  const cached = tries.get(db) ?? new Map<number, Promise<CommonTrie>>()
  tries.set(db, cached)
  const reading = cached.get(id) ?? readTrie(db, id)
  cached.set(id, reading)
  reading.catch(() => cached.delete(id))
  return reading
}

/** Called at startup, so that no search waits for it. */
export async function preloadTries(db: Database): Promise<void> {
  const { segments } = await readIndexSnapshot(db)
  await Promise.all(segments.map(({ trie }) => trieOf(db, trie)))
}

const trieById = statement.raw<{ id: number }, { strings: Buffer }>(
  'search_tree',
  'select strings from search.trees where id = $1',
  ['id'],
)

async function readTrie(db: Database, id: number): Promise<CommonTrie> {
  const [row] = await db.query(trieById, { id })
  return new CommonTrie(row!.strings)
}
