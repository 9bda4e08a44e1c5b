import { brotliDecompressSync } from 'node:zlib'

/**
 * Unpacks WOFF 2.0 (https://www.w3.org/TR/WOFF2/) to the TrueType file that HarfBuzz reads. Only for the fonts of our
 * packages: a file that breaks the rules throws, or gives wrong outlines, and nobody else can send one.
 */
export function unpackWoff2(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOF2') throw new Error('not a WOFF2 file')
  const entries = readDirectory(file)
  const { bytes } = entries
  const tables = new Map<string, Buffer>()
  let at = 0
  for (const { tag, length } of entries.tables) {
    tables.set(tag, bytes.subarray(at, at + length))
    at += length
  }
  const isTransformed = new Set(entries.tables.filter(({ transformed }) => transformed).map(({ tag }) => tag))
  if (isTransformed.has('glyf')) {
    const { glyf, loca, lefts } = rebuildGlyphs(tables.get('glyf')!)
    tables.set('glyf', glyf).set('loca', loca)
    // Offsets of four bytes.
    const head = Buffer.from(tables.get('head')!)
    head.writeInt16BE(1, 50)
    tables.set('head', head)
    if (isTransformed.has('hmtx')) tables.set('hmtx', rebuildMetrics(tables, lefts))
  }
  return writeTrueType([...tables].filter(([tag]) => needed.has(tag)))
}

/** The tables that shaping and outlines need; names, hinting and vertical text stay packed away. */
const needed = new Set(
  'cmap head hhea hmtx maxp OS/2 glyf loca GDEF GSUB GPOS fvar avar gvar HVAR'.split(' ').map((tag) => tag.padEnd(4)),
)

const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'

interface PackedTable {
  readonly tag: string
  readonly length: number
  readonly transformed: boolean
}

function readDirectory(file: Buffer): { tables: PackedTable[]; bytes: Buffer } {
  const input = new ByteReader(file, 48)
  const tables = Array.from({ length: file.readUInt16BE(12) }, (): PackedTable => {
    const flags = input.byte()
    const known = flags & 63
    const tag = known === 63 ? input.bytes(4).toString('latin1') : knownTags.slice(known * 5, known * 5 + 4)
    const version = flags >> 6
    const isGlyphs = tag === 'glyf' || tag === 'loca'
    const transformed = isGlyphs ? version === 0 : version !== 0
    const original = input.base128()
    return { tag, length: transformed ? input.base128() : original, transformed }
  })
  const packed = input.bytes(file.readUInt32BE(20))
  return { tables, bytes: brotliDecompressSync(packed) }
}

/** Writes outlines in the order of glyphs again, from streams of their parts. */
function rebuildGlyphs(table: Buffer): { glyf: Buffer; loca: Buffer; lefts: Int16Array } {
  const hasOverlaps = (table.readUInt16BE(2) & 1) !== 0
  const count = table.readUInt16BE(4)
  let from = 36
  const streams = Array.from({ length: 7 }, (_, index) => {
    const start = from
    from += table.readUInt32BE(8 + 4 * index)
    return new ByteReader(table, start)
  })
  const [contours, points, flags, triplets, composites, boxes, instructions] = streams as [
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
    ByteReader,
  ]
  const hasBox = bitmap(boxes.bytes(4 * ((count + 31) >> 5)))
  const overlaps = hasOverlaps ? bitmap(table.subarray(from)) : () => false
  // Simple glyphs may be larger than packed: at most 5 bytes a point, where packed has at least 2.
  const output = new ByteWriter(table.length * 3)
  const loca = Buffer.alloc(4 * (count + 1))
  const lefts = new Int16Array(count)

  for (let glyph = 0; glyph < count; glyph++) {
    loca.writeUInt32BE(output.length, 4 * glyph)
    const contourCount = contours.int16()
    if (contourCount === 0) continue
    const box = hasBox(glyph) ? boxes.bytes(8) : undefined
    if (contourCount > 0) {
      lefts[glyph] = simpleGlyph(contourCount, { points, flags, triplets, instructions, box, output }, overlaps(glyph))
    } else {
      if (!box) throw new Error('a composite glyph has no bounding box')
      lefts[glyph] = box.readInt16BE(0)
      output.int16(-1)
      output.bytes(box)
      const { bytes, hasInstructions } = composite(composites)
      output.bytes(bytes)
      if (hasInstructions) {
        const length = triplets.short255()
        output.int16(length)
        output.bytes(instructions.bytes(length))
      }
    }
    output.align()
  }
  loca.writeUInt32BE(output.length, 4 * count)
  return { glyf: output.done(), loca, lefts }
}

