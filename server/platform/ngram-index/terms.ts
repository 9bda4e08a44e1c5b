import type { CommonTrie } from './trie.ts'

/**
 * Terms of the inverted index: n-grams of variable length. Every position of a text is indexed under the shortest
 * string that starts there and is rare: a common string (a node of the trie) plus the one unit that makes it rare.
 * A text that ends while the string is still common has `end` as that unit.
 *
 * So every text that contains a rare query is in the posting list of the query's own first rare string, which is never
 * long, and every text that contains a common query is in a posting list of the key range with that prefix.
 *
 * A term key is one number: the field (which of a document's texts), the node, the unit.
 */
const end = 0
const unitCount = 0x1_0000
const nodeCount = 0x1_0000_0000

export const termKey = (field: number, node: number, unit: number): number =>
  (field * nodeCount + node) * unitCount + unit

/** Field and node as one number. */
export const stemOf = (key: number): number => Math.floor(key / unitCount)
export const unitOf = (key: number): number => key % unitCount

function forEachTerm(text: string, trie: CommonTrie, onTerm: (node: number, unit: number) => void): void {
  trie.forEachLongestMatch(text, (node, at) => onTerm(node, at === text.length ? end : text.charCodeAt(at)))
}

/** A document that contains the query is in all posting lists of `keys` and in at least one of `range`. */
export interface TermQuery {
  /** Keys of the query's rare strings, for field 0. */
  readonly keys: readonly number[]
  /** Keys that start with the query's common tail: from the first position where it stays common, to its end. */
  readonly range: { readonly from: number; readonly to: number } | undefined
  /** Share of all common strings that start with that tail. */
  readonly share: number
}

export function termsOf(query: string, trie: CommonTrie): TermQuery {
  const keys = new Set<number>()
  let range: TermQuery['range']
  let share = 0
  forEachTerm(query, trie, (node, unit) => {
    if (unit !== end) keys.add(termKey(0, node, unit))
    // The first tail is the longest; the others are suffixes of it.
    else if (!range) {
      const last = trie.lastDescendant(node)
      range = { from: termKey(0, node, 0), to: termKey(0, last, unitCount - 1) }
      share = (last - node + 1) / trie.size
    }
  })
  return { keys: [...keys], range, share }
}

export interface Document {
  /** One text per field. */
  readonly fields: readonly string[]
  /** Values to find it by, such as the hash of a category, up to 2^50. Each has a posting list. */
  readonly filters: readonly number[]
}

/** Filters follow the fields in the order of keys. */
export const filterKey = (fieldCount: number, filter: number): number => termKey(fieldCount, 0, 0) + filter

type OnPostings = (key: number, ordinals: Uint32Array, count: number) => void

/**
 * Calls back with the posting lists of at most 65,536 documents, in the order of keys. A counting sort by field and node;
 * only the occurrences of one node are sorted by comparison. 512 texts of 4 kB take some 30 MB meanwhile.
 */
export function invert(
  documents: readonly Document[],
  trie: CommonTrie,
  fieldCount: number,
  onPostings: OnPostings,
): void {
  const occurrences = collectOccurrences(documents, trie, fieldCount)
  const starts = new Uint32Array(fieldCount * trie.size + 1)
  for (let at = 0; at < occurrences.length; at += 1) starts[occurrences.stems[at]! + 1]! += 1
  for (let stem = 1; stem < starts.length; stem += 1) starts[stem]! += starts[stem - 1]!
  const sorted = new Uint32Array(occurrences.length)
  const next = starts.slice()
  for (let at = 0; at < occurrences.length; at += 1) {
    const stem = occurrences.stems[at]!
    sorted[next[stem]!] = occurrences.packed[at]!
    next[stem]! += 1
  }

  const ordinals = new Uint32Array(documents.length)
  for (let stem = 0; stem + 1 < starts.length; stem += 1) {
    const [from, to] = [starts[stem]!, starts[stem + 1]!]
    if (from === to) continue
    sortRange(sorted, from, to)
    const base = termKey(Math.floor(stem / trie.size), stem % trie.size, 0)
    let count = 0
    let unit = sorted[from]! >>> 16
    for (let at = from; at < to; at += 1) {
      const value = sorted[at]!
      if (value >>> 16 !== unit) {
        onPostings(base + unit, ordinals, count)
        unit = value >>> 16
        count = 0
      }
      const ordinal = value & 0xffff
      // A document may contain a term more than once.
      if (count === 0 || ordinals[count - 1] !== ordinal) {
        ordinals[count] = ordinal
        count += 1
      }
    }
    onPostings(base + unit, ordinals, count)
  }
  invertFilters(documents, fieldCount, ordinals, onPostings)
}

/** Most ranges are shorter, and a view of the array costs more than sorting them. */
const shortRange = 24

function sortRange(values: Uint32Array, from: number, to: number): void {
  if (to - from > shortRange) {
    values.subarray(from, to).sort()
    return
  }
  for (let at = from + 1; at < to; at += 1) {
    const value = values[at]!
    let place = at
    for (; place > from && values[place - 1]! > value; place -= 1) values[place] = values[place - 1]!
    values[place] = value
  }
}

/** Of the keys of filters: low enough that a key within a block and an ordinal are one exact number. */
const keysPerBlock = 2 ** 36

function invertFilters(
  documents: readonly Document[],
  fieldCount: number,
  ordinals: Uint32Array,
  onPostings: OnPostings,
): void {
  const blocks = new Map<number, number[]>()
  for (const [ordinal, document] of documents.entries()) {
    for (const filter of document.filters) {
      const block = Math.floor(filter / keysPerBlock)
      const packed = (filter - block * keysPerBlock) * 0x1_0000 + ordinal
      const some = blocks.get(block)
      if (some) some.push(packed)
      else blocks.set(block, [packed])
    }
  }
  for (const block of [...blocks.keys()].sort((a, b) => a - b)) {
    const sorted = Float64Array.from(blocks.get(block)!).sort()
    for (let at = 0; at < sorted.length; ) {
      const key = Math.floor(sorted[at]! / 0x1_0000)
      let count = 0
      for (; at < sorted.length && Math.floor(sorted[at]! / 0x1_0000) === key; at += 1) {
        const ordinal = sorted[at]! - key * 0x1_0000
        // Two of its filters may have the same key.
        if (count > 0 && ordinals[count - 1] === ordinal) continue
        ordinals[count] = ordinal
        count += 1
      }
      onPostings(filterKey(fieldCount, block * keysPerBlock + key), ordinals, count)
    }
  }
}

interface Occurrences {
  readonly stems: Uint32Array
  /** The unit in the upper 16 bits, the document's ordinal in the lower. */
  readonly packed: Uint32Array
  readonly length: number
}

function collectOccurrences(documents: readonly Document[], trie: CommonTrie, fieldCount: number): Occurrences {
  const total = documents.reduce((sum, { fields }) => fields.reduce((length, text) => length + text.length, sum), 0)
  const stems = new Uint32Array(total)
  const packed = new Uint32Array(total)
  let length = 0
  for (const [ordinal, { fields }] of documents.entries()) {
    for (let field = 0; field < fieldCount; field += 1) {
      const base = field * trie.size
      forEachTerm(fields[field] ?? '', trie, (node, unit) => {
        stems[length] = base + node
        packed[length] = unit * 0x1_0000 + ordinal
        length += 1
      })
    }
  }
  return { stems, packed, length }
}
