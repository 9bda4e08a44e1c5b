import type { Database } from '#platform/db/database.ts'
import { filterKey, termsOf } from '#platform/ngram-index/terms.ts'
import { candidates, concat, firstPostings, intersect } from './candidates.ts'
import { trieOf } from './index-snapshot.ts'
import { fields, filterHashes, type PostingList, readPostingParts, readPostings, type Segment } from './segment.ts'
import { type WordFilter, wordFilterHashes, wordKey } from './words-keys.ts'
import type { Question, TextTerm, WordTerm } from './words-query.ts'

/**
 * Which docs of a segment can answer a question: those that each of its terms, and each filter, has in one of its posting
 * lists. Texts decide afterwards, so lists that are long are left out where confirming a few docs is cheaper.
 */

/** A list of a segment, of which parts are read when they are needed. */
interface List {
  readonly segment: number
  readonly key: number
  readonly found: PostingList
}

/** The lists of the forms of one word: a doc is in one of them. */
export type Alternatives = readonly List[]

/** The keys to look up for each word and filter, at a place; and, if it is needed, for any of the words in the headline. */
export function keysFor(
  { terms, implied }: Question,
  filter: WordFilter,
  place: number,
  needsHeadline: boolean,
): number[][] {
  const typed = terms.filter((term) => term.kind === 'word')
  const keysAt = (words: readonly WordTerm[], at: number) =>
    words.map(({ forms }) => [...forms].map((form) => wordKey(at, form)))
  const filters = [...filterHashes(filter), ...wordFilterHashes(filter)]
  return [
    ...keysAt([...typed, ...implied], place),
    ...filters.map((hash) => [hash]),
    ...(needsHeadline ? [keysAt(typed, 0).flat()] : []),
  ]
}

/** The lists of several segments, in one round trip. */
export async function readLists(
  db: Database,
  segments: readonly Segment[],
  keys: readonly (readonly number[])[],
): Promise<Alternatives[][]> {
  const wanted = segments.map(({ id }) =>
    keys.map((some) => some.map((key) => ({ segment: id, key: filterKey(fields.length, key) }))),
  )
  const lists = await readPostings(db, wanted.flat(2))
  return wanted.map((ofSegment) => ofSegment.map((some) => some.map((list) => ({ ...list, found: lists.shift()! }))))
}

/** So few are confirmed at once, whatever else could be read about them. */
const cheapToConfirm = 40
/** Parts of each list that are read first; then twice as many, and so on. */
const firstParts = 8

const none = new Uint32Array(0)

/** Ordinals in batches, newest doc first, from `from` on. */
export async function* wordCandidates(
  db: Database,
  segment: Segment,
  question: Question,
  place: number,
  alternatives: readonly Alternatives[],
  from: number,
): AsyncGenerator<Uint32Array> {
  const isSplit = (some: Alternatives) => some.some(({ found }) => 'parts' in found)
  const whole = alternatives.filter((some) => !isSplit(some)).map(unionOfWhole)
  const split = alternatives.filter(isSplit).sort((a, b) => partsOf(a) - partsOf(b))
  const texts = question.terms.filter((term) => term.kind === 'text')
  let found = whole.length > 0 ? whole.sort((a, b) => a.length - b.length).reduce(intersect) : undefined
  found &&= found.filter((ordinal) => ordinal >= from)
  if (found) {
    for (const some of split)
      if (found.length > cheapToConfirm && found.length > partsOf(some) * 4)
        found = intersect(found, await readWhole(db, some))
  }
  for (const term of texts) {
    if (found && found.length <= cheapToConfirm) break
    const having = await docsWithText(db, segment, term, place)
    found = found ? intersect(found, having) : having.filter((ordinal) => ordinal >= from)
  }
  if (found) yield found
  else for await (const some of intersectParts(db, split)) yield some.filter((ordinal) => ordinal >= from)
}

const unionOfWhole = (some: Alternatives): Uint32Array =>
  some.map(({ found }) => ('ordinals' in found ? found.ordinals : none)).reduce(union, none)

const partsOf = (some: Alternatives): number =>
  some.reduce((sum, { found }) => sum + ('parts' in found ? found.parts : 0), 0)

async function readWhole(db: Database, some: Alternatives): Promise<Uint32Array> {
  const lists = some.map((list) =>
    'parts' in list.found ? readPostingParts(db, list, 0, list.found.parts) : list.found.ordinals,
  )
  return (await Promise.all(lists)).reduce(union)
}

/** Intersects words whose lists are all long, some parts of each at a time: the newest docs come first. */
async function* intersectParts(db: Database, words: readonly Alternatives[]): AsyncGenerator<Uint32Array> {
  const read = words.map((some) => some.map(({ found }) => ('ordinals' in found ? found.ordinals : none)))
  let after = -1
  for (let from = 0, to = firstParts; ; from = to, to *= 2) {
    let complete = Number.POSITIVE_INFINITY
    for (const [word, some] of words.entries()) {
      for (const [index, list] of some.entries()) {
        if (!('parts' in list.found)) continue
        if (from < list.found.parts)
          read[word]![index] = concat(read[word]![index]!, await readPostingParts(db, list, from, to))
        if (to < list.found.parts) complete = Math.min(complete, read[word]![index]!.at(-1)!)
      }
    }
    const both = read.map((lists) => lists.reduce(union)).reduce(intersect)
    yield both.filter((ordinal) => ordinal > after && ordinal <= complete)
    if (complete === Number.POSITIVE_INFINITY) return
    after = complete
  }
}

/** By the index of exact search. */
async function docsWithText(db: Database, segment: Segment, term: TextTerm, place: number): Promise<Uint32Array> {
  const terms = termsOf(term.text, await trieOf(db, segment.trie))
  const lookups = fields.slice(0, place + 1).map((_, field) => ({ segment, field, terms, filter: {} }))
  const lists = await readPostings(db, lookups.flatMap(firstPostings))
  let all: Uint32Array = none
  for (const lookup of lookups) {
    const batches: Uint32Array[] = []
    const first = lists.splice(0, firstPostings(lookup).length)
    for await (const some of candidates(db, lookup, first)) batches.push(some)
    all = union(all, joined(batches))
  }
  return all
}

function joined(batches: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(batches.reduce((sum, { length }) => sum + length, 0))
  let length = 0
  for (const some of batches) {
    all.set(some, length)
    length += some.length
  }
  return all
}

/** Of two ascending lists. */
function union(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const all = new Uint32Array(a.length + b.length)
  let [length, i, j] = [0, 0, 0]
  while (i < a.length || j < b.length) {
    const next = j === b.length || (i < a.length && a[i]! <= b[j]!) ? a[i]! : b[j]!
    if (a[i] === next) i += 1
    if (b[j] === next) j += 1
    all[length] = next
    length += 1
  }
  return all.subarray(0, length)
}
