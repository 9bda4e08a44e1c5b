import { glyphsOf } from '#platform/font/characters.ts'
import { readWoff } from '#platform/font/woff.ts'
import { readKerning } from './kerning.ts'
import { contoursIn, curveOf } from './outlines.ts'

/** What is needed of a font to set a line of text in it, in units of which `unitsPerEm` make the size. */
export interface Font {
  readonly unitsPerEm: number
  /** Undefined where the font has no such character. */
  glyphOf(character: string): number | undefined
  advanceOf(glyph: number): number
  kerning(left: number, right: number): number
  /** As a path that begins so far to the right. */
  outlineOf(glyph: number, right: number): string
}

export function readFont(file: Buffer): Font {
  const table = readWoff(file)
  const head = table('head')
  const advances = table('hmtx')
  const lastAdvance = table('hhea').readUInt16BE(34) - 1
  const contoursOf = contoursIn(table('glyf'), table('loca'), head.readInt16BE(50) === 1)
  const glyphs = glyphsOf(table('cmap'))
  const curves = new Map<number, NonNullable<ReturnType<typeof curveOf>>[]>()
  const curvesOf = (glyph: number) => {
    const known = curves.get(glyph) ?? contoursOf(glyph).flatMap((contour) => curveOf(contour) ?? [])
    curves.set(glyph, known)
    return known
  }
  return {
    unitsPerEm: head.readUInt16BE(18),
    glyphOf: (character) => glyphs.get(character.codePointAt(0) ?? 0),
    advanceOf: (glyph) => advances.readUInt16BE(Math.min(glyph, lastAdvance) * 4),
    kerning: readKerning(table('GPOS')),
    outlineOf: (glyph, right) =>
      curvesOf(glyph)
        .map(({ start, rest }) => `M${start.x + right} ${start.y}${rest}`)
        .join(''),
  }
}
