import type { Brush, Composition } from './composition.ts'
import { box, disc, fill, n, polar, polygon, type Shape, sheet, stroke } from './sheet.ts'

/** Compositions of large plain forms, after Swiss posters and paperback covers. */

const { width, height } = sheet
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/** A disc behind a horizon, its reflection, and the mark on the line. */
export const horizon: Composition = ({ between, whole, turned, mark, pair: [first, second] }) => {
  const line = between(245, 300)
  const x = between(300, 400)
  const radius = between(90, 150)
  const slots = whole(2, 5)
  const step = (height - line) / (slots + 1)
  const reflection = upTo(slots).map((at) => {
    const half = radius * between(0.95 - 0.16 * at, 1 - 0.12 * at)
    return `M${n(x - half)} ${n(line + step * (at + 0.8))}h${n(2 * half)}`
  })
  const tall = between(130, 190)
  return (
    turned(
      fill(first, disc(x, line - between(0, radius * 0.6), radius)),
      fill(second, box(0, line, width, height - line)),
      stroke(first, between(6, step * 0.4), reflection.join('')),
    ) + mark('ink', { x: between(190, 250), y: line - tall / 2, width: 190, height: tall })
  )
}

/** Quarter circles around a corner. */
export const quarters: Composition = ({ between, maybe, turned, mark, pair: [first, second] }) => {
  const corner = maybe() ? height : 0
  const step = between(48, 85)
  const outer = between(390, 470)
  const roles = [first, 'ground', second, 'ground'] as const
  const arcs: Shape[] = []
  for (let radius = outer, at = 0; radius > step * 0.5; radius -= step, at++)
    arcs.push(fill(roles[at % 4]!, disc(0, corner, radius)))
  return (
    turned(...arcs) +
    mark('ink', { x: between(375, 420), y: corner ? between(145, 170) : between(230, 255), width: 190, height: 180 })
  )
}

/** The mark filled with slanting bands. */
export const filled: Composition = ({ between, maybe, insideMark, mark, turned, pair: [first] }) => {
  const place = { x: width / 2, y: height / 2, width: between(380, 450), height: between(310, 350) }
  const angle = between(-50, 50)
  const thick = between(14, 36)
  const lines = upTo(Math.ceil(740 / (2 * thick))).map((at) => `M-80 ${n(at * 2 * thick - 170)}h760`)
  const bands = `<g transform="rotate(${n(angle)} 300 200)">${stroke(first, thick, lines.join(''))}</g>`
  const behind = maybe()
    ? turned(fill('second', disc(between(200, 400), between(130, 270), between(110, 190))))
    : turned(fill('second', box(0, 0, between(180, 330), height)))
  return behind + mark('ink', place) + insideMark(place, bands)
}

/** Two discs and what they share. */
export const lens: Composition = ({ between, turned, inside, mark, pair: [first, second] }) => {
  const angle = between(-50, 50)
  const [large, small] = [between(145, 185), between(120, 170)]
  const apart = ((large + small) / 2) * between(0.42, 0.56)
  const one = disc(...polar(300, 200, apart, angle + 180), large)
  const other = disc(...polar(300, 200, apart, angle), small)
  const [x, y] = polar(300, 200, (large - small) / 2, angle)
  const wide = large + small - 2 * apart
  return (
    turned(fill(first, one), fill(second, other), inside(one, fill('ink', other))) +
    mark('ground', { x, y, width: wide * 0.62, height: wide * 0.7 })
  )
}

/** A mark too large for the sheet. */
export const bleed: Composition = ({ between, maybe, turned, mark, pair: [first, second] }) => {
  const tall = between(430, 560)
  const x = between(260, 340)
  const y = between(185, 215)
  const behind = maybe()
    ? fill(second, disc(between(120, 260), between(90, 310), between(90, 160)))
    : fill(second, polygon([0, 0], [between(150, 420), 0], [between(150, 420), height], [0, height]))
  const before = maybe(0.6)
    ? fill('ink', disc(between(400, 470), between(70, 330), between(18, 40)))
    : fill('ink', box(0, between(60, 330), width, between(6, 16)))
  return turned(behind) + mark(first, { x, y, width: tall * 1.15, height: tall }) + turned(before)
}

/** The mark and its echoes. */
export const echo: Composition = ({ between, whole, maybe, mark, pair: [first, second] }) => {
  const count = whole(4, 7)
  const angle = between(20, 70) * (maybe() ? 1 : -1)
  const far = between(120, 190)
  const tall = between(210, 260)
  return upTo(count + 1)
    .map((at) => {
      const [x, y] = polar(300, 200, far * (0.5 - at / count), angle)
      const role = at === count ? 'ink' : at % 2 === 0 ? first : second
      return mark(role, { x, y, width: 300, height: tall }, 4)
    })
    .join('')
}

/** Two grounds, and the mark in the colour of the other. */
export const split: Composition = ({ between, maybe, inside, mark, turned, pair: [first, second] }) => {
  const isLevel = maybe(0.4)
  const [from, to] = isLevel ? [between(120, 280), between(120, 280)] : [between(190, 410), between(190, 410)]
  const half = isLevel
    ? polygon([0, from], [width, to], [width, height], [0, height])
    : polygon([from, 0], [width, 0], [width, height], [to, height])
  const place = { x: 300, y: 200, width: between(340, 430), height: between(250, 320) }
  const dot = fill(second, disc(between(110, 200), between(80, 320), between(40, 100)))
  return turned(dot) + mark('ink', place) + inside(half, fill('ink', box(0, 0, width, height)), mark(first, place))
}

