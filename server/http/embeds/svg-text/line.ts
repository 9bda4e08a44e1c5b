import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Font, readFont } from './font.ts'

/** The site's serif, cut into files by script. */
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

/** Accents that stand alone need a shaper; so does everything that is not written in single letters from left to right. */
const needsShaping = /[\p{M}\p{Cf}]/u

/** Set in the site's serif, kerned; undefined where a character is not in it. */
export function setLine(text: string): Line | undefined {
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
