import { CommonStrings, nodeBytes, slotOf } from './trie.ts'

/** Strings longer than this are not told apart: sentences that stand in many texts would make a tree of their own. */
const longest = 6

/**
 * Finds the strings that are in at least `least` of these texts: those of one unit, then those of two whose parts are
 * common, and so on.
 */
export function learnCommon(texts: readonly string[], least: number): CommonStrings {
  let common = new CommonStrings()
  for (let length = 1; length <= longest; length += 1) {
    const longer = countLonger(texts, common, length, least)
    if (longer.length === 0) break
    common = grown(common, longer)
  }
  return common
}

interface Child {
  readonly parent: number
  readonly unit: number
}

/** The strings of this length that are common, each as a common string one shorter and a unit. */
function countLonger(texts: readonly string[], common: CommonStrings, length: number, least: number): Child[] {
  const counts = new Counts()
  for (const [number, text] of texts.entries()) {
    // The tree has no string of this length yet, so the longest of a place is one shorter, or not common enough.
    common.eachLongest(text, (node, at) => {
      if (at === text.length || common.length(node) < length - 1) return
      const unit = text.charCodeAt(at)
      // What lacks its first unit must be common as well, or the whole cannot be.
      if (length === 1 || common.child(common.rest(node), unit) !== 0) counts.see(node, unit, number + 1)
    })
  }
  return counts.reaching(least)
}

/** In how many texts each pair of node and unit was seen. */
class Counts {
  // Few to begin with: of a small site most lengths have only some.
  #nodes = new Uint32Array(1 << 10)
  #units = new Uint16Array(1 << 10)
  #seen = new Uint32Array(1 << 10)
  #lastText = new Uint32Array(1 << 10)
  #used = 0

  see(node: number, unit: number, text: number): void {
    const slot = this.#slot(node, unit)
    if (this.#seen[slot] === 0) {
      this.#nodes[slot] = node
      this.#units[slot] = unit
      this.#used += 1
    }
    if (this.#lastText[slot] !== text) {
      this.#lastText[slot] = text
      this.#seen[slot]! += 1
    }
    if (this.#used * 2 > this.#seen.length) this.#double()
  }

  #slot(node: number, unit: number): number {
    const mask = this.#seen.length - 1
    let slot = slotOf(node, unit) & mask
    while (this.#seen[slot] !== 0 && (this.#nodes[slot] !== node || this.#units[slot] !== unit))
      slot = (slot + 1) & mask
    return slot
  }

  #double(): void {
    const [nodes, units, seen, lastText] = [this.#nodes, this.#units, this.#seen, this.#lastText]
    const size = seen.length * 2
    this.#nodes = new Uint32Array(size)
    this.#units = new Uint16Array(size)
    this.#seen = new Uint32Array(size)
    this.#lastText = new Uint32Array(size)
    for (let from = 0; from < seen.length; from += 1) {
      if (seen[from] === 0) continue
      const to = this.#slot(nodes[from]!, units[from]!)
      this.#nodes[to] = nodes[from]!
      this.#units[to] = units[from]!
      this.#seen[to] = seen[from]!
      this.#lastText[to] = lastText[from]!
    }
  }

  reaching(least: number): Child[] {
    const found: Child[] = []
    for (let slot = 0; slot < this.#seen.length; slot += 1) {
      if (this.#seen[slot]! >= least) found.push({ parent: this.#nodes[slot]!, unit: this.#units[slot]! })
    }
    return found
  }
}

/** The same tree with one more layer of leaves, numbered anew. */
function grown(common: CommonStrings, leaves: readonly Child[]): CommonStrings {
  const sorted = leaves.toSorted((a, b) => a.parent - b.parent || a.unit - b.unit)
  const old = common.bytes
  const bytes = new Uint8Array(old.length + sorted.length * nodeBytes)
  let to = 0
  let next = 0
  for (let node = 0; node < common.size; node += 1) {
    if (node > 0) {
      bytes.set(old.subarray((node - 1) * nodeBytes, node * nodeBytes), to)
      to += nodeBytes
    }
    for (; sorted[next]?.parent === node; next += 1) {
      const { unit } = sorted[next]!
      bytes.set([common.length(node) + 1, unit & 0xff, unit >> 8], to)
      to += nodeBytes
    }
  }
  return new CommonStrings(bytes)
}