/** Rays from one point. */
export const rays: Composition = ({ between, whole, maybe, turned, mark, pair: [first, second] }) => {
  const [x, y] = [between(240, 360), maybe() ? between(180, 220) : between(270, 330)]
  const count = whole(7, 18)
  const turn = between(0, 360)
  const open = (360 / count) * between(0.35, 0.6)
  const wedges = upTo(count).map((at) => {
    const angle = turn + (360 / count) * at
    return polygon([x, y], polar(x, y, 560, angle), polar(x, y, 560, angle + open))
  })
  const radius = between(115, 160)
  return (
    turned(fill(first, wedges.join('')), fill(second, disc(x, y, radius))) +
    mark('ink', { x, y: Math.min(y, 270), width: radius * 1.3, height: radius * 1.15 })
  )
}

/** Arches, one within the other, with the mark in the innermost. */
export const arches: Composition = ({ between, whole, turned, mark, pair: [first, second] }) => {
  const x = between(260, 340)
  const count = whole(3, 5)
  const inner = between(75, 100)
  const step = between(26, 52)
  const spring = between(190, 230)
  const roles = [first, second, 'ink', first, second] as const
  const doors = upTo(count).map((at) => {
    const radius = inner + step * (count - at)
    return fill(roles[at]!, arch(x, spring, radius)) + gap(x, spring, radius - step * between(0.5, 0.86), count - at)
  })
  return (
    turned(...doors, fill('ground', arch(x, spring, inner))) +
    mark('ink', { x, y: spring + 55, width: inner * 1.45, height: 190 })
  )
}

const arch = (x: number, spring: number, radius: number): string =>
  `M${n(x - radius)} ${height}V${n(spring)}a${n(radius)} ${n(radius)} 0 0 1 ${n(2 * radius)} 0V${height}z`
const gap = (x: number, spring: number, radius: number, left: number): Shape =>
  left > 0 ? fill('ground', arch(x, spring, radius)) : ''

/** Three bands as on a paperback; the mark in the middle one. */
export const bands: Composition = ({ between, whole, maybe, turned, mark, pair: [first, second] }) => {
  const isUpright = maybe(0.35)
  const [from, to] = isUpright ? [between(110, 170), between(430, 490)] : [between(62, 110), between(290, 338)]
  const rules = whole(0, 4)
  const across = isUpright ? height : width
  const band = (start: number, end: number) =>
    isUpright ? box(start, 0, end - start, across) : box(0, start, across, end - start)
  const lines = upTo(rules).map((at) => {
    const offset = to + (at + 1) * 13
    return isUpright ? `M${n(offset)} 0V${height}` : `M0 ${n(offset)}H${width}`
  })
  const shapes = [
    fill(first, band(0, from)),
    fill(second, band(to, isUpright ? width : height)),
    fill('ink', band(to - between(4, 14), to)),
    lines.length > 0 ? stroke('ground', 4, lines.join('')) : '',
  ]
  return turned(...shapes) + mark('ink', markBetween(from, to, isUpright))
}

const markBetween = (from: number, to: number, isUpright: boolean) =>
  isUpright
    ? { x: (from + to) / 2, y: 200, width: (to - from) * 0.74, height: 260 }
    : { x: 300, y: (from + to) / 2 - 5, width: 360, height: (to - from) * 0.7 }

/** A staircase, and a ball on it. */
export const steps: Composition = ({ between, whole, turned, mark, pair: [first, second] }) => {
  const count = whole(4, 7)
  const wide = width / count
  const low = between(60, 110)
  const rise = between(220, 270) / (count - 1)
  const topOf = (at: number) => height - low - at * rise
  const treads = upTo(count).map((at) =>
    fill(at % 2 === 0 ? first : second, box(at * wide, topOf(at), wide + 1, height)),
  )
  const at = whole(Math.ceil(count * 0.5), count - 2)
  const ball = Math.min(wide * 0.42, between(28, 48))
  return (
    turned(...treads, fill('ink', disc((at + 0.5) * wide, topOf(at) - ball, ball))) +
    mark('ink', { x: between(185, 215), y: between(125, 150), width: 170, height: 165 })
  )
}

/** A label on a striped binding. */
export const label: Composition = ({ between, maybe, turned, mark, pair: [first, second] }: Brush) => {
  const stripes: [string[], string[]] = [[], []]
  for (let x = 0, at = 0; x < width; at++) {
    const wide = between(12, 58)
    stripes[at % 2]!.push(box(x, 0, wide * between(0.4, 0.9), height))
    x += wide
  }
  const [wide, tall] = [between(190, 260), between(190, 250)]
  const shape = maybe() ? box(300 - wide / 2, 200 - tall / 2, wide, tall) : disc(300, 200, wide / 1.9)
  return (
    turned(fill(first, stripes[0].join('')), fill(second, stripes[1].join('')), fill('ground', shape)) +
    mark('ink', { x: 300, y: 200, width: wide * 0.66, height: tall * 0.62 })
  )
}
