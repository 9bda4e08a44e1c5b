import type { Database } from '#platform/db/database.ts'
import type { MatchSite } from '../schema.ts'
import { keysOf } from './keys.ts'
import { trigramsOf } from './trigrams.ts'

/**
 * What a few hundred pieces tell about the rest.
 *
 * PostgreSQL keeps no statistics of texts this long, so its planner cannot know whether a term is in half of
 * them or in none. Each process asks a sample instead: which of them have all trigrams, or all keys, of a term?
 */
export interface Sample {
  /** How many pieces there are, by PostgreSQL's own estimate. */
  readonly pieces: number
  /** The share of pieces whose text at this site has all of these. */
  share(site: MatchSite, features: readonly (string | number)[]): number
}

const bodies = 256
const heads = 1024
/** Characters of a text that are looked at: enough for nearly all, and a bound for the rest. */
const longestSampled = 8_000
const refreshAfter = 10 * 60_000

/** Until the first sample is drawn: an index is worth asking. */
const unknown: Sample = { pieces: 100_000, share: () => 0.01 }

interface Kept {
  sample: Sample
  drawnAt: number
  drawing: boolean
}
const kept = new WeakMap<Database, Kept>()

/** The sample as it is now. An old one is drawn anew beside the search that asks, which does not wait for it. */
export function currentSample(db: Database): Sample {
  const known = keptFor(db)
  if (!known.drawing && Date.now() - known.drawnAt > refreshAfter) void refreshSample(db).catch(() => {})
  return known.sample
}

function keptFor(db: Database): Kept {
  const known = kept.get(db) ?? { sample: unknown, drawnAt: 0, drawing: false }
  kept.set(db, known)
  return known
}

export async function refreshSample(db: Database): Promise<Sample> {
  const known = keptFor(db)
  known.drawing = true
  try {
    known.sample = await drawSample(db)
    return known.sample
  } finally {
    known.drawing = false
    known.drawnAt = Date.now()
  }
}

async function drawSample(db: Database): Promise<Sample> {
  const pieces = await countPieces(db)
  const bodyRows = await draw(db, pieces, bodies, 'body from pub.piece_texts')
  const headlineRows = await draw(db, pieces, heads, 'headline_folded as body from pub.pieces')
  const standfirstRows = await draw(db, pieces, heads, 'sub_folded as body from pub.pieces')
  const sites = {
    headline: await siteSample(headlineRows),
    standfirst: await siteSample(standfirstRows),
    body: await siteSample(bodyRows),
  }
  return { pieces, share: (site, features) => sites[site](features) }
}

async function countPieces(db: Database): Promise<number> {
  const [size] = await db.run<{ pieces: number }>({
    text: "select greatest(reltuples, 0)::float8 as pieces from pg_class where oid = 'pub.piece_texts'::regclass",
  })
  return size?.pieces ?? 0
}

/** Whole pages are drawn, so ask for twice the share and cut. */
async function draw(db: Database, pieces: number, wanted: number, column: string): Promise<string[]> {
  const percent = pieces > 2 * wanted ? Math.min(100, (200 * wanted) / pieces) : 100
  const rows = await db.run<{ body: string }>({
    text: `select ${column} tablesample system ($1) limit $2`,
    values: [percent, wanted],
  })
  return rows.map(({ body }) => body)
}

/**
 * For each trigram and key the set of sampled texts that have it, one bit a text, all in one array: an object for
 * each of a hundred thousand sets would keep the collector busy for ever.
 */
async function siteSample(texts: readonly string[]): Promise<(features: readonly (string | number)[]) => number> {
  const words = Math.ceil(Math.max(texts.length, 1) / 32)
  const slots = new Map<string | number, number>()
  let sets = new Uint32Array(words * 4096)
  for (const [place, text] of texts.entries()) {
    const part = text.slice(0, longestSampled)
    for (const feature of [...trigramsOf(part, true), ...keysOf(part)]) {
      const slot = slots.get(feature) ?? slots.size
      slots.set(feature, slot)
      if ((slot + 1) * words > sets.length) sets = doubled(sets)
      sets[slot * words + (place >> 5)]! |= 1 << (place & 31)
    }
    // A body takes about a millisecond; requests go on in between.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const kept = severalOnly(slots, sets, words)
  return (features) => countAll(kept, features, words) / Math.max(texts.length, 1)
}

interface Sets {
  readonly slots: ReadonlyMap<string | number, number>
  readonly sets: Uint32Array
}

function doubled(sets: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(sets.length * 2)
  larger.set(sets)
  return larger
}

/** What one text has tells no more than what none has, and is most of it. */
function severalOnly(slots: ReadonlyMap<string | number, number>, sets: Uint32Array, words: number): Sets {
  const several = [...slots].filter(([, slot]) => bits(sets.subarray(slot * words, (slot + 1) * words)) > 1)
  const kept = new Uint32Array(several.length * words)
  for (const [place, [, slot]] of several.entries())
    kept.set(sets.subarray(slot * words, (slot + 1) * words), place * words)
  return { slots: new Map(several.map(([feature], place) => [feature, place])), sets: kept }
}

function countAll({ slots, sets }: Sets, features: readonly (string | number)[], words: number): number {
  const all = new Uint32Array(words).fill(0xffffffff)
  for (const feature of features) {
    const slot = slots.get(feature)
    if (slot === undefined) return 0
    for (let word = 0; word < words; word += 1) all[word]! &= sets[slot * words + word]!
  }
  return bits(all)
}

const bits = (words: Uint32Array): number => words.reduce((sum, word) => sum + ones(word), 0)

function ones(word: number): number {
  let rest = word
  let count = 0
  for (; rest !== 0; count += 1) rest &= rest - 1
  return count
}
