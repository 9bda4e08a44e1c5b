/**
 * How many distinct strings of up to `maxLength` characters occur in more than each of `shares` of the texts.
 *
 * Works by length: the prefix of a common string is as common. So for each position it keeps the number of the common
 * string that starts there, and a string one character longer is that number and the next character.
 */
export function countStrings(texts: readonly string[], maxLength: number, shares: readonly number[]): number[] {
  const { units, alphabet } = joined(texts)
  const least = Math.min(...shares) * texts.length
  const totals = shares.map(() => 0)
  /** By position: the number of the common string that starts there, or -1. */
  const string = new Int32Array(units.length)
  const table = newTable(units.length)
  for (let length = 1; length <= maxLength; length += 1) {
    clear(table)
    let text = 0
    for (let position = 0; position < units.length; position += 1) {
      if (units[position] === 0) text += 1
      const last = position + length - 1
      const known = string[position]!
      if (known === -1 || last >= units.length || units[last] === 0) string[position] = -1
      else string[position] = slotOf(table, known * alphabet + units[last]!, text)
    }
    const numbers = table.last.fill(-1)
    let next = 0
    for (let slot = 0; slot < numbers.length; slot += 1) {
      const found = table.texts[slot]!
      if (found <= least) continue
      numbers[slot] = next++
      shares.forEach((share, index) => {
        if (found > share * texts.length) totals[index]! += 1
      })
    }
    if (next === 0) break
    for (let position = 0; position < units.length; position += 1) {
      if (string[position] !== -1) string[position] = numbers[string[position]!]!
    }
  }
  return totals
}

/** All texts as numbers of their units, with a zero after each. */
function joined(texts: readonly string[]): { units: Uint16Array; alphabet: number } {
  const units = new Uint16Array(texts.reduce((sum, text) => sum + text.length + 1, 0))
  const numbers = new Uint16Array(65_536)
  let alphabet = 1
  let position = 0
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      if (numbers[unit] === 0) numbers[unit] = alphabet++
      units[position++] = numbers[unit]!
    }
    units[position++] = 0
  }
  return { units, alphabet }
}

/** Enough for 10,000 bodies: for each length, some millions of strings extend a common one. */
const maxSlots = 2 ** 24

interface Table {
  readonly keys: Float64Array
  /** How many texts contain the string, and the last of them. */
  readonly texts: Int32Array
  readonly last: Int32Array
  used: number
}

function newTable(positions: number): Table {
  const slots = Math.min(maxSlots, 2 ** Math.ceil(Math.log2(2 * positions + 2)))
  return { keys: new Float64Array(slots), texts: new Int32Array(slots), last: new Int32Array(slots), used: 0 }
}

function clear(table: Table): void {
  table.keys.fill(-1)
  table.texts.fill(0)
  table.last.fill(-1)
  table.used = 0
}

function slotOf(table: Table, key: number, text: number): number {
  const { keys, texts, last } = table
  const slots = keys.length
  let slot = (Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 0x100000000) | 0, 0x85ebca6b)) >>> 0
  slot = (slot ^ (slot >>> 15)) & (slots - 1)
  while (keys[slot] !== key) {
    if (keys[slot] === -1) {
      if (table.used++ > slots * 0.8) throw new Error('Too many different strings: look through fewer texts.')
      keys[slot] = key
      break
    }
    slot = (slot + 1) & (slots - 1)
  }
  if (last[slot] !== text) {
    last[slot] = text
    texts[slot]! += 1
  }
  return slot
}
