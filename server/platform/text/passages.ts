/**
 * A passage of a text, remembered by its words, what surrounds it and where it began, so that it is found again after the
 * text was changed. Positions are UTF-16 code units of a text whose lines end in LF.
 */
export interface Passage {
  readonly quote: string
  readonly before: string
  readonly after: string
  readonly position: number
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** Characters; the database has the same limits. */
export const longestQuote = 5000
const contextLength = 60

export const withPlainLines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Does not cut a character outside the BMP in two. */
const cutStart = (text: string): string => (/^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text)
const cutEnd = (text: string): string => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text)

/** The passage of this range, without the space around it. Undefined if only space is in it. */
export function passageAt(text: string, { from, to }: Range): Passage | undefined {
  const chosen = text.slice(from, to)
  const position = from + chosen.length - chosen.trimStart().length
  const quote = cutEnd(chosen.trim().slice(0, longestQuote))
  if (quote === '') return undefined
  const end = position + quote.length
  return {
    quote,
    before: cutStart(text.slice(Math.max(0, position - contextLength), position)),
    after: cutEnd(text.slice(end, end + contextLength)),
    position,
  }
}

/** Where the passage is now; undefined if it was removed. */
export function findPassage(text: string, passage: Passage): Range | undefined {
  return findWhole(text, passage) ?? findBetween(text, passage) ?? findSimilar(text, passage)
}

/** Unchanged: of several places, the one with the surroundings it had, then the nearest. */
function findWhole(text: string, { quote, before, after, position }: Passage): Range | undefined {
  let best: { readonly from: number; readonly score: number; readonly distance: number } | undefined
  for (let from = text.indexOf(quote); from >= 0; from = text.indexOf(quote, from + 1)) {
    const score =
      commonEnd(text.slice(Math.max(0, from - before.length), from), before) +
      commonStart(text.slice(from + quote.length, from + quote.length + after.length), after)
    const distance = Math.abs(from - position)
    if (!best || score > best.score || (score === best.score && distance < best.distance))
      best = { from, score, distance }
  }
  // A few characters are everywhere: alone they do not tell that it is the same passage.
  if (!best || (quote.length < shortQuote && best.score === 0 && before + after !== '')) return undefined
  return { from: best.from, to: best.from + quote.length }
}

const shortQuote = 8

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1
  return length
}

function commonEnd(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1
  return length
}

/** What is around it is still there, and something between. */
function findBetween(text: string, { quote, before, after, position }: Passage): Range | undefined {
  const [start, end] = [before.slice(-neighbours), after.slice(0, neighbours)]
  if (start.trim().length < fewest && end.trim().length < fewest) return undefined
  const reach = 2 * quote.length + 80
  let best: Range | undefined
  const near = Math.max(0, position - before.length)
  for (let at = start === '' ? 0 : text.indexOf(start); at >= 0; at = start === '' ? -1 : text.indexOf(start, at + 1)) {
    const from = at + start.length
    const to = end === '' ? (text.length - from <= reach ? text.length : -1) : text.indexOf(end, from)
    if (to < 0 || to - from > reach) continue
    if (!best || Math.abs(from - near) < Math.abs(best.from - near)) best = { from, to }
  }
  if (!best) return undefined
  const found = trimmed(text, best)
  // Other words in the same place are another passage.
  return found && likeness(quote, text.slice(found.from, found.to)) > leastLikeness ? found : undefined
}

const neighbours = 24
const fewest = 4
const leastLikeness = 0.3

function trimmed(text: string, { from, to }: Range): Range | undefined {
  const inside = text.slice(from, to)
  if (inside.trim() === '') return undefined
  return {
    from: from + inside.length - inside.trimStart().length,
    to: to - (inside.length - inside.trimEnd().length),
  }
}

const grams = (text: string, size: number): string[] =>
  Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) => text.slice(at, at + size))

