import { type Chance, chanceOf } from './chance.ts'
import type { Brush, Composition } from './composition.ts'
import type { Outline } from './outline.ts'
import { type CoverPalette, paletteOf, type Role } from './palette.ts'
import * as patterns from './pattern-compositions.ts'
import * as posters from './poster-compositions.ts'
import { fillClass, fitted, n, type Place, sheet, strokeClass, transformOf } from './sheet.ts'
import * as types from './type-compositions.ts'

/** What a cover is drawn from; the same again gives the same drawing. */
export interface CoverSubject {
  /** Of the section, in degrees of OKLCH. */
  readonly hue: number
  /** Twelve hexadecimal digits. */
  readonly seed: string
  /** One character, or two; none if there is no font for them. */
  readonly initial: Outline | undefined
  readonly initials: Outline | undefined
}

const compositions: readonly Composition[] = [
  ...Object.values(posters),
  ...Object.values(patterns),
  ...Object.values(types),
]

/** Instead of a character: an asterisk of eight petals. */
const asterisk: Outline = {
  path: upTo(8)
    .map((at) => {
      const turn = (x: number, y: number) => {
        const angle = (at * Math.PI) / 4
        return `${Math.round(x * Math.cos(angle) - y * Math.sin(angle))} ${Math.round(x * Math.sin(angle) + y * Math.cos(angle))}`
      }
      return `M0 0C${turn(120, 160)} ${turn(170, 420)} ${turn(0, 500)}C${turn(-170, 420)} ${turn(-120, 160)} 0 0z`
    })
    .join(''),
  left: -500,
  right: 500,
  bottom: -500,
  top: 500,
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

export interface CoverDrawing {
  readonly palette: CoverPalette
  /** Shapes on a sheet of 600 × 400, coloured by classes. */
  readonly shapes: string
  /** Where the mark is, from the left: what a narrow crop should keep. */
  readonly focus: number
}

export function drawCover({ hue, seed, initial, initials }: CoverSubject): CoverDrawing {
  const chance = chanceOf(seed)
  const palette = paletteOf(hue, chance)
  const composition = chance.oneOf(compositions)
  const outline = (chance.maybe(0.3) ? initials : initial) ?? initial ?? asterisk
  const { brush, definitions, focus } = brushOf(chance, outline)
  const drawn = composition(brush)
  return { palette, shapes: `${definitions()}<path class="g" d="M0 0h600v400H0z"/>${drawn}`, focus: focus() }
}

/** The mark is written once, however often it is used. */
function brushOf(chance: Chance, outline: Outline): { brush: Brush; definitions: () => string; focus: () => number } {
  const isTurned = chance.maybe()
  const pair: Brush['pair'] = chance.maybe(0.6) ? ['main', 'second'] : ['second', 'main']
  const clips: string[] = []
  const clip = (content: string): string => {
    clips.push(`<clipPath id="k${clips.length}">${content}</clipPath>`)
    return `<g clip-path="url(#k${clips.length - 1})">`
  }
  const mirrored = (place: Place): Place => (isTurned ? { ...place, x: sheet.width - place.x } : place)
  let focus = sheet.width / 2
  const use = (place: Place, more: string) => {
    focus = mirrored(place).x
    return `<use href="#c" transform="${transformOf(outline, mirrored(place))}"${more}/>`
  }
  const turned = (shapes: string) => (isTurned ? `<g transform="matrix(-1 0 0 1 600 0)">${shapes}</g>` : shapes)
  return {
    brush: {
      ...chance,
      pair,
      turned: (...shapes) => turned(shapes.join('')),
      mark: (role, place, edge, edgeRole = 'ground') => {
        const stroke = edge
          ? ` ${strokeClass(edgeRole)}" stroke-linejoin="round" paint-order="stroke" stroke-width="${n((2 * edge) / fitted(outline, place).scale)}`
          : ''
        return use(place, ` class="${fillClass(role)}${stroke}"`)
      },
      insideMark: (place, ...shapes) => `${clip(use(place, ''))}${shapes.join('')}</g>`,
      inside: (area, ...shapes) => `${clip(`<path d="${area}"/>`)}${shapes.join('')}</g>`,
    },
    focus: () => focus,
    definitions: () => `<defs><path id="c" d="${outline.path}"/>${clips.join('')}</defs>`,
  }
}

const roles: readonly Role[] = ['ground', 'main', 'second', 'ink']

const stylesOf = (palette: CoverPalette, mode: 'light' | 'dark'): string =>
  roles
    .map((role) => {
      const colour = palette[role][mode]
      return `.${fillClass(role)}{fill:${colour}}.${strokeClass(role)}{stroke:${colour}}`
    })
    .join('')

/** A whole file. In the dark it has dark colours, since that is a property of the page's reader and of no address. */
export const coverFile = ({ palette, shapes }: CoverDrawing): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${sheet.width}" height="${sheet.height}" viewBox="0 0 ${sheet.width} ${sheet.height}"><style>${stylesOf(palette, 'light')}@media(prefers-color-scheme:dark){${stylesOf(palette, 'dark')}}</style>${shapes}</svg>`

/** A part of another drawing: this wide and tall, in light colours, cropped around its mark. */
export function coverPanel({ palette, shapes, focus }: CoverDrawing, x: number, width: number, height: number): string {
  const wide = (sheet.height * width) / height
  const left = Math.min(Math.max(focus - wide / 2, 0), sheet.width - wide)
  return `<svg x="${x}" width="${width}" height="${height}" viewBox="${n(left)} 0 ${n(wide)} ${sheet.height}"><style>${stylesOf(palette, 'light')}</style>${shapes}</svg>`
}
