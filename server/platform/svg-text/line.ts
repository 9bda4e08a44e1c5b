import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Font, readFont } from './font.ts'

/** The site's serif comes as one file per script. */
const scripts = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext'] as const

const fonts = new Map<string, Font>()

function fontOf(script: string): Font {
  const known = fonts.get(script)
  if (known) return known
  const name = `@fontsource/source-serif-4/files/source-serif-4-${script}-600-normal.woff`
  const font = readFont(readFileSync(fileURLToPath(import.meta.resolve(name))))
  fonts.set(script, font)
  return font
}

/** A line of text as a path, in thousandths of its size, y upwards. */
export interface Line {
  readonly path: string
  readonly width: number
}

/** Combining marks and everything not written as single characters from left to right need a shaper. */
const needsShaping = /[\p{M}\p{Cf}]/u

/** Sets text in the site's serif, kerned; undefined if a character is missing. */
export function textToPath(text: string): Line | undefined {
  if (needsShaping.test(text)) return undefined
  let path = ''
  let width = 0
  let before: { font: Font; glyph: number } | undefined
  for (const character of text) {
    const found = find(character)
    if (!found) return undefined
    const { font, glyph } = found
    if (before?.font === font) width += font.kerning(before.glyph, glyph)
    path += font.outlineOf(glyph, width)
    width += font.advanceOf(glyph)
    before = found
  }
  return { path, width }
}

function find(character: string): { font: Font; glyph: number } | undefined {
  for (const script of scripts) {
    const font = fontOf(script)
    const glyph = font.glyphOf(character)
    if (glyph !== undefined) return { font, glyph }
  }
  return undefined
}

/**
 * Estimates the width of text in the reader's system font, in ems. Averages of Noto Sans at weight 600. The text is
 * fitted to the estimate, so an error stretches characters, not the pill.
 */
const characterWidths: readonly (readonly [RegExp, number])[] = [
  [/[ \u00a0]/u, 0.26],
  [/[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u30ff\uff01-\uff60]/u, 1],
  [/\p{Script=Hangul}/u, 0.92],
  [/[ادذرزولأإآؤ]/u, 0.37],
  [/[سشصض]/u, 1],
  [/\p{Script=Arabic}/u, 0.6],
  [/\p{Script=Hebrew}/u, 0.48],
  [/\p{Mc}/u, 0.3],
  [/[\p{Script=Devanagari}\p{Script=Gurmukhi}\p{Script=Gujarati}]/u, 0.57],
  [/[\p{Script=Bengali}\p{Script=Thai}\p{Script=Khmer}]/u, 0.63],
  [/[\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Cherokee}\p{Script=Myanmar}]/u, 0.85],
  [/[\p{Script=Telugu}\p{Script=Kannada}\p{Script=Sinhala}]/u, 0.75],
  [/[\p{Lu}MWmw@%&—…]/u, 0.72],
  [/[ijltfrI.,:;'’!|()[\]-]/u, 0.32],
]
const defaultWidth = 0.6
const emojiWidth = 1.25

/** Viramas that join adjacent characters into a narrower one. */
const joiners = /[\u094d\u09cd\u0acd\u0c4d\u0ccd\u0d4d\u0dca](?=\p{L})/gu
const joinedNarrowing = 0.35

const isEmoji = /\p{Extended_Pictographic}(?!\ufe0e)|\p{Regional_Indicator}/u

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

export function estimatedWidth(text: string): number {
  const sum = graphemesOf(text).reduce((width, grapheme) => width + widthOf(grapheme), 0)
  return Math.max(sum - joinedNarrowing * (text.match(joiners)?.length ?? 0), defaultWidth)
}

function widthOf(grapheme: string): number {
  if (isEmoji.test(grapheme)) return emojiWidth
  return Array.from(grapheme).reduce((width, character) => width + characterWidth(character), 0)
}

const characterWidth = (character: string): number =>
  characterWidths.find(([those]) => those.test(character))?.[1] ?? defaultWidth

const rightToLeft =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** By the first strong character, as browsers resolve `dir=auto`. */
export const isRightToLeft = (text: string): boolean => rightToLeft.test(text)
