import {
  advancesOf,
  canDraw,
  graphemesOf,
  type ShapedLine,
  shapeLine,
  type TextStyle,
} from '../../text-shaping/shape.ts'

/**
 * Breaks text into lines by its shaped widths, so that truncation, size and balance are known before drawing. A text is
 * shaped once to measure it, and each of its lines once more to draw it.
 */

export interface MeasuredText {
  readonly graphemes: readonly string[]
  /** The width before each grapheme and after the last, relative to the font size. */
  readonly widths: readonly number[]
  /** Whether a line may begin with this grapheme. */
  readonly mayBegin: readonly boolean[]
  readonly style: TextStyle
}

/** More than any picture shows: longer texts are measured no further. */
const mostGraphemes = 500

export function measured(text: string, style: TextStyle): MeasuredText {
  const graphemes = graphemesOf(text).slice(0, mostGraphemes)
  const widths = [0]
  for (const advance of advancesOf(graphemes.join(''), style)) widths.push(widths.at(-1)! + advance)
  return { graphemes, widths, mayBegin: beginnings(graphemes), style }
}

/** Written without spaces, and broken between any two characters. Korean has spaces, and is broken there. */
const isIdeograph = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\u30fc\uff01-\uff60]/u
/** Closing punctuation, small kana and marks that repeat or lengthen the one before never begin a line. */
const neverBegins =
  /^[\p{Pe}\p{Pf}!%,.:;?…‥·、。々〻〜・ーゝゞヽヾ！％，．：；？｡､ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ”’]/u
const neverEnds = /^[\p{Ps}\p{Pi}“‘$¥￥＄#]/u
const isSpace = /^\s+$/u
const isLetter = /^[\p{L}\p{N}]/u
const isHyphen = /^[-–—/]$/u
const isThai = /\p{Script=Thai}/u

/** After spaces, around ideographs, between Thai words, and after hyphens and dashes inside a word. */
function beginnings(graphemes: readonly string[]): boolean[] {
  const thaiWords = thaiWordStarts(graphemes)
  return graphemes.map((grapheme, index) => {
    const before = graphemes[index - 1]
    if (before === undefined || isSpace.test(grapheme)) return false
    if (isSpace.test(before)) return true
    if (neverBegins.test(grapheme) || neverEnds.test(before)) return false
    if (isIdeograph.test(grapheme) || isIdeograph.test(before)) return true
    if (thaiWords.has(index)) return true
    return isHyphen.test(before) && isLetter.test(grapheme) && isLetter.test(graphemes[index - 2] ?? '')
  })
}

/** Thai has no spaces between words; ICU knows them. */
function thaiWordStarts(graphemes: readonly string[]): Set<number> {
  const text = graphemes.join('')
  if (!isThai.test(text)) return new Set()
  const starts = new Set(
    Array.from(new Intl.Segmenter('th', { granularity: 'word' }).segment(text))
      .filter(({ segment }) => isThai.test(segment))
      .map(({ index }) => index),
  )
  let at = 0
  const found = new Set<number>()
  for (const [index, grapheme] of graphemes.entries()) {
    if (starts.has(at)) found.add(index)
    at += grapheme.length
  }
  return found
}

/** From the first grapheme to before the last. */
interface Span {
  readonly from: number
  readonly to: number
}

const widthOf = ({ widths }: MeasuredText, { from, to }: Span): number => widths[to]! - widths[from]!

/** Greedy line breaking. A word longer than a line is broken between graphemes. */
function breakLines(text: MeasuredText, measure: number): Span[] {
  const { graphemes, mayBegin } = text
  const lines: Span[] = []
  let from = 0
  let lastBreak = 0
  for (let at = 0; at < graphemes.length; at++) {
    if (mayBegin[at]) lastBreak = at
    if (at === from || isSpace.test(graphemes[at]!) || widthOf(text, { from, to: at + 1 }) <= measure) continue
    const to = lastBreak > from ? lastBreak : at
    lines.push(trimmed(text, { from, to }))
    from = to
  }
  return [...lines, trimmed(text, { from, to: graphemes.length })]
}

function trimmed({ graphemes }: MeasuredText, { from, to }: Span): Span {
  let end = to
  while (end > from && isSpace.test(graphemes[end - 1]!)) end--
  return { from, to: end }
}

/** As many lines as at full width, and as equal as possible: broken at the narrowest width that still does. */
function balanced(text: MeasuredText, measure: number): Span[] {
  const lines = breakLines(text, measure)
  let [narrow, wide] = [measure / 2, measure]
  for (let step = 0; lines.length > 1 && step < 8; step++) {
    const half = (narrow + wide) / 2
    if (breakLines(text, half).length > lines.length) narrow = half
    else wide = half
  }
  return breakLines(text, wide)
}

/** Balanced if it fits; else the first lines at full width, with an ellipsis after the last word that fits. */
export function atMost(text: MeasuredText, most: number, measure: number): ShapedLine[] {
  const lines = breakLines(text, measure)
  const shaped = (line: string) => shapeLine(line, text.style) ?? { path: '', width: 0 }
  const wordsOf = ({ from, to }: Span) => text.graphemes.slice(from, to).join('')
  if (lines.length <= most) return balanced(text, measure).map((line) => shaped(wordsOf(line)))
  const shown = lines.slice(0, Math.max(most, 1))
  const last = truncated(text, shown.pop()!, measure - ellipsisWidth)
  return [...shown.map((line) => shaped(wordsOf(line))), shaped(`${wordsOf(last).replace(loosePunctuation, '')}…`)]
}

/** In ems, with space for the wider one of Chinese. */
const ellipsisWidth = 1
const loosePunctuation = /[\s.,;:–—、，。；：-]+$/u

/** Ends where a line may, unless that would leave less than half of it. */
function truncated(text: MeasuredText, { from }: Span, measure: number): Span {
  let to = from
  while (to < text.graphemes.length && widthOf(text, { from, to: to + 1 }) <= measure) to++
  let end = to
  while (end > from && !text.mayBegin[end]) end--
  return trimmed(text, { from, to: widthOf(text, { from, to: end }) >= measure / 2 ? end : to })
}

export const oneLine = (text: MeasuredText, measure: number): ShapedLine => atMost(text, 1, measure)[0]!

export interface SetText {
  readonly size: number
  readonly leading: number
  readonly lines: readonly ShapedLine[]
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
export function fitted(text: MeasuredText, { sizes, leading, across, tall }: Frame): SetText {
  const longestWord = longestWordOf(text)
  const fits = (size: number) => breakLines(text, across / size).length * size * leading <= tall
  const size = sizes.find((size) => longestWord * size <= across && fits(size)) ?? sizes.at(-1)!
  const lines = atMost(text, Math.floor(tall / (size * leading)), across / size)
  return { size, leading, lines, whole: fits(size) }
}

function longestWordOf(text: MeasuredText): number {
  let [longest, from] = [0, 0]
  for (let to = 1; to <= text.graphemes.length; to++) {
    if (to < text.graphemes.length && !text.mayBegin[to]) continue
    longest = Math.max(longest, widthOf(text, trimmed(text, { from, to })))
    from = to
  }
  return longest
}

/** Characters with marks above and below, and characters that fill their square, need more space between lines. */
const leadings: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Arabic}/u, 1.45],
  [/\p{Script=Thai}/u, 1.45],
  [/\p{Script=Devanagari}/u, 1.4],
  [/\p{Script=Hebrew}/u, 1.25],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, 1.25],
]

