import { estimatedWidth, graphemesOf, type Line } from './line.ts'

/** Longer names are cut with an ellipsis. */
const limits = { graphemes: 40, ems: 20, charactersInOne: 12 }

export interface FittedText {
  readonly fitted: string
  readonly ems: number
  /** Undefined if a character cannot be drawn. */
  readonly path?: string
}

/** The longest beginning of a text that fits the badge. */
export function fitText(text: string, toPath: (text: string) => Line | undefined): FittedText {
  const all = graphemesOf(text).map((grapheme) => Array.from(grapheme).slice(0, limits.charactersInOne).join(''))
  for (let count = Math.min(all.length, limits.graphemes); ; count -= 1) {
    const cut = all.slice(0, count).join('')
    const fitted = count < all.length ? `${cut.trimEnd()}…` : cut
    const line = toPath(fitted)
    const ems = line ? line.width / 1000 : estimatedWidth(fitted)
    if (ems <= limits.ems || count <= 1) return { fitted, ems, ...(line ? { path: line.path } : {}) }
  }
}
