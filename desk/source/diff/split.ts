/** A text as units (lines, sentences) and the white space before, between and after them. Joined, it is the same text. */
export interface SplitText {
  readonly units: readonly string[]
  /** One more than units. */
  readonly gaps: readonly string[]
}

/** Lines with something on them. The gaps are line breaks and blank lines. */
export const splitLines = (text: string): SplitText => splitBy(text, /[^\r\n]*[^\s][^\r\n]*/g)

/** The end of a sentence: its sign, with closing quotation marks and brackets, before white space. CJK has no space. */
const sentence = /\S(?:[^.!?…؟।。！？]|[.!?…؟।](?!["'”’»)\]*_]*(?:\s|$)))*(?:[.!?…؟।。！？]+["'”’»)\]*_」』）]*)?/gu

export function splitSentences(line: string): SplitText {
  const { units, gaps } = splitBy(line, sentence)
  // White space after the last sentence, or before a line's end without a sign, belongs to no sentence.
  const ends = units.map((unit) => unit.length - unit.trimEnd().length)
  return {
    units: units.map((unit) => unit.trimEnd()),
    gaps: gaps.map((gap, place) => (place === 0 ? gap : units[place - 1]!.slice(-ends[place - 1]! || Infinity) + gap)),
  }
}

function splitBy(text: string, pattern: RegExp): SplitText {
  const units: string[] = []
  const gaps: string[] = []
  let end = 0
  for (const { 0: unit, index } of text.matchAll(pattern)) {
    gaps.push(text.slice(end, index))
    units.push(unit)
    end = index + unit.length
  }
  return { units, gaps: [...gaps, text.slice(end)] }
}

export const joinSplit = ({ units, gaps }: SplitText): string =>
  gaps.map((gap, place) => gap + (units[place] ?? '')).join('')
