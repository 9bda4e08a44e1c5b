import type { Composition } from './composition.ts'
import type { Role } from './palette.ts'
import { box, disc, fill, n, polar, polygon, type Shape, sheet, stroke } from './sheet.ts'

/** Compositions of many small forms, of lines, and of free curves. */

const { width, height } = sheet
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
const tile = 100

/** Tiles of quarter circles, leaves and triangles around a square with the mark. */
export const tiles: Composition = ({ whole, oneOf, maybe, turned, mark, pair: [first, second] }) => {
  const from = whole(1, 3)
  const down = oneOf([0, 1, 1, 2])
  const paths: Record<Role, string> = { ground: '', main: '', second: '', ink: '' }
  for (let row = 0; row < height / tile; row++)
    for (let column = 0; column < width / tile; column++) {
      const isTaken = column >= from && column <= from + 1 && row >= down && row <= down + 1
      if (isTaken || maybe(0.1)) continue
      const kind = oneOf(tileKinds)
      paths[oneOf<Role>([first, first, second, second, 'ink'])] += kind(column * tile, row * tile, maybe(), maybe())
    }
  const block = box(from * tile, down * tile, 2 * tile, 2 * tile)
  return (
    turned(
      ...(Object.entries(paths) as [Role, string][]).map(([role, path]) => (path ? fill(role, path) : '')),
      fill('ink', block),
    ) + mark('ground', { x: (from + 1) * tile, y: (down + 1) * tile, width: 130, height: 130 })
  )
}

type TileKind = (x: number, y: number, isRight: boolean, isDown: boolean) => string
const leaf: TileKind = (x, y, isRight) =>
  isRight
    ? `M${x} ${y}a100 100 0 0 1 100 100a100 100 0 0 1-100-100z`
    : `M${x + tile} ${y}a100 100 0 0 0-100 100a100 100 0 0 0 100-100z`
const tileKinds: readonly TileKind[] = [
  // A quarter circle.
  (x, y, isRight, isDown) =>
    isDown
      ? isRight
        ? `M${x} ${y}h100a100 100 0 0 1-100 100z`
        : `M${x} ${y}h100v100a100 100 0 0 1-100-100z`
      : isRight
        ? `M${x} ${y + tile}v-100a100 100 0 0 1 100 100z`
        : `M${x + tile} ${y + tile}h-100a100 100 0 0 1 100-100z`,
  // A half circle.
  (x, y, isRight, isDown) =>
    isDown
      ? `M${x} ${isRight ? y : y + tile}a50 50 0 0 ${isRight ? 0 : 1} 100 0z`
      : `M${isRight ? x : x + tile} ${y}a50 50 0 0 ${isRight ? 1 : 0} 0 100z`,
  (x, y, isRight, isDown) =>
    polygon(
      [x, isDown ? y : y + tile],
      [x + tile, isDown ? y : y + tile],
      [isRight ? x : x + tile, isDown ? y + tile : y],
    ),
  leaf,
  (x, y, isRight) => disc(x + 50, y + 50, isRight ? 50 : 28),
]

/** A drawing of lines in tiles, after Sol LeWitt. */
export const lines: Composition = ({ whole, oneOf, between, turned, mark, pair: [first, second] }) => {
  const count = whole(4, 7)
  const gap = tile / count
  const paths: Record<string, string> = {}
  for (let row = 0; row < height / tile; row++)
    for (let column = 0; column < width / tile; column++) {
      const role = oneOf([first, second])
      const level = oneOf([true, false])
      for (const at of upTo(count)) {
        const offset = (at + 0.5) * gap
        paths[role] =
          (paths[role] ?? '') +
          (level
            ? `M${column * tile} ${n(row * tile + offset)}h100`
            : `M${n(column * tile + offset)} ${row * tile}v100`)
      }
    }
  const thick = gap * between(0.25, 0.6)
  return (
    turned(...Object.entries(paths).map(([role, path]) => stroke(role as Role, thick, path))) +
    mark('ink', { x: between(250, 350), y: between(180, 220), width: 330, height: between(170, 280) }, between(14, 46))
  )
}

