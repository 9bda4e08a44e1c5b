import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { type Page, PageReader, PageWriter } from '#platform/ngram-index/posting-pages.ts'
import type { Category, MatchSite } from '../schema.ts'
import type { SqlClient } from './indexer-lock.ts'

/**
 * A segment: the inverted index of a set of pieces, written once and never changed (docs/search.md). It consists of
 *
 *   search.volumes  one row: trie, number of docs, newest doc, the snapshot of the database it was made from
 *   search.members  its docs, newest first: a posting is the ordinal of a doc in this order
 *   search.pages    posting lists by term key, as many as fit a page (platform/ngram-index/posting-pages.ts)
 */
export interface Segment {
  readonly id: number
  /** The trie that its terms were made with. */
  readonly trie: number
  readonly docCount: number
  readonly newest: Date
  /** Segments of earlier releases have no posting lists of languages, until they are indexed again. */
  readonly hasLanguages: boolean
  /** Nor of words, authors and tags. */
  readonly hasWords: boolean
}

/** The indexed fields, best match first. */
export const fields: readonly MatchSite[] = ['headline', 'standfirst', 'body']

/** What a search can be limited to, each with a posting list in every segment. */
export interface SearchFilter {
  readonly category?: Category | undefined
  /** As `primaryLanguage` names it. */
  readonly language?: string | undefined
}

/**
 * The filters of a doc, or of a search: hashes, stored in segments, so they must never change. A category is its name; the
 * prefix of a language is in no category, so that `life` is never both.
 */
export const filterHashes = ({ category, language }: SearchFilter): number[] => [
  ...(category === undefined ? [] : [fnv1a(category)]),
  ...(language === undefined ? [] : [fnv1a(`language:${language}`)]),
]

export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export interface Doc {
  readonly publishedAt: Date
  readonly id: string
}

/** Newest first; the id breaks ties. */
export const byRecency = (a: Doc, b: Doc): number =>
  b.publishedAt.getTime() - a.publishedAt.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** So many docs make a row of search.members that fits a page of PostgreSQL. */
export const docsPerRow = 336
/** A double of 8 bytes and a uuid of 16. */
const docBytes = 24

function encodeDocs(docs: readonly Doc[]): Buffer {
  const bytes = Buffer.allocUnsafe(docs.length * docBytes)
  for (const [index, { publishedAt, id }] of docs.entries()) {
    bytes.writeDoubleBE(publishedAt.getTime(), index * docBytes)
    bytes.write(id.replaceAll('-', ''), index * docBytes + 8, 'hex')
  }
  return bytes
}

function decodeDoc(bytes: Buffer, index: number): Doc {
  const at = index * docBytes
  const hex = bytes.toString('hex', at + 8, at + docBytes)
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  return { publishedAt: new Date(bytes.readDoubleBE(at)), id }
}

/** All docs of a row of search.members. */
export const decodeDocs = (bytes: Buffer): Doc[] =>
  Array.from({ length: bytes.length / docBytes }, (_, index) => decodeDoc(bytes, index))

const docRows = statement.raw<{ segment: number; ordinals: readonly number[] }, { ordinal: number; places: Buffer }>(
  'search_members',
  'select ordinal, places from search.members where volume = $1 and ordinal = any($2::integer[])',
  ['segment', 'ordinals'],
)

export async function readDocs(db: Database, segment: Segment, ordinals: Uint32Array): Promise<Doc[]> {
  const starts = new Set(Array.from(ordinals, (ordinal) => ordinal - (ordinal % docsPerRow)))
  const found = await db.query(docRows, { segment: segment.id, ordinals: [...starts] })
  const rows = new Map(found.map(({ ordinal, places }) => [ordinal, places]))
  return Array.from(ordinals, (ordinal) => {
    const index = ordinal % docsPerRow
    return decodeDoc(rows.get(ordinal - index)!, index)
  })
}

const docRowAt = statement.raw<{ segment: number; publishedAt: Date }, { ordinal: number }>(
  'search_member_row',
  'select ordinal from search.members where volume = $1 and published_at > $2 order by published_at limit 1',
  ['segment', 'publishedAt'],
)

