import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { PageReader } from '#platform/ngram-index/posting-pages.ts'

/** A list of a volume: all of it, or, where it goes on over several pages, how many those are. */
export type List = { readonly ordinals: Uint32Array } | { readonly parts: number }

export interface ListName {
  readonly volume: number
  readonly key: number
}

/** The page a key is on is the last one that begins at it or before: of a long list, its last part. */
const pagesOf = statement.raw<
  { volumes: readonly number[]; keys: readonly number[] },
  PageRow & { place: number; part: number }
>(
  'search_lists',
  `select w.place::integer, p.key, p.part, p.lists
      from unnest($1::integer[], $2::bigint[]) with ordinality as w (volume, key, place)
     cross join lateral (
       select key, part, lists from search.pages
        where volume = w.volume and key <= w.key order by volume desc, key desc, part desc limit 1) p`,
  ['volumes', 'keys'],
)

export async function readLists(db: Database, names: readonly ListName[]): Promise<List[]> {
  const lists: List[] = names.map(() => ({ ordinals: none }))
  if (names.length === 0) return lists
  const volumes = names.map(({ volume }) => volume)
  for (const { place, part, ...row } of await db.query(pagesOf, { volumes, keys: names.map(({ key }) => key) })) {
    const { key } = names[place - 1]!
    const page = pageIn(row)
    lists[place - 1] = part > 0 && page.key === key ? { parts: part + 1 } : { ordinals: listIn(page, key) }
  }
  return lists
}

const none = new Uint32Array(0)

/** pg gives a number of 64 bits as text. */
interface PageRow {
  readonly key: string
  readonly lists: Buffer
}

const pageIn = ({ key, lists }: PageRow) => ({ key: Number(key), bytes: lists })

function listIn(page: { key: number; bytes: Uint8Array }, key: number): Uint32Array {
  const reader = new PageReader(page)
  while (reader.next()) {
    if (reader.key < key) continue
    if (reader.key > key) break
    const ordinals = new Uint32Array(reader.count)
    reader.read(ordinals, 0)
    return ordinals
  }
  return none
}

const partsOf = statement.raw<ListName & { from: number; to: number }, PageRow>(
  'search_parts',
  `select key, lists from search.pages
    where volume = $1 and key = $2 and part >= $3 and part < $4 order by part`,
  ['volume', 'key', 'from', 'to'],
)

/** Some parts of a long list, from one on. */
export async function readParts(
  db: Database,
  { volume, key }: ListName,
  from: number,
  to: number,
): Promise<Uint32Array> {
  const rows = await db.query(partsOf, { volume, key, from, to })
  const readers = rows.map((row) => new PageReader(pageIn(row)))
  for (const reader of readers) reader.next()
  const ordinals = new Uint32Array(readers.reduce((sum, { count }) => sum + count, 0))
  let length = 0
  for (const reader of readers) {
    reader.read(ordinals, length)
    length += reader.count
  }
  return ordinals
}

const spanOf = statement.raw<{ volume: number; from: number; to: number; most: number }, PageRow>(
  'search_span',
  `(select key, lists from search.pages where volume = $1 and key < $2 order by volume desc, key desc, part desc limit 1)
    union all
    (select key, lists from search.pages where volume = $1 and key >= $2 and key <= $3 limit $4)`,
  ['volume', 'from', 'to', 'most'],
)

/** More pages than this hold up everybody else: what a walk has not found by then is not worth them. */
const mostPages = 500

/** There is more to read than a search may. */
export class TooMuch extends Error {}

/** All documents in any of the lists of a span, as one bit each. */
export async function readSpan(
  db: Database,
  volume: { readonly id: number; readonly pieces: number },
  span: { readonly from: number; readonly to: number },
): Promise<Uint32Array> {
  const rows = await db.query(spanOf, { volume: volume.id, ...span, most: mostPages + 1 })
  if (rows.length > mostPages) throw new TooMuch()
  const bits = new Uint32Array(Math.ceil(volume.pieces / 32))
  let ordinals = new Uint32Array(4_096)
  for (const row of rows) {
    const reader = new PageReader(pageIn(row))
    while (reader.next() && reader.key <= span.to) {
      if (reader.key < span.from) continue
      if (reader.count > ordinals.length) ordinals = new Uint32Array(reader.count)
      reader.read(ordinals, 0)
      for (let place = 0; place < reader.count; place += 1) {
        const ordinal = ordinals[place]!
        bits[ordinal >>> 5]! |= 1 << (ordinal & 31)
      }
    }
  }
  return bits
}

export const hasBit = (bits: Uint32Array, ordinal: number): boolean =>
  (bits[ordinal >>> 5]! & (1 << (ordinal & 31))) !== 0

/** Those of the first list that are in the second, both ascending. */
export function shared(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  const both = new Uint32Array(few.length)
  let length = 0
  let at = 0
  for (const one of few) {
    while (at < many.length && many[at]! < one) at += 1
    if (at === many.length) break
    if (many[at] === one) {
      both[length] = one
      length += 1
    }
  }
  return both.subarray(0, length)
}

/** The documents of a set of bits, some thousand at a time: a page needs the first few. */
export function* bitsSet(bits: Uint32Array, pieces: number): Generator<Uint32Array> {
  let ordinals: number[] = []
  for (let ordinal = 0; ordinal < pieces; ordinal += 1) {
    if (bits[ordinal >>> 5] === 0) ordinal |= 31
    else if (hasBit(bits, ordinal)) ordinals.push(ordinal)
    if (ordinals.length === 2_000) {
      yield Uint32Array.from(ordinals)
      ordinals = []
    }
  }
  yield Uint32Array.from(ordinals)
}
