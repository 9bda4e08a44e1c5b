import { PageReader } from '#platform/ngram-index/posting-pages.ts'
import type { IndexerConnection, SqlClient } from './indexer-lock.ts'
import { byRecency, createSegment, type Doc, decodeDocs, type SegmentWriter } from './segment.ts'

/**
 * Merges small segments into a larger one (log-structured): each segment that is left is at least twice as large as all
 * smaller ones together. On its way into a segment of a million, a piece is rewritten some twenty times. False if
 * there is nothing to merge. Segments to index again (`upgradeSegment`) are left alone.
 */
export async function mergeSegments(indexer: IndexerConnection, trie: number): Promise<boolean> {
  // Discards what a killed process left unfinished.
  await indexer.autocommit.query(
    "update search.volumes set state = 'retired', retired_at = now() where state = 'binding'",
  )
  const { rows } = await indexer.query<Source>(
    `select id, pieces, newest from search.volumes
      where state = 'ready' and tree = $1 and has_languages and has_words order by pieces desc, id`,
    [trie],
  )
  const sources = selectSources(rows)
  if (sources.length > 1) {
    await merge(
      indexer,
      trie,
      sources.toSorted((a, b) => b.newest.getTime() - a.newest.getTime()),
    )
    return true
  }
  return purgeStale(indexer, trie)
}

/** An unpublished or changed piece is no longer found at once; its strings leave the index after at most this time. */
const maxStale = '30 days'

/** Rewrites a segment that has contained a stale doc for too long. */
async function purgeStale(indexer: IndexerConnection, trie: number): Promise<boolean> {
  const { rows } = await indexer.query<Source>(
    `select v.id, v.pieces, v.newest from search.volumes v
      where v.state = 'ready' and v.tree = $1 and v.has_languages and v.has_words
        and exists (select from search.changes c
                     where c.at < now() - interval '${maxStale}' and not pg_visible_in_snapshot(c.by, v.as_of))
      limit 1`,
    [trie],
  )
  if (rows.length === 0) return false
  await merge(indexer, trie, rows)
  return true
}

interface Source {
  readonly id: number
  readonly pieces: number
  readonly newest: Date
}

/** Takes segments, largest first, and returns those from the largest that is less than twice all smaller ones together. */
function selectSources(segments: readonly Source[]): Source[] {
  let smaller = 0
  let from = segments.length
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const { pieces } = segments[index]!
    if (smaller > 0 && pieces < 2 * smaller) from = index
    smaller += pieces
  }
  return segments.slice(from)
}

async function merge(indexer: IndexerConnection, trie: number, sources: readonly Source[]): Promise<void> {
  const ids = sources.map(({ id }) => id)
  // A write transaction, although it mostly reads, so that the lease cannot expire during it.
  const planned = await indexer.write((client) => planMerge(client, ids))
  if (!planned) return
  const { docs, newOrdinals, asOf } = planned
  const { autocommit } = indexer
  const merged = docs.length > 0 ? await createSegment(autocommit, { trie, docs, asOf, state: 'binding' }) : undefined
  if (merged) await mergePostings(indexer, ids, newOrdinals, merged)
  await autocommit.query(
    `update search.volumes set state = case id when $2 then 'ready' else 'retired' end,
                               retired_at = case id when $2 then null else now() end
      where id = any($1) or id = $2`,
    [ids, merged?.id ?? null],
  )
}

/** Undefined if a single segment has nothing stale: then only its snapshot is moved forward. */
async function planMerge(client: SqlClient, ids: readonly number[]) {
  const { rows } = await client.query<{ as_of: string }>('select pg_current_snapshot()::text as as_of')
  const asOf = rows[0]!.as_of
  const sources: SourceDoc[][] = []
  for (const id of ids) sources.push(await readSourceDocs(client, id, asOf))
  if (ids.length > 1 || sources[0]!.some(({ isStale }) => isStale)) return { ...mergeDocs(sources), asOf }
  await client.query('update search.volumes set as_of = $2::pg_snapshot where id = $1', [ids[0], asOf])
  return undefined
}

interface SourceDoc extends Doc {
  /** Changed or unpublished since the segment was made. */
  readonly isStale: boolean
}

async function readSourceDocs(client: SqlClient, segment: number, asOf: string): Promise<SourceDoc[]> {
  const { rows: changed } = await client.query<{ id: string }>(
    `select c.piece_id as id from search.changes c, search.volumes v
      where v.id = $1 and not pg_visible_in_snapshot(c.by, v.as_of) and pg_visible_in_snapshot(c.by, $2::pg_snapshot)`,
    [segment, asOf],
  )
  const stale = new Set(changed.map(({ id }) => id))
  const { rows } = await client.query<{ places: Buffer }>(
    'select places from search.members where volume = $1 order by ordinal',
    [segment],
  )
  return rows.flatMap(({ places }) => decodeDocs(places).map((doc) => ({ ...doc, isStale: stale.has(doc.id) })))
}

const dropped = 0xffff_ffff

/** All docs that are not stale, without duplicates, newest first; and for each source the new ordinals of its docs. */
function mergeDocs(sources: readonly (readonly SourceDoc[])[]): { docs: Doc[]; newOrdinals: Uint32Array[] } {
  const newOrdinals = sources.map((docs) => new Uint32Array(docs.length).fill(dropped))
  const all = sources.flatMap((docs, source) =>
    docs.flatMap((doc, ordinal) => (doc.isStale ? [] : [{ doc, source, ordinal }])),
  )
  all.sort((a, b) => byRecency(a.doc, b.doc))
  const docs: Doc[] = []
  for (const { doc, source, ordinal } of all) {
    // A doc in two segments: since neither is stale, they are equal.
    if (docs.at(-1)?.id !== doc.id) docs.push(doc)
    newOrdinals[source]![ordinal] = docs.length - 1
  }
  return { docs, newOrdinals }
}

