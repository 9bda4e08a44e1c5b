import type { CommonStrings } from './trie.ts'

/**
 * Every place of a text is filed under the shortest string that begins there and is not common: a common string, the
 * node, and the one unit that makes it rare. A text that ends while it is still common has `end` for that unit.
 *
 * So whatever contains a rare term is in the list of the term's own first rare string, and no such list is long;
 * and whatever contains a common term is in one of the lists of the span of keys that begin with it.
 *
 * A key is one number: the site (which of a document's texts), the node, the unit.
 */
const end = 0
const unitSpan = 0x1_0000
const siteSpan = 0x1_0000_0000

export const keyOf = (site: number, node: number, unit: number): number => (site * siteSpan + node) * unitSpan + unit

/** Site and node in one number, for those who sort by it. */
export const stemOf = (key: number): number => Math.floor(key / unitSpan)
export const unitOf = (key: number): number => key % unitSpan

/** Calls for each place of a text with its node and its unit. */
export function eachKey(text: string, common: CommonStrings, found: (node: number, unit: number) => void): void {
  common.eachLongest(text, (node, at) => found(node, at === text.length ? end : text.charCodeAt(at)))
}

/** Where a term can be: in all of the lists, and in one of those of the span. */
export interface Wanted {
  /** Keys without their site: the term's rare strings. */
  readonly lists: readonly number[]
  /** The keys that begin with the rest of the term, from its first place that is common to the end. */
  readonly span: { readonly from: number; readonly to: number } | undefined
  /** Which share of the common strings begins with that rest. */
  readonly share: number
}

export function wantedFor(term: string, common: CommonStrings): Wanted {
  const lists = new Set<number>()
  let span: Wanted['span']
  let share = 0
  eachKey(term, common, (node, unit) => {
    if (unit !== end) lists.add(keyOf(0, node, unit))
    // The first is the longest; the others are parts of it.
    else if (!span) {
      span = { from: keyOf(0, node, 0), to: keyOf(0, common.last(node), unitSpan - 1) }
      share = (common.last(node) - node + 1) / common.size
    }
  })
  return { lists: [...lists], span, share }
}
