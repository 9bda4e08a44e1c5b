import { readFileSync } from 'node:fs'
import type { SatoriOptions } from 'satori'
import { glyphsOf, readWoff } from '../../font.ts'

/** Source Serif 4 in two weights, with all subsets of its package. Other characters cannot be drawn. */

const weights = [400, 600] as const
export type Weight = (typeof weights)[number]

const parts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const

export interface Typeface {
  readonly fonts: SatoriOptions['fonts']
  /** All subsets by name: each character comes from the first that has it. */
  readonly family: string
  has(codePoint: number): boolean
  /** Relative to the font size, without kerning. */
  width(text: string, weight: Weight): number
}

export function readTypeface(): Typeface {
  const files = weights.flatMap((weight) =>
    parts.map((part) => {
      const data = readFileSync(new URL(fileOf(part, weight), thePackage))
      return { name: part, weight, style: 'normal' as const, data, font: readFont(data) }
    }),
  )
  const widths = Object.fromEntries(weights.map((weight) => [weight, new Map<string, number>()]))
  const fontOf = (codePoint: number, weight: Weight): Font | undefined =>
    files.find((file) => file.weight === weight && file.font.has(codePoint))?.font
  const widthOf = (character: string, weight: Weight): number => {
    const known = widths[weight]!.get(character)
    if (known !== undefined) return known
    const codePoint = character.codePointAt(0)!
    const width = fontOf(codePoint, weight)?.width(codePoint) ?? 0
    widths[weight]!.set(character, width)
    return width
  }
  return {
    fonts: files.map(({ name, weight, style, data }) => ({ name, weight, style, data })),
    family: parts.join(', '),
    has: (codePoint) => weights.every((weight) => fontOf(codePoint, weight) !== undefined),
    width: (text, weight) => [...text].reduce((sum, character) => sum + widthOf(character, weight), 0),
  }
}

const thePackage = import.meta.resolve('@fontsource/source-serif-4/package.json')
const fileOf = (part: string, weight: Weight): string => `files/source-serif-4-${part}-${weight}-normal.woff`

/** Which characters a font has, and their widths relative to the font size. */
interface Font {
  has(codePoint: number): boolean
  width(codePoint: number): number
}

function readFont(woff: Buffer): Font {
  const table = readWoff(woff)
  const glyphs = glyphsOf(table('cmap'))
  const unitsPerEm = table('head').readUInt16BE(18)
  const measured = table('hhea').readUInt16BE(34)
  const metrics = table('hmtx')
  return {
    has: (codePoint) => glyphs.has(codePoint),
    // The last width in the table applies to all further glyphs.
    width: (codePoint) => metrics.readUInt16BE(4 * Math.min(glyphs.get(codePoint) ?? 0, measured - 1)) / unitsPerEm,
  }
}
