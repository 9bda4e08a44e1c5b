/**
 * Aho and Corasick's machine, over UTF-16 units as `includes` compares them: finds which of many terms a text holds
 * in one walk, however many they are.
 */
export interface Automaton {
  /** By unit: its column. Units in no term share column 0, which leads back to the start. */
  readonly columns: Uint16Array
  /** By row and column: the row to go to. The column after the last says which term ends here. */
  readonly next: Int32Array
  readonly lastColumn: number
  /** By ending: the next shorter term that ends with it, or 0. An ending is 1 + the number of a term. */
  readonly shorter: Int32Array
  /** By ending: the walk that saw it last. */
  readonly seen: Uint32Array
  walks: number
  /** What the last walk found: numbers of terms. */
  readonly found: Int32Array
}

/** The terms must differ from each other, and none may be empty. */
export function automatonOf(terms: readonly string[]): Automaton {
  const columns = new Uint16Array(65_536)
  let lastColumn = 1
  let most = 1
  for (const term of terms) {
    most += term.length
    for (let at = 0; at < term.length; at += 1) {
      const unit = term.charCodeAt(at)
      if (columns[unit] === 0) columns[unit] = lastColumn++
    }
  }
  const width = lastColumn + 1
  const next = new Int32Array(most * width)
  let rows = width
  for (const [index, text] of terms.entries()) {
    let row = 0
    for (let at = 0; at < text.length; at += 1) {
      const place = row + columns[text.charCodeAt(at)]!
      if (next[place] === 0) {
        next[place] = rows
        rows += width
      }
      row = next[place]!
    }
    next[row + lastColumn] = index + 1
  }

  const shorter = new Int32Array(terms.length + 1)
  const fallback = new Int32Array(rows / width)
  const queue: number[] = [0]
  for (let head = 0; head < queue.length; head += 1) {
    const row = queue[head]!
    const behind = fallback[row / width]!
    const own = next[row + lastColumn]!
    if (own === 0) next[row + lastColumn] = next[behind + lastColumn]!
    else shorter[own] = row === 0 ? 0 : next[behind + lastColumn]!
    for (let column = 1; column < lastColumn; column += 1) {
      const child = next[row + column]!
      const other = row === 0 ? 0 : next[behind + column]!
      if (child === 0) next[row + column] = other
      else {
        fallback[child / width] = other
        queue.push(child)
      }
    }
  }
  return {
    columns,
    next: next.slice(0, rows),
    lastColumn,
    shorter,
    seen: new Uint32Array(terms.length + 1),
    walks: 0,
    found: new Int32Array(terms.length),
  }
}

/** How many of the terms the text holds; which, stands in `found`. */
export function scan(automaton: Automaton, text: string): number {
  const { columns, next, lastColumn, shorter, seen, found } = automaton
  automaton.walks += 1
  const now = automaton.walks
  let count = 0
  let row = 0
  for (let at = 0; at < text.length; at += 1) {
    row = next[row + columns[text.charCodeAt(at)]!]!
    let ending = next[row + lastColumn]!
    // What was seen was followed to its shorter ones then.
    while (ending !== 0 && seen[ending] !== now) {
      seen[ending] = now
      found[count] = ending - 1
      count += 1
      ending = shorter[ending]!
    }
  }
  return count
}