interface SimpleStreams {
  readonly points: ByteReader
  readonly flags: ByteReader
  readonly triplets: ByteReader
  readonly instructions: ByteReader
  readonly box: Buffer | undefined
  readonly output: ByteWriter
}

const onCurve = 1
const overlapping = 64

/** Returns the left edge of its bounding box. */
function simpleGlyph(
  contourCount: number,
  { points, flags, triplets, instructions, box, output }: SimpleStreams,
  overlaps: boolean,
): number {
  let total = 0
  const ends = Array.from({ length: contourCount }, () => {
    total += points.short255()
    return total - 1
  })
  const [xs, ys] = [new Int16Array(total), new Int16Array(total)]
  const marks = new Uint8Array(total)
  let [x, y] = [0, 0]
  let [left, bottom, right, top] = [32_767, 32_767, -32_768, -32_768]
  for (let point = 0; point < total; point++) {
    const flag = flags.byte()
    readDistance(flag & 127, triplets)
    const { dx, dy } = distance
    marks[point] = flag & 128 ? 0 : onCurve
    xs[point] = dx
    ys[point] = dy
    x += dx
    y += dy
    if (x < left) left = x
    if (x > right) right = x
    if (y < bottom) bottom = y
    if (y > top) top = y
  }
  const length = triplets.short255()
  output.int16(contourCount)
  if (box) output.bytes(box)
  else for (const edge of [left, bottom, right, top]) output.int16(edge)
  for (const end of ends) output.int16(end)
  output.int16(length)
  output.bytes(instructions.bytes(length))
  if (overlaps) marks[0]! |= overlapping
  writeCoordinates(output, marks, xs, ys)
  return box ? box.readInt16BE(0) : left
}

/** Distances of a byte, or of two, as TrueType packs them; flags are not repeated. */
function writeCoordinates(output: ByteWriter, marks: Uint8Array, xs: Int16Array, ys: Int16Array): void {
  const isShort = (distance: number) => distance > -256 && distance < 256
  const markOf = (distance: number, short: number, same: number): number => {
    if (distance === 0) return same
    if (!isShort(distance)) return 0
    return distance > 0 ? short | same : short
  }
  for (let point = 0; point < marks.length; point++)
    output.byte(marks[point]! | markOf(xs[point]!, 2, 16) | markOf(ys[point]!, 4, 32))
  for (const distances of [xs, ys])
    for (const distance of distances) {
      if (distance === 0) continue
      if (isShort(distance)) output.byte(Math.abs(distance))
      else output.int16(distance)
    }
}

/** Written by readDistance: an object for each point would double the time. */
const distance = { dx: 0, dy: 0 }

const signed = (bit: number, value: number): number => (bit & 1 ? value : -value)

/** The distance to the next point: section 5.2 of the specification. */
function readDistance(flag: number, input: ByteReader): void {
  const first = input.byte()
  distance.dx = 0
  distance.dy = 0
  if (flag < 10) distance.dy = signed(flag, ((flag & 14) << 7) + first)
  else if (flag < 20) distance.dx = signed(flag, (((flag - 10) & 14) << 7) + first)
  else if (flag < 84) {
    distance.dx = signed(flag, 1 + ((flag - 20) & 48) + (first >> 4))
    distance.dy = signed(flag >> 1, 1 + (((flag - 20) & 12) << 2) + (first & 15))
  } else if (flag < 120) {
    distance.dx = signed(flag, 1 + (Math.floor((flag - 84) / 12) << 8) + first)
    distance.dy = signed(flag >> 1, 1 + ((((flag - 84) % 12) >> 2) << 8) + input.byte())
  } else if (flag < 124) {
    const second = input.byte()
    distance.dx = signed(flag, (first << 4) + (second >> 4))
    distance.dy = signed(flag >> 1, ((second & 15) << 8) + input.byte())
  } else {
    distance.dx = signed(flag, (first << 8) + input.byte())
    distance.dy = signed(flag >> 1, (input.byte() << 8) + input.byte())
  }
}

