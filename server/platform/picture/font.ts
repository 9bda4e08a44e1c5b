import { inflateSync } from 'node:zlib'

/** What a font file says of its characters: which it has, and how wide each is, in parts of the type size. */
export interface Font {
  has(codePoint: number): boolean
  width(codePoint: number): number
}

/** Reads WOFF 1.0, whose tables are those of OpenType, each compressed or not. */
export function readFont(woff: Buffer): Font {
  const table = tablesOf(woff)
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

function tablesOf(woff: Buffer): (tag: string) => Buffer {
  const places = new Map<string, Buffer>()
  for (let at = 44; at < 44 + 20 * woff.readUInt16BE(12); at += 20) {
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ]
    const bytes = woff.subarray(offset, offset + packed)
    places.set(woff.toString('latin1', at, at + 4), packed < length ? inflateSync(bytes) : bytes)
  }
  return (tag) => {
    const found = places.get(tag)
    if (!found) throw new Error(`the font has no table ${tag}`)
    return found
  }
}

/** Code point to glyph. Of the forms this table can take, web fonts have the fourth, and the twelfth beyond U+FFFF. */
function glyphsOf(cmap: Buffer): Map<number, number> {
  const glyphs = new Map<number, number>()
  const offsets = new Set(Array.from({ length: cmap.readUInt16BE(2) }, (_, n) => cmap.readUInt32BE(4 + 8 * n + 4)))
  for (const offset of offsets) {
    const form = cmap.readUInt16BE(offset)
    if (form === 4) readSegments(cmap.subarray(offset), glyphs)
    if (form === 12) readGroups(cmap.subarray(offset), glyphs)
  }
  return glyphs
}

function readSegments(form: Buffer, glyphs: Map<number, number>): void {
  const size = form.readUInt16BE(6)
  for (let at = 0; at < size; at += 2) {
    const end = form.readUInt16BE(14 + at)
    const start = form.readUInt16BE(16 + size + at)
    const delta = form.readUInt16BE(16 + 2 * size + at)
    const place = 16 + 3 * size + at
    const range = form.readUInt16BE(place)
    for (let code = start; code <= end && code < 0xffff; code++) {
      const listed = range === 0 ? code : form.readUInt16BE(place + range + 2 * (code - start))
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff
      if (glyph !== 0) glyphs.set(code, glyph)
    }
  }
}

function readGroups(form: Buffer, glyphs: Map<number, number>): void {
  for (let at = 16; at < 16 + 12 * form.readUInt32BE(12); at += 12) {
    const [start, end, first] = [0, 4, 8].map((field) => form.readUInt32BE(at + field)) as [number, number, number]
    for (let code = start; code <= end; code++) glyphs.set(code, first + code - start)
  }
}
