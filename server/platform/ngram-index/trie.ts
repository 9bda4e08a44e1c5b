/**
 * A trie of the strings that occur in many texts. A node is one such string, its children are one UTF-16 unit longer.
 * The root, node 0, is the empty string.
 *
 * Nodes are numbered depth first, so all strings with the same prefix form one range of numbers. Every substring of a
 * common string is common too, so every node has a suffix link (the same string without its first unit), as in
 * Aho-Corasick: scanning a text never restarts at the root.
 */
export class CommonTrie {
  readonly size: number
  readonly #depths: Uint8Array
  readonly #units: Uint16Array
  readonly #lasts: Uint32Array
  readonly #links: Uint32Array
  /** Hash table with open addressing. Parent, unit, child and the child's link are adjacent to avoid cache misses. */
  readonly #table: Uint32Array
  readonly #mask: number

  /** Takes what `bytes` returns: the nodes in the order of their numbers. */
  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.size = bytes.length / nodeBytes + 1
    this.#depths = new Uint8Array(this.size)
    this.#units = new Uint16Array(this.size)
    this.#lasts = new Uint32Array(this.size)
    this.#links = new Uint32Array(this.size)
    this.#mask = 2 ** Math.ceil(Math.log2(this.size * 2 + 1)) - 1
    this.#table = new Uint32Array((this.#mask + 1) * 4)
    this.#build(bytes)
  }

  #build(bytes: Uint8Array): void {
    const path: number[] = [0]
    for (let node = 1; node < this.size; node += 1) {
      const at = (node - 1) * nodeBytes
      const depth = bytes[at]!
      const unit = bytes[at + 1]! | (bytes[at + 2]! << 8)
      const parent = path[depth - 1]!
      this.#depths[node] = depth
      this.#units[node] = unit
      path[depth] = node
      for (let above = 0; above <= depth; above += 1) this.#lasts[path[above]!] = node
      this.#table.set([parent, unit, node], this.#entry(parent, unit))
    }
    this.#setLinks()
  }

  /** Works level by level, since a suffix link leads to a shorter string. */
  #setLinks(): void {
    const byDepth: number[][] = []
    const parents = new Uint32Array(this.size)
    const path: number[] = [0]
    for (let node = 1; node < this.size; node += 1) {
      const depth = this.#depths[node]!
      path[depth] = node
      parents[node] = path[depth - 1]!
      const level = byDepth[depth] ?? []
      byDepth[depth] = level
      level.push(node)
    }
    for (const level of byDepth.slice(2)) {
      for (const node of level) {
        const unit = this.#units[node]!
        this.#links[node] = this.child(this.#links[parents[node]!]!, unit)
        this.#table[this.#entry(parents[node]!, unit) + 3] = this.#links[node]!
      }
    }
  }

  /** The node of this string plus one unit; 0 if that is not common. */
  child(node: number, unit: number): number {
    return this.#table[this.#entry(node, unit) + 2]!
  }

  /** Offset of the entry in the table, or of the free slot for it. */
  #entry(node: number, unit: number): number {
    let slot = hashSlot(node, unit) & this.#mask
    for (;;) {
      const at = slot * 4
      if (this.#table[at + 2] === 0 || (this.#table[at] === node && this.#table[at + 1] === unit)) return at
      slot = (slot + 1) & this.#mask
    }
  }

  /**
   * Calls back for each position of a text with the longest common string that starts there and the offset of its end.
   * The hot loop of indexing, hence the local copies of the fields.
   */
  forEachLongestMatch(text: string, onMatch: (node: number, end: number) => void): void {
    const [table, links, mask] = [this.#table, this.#links, this.#mask]
    const { length } = text
    let node = 0
    let link = 0
    let at = 0
    for (let start = 0; start < length; start += 1) {
      while (at < length) {
        const unit = text.charCodeAt(at)
        let entry = (hashSlot(node, unit) & mask) * 4
        while (table[entry + 2] !== 0 && (table[entry] !== node || table[entry + 1] !== unit)) {
          entry = (entry + 4) & (mask * 4)
        }
        if (table[entry + 2] === 0) break
        node = table[entry + 2]!
        link = table[entry + 3]!
        at += 1
      }
      onMatch(node, at)
      // The suffix link gives what is already known about the next position.
      if (at === start) at += 1
      else {
        node = link
        link = links[node]!
      }
    }
  }

  /** The same string without its first unit. */
  suffixLink(node: number): number {
    return this.#links[node]!
  }

  length(node: number): number {
    return this.#depths[node]!
  }

  /** The last node of the range of strings that start with this one. */
  lastDescendant(node: number): number {
    return this.#lasts[node]!
  }

  get bytes(): Uint8Array {
    const bytes = new Uint8Array((this.size - 1) * nodeBytes)
    for (let node = 1; node < this.size; node += 1) {
      bytes.set([this.#depths[node]!, this.#units[node]! & 0xff, this.#units[node]! >> 8], (node - 1) * nodeBytes)
    }
    return bytes
  }
}

/** One byte of depth, two of the unit. */
const nodeBytes = 3

function hashSlot(node: number, unit: number): number {
  const mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(unit + 1, 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** Longer strings are not distinguished: a sentence repeated in many texts would otherwise add a branch per unit. */
const maxLength = 6

/**
 * Finds the strings that occur in at least `minTexts` of these texts: first those of one unit, then those of two units
 * whose parts are common, and so on (the Apriori principle).
 */
export function trainTrie(texts: readonly string[], minTexts: number): CommonTrie {
  let trie = new CommonTrie()
  for (let length = 1; length <= maxLength; length += 1) {
    const leaves = findLeaves(texts, trie, length, minTexts)
    if (leaves.length === 0) break
    trie = withLeaves(trie, leaves)
  }
  return trie
}

interface Leaf {
  readonly parent: number
  readonly unit: number
}

/** The common strings of this length, each as a node one unit shorter and the last unit. */
function findLeaves(texts: readonly string[], trie: CommonTrie, length: number, minTexts: number): Leaf[] {
  const counts = new TextCounts()
  for (const [index, text] of texts.entries()) {
    // The trie has no string of this length yet, so the longest match is one unit shorter, or too rare to extend.
    trie.forEachLongestMatch(text, (node, at) => {
      if (at === text.length || trie.length(node) < length - 1) return
      const unit = text.charCodeAt(at)
      // The string without its first unit must be common too, or the whole cannot be.
      if (length === 1 || trie.child(trie.suffixLink(node), unit) !== 0) counts.add(node, unit, index + 1)
    })
  }
  return counts.atLeast(minTexts)
}

/** In how many texts each pair of node and unit occurs: a hash table with open addressing. */
class TextCounts {
  // Starts small: with few texts, most lengths have only a few strings.
  #nodes = new Uint32Array(1 << 10)
  #units = new Uint16Array(1 << 10)
  #counts = new Uint32Array(1 << 10)
  #lastText = new Uint32Array(1 << 10)
  #used = 0

  add(node: number, unit: number, text: number): void {
    const slot = this.#slot(node, unit)
    if (this.#counts[slot] === 0) {
      this.#nodes[slot] = node
      this.#units[slot] = unit
      this.#used += 1
    }
    if (this.#lastText[slot] !== text) {
      this.#lastText[slot] = text
      this.#counts[slot]! += 1
    }
    if (this.#used * 2 > this.#counts.length) this.#double()
  }

  #slot(node: number, unit: number): number {
    const mask = this.#counts.length - 1
    let slot = hashSlot(node, unit) & mask
    while (this.#counts[slot] !== 0 && (this.#nodes[slot] !== node || this.#units[slot] !== unit))
      slot = (slot + 1) & mask
    return slot
  }

  #double(): void {
    const [nodes, units, counts, lastText] = [this.#nodes, this.#units, this.#counts, this.#lastText]
    const size = counts.length * 2
    this.#nodes = new Uint32Array(size)
    this.#units = new Uint16Array(size)
    this.#counts = new Uint32Array(size)
    this.#lastText = new Uint32Array(size)
    for (let from = 0; from < counts.length; from += 1) {
      if (counts[from] === 0) continue
      const to = this.#slot(nodes[from]!, units[from]!)
      this.#nodes[to] = nodes[from]!
      this.#units[to] = units[from]!
      this.#counts[to] = counts[from]!
      this.#lastText[to] = lastText[from]!
    }
  }

  atLeast(minTexts: number): Leaf[] {
    const found: Leaf[] = []
    for (let slot = 0; slot < this.#counts.length; slot += 1) {
      if (this.#counts[slot]! >= minTexts) found.push({ parent: this.#nodes[slot]!, unit: this.#units[slot]! })
    }
    return found
  }
}

/** The same trie with one more level of leaves. All nodes get new numbers. */
function withLeaves(trie: CommonTrie, leaves: readonly Leaf[]): CommonTrie {
  const sorted = leaves.toSorted((a, b) => a.parent - b.parent || a.unit - b.unit)
  const old = trie.bytes
  const bytes = new Uint8Array(old.length + sorted.length * nodeBytes)
  let to = 0
  let next = 0
  for (let node = 0; node < trie.size; node += 1) {
    if (node > 0) {
      bytes.set(old.subarray((node - 1) * nodeBytes, node * nodeBytes), to)
      to += nodeBytes
    }
    for (; sorted[next]?.parent === node; next += 1) {
      const { unit } = sorted[next]!
      bytes.set([trie.length(node) + 1, unit & 0xff, unit >> 8], to)
      to += nodeBytes
    }
  }
  return new CommonTrie(bytes)
}
