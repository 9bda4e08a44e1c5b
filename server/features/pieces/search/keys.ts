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
  const keys = new Set<number>(spaceKeys(folded))
  const { characters, pairs } = scriptKeys(folded)
  for (const key of pairs) keys.add(key)
  for (const key of characters) keys.add(key)
  return [...keys]
}

/** The most telling keys of a term: single characters only where there is nothing better. */
export function keysOfTerm(folded: string): number[] {
  const { characters, pairs } = scriptKeys(folded)
  const telling = new Set([...spaceKeys(folded), ...pairs])
  return [...(telling.size > 0 ? telling : new Set(characters))]
}

const before = 2
const after = 3

function spaceKeys(folded: string): number[] {
  const keys: number[] = []
  for (let space = folded.indexOf(' '); space !== -1; space = folded.indexOf(' ', space + 1)) {
    if (space >= before && space + after < folded.length) keys.push(hashOf(folded, space - before, space + after + 1))
  }
  return keys
}

/** Han, Hiragana, Katakana and Hangul. */
const run = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30FC]+/gu

/** Where such characters may be: most texts have none, and this finds it out ten times faster. */
const anywhere = /[\u1100-\u11FF\u2E80-\uFFEF]/

function scriptKeys(folded: string): { characters: number[]; pairs: number[] } {
  const characters: number[] = []
  const pairs: number[] = []
  if (!anywhere.test(folded)) return { characters, pairs }
  for (const [word] of folded.matchAll(run)) {
    let previous = ''
    for (const character of word) {
      characters.push(hashOf(character, 0, character.length))
      if (previous) pairs.push(hashOf(previous + character, 0, previous.length + character.length))
      previous = character
    }
  }
  return { characters, pairs }
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