/** Rows of dots that grow. */
export const dots: Composition = ({ between, whole, turned, mark, pair: [first, second] }) => {
  const rows = whole(8, 13)
  const gap = height / rows
  const [least, most] = [gap * 0.16, gap * between(0.75, 0.98)]
  const turn = between(-35, 35)
  const drawn = upTo(rows + 8).map((at) => {
    const size = least + (most - least) * Math.min(1, Math.max(0, (at - 4) / (rows - 1)))
    const shift = at % 2 === 0 ? 0 : gap / 2
    const dash = ` stroke-linecap="round" stroke-dasharray="0 ${n(gap)}"`
    return stroke(first, size, `M${n(shift - 120)} ${n((at - 3.5) * gap)}h860`, dash)
  })
  return (
    turned(`<g transform="rotate(${n(turn)} 300 200)">${drawn.join('')}</g>`) +
    turned(fill(second, disc(between(200, 400), between(120, 280), between(70, 130)))) +
    mark('ink', { x: between(280, 320), y: 200, width: 340, height: between(230, 300) })
  )
}

/** Discs in discs, drifting to one side. */
export const tunnel: Composition = ({ between, whole, turned, mark, pair: [first, second] }) => {
  const count = whole(5, 9)
  const outer = between(330, 400)
  const inner = between(85, 110)
  const angle = between(0, 360)
  const drift = between(0.35, 0.85)
  const roles: readonly Role[] = [first, 'ground', second, 'ground']
  const [x, y] = [between(270, 330), between(185, 215)]
  const rings = upTo(count).map((at) => {
    const radius = outer - ((outer - inner) * at) / (count - 1)
    const [cx, cy] = polar(x, y, (radius - inner) * drift * 0.45, angle)
    return fill(at === count - 1 ? 'ink' : roles[at % 4]!, disc(cx, cy, radius))
  })
  return turned(...rings) + mark('ground', { x, y, width: inner * 1.3, height: inner * 1.15 })
}

/** Hills, the nearest the strongest, under a sun with the mark. */
export const hills: Composition = ({ between, whole, turned, mark, pair: [first, second] }) => {
  const count = whole(3, 5)
  const crest = between(185, 225)
  const [x, y] = [between(230, 370), between(115, 135)]
  const radius = between(85, 115)
  const waves = upTo(count).map((at) => {
    const level = crest + ((height - crest) * at) / count
    const swing = between(24, 64)
    const long = between(260, 480)
    const start = -between(0, long)
    let path = `M${n(start)} ${n(level)}q${n(long / 4)}-${n(swing)} ${n(long / 2)} 0`
    for (let end = start + long / 2; end < width; end += long / 2) path += `t${n(long / 2)} 0`
    const isNearest = at === count - 1
    return fill(isNearest ? second : first, `${path}V${height}H${n(start)}z`, isNearest ? 1 : (at + 1.4) / count)
  })
  return (
    turned(fill(second, disc(x, y, radius)), ...waves) +
    mark('ink', { x, y: y - 6, width: radius * 1.2, height: radius * 0.9 })
  )
}

/** Orbits around the mark. */
export const orbits: Composition = ({ between, whole, turned, mark, pair: [first, second] }) => {
  const count = whole(2, 4)
  const [long, short] = [between(215, 280), between(95, 150)]
  const turn = between(0, 180)
  const thick = between(6, 18)
  const rings = upTo(count).map((at) => {
    const angle = turn + (180 / count) * at
    const ellipse = `M${n(300 - long)} 200a${n(long)} ${n(short)} 0 1 0 ${n(2 * long)} 0a${n(long)} ${n(short)} 0 1 0 ${n(-2 * long)} 0z`
    const where = between(0, 2 * Math.PI)
    const body = disc(300 + long * Math.cos(where), 200 + short * Math.sin(where), between(16, 36))
    return `<g transform="rotate(${n(angle)} 300 200)">${stroke(first, thick, ellipse)}${fill(at === 0 ? 'ink' : first, body)}</g>`
  })
  const radius = between(85, 120)
  return (
    turned(fill(second, disc(300, 200, radius)), ...rings) +
    mark('ink', { x: 300, y: 200, width: radius * 1.25, height: radius * 1.15 })
  )
}