const parts = { words: 1, scale: 8, more: 32, scales: 64, matrix: 128, instructions: 256 } as const

/** A composite glyph is stored as in TrueType; only its end has to be found. */
function composite(input: ByteReader): { bytes: Buffer; hasInstructions: boolean } {
  const start = input.at
  let flags: number = parts.more
  let hasInstructions = false
  while (flags & parts.more) {
    flags = input.int16() & 0xffff
    hasInstructions ||= (flags & parts.instructions) !== 0
    const scales = flags & parts.scale ? 2 : flags & parts.scales ? 4 : flags & parts.matrix ? 8 : 0
    input.at += 2 + (flags & parts.words ? 4 : 2) + scales
  }
  return { bytes: input.since(start), hasInstructions }
}

/** Left side bearings may be left out where they are the left edges of the outlines. */
function rebuildMetrics(tables: ReadonlyMap<string, Buffer>, lefts: Int16Array): Buffer {
  const input = new ByteReader(tables.get('hmtx')!, 0)
  const flags = input.byte()
  const measured = tables.get('hhea')!.readUInt16BE(34)
  const advances = Array.from({ length: measured }, () => input.int16())
  const output = new ByteWriter(2 * (measured + lefts.length))
  for (const [glyph, left] of lefts.entries()) {
    const isMeasured = glyph < measured
    if (isMeasured) output.int16(advances[glyph]!)
    output.int16(flags & (isMeasured ? 1 : 2) ? left : input.int16())
  }
  return output.done()
}

function writeTrueType(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const padded = (length: number) => (length + 3) & ~3
  const directory = 12 + 16 * tables.length
  const file = Buffer.alloc(tables.reduce((sum, [, bytes]) => sum + padded(bytes.length), directory))
  file.writeUInt32BE(0x00010000, 0)
  file.writeUInt16BE(tables.length, 4)
  let at = directory
  const sorted = tables.toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [index, [tag, bytes]] of sorted.entries()) {
    const entry = 12 + 16 * index
    file.write(tag, entry, 'latin1')
    file.writeUInt32BE(at, entry + 8)
    file.writeUInt32BE(bytes.length, entry + 12)
    bytes.copy(file, at)
    at += padded(bytes.length)
  }
  return file
}

/** Bits of a table, the first in the highest bit of the first byte. */
const bitmap =
  (bytes: Buffer) =>
  (index: number): boolean =>
    ((bytes[index >> 3]! >> (7 - (index & 7))) & 1) === 1

class ByteReader {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.#bytes[this.at++]!
  }

  int16(): number {
    this.at += 2
    return this.#bytes.readInt16BE(this.at - 2)
  }

  bytes(length: number): Buffer {
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }

  since(start: number): Buffer {
    return this.#bytes.subarray(start, this.at)
  }

  /** UIntBase128: seven bits a byte. */
  base128(): number {
    let value = 0
    for (let byte = 128; byte & 128; ) {
      byte = this.byte()
      value = value * 128 + (byte & 127)
    }
    return value
  }

  /** 255UInt16: one byte up to 252. */
  short255(): number {
    const code = this.byte()
    if (code === 253) return this.int16() & 0xffff
    if (code === 254) return this.byte() + 506
    return code === 255 ? this.byte() + 253 : code
  }
}

class ByteWriter {
  #bytes: Buffer
  length = 0

  constructor(size: number) {
    this.#bytes = Buffer.alloc(size)
  }

  #grow(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const larger = Buffer.alloc(2 * (this.#bytes.length + more))
    this.#bytes.copy(larger)
    this.#bytes = larger
  }

  byte(value: number): void {
    this.#grow(1)
    this.#bytes[this.length++] = value
  }

  /** Signed or not: the lower 16 bits. */
  int16(value: number): void {
    this.#grow(2)
    this.#bytes[this.length++] = value >> 8
    this.#bytes[this.length++] = value
  }

  bytes(bytes: Buffer): void {
    this.#grow(bytes.length)
    bytes.copy(this.#bytes, this.length)
    this.length += bytes.length
  }

  align(): void {
    while (this.length % 4 !== 0) this.byte(0)
  }

  done(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }
}
