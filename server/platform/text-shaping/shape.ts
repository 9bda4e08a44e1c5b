import bidiFactory from 'bidi-js'
import * as hb from 'harfbuzzjs'
import { findFont, type HanLanguage, type LoadedFont, type Outline, type Weight } from './fonts.ts'

/**
 * Sets lines of text in any script that the fonts have, as outlines: the order of UAX #9 (bidi-js), joined characters and
 * conjuncts by HarfBuzz, and a font for each grapheme.
 */

export interface TextStyle {
  readonly weight: Weight
  /** Whose forms of Han characters. */
  readonly han: HanLanguage
  /** The direction of the paragraph that a line is of. */
  readonly rightToLeft: boolean
  /** Added between characters that do not join, in thousandths of the size. */
  readonly tracking?: number
}

/** In thousandths of the size, y upwards. */
export interface ShapedLine {
  readonly path: string
  readonly width: number
}

// Its types describe a module, and Node loads the script: the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
export const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** By the first strong character, as browsers resolve `dir=auto`. */
export const isRightToLeft = (text: string): boolean => bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1

/** Kana and Hangul say whose Han characters these are; otherwise the language of the text does. */
export function hanLanguageOf(text: string, language = ''): HanLanguage {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  if (/\p{Script=Hangul}/u.test(text)) return 'ko'
  const [primary] = language.toLowerCase().split('-')
  return primary === 'ja' || primary === 'ko' ? primary : 'zh'
}

/** Whether fonts have all its characters. */
export const canDraw = (grapheme: string, style: TextStyle): boolean => fontsOf(grapheme, style, false) !== undefined

/** A grapheme, or a character of one that no single font has whole. */
interface Item {
  readonly start: number
  readonly end: number
  readonly font: LoadedFont
}

