import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { CommonStrings } from '#platform/ngram-index/trie.ts'
import type { Member } from './docs.ts'

/** Pieces filed together, by the strings they have (docs/search.md). It never changes. */
export interface Volume {
  readonly id: number
  readonly tree: number
  readonly pieces: number
  readonly newest: Date
}

/** What there is to search: the volumes, newest first, and the pieces that are in none yet. */
export interface Shelf {
  readonly volumes: readonly Volume[]
  readonly waiting: readonly Member[]
  /** More are waiting than a search can look through. */
  readonly behind: boolean
}

/** Looking through so many takes some 20 ms. */
const mostWaiting = 2_000

interface ShelfRow {
  readonly volumes: readonly [id: number, tree: number, pieces: number, newest: number][]
  readonly waiting: readonly [id: string, publishedAt: number][]
}

/** One statement, hence one moment: a piece that is just being filed is on one of the two sides. */
const shelfNow = statement.raw<{ most: number }, ShelfRow>(
  'search_shelf',
  `select (select coalesce(json_agg(json_build_array(id, tree, pieces, extract(epoch from newest) * 1000)), '[]')
             from search.volumes where state = 'ready') as volumes,
          (select coalesce(json_agg(json_build_array(piece_id, extract(epoch from published_at) * 1000)), '[]')
             from (select * from search.waiting order by published_at desc, piece_id desc limit $1) newest) as waiting`,
  ['most'],
)

export async function shelfOf(db: Database): Promise<Shelf> {
  const [row] = await db.query(shelfNow, { most: mostWaiting + 1 })
  const volumes = row!.volumes
    .map(([id, tree, pieces, newest]) => ({ id, tree, pieces, newest: new Date(newest) }))
    .sort((a, b) => b.newest.getTime() - a.newest.getTime() || b.pieces - a.pieces)
  const waiting = row!.waiting.map(([id, publishedAt]) => ({ id, publishedAt: new Date(publishedAt) }))
  return { volumes, waiting: waiting.slice(0, mostWaiting), behind: waiting.length > mostWaiting }
}

/** A few generations at most, and each for months. */
const trees = new WeakMap<Database, Map<number, Promise<CommonStrings>>>()

/** The common strings by which a volume was filed: some megabytes, read once by each process. */
export function treeOf(db: Database, id: number): Promise<CommonStrings> {
  const known = trees.get(db) ?? new Map<number, Promise<CommonStrings>>()
  trees.set(db, known)
  const reading = known.get(id) ?? readTree(db, id)
  known.set(id, reading)
  reading.catch(() => known.delete(id))
  return reading
}

/** At the start, so that no search waits for it. */
export async function readTrees(db: Database): Promise<void> {
  const { volumes } = await shelfOf(db)
  await Promise.all(volumes.map(({ tree }) => treeOf(db, tree)))
}

const treeById = statement.raw<{ id: number }, { strings: Buffer }>(
  'search_tree',
  'select strings from search.trees where id = $1',
  ['id'],
)

async function readTree(db: Database, id: number): Promise<CommonStrings> {
  const [row] = await db.query(treeById, { id })
  return new CommonStrings(row!.strings)
}
