const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Scripts whose short words are mostly articles, prepositions and question words. */
const isAlphabetic = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
const shortWord = 3
/** Written in one word with what follows. */
const arabicArticle = /^ال(?=\p{L}{3})/u

/** More combining marks than any orthography puts on one character. */
const mostCodePoints = 3
const plainBeginning = /^[A-Za-z\d]{2}(?:[A-Za-z\d]|$)/
/** Enough to find a word worth drawing; titles may be longer. */
const longestRead = 120

/**
 * One or two characters (grapheme clusters) to draw for a text: the beginning of its first word of some length, the
 * first of them a capital. Empty if it has no word. The initials of initials are themselves.
 */
export function initialsOf(text: string): string {
  const words = text
    .slice(0, longestRead)
    .toWellFormed()
    .normalize('NFC')
    .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu)
  if (!words) return ''
  const found = words.find((one) => one.length > shortWord || !isAlphabetic.test(one)) ?? words[0]!
  const word = found.replace(arabicArticle, '')
  // Segmenting takes ten times as long as all the rest.
  if (plainBeginning.test(word)) return capital(word[0]!) + word[1]!
  const [first = '', second = ''] = Array.from(graphemes.segment(word.slice(0, 24)), ({ segment }) => segment)
  const shown = (cluster: string) => Array.from(cluster).slice(0, mostCodePoints).join('')
  // What follows a cluster that was cut might join it.
  const isWhole = shown(first) === first
  return `${capital(shown(first))}${isWhole ? shown(second) : ''}`.normalize('NFC')
}

/** Some characters have a capital of two, such as ß: they stay as they are. So do combining marks. */
function capital(cluster: string): string {
  const [first = '', ...marks] = cluster
  const upper = first.toUpperCase()
  return (upper.length === first.length ? upper : first) + marks.join('')
}
