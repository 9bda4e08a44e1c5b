import { hexOf } from '../colour.ts'
import type { Chance } from './chance.ts'

/** What a colour is for. Ink stands out from all others, which stand out from each other. */
export type Role = 'ground' | 'main' | 'second' | 'ink'

export type CoverPalette = Readonly<Record<Role, { readonly light: string; readonly dark: string }>>

/** OKLCH; the hue is that of the section (0) or the accompanying one (1). */
type Tone = readonly [lightness: number, chroma: number, hue: 0 | 1]
type Tones = readonly [ground: Tone, main: Tone, second: Tone, ink: Tone]

interface Scheme {
  readonly light: Tones
  readonly dark: Tones
}

const deep: Tones = [
  [0.3, 0.075, 0],
  [0.53, 0.145, 0],
  [0.68, 0.13, 1],
  [0.95, 0.03, 1],
]
const dusk: Tones = [
  [0.27, 0.045, 0],
  [0.6, 0.14, 0],
  [0.43, 0.1, 1],
  [0.92, 0.05, 0],
]

/** A cover in the dark has the same drawing, and no ground brighter than the middle. */
const schemes: readonly Scheme[] = [
  // Paper.
  {
    light: [
      [0.955, 0.022, 0],
      [0.64, 0.17, 0],
      [0.81, 0.11, 1],
      [0.28, 0.08, 0],
    ],
    dark: dusk,
  },
  // Deep.
  { light: deep, dark: [[0.24, 0.06, 0], ...(deep.slice(1) as [Tone, Tone, Tone])] },
  // Full colour.
  {
    light: [
      [0.75, 0.125, 0],
      [0.54, 0.14, 1],
      [0.91, 0.055, 0],
      [0.25, 0.07, 0],
    ],
    dark: [
      [0.46, 0.11, 0],
      [0.36, 0.095, 1],
      [0.68, 0.11, 0],
      [0.95, 0.03, 0],
    ],
  },
  // Soft.
  {
    light: [
      [0.885, 0.06, 0],
      [0.74, 0.13, 1],
      [0.975, 0.015, 0],
      [0.36, 0.12, 0],
    ],
    dark: [
      [0.34, 0.06, 0],
      [0.53, 0.12, 1],
      [0.24, 0.04, 0],
      [0.92, 0.05, 0],
    ],
  },
  // The accompanying hue as ground.
  {
    light: [
      [0.925, 0.05, 1],
      [0.58, 0.17, 0],
      [0.77, 0.12, 0],
      [0.26, 0.06, 1],
    ],
    dark: [
      [0.27, 0.045, 1],
      [0.6, 0.15, 0],
      [0.45, 0.11, 0],
      [0.94, 0.04, 1],
    ],
  },
  // Night with a light.
  {
    light: [
      [0.23, 0.035, 0],
      [0.72, 0.15, 0],
      [0.44, 0.11, 1],
      [0.97, 0.025, 0],
    ],
    dark: [
      [0.2, 0.03, 0],
      [0.66, 0.14, 0],
      [0.4, 0.1, 1],
      [0.95, 0.025, 0],
    ],
  },
]

/** Degrees from the section's hue: neighbours, a triad, the opposite. */
const companions = [32, -32, 65, -65, 120, -120, 165, 180, 195] as const

export function paletteOf(hue: number, { between, oneOf }: Chance): CoverPalette {
  const { light, dark } = oneOf(schemes)
  const own = hue + between(-12, 12)
  const hues = [own, own + oneOf(companions)] as const
  const strength = between(0.7, 1.02)
  const colour = ([lightness, chroma, which]: Tone) => {
    const muddy = muddiness(lightness, hues[which])
    return hexOf(
      lightness + 0.1 * muddy,
      chroma * strength * (1 - 0.35 * vividness(lightness, hues[which])),
      hues[which] - 22 * muddy,
    )
  }
  const pair = (at: 0 | 1 | 2 | 3) => ({ light: colour(light[at]), dark: colour(dark[at]) })
  return { ground: pair(0), main: pair(1), second: pair(2), ink: pair(3) }
}

const closeness = (hue: number, to: number, reach: number): number => {
  const apart = Math.abs(((((hue - to) % 360) + 540) % 360) - 180)
  return Math.max(0, 1 - apart / reach)
}

/** Between black and the middle, yellow is the colour of mud: it moves towards amber, and becomes lighter. */
const muddiness = (lightness: number, hue: number): number =>
  lightness > 0.38 && lightness < 0.62 ? closeness(hue, 95, 45) : 0

/** Light violets shout at the chroma that suits light greens and oranges. */
const vividness = (lightness: number, hue: number): number => (lightness > 0.55 ? closeness(hue, 300, 55) : 0)
