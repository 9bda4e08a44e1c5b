/** About how much search results and link cards show, in Latin characters; East Asian ones count twice. */
export const shownLength = { title: 60, description: 155 } as const

export interface Fit {
  /** In characters as readers see them. */
  readonly count: number
  /** About how many of such characters are shown. */
  readonly most: number
  /** The text as it is shown: whole, or cut after a word, with an ellipsis. */
  readonly shown: string
}

const graphemes = new Intl.Segmenter()
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u
const widthOf = (character: string): number => (wide.test(character) ? 2 : 1)

/** How a text fits. */
export function fit(text: string, width: number): Fit {
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment)
  let [used, most] = [0, 0]
  for (const character of characters) {
    if (used + widthOf(character) > width) break
    used += widthOf(character)
    most += 1
  }
  const count = characters.length
  if (most < count) return { count, most, shown: cutAfterWord(characters, most) }
  const isMostlyWide = used > 1.5 * count
  return { count, most: count + Math.floor((width - used) / (isMostlyWide ? 2 : 1)), shown: text }
}

/** In a text without spaces, after any character. */
function cutAfterWord(characters: readonly string[], count: number): string {
  const cut = characters.slice(0, count)
  const word = characters[count] === ' ' ? count : cut.lastIndexOf(' ')
  return `${cut
    .slice(0, word > count / 2 ? word : count)
    .join('')
    .trimEnd()}…`
}
