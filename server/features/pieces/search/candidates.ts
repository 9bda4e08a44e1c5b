import type { Database } from '#platform/db/database.ts'
import { filterKey, type TermQuery, termKey } from '#platform/ngram-index/terms.ts'
import {
  fields,
  filterHashes,
  type PostingList,
  type PostingListId,
  readPostingParts,
  readPostings,
  readRange,
  type SearchFilter,
  type Segment,
} from './segment.ts'

/** What to look up in one segment for one field (an index into `fields`). */
export interface TermLookup {
  readonly segment: Segment
  readonly field: number
  readonly terms: TermQuery
  readonly filter: SearchFilter
}

/** Posting lists read in each round; another round follows while there are more than `cheapToVerify` candidates. */
const rounds = [2, 6, 16, 40]
const cheapToVerify = 40
/** The common tail of a query narrows the candidates only if few strings start with it; otherwise most pieces have it. */
const maxTailShare = 0.0005
/** If all posting lists are split over pages, at most so many are intersected part by part. */
const maxSplitLists = 4
/** Parts of each that are read first; then twice as many, and so on. */
const firstParts = 8

/** The posting lists of the first round, for the caller to read together with those of other lookups. */
export const firstPostings = (lookup: TermLookup): PostingListId[] => postingsOfRound(lookup, 0)

/** Keys spread evenly over the query, without those of earlier rounds. */
function postingsOfRound({ segment, field, terms: { keys } }: TermLookup, round: number): PostingListId[] {
  const before = new Set(rounds.slice(0, round).flatMap((count) => spread(keys, count)))
  return spread(keys, rounds[round]!)
    .filter((key) => !before.has(key))
    .map((key) => ({ segment: segment.id, key: termKey(field, 0, 0) + key }))
}

/** Ordinals, newest doc first, in batches: a superset of the docs that match. `first` are the lists of `firstPostings`. */
export async function* candidates(
  db: Database,
  lookup: TermLookup,
  first: readonly PostingList[],
): AsyncGenerator<Uint32Array> {
  const { terms, segment } = lookup
  if (terms.keys.length === 0) {
    for (const ordinals of ordinalsIn(await commonMatches(db, lookup), segment.docCount)) yield ordinals
    return
  }
  let found = intersectWhole(first)
  let split = splitLists(firstPostings(lookup), first)
  for (let round = 1; round < rounds.length && (!found || found.length > cheapToVerify); round += 1) {
    const ids = postingsOfRound(lookup, round)
    const lists = await readPostings(db, ids)
    found = intersectWhole(found ? [{ ordinals: found }, ...lists] : lists)
    split = [...split, ...splitLists(ids, lists)]
  }
  split.sort((a, b) => a.parts - b.parts)
  if (!found) {
    yield* intersectParts(db, lookup, split)
    return
  }
  found = await narrow(db, found, split)
  const range = rangeOf(lookup)
  if (found.length > cheapToVerify * 2 && range && terms.share < maxTailShare) {
    const bits = await readRange(db, segment, range)
    found = found.filter((ordinal) => hasBit(bits, ordinal))
  }
  yield filtered(db, lookup, found)
}

/** For a query that is a common string: the docs that have it in this field and in no better one. No false candidates. */
async function commonMatches(db: Database, lookup: TermLookup): Promise<Uint32Array> {
  const bits = await readRange(db, lookup.segment, rangeOf(lookup)!)
  for (let better = 0; better < lookup.field; better += 1) {
    const found = await readRange(db, lookup.segment, rangeOf({ ...lookup, field: better })!)
    for (let at = 0; at < bits.length; at += 1) bits[at]! &= ~found[at]!
  }
  const filters = filterLists(lookup)
  if (filters.length === 0) return bits
  const allowed = await Promise.all((await withParts(db, filters)).map((list) => readWhole(db, list)))
  const both = new Uint32Array(bits.length)
  for (const ordinal of allowed.reduce(intersect))
    if (hasBit(bits, ordinal)) both[ordinal >>> 5]! |= 1 << (ordinal & 31)
  return both
}

interface SplitList extends PostingListId {
  readonly parts: number
}

