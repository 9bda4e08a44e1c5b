/**
 * The strings that many texts have, as a tree: a node is one of them, its children are those one UTF-16 unit longer.
 * The root, node 0, is the empty string.
 *
 * Nodes are numbered depth first, so that all strings that begin alike lie in one span of numbers. Whatever is part of
 * a common string is common too, so every node has a link to itself without its first unit: a walk through a text
 * never begins again at the root.
 */
export class CommonStrings {
  readonly size: number
  readonly #depths: Uint8Array
  readonly #units: Uint16Array
  readonly #lasts: Uint32Array
  readonly #links: Uint32Array
  /** Open addressing: parent, unit, child and the child's link, side by side, since each look elsewhere waits for memory. */
  readonly #table: Uint32Array
  readonly #mask: number

  /** Nodes in the order of their numbers, as `bytes` gives them. */
  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.size = bytes.length / nodeBytes + 1
    this.#depths = new Uint8Array(this.size)
    this.#units = new Uint16Array(this.size)
    this.#lasts = new Uint32Array(this.size)
    this.#links = new Uint32Array(this.size)
    this.#mask = 2 ** Math.ceil(Math.log2(this.size * 2 + 1)) - 1
    this.#table = new Uint32Array((this.#mask + 1) * 4)
    this.#plant(bytes)
  }

  #plant(bytes: Uint8Array): void {
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
    this.#link()
  }

  /** Depth by depth, since a link leads to a string that is shorter. */
  #link(): void {
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

  /** The common string that is this one and the unit after it; 0 where that is not common. */
  child(node: number, unit: number): number {
    return this.#table[this.#entry(node, unit) + 2]!
  }

  /** Where its entry is, or would be. */
  #entry(node: number, unit: number): number {
    let slot = slotOf(node, unit) & this.#mask
    for (;;) {
      const at = slot * 4
      if (this.#table[at + 2] === 0 || (this.#table[at] === node && this.#table[at + 1] === unit)) return at
      slot = (slot + 1) & this.#mask
    }
  }

  /**
   * Calls for each place of a text with the longest common string that begins there and where it ends. The one loop
   * that everything waits for, hence its local names.
   */
  eachLongest(text: string, found: (node: number, end: number) => void): void {
    const [table, links, mask] = [this.#table, this.#links, this.#mask]
    const { length } = text
    let node = 0
    let link = 0
    let at = 0
    for (let start = 0; start < length; start += 1) {
      while (at < length) {
        const unit = text.charCodeAt(at)
        let entry = (slotOf(node, unit) & mask) * 4
        while (table[entry + 2] !== 0 && (table[entry] !== node || table[entry + 1] !== unit)) {
          entry = (entry + 4) & (mask * 4)
        }
        if (table[entry + 2] === 0) break
        node = table[entry + 2]!
        link = table[entry + 3]!
        at += 1
      }
      found(node, at)
      // On to the next place, with what is known of it already.
      if (at === start) at += 1
      else {
        node = link
        link = links[node]!
      }
    }
  }

  /** The same string without its first unit. */
  rest(node: number): number {
    return this.#links[node]!
  }

  length(node: number): number {
    return this.#depths[node]!
  }

  /** The last of the nodes whose strings begin with this one's. */
  last(node: number): number {
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

/** Its depth and its unit. */
export const nodeBytes = 3

export function slotOf(node: number, unit: number): number {
  const mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(unit + 1, 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
