import { eachKey, keyOf } from './terms.ts'
import type { CommonStrings } from './trie.ts'

/** What is filed: its texts, one for each site, and marks that whole lists are kept for, such as a category's. */
export interface Document {
  readonly texts: readonly string[]
  readonly marks: readonly number[]
}

/**
 * The lists of a run of at most 65,536 documents, in the order of their keys. Sorted by counting: node by node, and only
 * what one node has is sorted by comparing. A run of 512 texts of 4 kB takes some 30 MB while it lasts.
 */
export function fileDocuments(
  documents: readonly Document[],
  common: CommonStrings,
  sites: number,
  list: (key: number, ordinals: Uint32Array, count: number) => void,
): void {
  const places = gather(documents, common, sites)
  const starts = new Uint32Array(sites * common.size + 1)
  for (let at = 0; at < places.length; at += 1) starts[places.stems[at]! + 1]! += 1
  for (let stem = 1; stem < starts.length; stem += 1) starts[stem]! += starts[stem - 1]!
  const sorted = new Uint32Array(places.length)
  const next = starts.slice()
  for (let at = 0; at < places.length; at += 1) {
    const stem = places.stems[at]!
    sorted[next[stem]!] = places.packed[at]!
    next[stem]! += 1
  }

  const ordinals = new Uint32Array(documents.length)
  for (let stem = 0; stem + 1 < starts.length; stem += 1) {
    if (starts[stem] === starts[stem + 1]) continue
    const packed = sorted.subarray(starts[stem], starts[stem + 1]).sort()
    const base = keyOf(Math.floor(stem / common.size), stem % common.size, 0)
    let count = 0
    let unit = packed[0]! >>> 16
    for (const value of packed) {
      if (value >>> 16 !== unit) {
        list(base + unit, ordinals, count)
        unit = value >>> 16
        count = 0
      }
      const ordinal = value & 0xffff
      // A document has a string more than once.
      if (count === 0 || ordinals[count - 1] !== ordinal) {
        ordinals[count] = ordinal
        count += 1
      }
    }
    list(base + unit, ordinals, count)
  }
  listMarks(documents, sites, ordinals, list)
}

/** Marks come after the sites. */
export const markKey = (sites: number, mark: number): number => keyOf(sites, 0, 0) + mark

function listMarks(
  documents: readonly Document[],
  sites: number,
  ordinals: Uint32Array,
  list: (key: number, ordinals: Uint32Array, count: number) => void,
): void {
  const marks = new Set(documents.flatMap((document) => document.marks))
  for (const mark of [...marks].sort((a, b) => a - b)) {
    let count = 0
    for (const [ordinal, document] of documents.entries()) {
      if (!document.marks.includes(mark)) continue
      ordinals[count] = ordinal
      count += 1
    }
    list(markKey(sites, mark), ordinals, count)
  }
}

interface Places {
  readonly stems: Uint32Array
  /** The unit and the document. */
  readonly packed: Uint32Array
  readonly length: number
}

function gather(documents: readonly Document[], common: CommonStrings, sites: number): Places {
  const all = documents.reduce((sum, { texts }) => texts.reduce((length, text) => length + text.length, sum), 0)
  const stems = new Uint32Array(all)
  const packed = new Uint32Array(all)
  let length = 0
  for (const [ordinal, { texts }] of documents.entries()) {
    for (let site = 0; site < sites; site += 1) {
      const base = site * common.size
      eachKey(texts[site] ?? '', common, (node, unit) => {
        stems[length] = base + node
        packed[length] = unit * 0x1_0000 + ordinal
        length += 1
      })
    }
  }
  return { stems, packed, length }
}