/** Intersects with one split list after the other, as long as that is cheaper than to verify what is left. */
async function narrow(db: Database, ordinals: Uint32Array, split: readonly SplitList[]): Promise<Uint32Array> {
  let left = ordinals
  for (const list of split) {
    if (left.length > cheapToVerify && left.length > list.parts * 4)
      left = intersect(left, await readPostingParts(db, list, 0, list.parts))
  }
  return left
}

/** Intersects the shortest split lists, some parts of each at a time. */
async function* intersectParts(
  db: Database,
  lookup: TermLookup,
  split: readonly SplitList[],
): AsyncGenerator<Uint32Array> {
  const lists = split.slice(0, maxSplitLists)
  const read: Uint32Array[] = lists.map(() => new Uint32Array(0))
  let after = -1
  for (let from = 0, to = firstParts; ; from = to, to *= 2) {
    for (const [index, list] of lists.entries()) {
      if (from < list.parts) read[index] = concat(read[index]!, await readPostingParts(db, list, from, to))
    }
    const unfinished = read.filter((_, index) => to < lists[index]!.parts)
    const complete = Math.min(...unfinished.map((ordinals) => ordinals.at(-1)!))
    const fresh = read.reduce(intersect).filter((ordinal) => ordinal > after && ordinal <= complete)
    yield filtered(db, lookup, await narrow(db, fresh, split.slice(maxSplitLists)))
    if (unfinished.length === 0) return
    after = complete
  }
}

/** Drops what another category or language has, as long as that is cheaper than to verify it. */
async function filtered(db: Database, lookup: TermLookup, ordinals: Uint32Array): Promise<Uint32Array> {
  const filters = filterLists(lookup)
  if (filters.length === 0 || ordinals.length <= cheapToVerify * 2) return ordinals
  let left = ordinals
  for (const list of await withParts(db, filters))
    if ('ordinals' in list || left.length > list.parts * 4) left = intersect(left, await readWhole(db, list))
  return left
}

/** The posting lists of what the search is limited to. */
function filterLists({ segment, filter: { category, language } }: TermLookup): PostingListId[] {
  const hashes = filterHashes({ category, language: segment.hasLanguages ? language : undefined })
  return hashes.map((hash) => ({ segment: segment.id, key: filterKey(fields.length, hash) }))
}

const withParts = async (db: Database, ids: readonly PostingListId[]) =>
  (await readPostings(db, ids)).map((list, at) => ({ ...ids[at]!, ...list }))

const readWhole = async (db: Database, list: PostingListId & PostingList): Promise<Uint32Array> =>
  'parts' in list ? readPostingParts(db, list, 0, list.parts) : list.ordinals

function rangeOf({ field, terms: { range } }: TermLookup) {
  const base = termKey(field, 0, 0)
  return range && { from: base + range.from, to: base + range.to }
}

/** Undefined if all lists are split. */
function intersectWhole(lists: readonly PostingList[]): Uint32Array | undefined {
  const whole = lists.flatMap((list) => ('ordinals' in list ? [list.ordinals] : []))
  return whole.length === 0 ? undefined : whole.sort((a, b) => a.length - b.length).reduce(intersect)
}

const splitLists = (ids: readonly PostingListId[], lists: readonly PostingList[]): SplitList[] =>
  ids.flatMap((id, index) => {
    const list = lists[index]!
    return 'parts' in list ? [{ ...id, parts: list.parts }] : []
  })

/** Of two ascending lists. */
export function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
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

export function concat(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** The first, the last, and others evenly between them. */
function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all]
  return Array.from({ length: count }, (_, index) => all[Math.round((index * (all.length - 1)) / (count - 1))]!)
}

const hasBit = (bits: Uint32Array, ordinal: number): boolean => (bits[ordinal >>> 5]! & (1 << (ordinal & 31))) !== 0

/** The ordinals of a bitset in batches of 2,000: a page of results needs only the first few. */
function* ordinalsIn(bits: Uint32Array, docCount: number): Generator<Uint32Array> {
  let ordinals: number[] = []
  for (let ordinal = 0; ordinal < docCount; ordinal += 1) {
    if (bits[ordinal >>> 5] === 0) ordinal |= 31
    else if (hasBit(bits, ordinal)) ordinals.push(ordinal)
    if (ordinals.length === 2_000) {
      yield Uint32Array.from(ordinals)
      ordinals = []
    }
  }
  yield Uint32Array.from(ordinals)
}