/** An ordinal such that all docs before it are newer than this one. */
export async function firstOrdinalNear(db: Database, segment: Segment, { publishedAt }: Doc): Promise<number> {
  const [row] = await db.query(docRowAt, { segment: segment.id, publishedAt })
  return row?.ordinal ?? 0
}

export interface NewSegment {
  readonly trie: number
  /** Newest first. */
  readonly docs: readonly Doc[]
  /** The database snapshot (pg_snapshot) in which the docs were read. */
  readonly asOf: string
  /** `binding` is a merge under way, which no search reads yet. */
  readonly state: 'binding' | 'ready'
}

/** Writes the posting lists of a new segment, in the order of their keys. */
export interface SegmentWriter {
  readonly id: number
  add(key: number, ordinals: Uint32Array, count: number): void
  /** Whether enough pages for a statement are buffered; `flush` sends them. */
  readonly full: boolean
  flush(): Promise<void>
  end(): Promise<void>
}

/** Rows per insert: eight kilobytes each. */
const rowsPerInsert = 100

export async function createSegment(
  client: SqlClient,
  { trie, docs, asOf, state }: NewSegment,
): Promise<SegmentWriter> {
  const { rows } = await client.query<{ id: number }>(
    `insert into search.volumes (tree, pieces, newest, as_of, state, has_languages, has_words)
     values ($1, $2, $3, $4::pg_snapshot, $5, true, true) returning id`,
    [trie, docs.length, docs[0]!.publishedAt, asOf, state],
  )
  const { id } = rows[0]!
  const encoded: unknown[][] = []
  for (let from = 0; from < docs.length; from += docsPerRow) {
    const some = docs.slice(from, from + docsPerRow)
    encoded.push([id, from, some[0]!.publishedAt, encodeDocs(some)])
  }
  await insertRows(client, 'search.members (volume, ordinal, published_at, places)', encoded)

  let pages: Page[] = []
  const writer = new PageWriter((page) => pages.push(page))
  const flush = async () => {
    const ready = pages.map(({ key, part, bytes }) => [id, key, part, Buffer.from(bytes)])
    pages = []
    await insertRows(client, 'search.pages (volume, key, part, lists)', ready)
  }
  return {
    id,
    add: (key, ordinals, count) => writer.add(key, ordinals, count),
    get full() {
      return pages.length >= rowsPerInsert
    },
    flush,
    end: async () => {
      writer.end()
      await flush()
    },
  }
}

async function insertRows(client: SqlClient, target: string, all: readonly unknown[][]): Promise<void> {
  for (let from = 0; from < all.length; from += rowsPerInsert) {
    const rows = all.slice(from, from + rowsPerInsert)
    const values = rows.map(
      (row, index) => `(${row.map((_, column) => `$${index * row.length + column + 1}`).join(', ')})`,
    )
    await client.query(`insert into ${target} values ${values.join(', ')}`, rows.flat())
  }
}

export interface PostingListId {
  readonly segment: number
  readonly key: number
}

/** A posting list read whole; or, if it is split over several pages, the number of its parts. */
export type PostingList = { readonly ordinals: Uint32Array } | { readonly parts: number }

/** The column `key` is 64 bits wide, which pg returns as text. */
interface PageRow {
  readonly key: string
  readonly lists: Buffer
}

const readerOf = ({ key, lists }: PageRow): PageReader => new PageReader({ key: Number(key), bytes: lists })

/** The page with a key is the last one that starts at or before it: for a split posting list, its last part. */
type KeyRow = PageRow & { readonly place: number; readonly part: number }
const pagesByKey = statement.raw<{ segments: readonly number[]; keys: readonly number[] }, KeyRow>(
  'search_lists',
  `select w.place::integer, p.key, p.part, p.lists
      from unnest($1::integer[], $2::bigint[]) with ordinality as w (volume, key, place)
     cross join lateral (
       select key, part, lists from search.pages
        where volume = w.volume and key <= w.key order by volume desc, key desc, part desc limit 1) p`,
  ['segments', 'keys'],
)