/** A closed curve through points around a centre. */
function blob(x: number, y: number, radius: number, { between, whole }: Parameters<Composition>[0]): string {
  const count = whole(5, 8)
  const turn = between(0, 360)
  const points = upTo(count).map((at) => polar(x, y, radius * between(0.72, 1.22), turn + (360 / count) * at))
  const point = (at: number) => points[(at + count) % count]!
  // Catmull–Rom as Béziers.
  const curves = points.map((_, at) => {
    const [before, from, to, after] = [point(at - 1), point(at), point(at + 1), point(at + 2)]
    const first = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
    const last = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
    return `C${[...first, ...last, ...to].map(n).join(' ')}`
  })
  return `M${point(0).map(n).join(' ')}${curves.join('')}z`
}

/** Paper cut-outs, after Matisse. */
export const cutouts: Composition = (brush) => {
  const {
    between,
    turned,
    mark,
    pair: [first, second],
  } = brush
  const [x, y] = [between(290, 350), between(180, 220)]
  return (
    turned(
      fill(second, blob(between(110, 190), between(90, 310), between(100, 160), brush)),
      fill(first, blob(x, y, between(140, 175), brush)),
      fill('ink', blob(between(490, 540), between(60, 340), between(34, 56), brush)),
    ) + mark('ink', { x, y, width: 190, height: between(130, 175) })
  )
}

/** Parallel bands that turn a corner. */
export const ribbon: Composition = ({ between, whole, maybe, turned, mark, pair: [first, second] }) => {
  const count = whole(3, 5)
  const apart = between(26, 170 / count)
  const wide = apart * (maybe() ? 1 : between(0.6, 0.85))
  const bend = between(40, 90)
  const top = between(30, 55)
  const right = between(500, 550)
  const roles: readonly Role[] = [first, second, 'ink']
  const total = count * apart
  const strips = upTo(count).map((at) => {
    const radius = bend + (count - 0.5 - at) * apart
    const start = `M-20 ${n(top + (at + 0.5) * apart)}H${n(right - bend - total)}`
    return stroke(roles[at % 3]!, wide, `${start}a${n(radius)} ${n(radius)} 0 0 1 ${n(radius)} ${n(radius)}V420`)
  })
  const under = top + total
  const place = { x: (right - total) / 2 + 40, y: (under + height) / 2, width: 230, height: (height - under) * 0.68 }
  return turned(...strips) + mark('ink', place)
}

/** Facets around a point. */
export const facets: Composition = ({ between, turned, mark, pair: [first, second] }) => {
  const [x, y] = [between(210, 390), between(130, 270)]
  const rim: [number, number][] = [
    [between(80, 280), 0],
    [between(320, 520), 0],
    [width, between(60, 180)],
    [width, between(220, 360)],
    [between(340, 540), height],
    [between(60, 260), height],
    [0, between(220, 340)],
    [0, between(60, 180)],
  ]
  const corners: Record<number, [number, number]> = { 1: [width, 0], 3: [width, height], 5: [0, height], 7: [0, 0] }
  const roles: readonly Role[] = [first, second]
  const shapes: Shape[] = rim.map((from, at) => {
    const to = rim[(at + 1) % rim.length]!
    const corner = corners[at]
    return fill(roles[at % 2]!, polygon([x, y], from, ...(corner ? [corner] : []), to), between(0.4, 1))
  })
  return turned(...shapes) + mark('ink', { x: 300, y: 200, width: 330, height: between(210, 280) })
}

/** The phases of a moon, one of them the mark. */
export const phases: Composition = ({ between, whole, maybe, turned, mark, inside, pair: [first, second] }) => {
  const count = 3
  const gap = between(178, 212)
  const radius = gap * (maybe() ? 0.5 : between(0.42, 0.47))
  const tilt = between(-50, 50)
  const place = whole(0, 2)
  const shapes: Shape[] = []
  let [markX, markY] = [300, 200]
  for (const at of upTo(count)) {
    const offset = at - (count - 1) / 2
    const [x, y] = [300 + offset * gap, 200 + tilt * offset]
    const moon = disc(x, y, radius)
    if (at === place) {
      ;[markX, markY] = [x, y]
      shapes.push(fill('ink', moon))
      continue
    }
    const shadow = disc(x + radius * (between(0.5, 1.2) - at * between(0.6, 0.9)), y, radius)
    shapes.push(inside(moon, fill(first, moon), fill(second, shadow)))
  }
  return turned(...shapes) + mark('ground', { x: markX, y: markY, width: radius * 1.2, height: radius * 1.15 })
}
