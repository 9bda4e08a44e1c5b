import type { Outline } from './outline.ts'
import type { Role } from './palette.ts'

/** The sheet of a cover: 3:2. What matters is within the middle 400 × 330, so that a square or 16:9 keeps it. */
export const sheet = { width: 600, height: 400 } as const

/** To half a unit: a cover is at most some 1,200 pixels wide. */
export const n = (value: number): string => String(Math.round(value * 2) / 2).replace(/^(-?)0\./, '$1.')

export type Shape = string

const classes = { ground: 'g', main: 'm', second: 's', ink: 'i' } as const
export const fillClass = (role: Role): string => classes[role]
export const strokeClass = (role: Role): string => classes[role].toUpperCase()

export const fill = (role: Role, path: string, opacity = 1): Shape =>
  `<path class="${fillClass(role)}"${opacity < 1 ? ` fill-opacity="${Math.round(opacity * 100) / 100}"` : ''} d="${path}"/>`
export const stroke = (role: Role, width: number, path: string, more = ''): Shape =>
  `<path fill="none" class="${strokeClass(role)}" stroke-width="${n(width)}"${more} d="${path}"/>`

export const disc = (x: number, y: number, radius: number): string =>
  `M${n(x - radius)} ${n(y)}a${n(radius)} ${n(radius)} 0 1 0 ${n(2 * radius)} 0a${n(radius)} ${n(radius)} 0 1 0${n(-2 * radius)} 0z`

export const box = (x: number, y: number, width: number, height: number): string =>
  `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`

export const polygon = (...points: readonly (readonly [number, number])[]): string =>
  `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}z`

export const polar = (x: number, y: number, radius: number, degrees: number): [number, number] => [
  x + radius * Math.cos((degrees * Math.PI) / 180),
  y + radius * Math.sin((degrees * Math.PI) / 180),
]

/** Where a character is drawn: centred on a point, as large as fits. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** How much an outline is enlarged to fit its place, and where its origin comes to lie. */
export function fitted({ left, right, bottom, top }: Outline, { x, y, width, height }: Place) {
  const scale = Math.min(width / (right - left), height / (top - bottom))
  return {
    scale,
    x: x - (scale * (left + right)) / 2,
    y: y + (scale * (bottom + top)) / 2,
    width: scale * (right - left),
    height: scale * (top - bottom),
  }
}

export function transformOf(outline: Outline, place: Place): string {
  const { scale, x, y } = fitted(outline, place)
  const rounded = Math.round(scale * 1_000) / 1_000
  return `translate(${n(x)} ${n(y)})scale(${rounded} -${rounded})`
}