const none = new Uint32Array(0)

export async function readPostings(db: Database, ids: readonly PostingListId[]): Promise<PostingList[]> {
  if (ids.length === 0) return []
  const rows = await db.query(pagesByKey, {
    segments: ids.map(({ segment }) => segment),
    keys: ids.map(({ key }) => key),
  })
  return postingsFrom(rows, ids)
}

/** The same for the indexer. */
export async function readPostingsAs(client: SqlClient, ids: readonly PostingListId[]): Promise<PostingList[]> {
  if (ids.length === 0) return []
  const segments = ids.map(({ segment }) => segment)
  const { rows } = await client.query<KeyRow>(pagesByKey.text, [segments, ids.map(({ key }) => key)])
  return postingsFrom(rows, ids)
}

function postingsFrom(rows: readonly KeyRow[], ids: readonly PostingListId[]): PostingList[] {
  const lists: PostingList[] = ids.map(() => ({ ordinals: none }))
  for (const { place, part, ...row } of rows) {
    const { key } = ids[place - 1]!
    const isSplit = part > 0 && Number(row.key) === key
    lists[place - 1] = isSplit ? { parts: part + 1 } : { ordinals: postingsIn(readerOf(row), key) }
  }
  return lists
}

function postingsIn(reader: PageReader, key: number): Uint32Array {
  while (reader.next()) {
    if (reader.key < key) continue
    if (reader.key > key) break
    const ordinals = new Uint32Array(reader.count)
    reader.read(ordinals, 0)
    return ordinals
  }
  return none
}

const pageParts = statement.raw<PostingListId & { from: number; to: number }, PageRow>(
  'search_parts',
  `select key, lists from search.pages
    where volume = $1 and key = $2 and part >= $3 and part < $4 order by part`,
  ['segment', 'key', 'from', 'to'],
)

/** Parts `from` to `to` (exclusive) of a split posting list. */
export async function readPostingParts(
  db: Database,
  { segment, key }: PostingListId,
  from: number,
  to: number,
): Promise<Uint32Array> {
  const rows = await db.query(pageParts, { segment, key, from, to })
  const readers = rows.map(readerOf)
  for (const reader of readers) reader.next()
  const ordinals = new Uint32Array(readers.reduce((sum, { count }) => sum + count, 0))
  let length = 0
  for (const reader of readers) {
    reader.read(ordinals, length)
    length += reader.count
  }
  return ordinals
}

const pagesInRange = statement.raw<{ segment: number; from: number; to: number; max: number }, PageRow>(
  'search_span',
  `(select key, lists from search.pages where volume = $1 and key < $2 order by volume desc, key desc, part desc limit 1)
    union all
    (select key, lists from search.pages where volume = $1 and key >= $2 and key <= $3 limit $4)`,
  ['segment', 'from', 'to', 'max'],
)

/** Decoding more pages would delay all other requests: better a partial result. */
const maxPages = 500

export class TooManyPages extends Error {}

/** The union of all posting lists in a range of keys, as a bitset of ordinals. */
export async function readRange(
  db: Database,
  segment: Segment,
  range: { readonly from: number; readonly to: number },
): Promise<Uint32Array> {
  const rows = await db.query(pagesInRange, { segment: segment.id, ...range, max: maxPages + 1 })
  if (rows.length > maxPages) throw new TooManyPages()
  const bits = new Uint32Array(Math.ceil(segment.docCount / 32))
  let ordinals = new Uint32Array(4_096)
  for (const row of rows) {
    const reader = readerOf(row)
    while (reader.next() && reader.key <= range.to) {
      if (reader.key < range.from) continue
      if (reader.count > ordinals.length) ordinals = new Uint32Array(reader.count)
      reader.read(ordinals, 0)
      for (let index = 0; index < reader.count; index += 1) {
        const ordinal = ordinals[index]!
        bits[ordinal >>> 5]! |= 1 << (ordinal & 31)
      }
    }
  }
  return bits
}