/** From 0 to 1: how many pairs of characters they have in common (Sørensen–Dice). */
function likeness(one: string, other: string): number {
  const [pairs, others] = [grams(one, 2), grams(other, 2)]
  if (pairs.length === 0 || others.length === 0) return one === other ? 1 : 0
  const left = new Map<string, number>()
  for (const pair of pairs) left.set(pair, (left.get(pair) ?? 0) + 1)
  let common = 0
  for (const pair of others) {
    const count = left.get(pair) ?? 0
    if (count === 0) continue
    common += 1
    left.set(pair, count - 1)
  }
  return (2 * common) / (pairs.length + others.length)
}

const seedLength = 10
/** Of what it had, this much must be in one place. */
const leastFound = 0.4

/** Edited and moved: where most of its parts are, in their order. */
function findSimilar(text: string, { quote, position }: Passage): Range | undefined {
  if (quote.length < 2 * seedLength) return undefined
  const hits: { readonly at: number; readonly shift: number }[] = []
  const step = Math.max(1, Math.floor(quote.length / 200))
  let seeds = 0
  for (let offset = 0; offset + seedLength <= quote.length; offset += step) {
    seeds += 1
    const seed = quote.slice(offset, offset + seedLength)
    for (let at = text.indexOf(seed), count = 0; at >= 0 && count < 20; at = text.indexOf(seed, at + 1), count += 1) {
      hits.push({ at, shift: at - offset })
    }
  }
  const slack = Math.max(20, quote.length / 2)
  let best: readonly (typeof hits)[number][] = []
  let bestDistance = Number.POSITIVE_INFINITY
  for (const { shift } of hits.slice(0, 400)) {
    const close = hits.filter((hit) => Math.abs(hit.shift - shift) <= slack)
    const distance = Math.abs(shift - position)
    if (close.length > best.length || (close.length === best.length && distance < bestDistance)) {
      best = close
      bestDistance = distance
    }
  }
  if (best.length < seeds * leastFound) return undefined
  const places = best.map(({ at }) => at)
  return { from: Math.min(...places), to: Math.max(...places) + seedLength }
}

/** What Markdown adds to the words that readers see: they copy a passage without it. */
const markup = /\]\([^)\s]*\)|[*_`~[\]#>\\]/y

/**
 * Where a reader's quotation from the page is in the Markdown: spaces, quotation marks and the signs of Markdown make no
 * difference. Of several places the first.
 */
export function findQuotation(text: string, quotation: string): Range | undefined {
  const wanted = readable(quotation).words.trim()
  if (wanted === '') return undefined
  const { words, places } = readable(text)
  const at = words.indexOf(wanted)
  if (at < 0) return undefined
  return { from: places[at]!, to: places[at + wanted.length - 1]! + 1 }
}

/** The words as they are read, and where each sign of them is in the text. */
function readable(text: string): { readonly words: string; readonly places: readonly number[] } {
  let words = ''
  const places: number[] = []
  for (let at = 0; at < text.length; ) {
    markup.lastIndex = at
    const skipped = markup.exec(text)?.[0].length ?? 0
    if (skipped > 0) {
      at += skipped
      continue
    }
    const sign = alike(text[at]!)
    if (sign !== ' ' || !words.endsWith(' ')) {
      words += sign
      places.push(at)
    }
    at += 1
  }
  return { words, places }
}

function alike(sign: string): string {
  if (/\s/.test(sign)) return ' '
  if (/[‘’‚‛′]/.test(sign)) return "'"
  if (/[“”„‟″«»]/.test(sign)) return '"'
  return /[‐-―]/.test(sign) ? '-' : sign
}

/** The paragraphs of a Markdown text that can be chosen to comment on. Code and blank lines separate nothing else. */
export function paragraphsOf(text: string): Range[] {
  return [...text.matchAll(/\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*/g)].map(({ 0: words, index }) => ({
    from: index,
    to: index + words.trimEnd().length,
  }))
}
