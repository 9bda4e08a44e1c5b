/** Breaks text into lines with our own measurement, so that truncation, size and balance are known before drawing. */

/** The width of a text relative to the font size. */
export type Width = (text: string) => number

/** Greedy line breaking. A word longer than a line is broken. */
function breakLines(text: string, measure: number, width: Width): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of text.split(opportunity).flatMap((word) => broken(word, measure, width))) {
    if (line !== '' && used + width(word.trimEnd()) > measure) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    line += word
    used += width(word)
  }
  return [...lines, line.trimEnd()]
}

/** After spaces, and after hyphens and dashes inside a word. */
const opportunity = /(?<=\s)|(?<=[\p{L}\p{N}][-–—/])(?=[\p{L}\p{N}])/u

function broken(word: string, measure: number, width: Width): string[] {
  if (width(word.trimEnd()) <= measure) return [word]
  const parts: string[] = []
  let part = ''
  for (const character of word) {
    if (width(part + character) > measure) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

/** As many lines as at full width, and as equal as possible: broken at the narrowest width that still does. */
function balanced(text: string, measure: number, width: Width): string[] {
  const lines = breakLines(text, measure, width)
  let [narrow, wide] = [measure / 2, measure]
  for (let step = 0; lines.length > 1 && step < 8; step++) {
    const half = (narrow + wide) / 2
    if (breakLines(text, half, width).length > lines.length) narrow = half
    else wide = half
  }
  return breakLines(text, wide, width)
}

/** Balanced if it fits; else the first lines at full width, with an ellipsis after the last word that fits. */
export function atMost(text: string, most: number, measure: number, width: Width): string[] {
  const lines = breakLines(text, measure, width)
  if (lines.length <= most) return balanced(text, measure, width)
  const shown = lines.slice(0, most)
  let last = shown.pop() ?? ''
  while (width(`${last}…`) > measure) last = last.replace(/\s+\S+$|\S$/u, '')
  return [...shown, `${last.replace(/[\s.,;:–—-]+$/u, '')}…`]
}

export const oneLine = (text: string, measure: number, width: Width): string => atMost(text, 1, measure, width)[0]!

export interface SetText {
  readonly size: number
  readonly lines: readonly string[]
  /** Whether nothing was truncated. */
  readonly whole: boolean
}

export interface Frame {
  /** From the largest to the smallest. */
  readonly sizes: readonly number[]
  readonly leading: number
  readonly across: number
  readonly tall: number
}

/** The largest size that fits the frame without breaking a word; else truncated at the smallest. */
export function fitted(text: string, { sizes, leading, across, tall }: Frame, width: Width): SetText {
  const longestWord = Math.max(...text.split(opportunity).map((word) => width(word.trimEnd())))
  const lineCount = (size: number) => breakLines(text, across / size, width).length
  const fits = (size: number) => lineCount(size) * size * leading <= tall
  const size = sizes.find((size) => longestWord * size <= across && fits(size)) ?? sizes.at(-1)!
  const lines = atMost(text, Math.floor(tall / (size * leading)), across / size, width)
  return { size, lines, whole: fits(size) }
}

/**
 * The text that the typeface can draw, or null if a character is missing: no title is better than one with boxes or
 * gaps. Emoji and unknown symbols are left out.
 */
export function drawable(text: string | null, has: (codePoint: number) => boolean): string | null {
  const kept: string[] = []
  for (const { segment } of graphemes.segment((text ?? '').normalize('NFC').replace(formatting, ''))) {
    const characters = [...segment].slice(0, mostCharacters)
    if (characters.every((character) => isSpace.test(character) || has(character.codePointAt(0)!))) {
      if (!isMark.test(segment)) kept.push(...characters)
    } else if (isWord.test(segment) && !isEmoji.test(segment)) return null
  }
  const line = kept.join('').replace(/\s+/gu, ' ').trim()
  return isWord.test(line) ? line : null
}

/** Per grapheme: more combining marks would overlap the neighbouring lines. */
const mostCharacters = 4

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Joiners, direction marks, variation selectors and so on: nothing in this typeface needs them. */
const formatting = /[[\p{Cf}\p{Cc}\p{Variation_Selector}]--\s]/gv
const isSpace = /^\s$/u
/** A combining mark without a base character. */
const isMark = /^\p{M}/u
const isWord = /[\p{L}\p{N}\p{M}]/u
const isEmoji = /^\p{RGI_Emoji}$|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/v
