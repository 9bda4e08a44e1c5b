/** A shape with its box, y upwards; characters are in thousandths of their size. */
export interface Outline {
  readonly path: string
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

const command = /([Mlqcz])([^Mlqcz]*)/g

/**
 * Measures an outline: an SVG path of absolute beginnings and relative lines and curves, as fonts are read here. Control
 * points count as if they were on the curve, which in typefaces they nearly are. Undefined if it is empty.
 */
export function outlineOf(path: string): Outline | undefined {
  let [x, y] = [0, 0]
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [, kind, values = ''] of path.matchAll(command)) {
    if (kind === 'z') continue
    const points = (values.match(/-?[\d.]+/g) ?? []).map(Number)
    const [fromX, fromY] = kind === 'M' ? [0, 0] : [x, y]
    for (let at = 0; at + 1 < points.length; at += 2) {
      x = fromX + points[at]!
      y = fromY + points[at + 1]!
      if (x < left) left = x
      if (x > right) right = x
      if (y < bottom) bottom = y
      if (y > top) top = y
    }
  }
  return left < right && bottom < top ? { path, left, right, bottom, top } : undefined
}
