import { glyphsOf } from '../../font/characters.ts'
import { readWoff } from '../../font/woff.ts'

/** What a font file says of its characters: which it has, and how wide each is, in parts of the type size. */
export interface Font {
  has(codePoint: number): boolean
  width(codePoint: number): number
}

export function readFont(woff: Buffer): Font {
  const table = readWoff(woff)
  const glyphs = glyphsOf(table('cmap'))
  const unitsPerEm = table('head').readUInt16BE(18)
  const measured = table('hhea').readUInt16BE(34)
  const metrics = table('hmtx')
  return {
    has: (codePoint) => glyphs.has(codePoint),
    // The last width that is given stands for all glyphs after it.
    width: (codePoint) => metrics.readUInt16BE(4 * Math.min(glyphs.get(codePoint) ?? 0, measured - 1)) / unitsPerEm,
  }
}
