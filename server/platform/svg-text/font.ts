import { glyphsOf, readWoff } from '../font.ts'
import { contoursIn, curveOf } from './outlines.ts'

/** What setting a line of text needs of a font, in units of 1/`unitsPerEm` of the size. */
export interface Font {
  readonly unitsPerEm: number
  /** Undefined if the font lacks the character. */
  glyphOf(character: string): number | undefined
  advanceOf(glyph: number): number
  kerning(left: number, right: number): number
  /** An SVG path, moved right by `right`. */
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

/** Kerning between two glyphs: the pairs of the `kern` feature in the GPOS table. */
function readKerning(gpos: Buffer): (left: number, right: number) => number {
  const subtables = pairTables(gpos)
  const find = (left: number, right: number): number => {
    for (const subtable of subtables) {
      const found = subtable(left, right)
      if (found !== undefined) return found
    }
    return 0
  }
  // At most the square of a few hundred glyphs.
  const known = new Map<number, number>()
  return (left, right) => {
    const pair = left * 65_536 + right
    const found = known.get(pair) ?? find(left, right)
    known.set(pair, found)
    return found
  }
}

type PairTable = (left: number, right: number) => number | undefined

const kinds = { pairs: 2, extension: 9 } as const
/** Value records that hold only a horizontal advance. */
const advanceOnly = 4

function pairTables(gpos: Buffer): PairTable[] {
  const features = gpos.subarray(gpos.readUInt16BE(6))
  const lookups = gpos.subarray(gpos.readUInt16BE(8))
  const kernLookups = new Set<number>()
  for (let index = 0; index < features.readUInt16BE(0); index += 1) {
    const record = 2 + index * 6
    if (features.toString('latin1', record, record + 4) !== 'kern') continue
    const feature = features.subarray(features.readUInt16BE(record + 4))
    for (const lookup of words(feature, 4, feature.readUInt16BE(2))) kernLookups.add(lookup)
  }
  return [...kernLookups]
    .sort((a, b) => a - b)
    .flatMap((lookup) => {
      const table = lookups.subarray(lookups.readUInt16BE(2 + lookup * 2))
      const kind = table.readUInt16BE(0)
      return words(table, 6, table.readUInt16BE(4)).flatMap((offset) => {
        const subtable = table.subarray(offset)
        if (kind === kinds.pairs) return [pairTable(subtable)]
        if (kind !== kinds.extension || subtable.readUInt16BE(2) !== kinds.pairs) return []
        return [pairTable(subtable.subarray(subtable.readUInt32BE(4)))]
      })
    })
}

function pairTable(table: Buffer): PairTable {
  const covered = coverage(table.subarray(table.readUInt16BE(2)))
  if (table.readUInt16BE(4) !== advanceOnly || table.readUInt16BE(6) !== 0) return () => undefined
  return table.readUInt16BE(0) === 1 ? pairsByGlyph(table, covered) : pairsByClass(table, covered)
}

function pairsByGlyph(table: Buffer, covered: ReadonlyMap<number, number>): PairTable {
  return (left, right) => {
    const index = covered.get(left)
    if (index === undefined) return undefined
    const set = table.subarray(table.readUInt16BE(10 + index * 2))
    for (let pair = 0; pair < set.readUInt16BE(0); pair += 1) {
      if (set.readUInt16BE(2 + pair * 4) === right) return set.readInt16BE(4 + pair * 4)
    }
    return undefined
  }
}

function pairsByClass(table: Buffer, covered: ReadonlyMap<number, number>): PairTable {
  const lefts = classes(table.subarray(table.readUInt16BE(8)))
  const rights = classes(table.subarray(table.readUInt16BE(10)))
  const width = table.readUInt16BE(14)
  return (left, right) => {
    if (!covered.has(left)) return undefined
    return table.readInt16BE(16 + ((lefts.get(left) ?? 0) * width + (rights.get(right) ?? 0)) * 2)
  }
}

function coverage(table: Buffer): Map<number, number> {
  if (table.readUInt16BE(0) === 1)
    return new Map(words(table, 4, table.readUInt16BE(2)).map((glyph, index) => [glyph, index]))
  const glyphs = ranges(table, 4, table.readUInt16BE(2)).flatMap(({ from, to, value }) =>
    upTo(from, to).map((glyph): [number, number] => [glyph, value + glyph - from]),
  )
  return new Map(glyphs)
}

function classes(table: Buffer): Map<number, number> {
  if (table.readUInt16BE(0) === 1) {
    const first = table.readUInt16BE(2)
    return new Map(words(table, 6, table.readUInt16BE(4)).map((value, index) => [first + index, value]))
  }
  return new Map(
    ranges(table, 4, table.readUInt16BE(2)).flatMap(({ from, to, value }) =>
      upTo(from, to).map((glyph): [number, number] => [glyph, value]),
    ),
  )
}

const words = (table: Buffer, at: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => table.readUInt16BE(at + index * 2))

const ranges = (table: Buffer, at: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    from: table.readUInt16BE(at + index * 6),
    to: table.readUInt16BE(at + index * 6 + 2),
    value: table.readUInt16BE(at + index * 6 + 4),
  }))

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)
