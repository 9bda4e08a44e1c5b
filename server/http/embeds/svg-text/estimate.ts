/**
 * How wide a line of text will be in whatever font a reader's system has for its script, in parts of its size.
 * Means of Noto Sans at weight 600; what is drawn is fitted to the estimate, so that an error bends letters, not the pill.
 */
const letters: readonly (readonly [RegExp, number])[] = [
  [/[ \u00a0]/u, 0.26],
  [/[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u30ff\uff01-\uff60]/u, 1],
  [/\p{Script=Hangul}/u, 0.92],
  [/[ادذرزولأإآؤ]/u, 0.37],
  [/[سشصض]/u, 1],
  [/\p{Script=Arabic}/u, 0.6],
  [/\p{Script=Hebrew}/u, 0.48],
  [/\p{Mc}/u, 0.3],
  [/[\p{Script=Devanagari}\p{Script=Gurmukhi}\p{Script=Gujarati}]/u, 0.57],
  [/[\p{Script=Bengali}\p{Script=Thai}\p{Script=Khmer}]/u, 0.63],
  [/[\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Cherokee}\p{Script=Myanmar}]/u, 0.85],
  [/[\p{Script=Telugu}\p{Script=Kannada}\p{Script=Sinhala}]/u, 0.75],
  [/[\p{Lu}MWmw@%&—…]/u, 0.72],
  [/[ijltfrI.,:;'’!|()[\]-]/u, 0.32],
]
const usual = 0.6
const picture = 1.25

/** Signs that join the letters beside them into one, which is narrower than both. */
const joiners = /[\u094d\u09cd\u0acd\u0c4d\u0ccd\u0d4d\u0dca](?=\p{L})/gu
const joined = 0.35

const isPicture = /\p{Extended_Pictographic}(?!\ufe0e)|\p{Regional_Indicator}/u

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

export function estimatedWidth(text: string): number {
  const sum = graphemesOf(text).reduce((width, grapheme) => width + widthOf(grapheme), 0)
  return Math.max(sum - joined * (text.match(joiners)?.length ?? 0), usual)
}

function widthOf(grapheme: string): number {
  if (isPicture.test(grapheme)) return picture
  return Array.from(grapheme).reduce((width, character) => width + letterWidth(character), 0)
}

const letterWidth = (character: string): number => letters.find(([those]) => those.test(character))?.[1] ?? usual

const rightToLeft =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** By its first letter, as browsers decide `dir=auto`. */
export const isRightToLeft = (text: string): boolean => rightToLeft.test(text)
