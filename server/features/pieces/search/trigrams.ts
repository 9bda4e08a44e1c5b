/**
 * The trigrams pg_trgm finds in a text: words of letters and digits, a space after each and two before.
 * For a part of a text only where the word is seen to begin or end.
 */
export function trigramsOf(text: string, whole = false): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const begins = whole || match.index > 0
    const ends = whole || match.index + match[0].length < text.length
    const word = [...`${begins ? '  ' : ''}${match[0]}${ends ? ' ' : ''}`]
    for (let at = 0; at + 3 <= word.length; at += 1) found.add(word[at]! + word[at + 1]! + word[at + 2]!)
  }
  return [...found]
}
