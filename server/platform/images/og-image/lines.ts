/** Breaking text into lines by our own measure, so that what is cut, shrunk or balanced is known before it is drawn. */

/** How wide a text is, in parts of the type size. */
export type Width = (text: string) => number

/** Greedy: each line takes what fits. A word longer than a line is broken. */
function breakLines(text: string, measure: number, width: Width): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of text.split(opportunity).flatMap((piece) => broken(piece, measure, width))) {
    if (line !== '' && used + width(piece.trimEnd()) > measure) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    line += piece
    used += width(piece)
  }
  return [...lines, line.trimEnd()]
}

/** After spaces, and after hyphens and dashes inside a word. */
const opportunity = /(?<=\s)|(?<=[\p{L}\p{N}][-–—/])(?=[\p{L}\p{N}])/u

function broken(piece: string, measure: number, width: Width): string[] {
  if (width(piece.trimEnd()) <= measure) return [piece]
  const parts: string[] = []
  let part = ''
  for (const character of piece) {
    if (width(part + character) > measure) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}

/** As many lines as in the full measure, and as alike as they can be: broken at the narrowest measure that still does. */
function balanced(text: string, measure: number, width: Width): string[] {
  const lines = breakLines(text, measure, width)
  let [narrow, wide] = [measure / 2, measure]
  for (let step = 0; lines.length > 1 && step < 8; step++) {
    const half = (narrow + wide) / 2
    if (breakLines(text, half, width).length > lines.length) narrow = half
    else wide = half
  }
  return breakLines(text, wide, width)
}

/** Balanced if it fits; else the first lines, full, and an ellipsis after the last word that has room beside it. */
export function atMost(text: string, most: number, measure: number, width: Width): string[] {
  const lines = breakLines(text, measure, width)
  if (lines.length <= most) return balanced(text, measure, width)
  const shown = lines.slice(0, most)
  let last = shown.pop() ?? ''
  while (width(`${last}…`) > measure) last = last.replace(/\s+\S+$|\S$/u, '')
  return [...shown, `${last.replace(/[\s.,;:–—-]+$/u, '')}…`]
}

export const oneLine = (text: string, measure: number, width: Width): string => atMost(text, 1, measure, width)[0]!

export interface SetText {
  readonly size: number
  readonly lines: readonly string[]
  /** Whether nothing of it was cut. */
  readonly whole: boolean
}

export interface Frame {
  /** From the largest to the smallest. */
  readonly sizes: readonly number[]
  readonly leading: number
  readonly across: number
  readonly tall: number
}

/** In the largest size that fits the frame without breaking a word; else as much as the smallest holds. */
export function fitted(text: string, { sizes, leading, across, tall }: Frame, width: Width): SetText {
  const longestWord = Math.max(...text.split(opportunity).map((word) => width(word.trimEnd())))
  const lineCount = (size: number) => breakLines(text, across / size, width).length
  const fits = (size: number) => lineCount(size) * size * leading <= tall
  const size = sizes.find((size) => longestWord * size <= across && fits(size)) ?? sizes.at(-1)!
  const lines = atMost(text, Math.floor(tall / (size * leading)), across / size, width)
  return { size, lines, whole: fits(size) }
}
