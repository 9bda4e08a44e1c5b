/** TrueType glyph outlines as SVG paths, in font units, y upwards. */

export interface Point {
  readonly x: number
  readonly y: number
  readonly onCurve: boolean
}

export type Contours = readonly (readonly Point[])[]

const flags = { onCurve: 1, shortX: 2, shortY: 4, repeated: 8, sameX: 16, sameY: 32 } as const
const parts = { words: 1, offsets: 2, scale: 8, more: 32, scales: 64, matrix: 128 } as const

/** `loca` holds each glyph's offset in `glyf`. */
export function contoursIn(glyf: Buffer, loca: Buffer, longOffsets: boolean): (glyph: number) => Contours {
  const offsetOf = (glyph: number) => (longOffsets ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2)
  const contoursOf = (glyph: number): Contours => {
    const [start, end] = [offsetOf(glyph), offsetOf(glyph + 1)]
    if (start === end) return []
    const bytes = glyf.subarray(start, end)
    const count = bytes.readInt16BE(0)
    return count < 0 ? composite(bytes, contoursOf) : simple(bytes, count)
  }
  return contoursOf
}

function simple(bytes: Buffer, count: number): Contours {
  const ends = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(10 + index * 2))
  const total = (ends.at(-1) ?? -1) + 1
  let at = 10 + count * 2
  at += 2 + bytes.readUInt16BE(at)
  const marks: number[] = []
  while (marks.length < total) {
    const mark = bytes[at++]!
    const times = mark & flags.repeated ? bytes[at++]! + 1 : 1
    for (let time = 0; time < times; time += 1) marks.push(mark)
  }
  const distances = (short: number, same: number): number[] => {
    let position = 0
    return marks.map((mark) => {
      if (mark & short) position += mark & same ? bytes[at++]! : -bytes[at++]!
      else if (!(mark & same)) {
        position += bytes.readInt16BE(at)
        at += 2
      }
      return position
    })
  }
  const xs = distances(flags.shortX, flags.sameX)
  const ys = distances(flags.shortY, flags.sameY)
  const points = marks.map((mark, index) => ({
    x: xs[index]!,
    y: ys[index]!,
    onCurve: (mark & flags.onCurve) !== 0,
  }))
  return ends.map((end, index) => points.slice((ends[index - 1] ?? -1) + 1, end + 1))
}

/** A composite glyph, such as a base character and its accent, each moved and scaled. */
function composite(bytes: Buffer, contoursOf: (glyph: number) => Contours): Contours {
  const all: Point[][] = []
  for (let at = 10, more = true; more; ) {
    const mark = bytes.readUInt16BE(at)
    const glyph = bytes.readUInt16BE(at + 2)
    at += 4
    const words = (mark & parts.words) !== 0
    const read = () => {
      const value = words ? bytes.readInt16BE(at) : bytes.readInt8(at)
      at += words ? 2 : 1
      return value
    }
    const [dx, dy] = [read(), read()]
    if (!(mark & parts.offsets)) throw new Error('the font places an accent by points')
    const ratio = () => {
      at += 2
      return bytes.readInt16BE(at - 2) / 16_384
    }
    let [a, b, c, d] = [1, 0, 0, 1]
    if (mark & parts.scale) a = d = ratio()
    else if (mark & parts.scales) [a, d] = [ratio(), ratio()]
    else if (mark & parts.matrix) [a, b, c, d] = [ratio(), ratio(), ratio(), ratio()]
    for (const contour of contoursOf(glyph)) {
      all.push(
        contour.map(({ x, y, onCurve }) => ({
          x: Math.round(a * x + c * y + dx),
          y: Math.round(b * x + d * y + dy),
          onCurve,
        })),
      )
    }
    more = (mark & parts.more) !== 0
  }
  return all
}

/** A closed curve as its first point and a relative path, so that it can be placed anywhere. */
export function curveOf(contour: readonly Point[]): { readonly start: Point; readonly rest: string } | undefined {
  const whole = withMiddles(contour)
  const first = whole.findIndex(({ onCurve }) => onCurve)
  const start = whole[first]
  if (!start) return undefined
  const ring = [...whole.slice(first + 1), ...whole.slice(0, first + 1)]
  let rest = ''
  let from = start
  for (let index = 0; index < ring.length; index += 1) {
    const point = ring[index]!
    if (point.onCurve) {
      rest += `l${near(point, from)}`
      from = point
    } else {
      const to = ring[++index]!
      rest += `q${near(point, from)} ${near(to, from)}`
      from = to
    }
  }
  return { start, rest: `${rest}z` }
}

const near = (to: Point, from: Point): string => `${to.x - from.x} ${to.y - from.y}`

/** TrueType omits the on-curve point between two off-curve points. */
function withMiddles(contour: readonly Point[]): Point[] {
  return contour.flatMap((point, index) => {
    const next = contour[(index + 1) % contour.length]!
    if (point.onCurve || next.onCurve) return [point]
    return [point, { x: Math.round((point.x + next.x) / 2), y: Math.round((point.y + next.y) / 2), onCurve: true }]
  })
}