export const leadingOf = ({ graphemes }: MeasuredText, least: number): number =>
  Math.max(
    least,
    ...leadings.filter(([script]) => graphemes.some((one) => script.test(one))).map(([, leading]) => leading),
  )

/**
 * The text that the fonts can draw, or null if a character is missing: no title is better than one with boxes or gaps.
 * Emoji and unknown symbols are left out.
 */
export function drawable(text: string | null, style: TextStyle): string | null {
  const kept: string[] = []
  const clean = (text ?? '').toWellFormed().normalize('NFC').replace(formatting, '').replace(looseJoiners, '')
  for (const { segment } of graphemes.segment(clean.slice(0, mostUnits))) {
    const characters = [...segment.replace(manyMarks, '$1')].slice(0, mostCharacters).join('')
    if (isSpace.test(characters) || canDraw(characters, style)) {
      if (!isMark.test(segment)) kept.push(characters)
    } else if (isWord.test(segment) && !isEmoji.test(segment)) return null
  }
  const line = kept.join('').replace(/\s+/gu, ' ').trim()
  return isWord.test(line) ? line : null
}

/** More is never shown. */
const mostUnits = 2_000
/** Per grapheme: conjuncts of Devanagari have up to a dozen. */
const mostCharacters = 12
/** More combining marks on one character would overlap the neighbouring lines. */
const manyMarks = /(\p{M}{3})\p{M}+/gu

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Direction marks, variation selectors and so on; not the joiners that Persian, Urdu and Hindi are written with. */
const formatting = /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Variation_Selector}]--[\s\u200c\u200d]]/gv
const looseJoiners = /(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{M}])[\u200c\u200d]+/gu
/** A combining mark without a base character. */
const isMark = /^\p{M}/u
const isWord = /[\p{L}\p{N}\p{M}]/u
const isEmoji = /^\p{RGI_Emoji}$|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/v
