import type { Database } from '#platform/db/database.ts'
import { markKey } from '#platform/ngram-index/invert.ts'
import { keyOf, type Wanted } from '#platform/ngram-index/terms.ts'
import type { Category } from '../schema.ts'
import { markOf, siteCount } from './fields.ts'
import type { Volume } from './index-snapshot.ts'
import { bitsSet, hasBit, type List, type ListName, readLists, readParts, readSpan, shared } from './postings-reader.ts'

/** Which lists of a volume name the pieces that can have a term at a site. */
export interface TermLookup {
  readonly volume: Volume
  readonly site: number
  readonly wanted: Wanted
  readonly category: Category | undefined
}

/** How many lists are read at first, and then, while there are more candidates than are cheaply confirmed. */
const rounds = [2, 6, 16, 40]
const few = 40
/** The rest of a term is looked up as well if few strings begin with it; what many begin with, most pieces have. */
const telling = 0.0005
/** So many long lists are read side by side where there are no others. */
const mostLong = 4
/** Parts of each that are read at first; then twice as many, and so on. */
const portion = 8

export const firstNames = (looking: TermLookup): ListName[] => namesOf(looking, 0)

/** The lists of a round: spread over the term, and none that was read before. */
function namesOf(looking: TermLookup, round: number): ListName[] {
  const { lists } = looking.wanted
  const before = new Set(rounds.slice(0, round).flatMap((count) => spread(lists, count)))
  return spread(lists, rounds[round]!)
    .filter((key) => !before.has(key))
    .map((key) => nameOf(looking, key))
}

/** Candidates, newest first, batch by batch: whatever has the term is among them. `first` are the lists of `firstNames`. */
export async function* candidates(
  db: Database,
  looking: TermLookup,
  first: readonly List[],
): AsyncGenerator<Uint32Array> {
  const { wanted, volume } = looking
  if (wanted.lists.length === 0) {
    for (const ordinals of bitsSet(await commonBits(db, looking), volume.pieces)) yield ordinals
    return
  }
  let found = allShared(first)
  let long = longOnes(firstNames(looking), first)
  for (let round = 1; round < rounds.length && (!found || found.length > few); round += 1) {
    const names = namesOf(looking, round)
    const lists = await readLists(db, names)
    found = allShared(found ? [{ ordinals: found }, ...lists] : lists)
    long = [...long, ...longOnes(names, lists)]
  }
  long.sort((a, b) => a.parts - b.parts)
  if (!found) {
    yield* sharedParts(db, looking, long)
    return
  }
  found = await narrowed(db, found, long)
  const span = spanFor(looking)
  if (found.length > few * 2 && span && wanted.share < telling) {
    const bits = await readSpan(db, volume, span)
    found = found.filter((ordinal) => hasBit(bits, ordinal))
  }
  yield inCategory(db, looking, found)
}

/** Of a common term: whatever has it here and at no better site. */
async function commonBits(db: Database, looking: TermLookup): Promise<Uint32Array> {
  const bits = await readSpan(db, looking.volume, spanFor(looking)!)
  for (let better = 0; better < looking.site; better += 1) {
    const found = await readSpan(db, looking.volume, spanFor({ ...looking, site: better })!)
    for (let at = 0; at < bits.length; at += 1) bits[at]! &= ~found[at]!
  }
  if (!looking.category) return bits
  const marked = await categoryOf(db, looking, looking.category)
  const both = new Uint32Array(bits.length)
  for (const ordinal of marked) if (hasBit(bits, ordinal)) both[ordinal >>> 5]! |= 1 << (ordinal & 31)
  return both
}

interface LongList extends ListName {
  readonly parts: number
}

/** By one long list after the other, while that is cheaper than to confirm what is left. */
async function narrowed(db: Database, ordinals: Uint32Array, long: readonly LongList[]): Promise<Uint32Array> {
  let left = ordinals
  for (const list of long) {
    if (left.length > few && left.length > list.parts * 4) left = shared(left, await readParts(db, list, 0, list.parts))
  }
  return left
}

/** Long lists, the shortest first, some parts of each at a time. */
async function* sharedParts(db: Database, looking: TermLookup, long: readonly LongList[]): AsyncGenerator<Uint32Array> {
  const lists = long.slice(0, mostLong)
  const read: Uint32Array[] = lists.map(() => new Uint32Array(0))
  let after = -1
  for (let from = 0, to = portion; ; from = to, to *= 2) {
    for (const [place, list] of lists.entries()) {
      if (from < list.parts) read[place] = joined(read[place]!, await readParts(db, list, from, to))
    }
    const open = read.filter((_, place) => to < lists[place]!.parts)
    const known = Math.min(...open.map((ordinals) => ordinals.at(-1)!))
    const all = read.reduce(shared)
    const fresh = all.filter((ordinal) => ordinal > after && ordinal <= known)
    yield inCategory(db, looking, await narrowed(db, fresh, long.slice(mostLong)))
    if (open.length === 0) return
    after = known
  }
}

async function inCategory(db: Database, { volume, category }: TermLookup, ordinals: Uint32Array): Promise<Uint32Array> {
  if (!category || ordinals.length <= few * 2) return ordinals
  return shared(ordinals, await categoryOf(db, { volume }, category))
}

async function categoryOf(
  db: Database,
  { volume }: Pick<TermLookup, 'volume'>,
  category: Category,
): Promise<Uint32Array> {
  const name = { volume: volume.id, key: markKey(siteCount, markOf(category)) }
  const [list] = await readLists(db, [name])
  return 'parts' in list! ? readParts(db, name, 0, list.parts) : list!.ordinals
}

const nameOf = ({ volume, site }: TermLookup, key: number): ListName => ({
  volume: volume.id,
  key: keyOf(site, 0, 0) + key,
})

function spanFor({ site, wanted: { span } }: TermLookup) {
  const base = keyOf(site, 0, 0)
  return span && { from: base + span.from, to: base + span.to }
}

/** Undefined where all are too long to be read as a whole. */
function allShared(lists: readonly List[]): Uint32Array | undefined {
  const whole = lists.flatMap((list) => ('ordinals' in list ? [list.ordinals] : []))
  return whole.length === 0 ? undefined : whole.sort((a, b) => a.length - b.length).reduce(shared)
}

const longOnes = (names: readonly ListName[], lists: readonly List[]) =>
  names.flatMap((name, place) => {
    const list = lists[place]!
    return 'parts' in list ? [{ ...name, parts: list.parts }] : []
  })

function joined(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** The first, the last, and others evenly between them. */
function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all]
  return Array.from({ length: count }, (_, place) => all[Math.round((place * (all.length - 1)) / (count - 1))]!)
}