/** A k-way merge by key. */
async function mergePostings(
  client: SqlClient,
  segments: readonly number[],
  newOrdinals: readonly Uint32Array[],
  writer: SegmentWriter,
): Promise<void> {
  const cursors = segments.map((segment, index) => new PostingsCursor(client, segment, newOrdinals[index]!))
  const heap = new KeyHeap(cursors.length)
  for (const [index, cursor] of cursors.entries()) if (await cursor.nextPage()) heap.push(cursor.key, index)
  const merged = new Uint32Array(newOrdinals.reduce((sum, { length }) => sum + length, 0))
  while (heap.size > 0) {
    const key = heap.leastKey
    let count = 0
    let sorted = true
    while (heap.size > 0 && heap.leastKey === key) {
      const cursor = cursors[heap.leastCursor]!
      const before = count
      count = cursor.read(merged, count)
      if (before > 0 && count > before && merged[before]! <= merged[before - 1]!) sorted = false
      if (cursor.next() || (await cursor.nextPage())) heap.replaceLeast(cursor.key)
      else heap.dropLeast()
    }
    if (!sorted) count = sortUnique(merged, count)
    if (count > 0) writer.add(key, merged, count)
    if (writer.full) await writer.flush()
  }
  await writer.end()
}

/** Sorts the first `count` ordinals in place without duplicates, and returns how many are left. */
function sortUnique(ordinals: Uint32Array, count: number): number {
  const some = ordinals.subarray(0, count).sort()
  let length = 0
  for (const one of some) {
    if (length > 0 && ordinals[length - 1] === one) continue
    ordinals[length] = one
    length += 1
  }
  return length
}

const pagesPerFetch = 64

/** Iterates over the posting lists of one segment in the order of keys. */
class PostingsCursor {
  readonly #client: SqlClient
  readonly #segment: number
  readonly #newOrdinals: Uint32Array
  #pages: { key: string; part: number; lists: Buffer }[] = []
  #at = 0
  #reader: PageReader | undefined
  #last: { key: string; part: number } = { key: '-1', part: 0 }

  constructor(client: SqlClient, segment: number, newOrdinals: Uint32Array) {
    this.#client = client
    this.#segment = segment
    this.#newOrdinals = newOrdinals
  }

  get key(): number {
    return this.#reader!.key
  }

  /** Moves to the next posting list of the page; false at its end. */
  next(): boolean {
    return this.#reader!.next()
  }

  /** Moves to the first posting list of the next page; false at the end of the segment. */
  async nextPage(): Promise<boolean> {
    if (this.#at === this.#pages.length) await this.#fetch()
    const page = this.#pages[this.#at]
    if (!page) return false
    this.#at += 1
    this.#reader = new PageReader({ key: Number(page.key), bytes: page.lists })
    return this.#reader.next()
  }

  async #fetch(): Promise<void> {
    const { rows } = await this.#client.query<{ key: string; part: number; lists: Buffer }>(
      `select key, part, lists from search.pages
        where volume = $1 and (key, part) > ($2, $3) order by key, part limit ${pagesPerFetch}`,
      [this.#segment, this.#last.key, this.#last.part],
    )
    this.#pages = rows
    this.#at = 0
    this.#last = rows.at(-1) ?? this.#last
  }

  /** Appends the current posting list at index `to`, as ordinals of the new segment. Returns the new length. */
  read(ordinals: Uint32Array, to: number): number {
    const reader = this.#reader!
    const newOrdinals = this.#newOrdinals
    const end = to + reader.count
    reader.read(ordinals, to)
    let length = to
    for (let at = to; at < end; at += 1) {
      const ordinal = newOrdinals[ordinals[at]!]!
      if (ordinal === dropped) continue
      ordinals[length] = ordinal
      length += 1
    }
    return length
  }
}

/** A min-heap of cursors by key, then by index. Two flat arrays, since it is used once per posting list. */
class KeyHeap {
  size = 0
  readonly #keys: Float64Array
  readonly #cursors: Uint32Array

  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity)
    this.#cursors = new Uint32Array(capacity)
  }

  get leastKey(): number {
    return this.#keys[0]!
  }

  get leastCursor(): number {
    return this.#cursors[0]!
  }

  push(key: number, cursor: number): void {
    const [keys, cursors] = [this.#keys, this.#cursors]
    let at = this.size
    this.size += 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (keys[above]! < key || (keys[above] === key && cursors[above]! < cursor)) break
      keys[at] = keys[above]!
      cursors[at] = cursors[above]!
      at = above
    }
    keys[at] = key
    cursors[at] = cursor
  }

  /** Moves the least cursor to its next key. */
  replaceLeast(key: number): void {
    this.#sink(key, this.#cursors[0]!)
  }

  dropLeast(): void {
    this.size -= 1
    this.#sink(this.#keys[this.size]!, this.#cursors[this.size]!)
  }

  #sink(key: number, cursor: number): void {
    const { size } = this
    const [keys, cursors] = [this.#keys, this.#cursors]
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      const other = below + 1
      if (
        other < size &&
        (keys[other]! < keys[below]! || (keys[other] === keys[below] && cursors[other]! < cursors[below]!))
      ) {
        below = other
      }
      if (key < keys[below]! || (key === keys[below] && cursor < cursors[below]!)) break
      keys[at] = keys[below]!
      cursors[at] = cursors[below]!
      at = below
    }
    keys[at] = key
    cursors[at] = cursor
  }
}
