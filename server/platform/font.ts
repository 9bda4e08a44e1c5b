import { inflateSync } from 'node:zlib'

/** The tables of a WOFF 1.0 file by name, unpacked on demand. */
export function readWoff(file: Buffer): (name: string) => Buffer {
  const places = new Map<string, { at: number; packed: number; length: number }>()
  for (let entry = 44, left = file.readUInt16BE(12); left > 0; entry += 20, left -= 1) {
    places.set(file.toString('latin1', entry, entry + 4), {
      at: file.readUInt32BE(entry + 4),
      packed: file.readUInt32BE(entry + 8),
      length: file.readUInt32BE(entry + 12),
    })
  }
  return (name) => {
    const place = places.get(name)
    if (!place) throw new Error(`the font has no table ${name}`)
    const bytes = file.subarray(place.at, place.at + place.packed)
    return place.packed < place.length ? inflateSync(bytes) : bytes
  }
}

/** Maps code points to glyphs. Of the formats of this table, web fonts use 4, and 12 beyond U+FFFF. */
export function glyphsOf(cmap: Buffer): Map<number, number> {
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
