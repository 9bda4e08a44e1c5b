import { readKerning } from './kerning.ts'
import { contoursIn, curveOf } from './outlines.ts'
import { readWoff } from './woff.ts'

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
  const glyphs = characterMap(table('cmap'))
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

const unicodeByRanges = 4

/** Format 4 holds the basic plane, which is all that our font has. */
function characterMap(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>()
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const map = cmap.subarray(cmap.readUInt32BE(8 + index * 8))
    if (map.readUInt16BE(0) !== unicodeByRanges) continue
    const width = map.readUInt16BE(6)
    const [ends, starts, deltas, offsets] = [14, 16 + width, 16 + width * 2, 16 + width * 3]
    for (let at = 0; at < width; at += 2) {
      const offset = map.readUInt16BE(offsets + at)
      for (let code = map.readUInt16BE(starts + at); code <= map.readUInt16BE(ends + at) && code < 0xffff; code += 1) {
        const place = offsets + at + offset + (code - map.readUInt16BE(starts + at)) * 2
        const found = offset === 0 ? code : map.readUInt16BE(place)
        if (found !== 0) glyphs.set(code, (found + map.readUInt16BE(deltas + at)) & 0xffff)
      }
    }
  }
  return glyphs
}