/** HarfBuzz hides these, whether a font has them or not. */
const isIgnorable = /\p{Default_Ignorable_Code_Point}/u
/** As wide as a Han character in Chinese text, where dashes and ellipses are two of them. */
const mayBeWide = /^[“”‘’…—·]$/u
const isHan = /^[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u

function fontsOf(grapheme: string, style: TextStyle, isWide: boolean): [string, LoadedFont][] | undefined {
  const characters = [...grapheme]
  const find = (some: readonly string[]) => {
    const visible = some.filter((character) => !isIgnorable.test(character))
    const codePoints = visible.map((character) => (/^\s$/u.test(character) ? 32 : character.codePointAt(0)!))
    return findFont(codePoints.length > 0 ? codePoints : [32], style.weight, style.han, isWide)
  }
  const whole = find(characters)
  if (whole) return [[grapheme, whole]]
  if (characters.length === 1) return undefined
  const parts: [string, LoadedFont][] = []
  for (const character of characters) {
    const font = find([character])
    if (!font) return undefined
    parts.push([character, font])
  }
  return parts
}

function itemsOf(text: string, style: TextStyle): Item[] | undefined {
  const all = graphemesOf(text)
  const items: Item[] = []
  let start = 0
  let wasWide = false
  for (const [index, grapheme] of all.entries()) {
    const isBesideHan: boolean = wasWide || [all[index - 1], all[index + 1]].some((other) => other && isHan.test(other))
    const isWide: boolean = style.han === 'zh' && isBesideHan && mayBeWide.test(grapheme)
    wasWide = isWide
    const parts = fontsOf(grapheme, style, isWide)
    if (!parts) return undefined
    for (const [part, font] of parts) {
      items.push({ start, end: start + part.length, font })
      start += part.length
    }
  }
  return items
}

interface Run extends Item {
  readonly level: number
}

/** Neighbours with one font and one direction are shaped together. */
function runsOf(text: string, style: TextStyle): Run[] | undefined {
  const items = itemsOf(text, style)
  if (!items) return undefined
  const { levels } = bidi.getEmbeddingLevels(text, style.rightToLeft ? 'rtl' : 'ltr')
  const runs: Run[] = []
  for (const item of items) {
    const level = levels[item.start]!
    const last = runs.at(-1)
    if (last?.font === item.font && last.level === level) runs[runs.length - 1] = { ...last, end: item.end }
    else runs.push({ ...item, level })
  }
  return runs
}

/** From left to right: rule L2 of UAX #9. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from
      while (to < ordered.length && ordered[to]!.level >= level) to++
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to
    }
  }
  return ordered
}

interface Glyph {
  readonly id: number
  readonly cluster: number
  readonly advance: number
  readonly x: number
  readonly y: number
}

// One for all lines: HarfBuzz's memory is freed only when the collector runs.
const buffer = new hb.Buffer()

function glyphsOf(text: string, { start, end, font, level }: Run, tracking: number): Glyph[] {
  buffer.reset()
  buffer.addText(text, start, end - start)
  buffer.setDirection(level % 2 === 1 ? hb.Direction.RTL : hb.Direction.LTR)
  buffer.setFlags(hb.BufferFlag.DO_NOT_INSERT_DOTTED_CIRCLE)
  buffer.guessSegmentProperties()
  hb.shape(font.font, buffer)
  const [infos, positions] = [buffer.getGlyphInfos(), buffer.getGlyphPositions()]
  return infos.map(({ codepoint: id, cluster }, index) => {
    // Glyph 0 is the empty box of a missing character: draw nothing rather than that.
    if (id === 0) return { id, cluster, advance: 0, x: 0, y: 0 }
    const { xAdvance, xOffset, yOffset } = positions[index]!
    const isLast = infos[index + 1]?.cluster !== cluster
    const advance = xAdvance + (isLast && font.hasTracking ? tracking : 0)
    return { id, cluster, advance, x: xOffset, y: yOffset }
  })
}

/** Undefined if a character has no font. */
export function shapeLine(text: string, style: TextStyle): ShapedLine | undefined {
  const runs = runsOf(text, style)
  if (!runs) return undefined
  let path = ''
  let width = 0
  for (const run of inVisualOrder(runs)) {
    for (const { id, advance, x, y } of glyphsOf(text, run, style.tracking ?? 0)) {
      for (const curve of id === 0 ? [] : outlineOf(run.font, id))
        path += `M${Math.round(width + x + curve.x)} ${Math.round(y + curve.y)}${curve.rest}`
      width += advance
    }
  }
  return { path, width }
}

/** The advance of each grapheme, in ems; of a ligature the first has it all. */
export function advancesOf(text: string, style: TextStyle): number[] {
  const all = graphemesOf(text)
  const starts: number[] = []
  let at = 0
  for (const grapheme of all) {
    starts.push(at)
    at += grapheme.length
  }
  const byStart = new Map<number, number>()
  for (const run of runsOf(text, style) ?? []) {
    for (const { cluster, advance } of glyphsOf(text, run, style.tracking ?? 0))
      byStart.set(cluster, (byStart.get(cluster) ?? 0) + advance)
  }
  return all.map((grapheme, index) => {
    let sum = 0
    for (let unit = 0; unit < grapheme.length; unit++) sum += byStart.get(starts[index]! + unit) ?? 0
    return sum / 1_000
  })
}

function outlineOf({ font, outlines }: LoadedFont, glyph: number): Outline {
  const known = outlines.get(glyph)
  if (known) return known
  const outline = readOutline(font, glyph)
  outlines.set(glyph, outline)
  return outline
}

/** Rounded to thousandths, each point by itself, so that errors do not add up. */
function readOutline(font: hb.Font, glyph: number): Outline {
  const curves: { x: number; y: number; rest: string }[] = []
  let [x, y] = [0, 0]
  for (const { type, values } of font.glyphToJson(glyph)) {
    const points = values.map(Math.round)
    const curve = curves.at(-1)
    if (type === 'M') curves.push({ x: points[0]!, y: points[1]!, rest: '' })
    else if (curve && type === 'Z') curve.rest += 'z'
    else if (curve) {
      const near = points.map((value, index) => value - (index % 2 === 0 ? x : y))
      curve.rest += `${type.toLowerCase()}${near.join(' ')}`
    }
    if (type !== 'Z') [x, y] = points.slice(-2) as [number, number]
  }
  return curves
}
