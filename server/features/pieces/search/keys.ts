/**
 * Short parts of a text, as numbers: the keys by which an index finds texts that contain a term.
 *
 * - six characters around each space, two before it and three after ("of tea"): what makes a phrase telling,
 *   since the trigrams of common words are in nearly every body;
 * - each character and each adjacent pair of scripts written without spaces, which have no trigrams.
 *
 * A key depends on nothing but its own characters, so whatever contains a term has all keys of the term: one
 * function serves texts and terms. Keys are stored: how they are made must never change for an existing house.
 */
export function keysOf(folded: string): number[] {
  const keys = new Set<number>()
  for (let space = folded.indexOf(' '); space !== -1; space = folded.indexOf(' ', space + 1)) {
    if (space >= before && space + after < folded.length) keys.add(hashOf(folded, space - before, space + after + 1))
  }
  for (const pair of scriptKeys(folded, 2)) keys.add(pair)
  for (const character of scriptKeys(folded, 1)) keys.add(character)
  return [...keys]
}

/** The most telling keys of a term: single characters only where there is nothing better. */
export function keysOfTerm(folded: string): number[] {
  const single = new Set(scriptKeys(folded, 1))
  const all = keysOf(folded)
  const telling = all.filter((key) => !single.has(key))
  return telling.length > 0 ? telling : all
}

const before = 2
const after = 3

/** Han, Hiragana, Katakana and Hangul. */
const run = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30FC]+/gu

/** Where such characters live: most texts have none, and this finds it out ten times faster. */
const anywhere = /[\u1100-\u11FF\u2E80-\uFFEF\u{16FE0}-\u{3FFFF}]/u

function scriptKeys(folded: string, length: 1 | 2): number[] {
  if (!anywhere.test(folded)) return []
  const keys: number[] = []
  for (const [word] of folded.matchAll(run)) {
    const characters = [...word]
    for (let at = 0; at + length <= characters.length; at += 1) {
      const key = characters.slice(at, at + length).join('')
      keys.push(hashOf(key, 0, key.length))
    }
  }
  return keys
}

/**
 * FNV-1a, folded to 22 bits: four million lists. Unfolded, most keys would be in one text only, and an index
 * entry for one text takes ten times the room of one more text in a list.
 */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 22)) & 0x3fffff
}
