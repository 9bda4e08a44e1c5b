/** Which cursor has the least key; of equal ones, the one that stands first. Two flat arrays: it is asked for each list. */
export class KeyHeap {
  size = 0
  readonly #keys: Float64Array
  readonly #places: Uint32Array

  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity)
    this.#places = new Uint32Array(capacity)
  }

  get leastKey(): number {
    return this.#keys[0]!
  }

  get leastPlace(): number {
    return this.#places[0]!
  }

  push(key: number, place: number): void {
    const [keys, places] = [this.#keys, this.#places]
    let at = this.size
    this.size += 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (keys[above]! < key || (keys[above] === key && places[above]! < place)) break
      keys[at] = keys[above]!
      places[at] = places[above]!
      at = above
    }
    keys[at] = key
    places[at] = place
  }

  /** The cursor that has the least goes on to another key. */
  replaceLeast(key: number): void {
    this.#sink(key, this.#places[0]!)
  }

  dropLeast(): void {
    this.size -= 1
    this.#sink(this.#keys[this.size]!, this.#places[this.size]!)
  }

  #sink(key: number, place: number): void {
    const { size } = this
    const [keys, places] = [this.#keys, this.#places]
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      const other = below + 1
      if (
        other < size &&
        (keys[other]! < keys[below]! || (keys[other] === keys[below] && places[other]! < places[below]!))
      ) {
        below = other
      }
      if (key < keys[below]! || (key === keys[below] && place < places[below]!)) break
      keys[at] = keys[below]!
      places[at] = places[below]!
      at = below
    }
    keys[at] = key
    places[at] = place
  }
}
