import { type FieldProblem, invalid } from '#platform/errors.ts'
import { commonWords, walks } from './common-words.ts'

/** What is known of the person, and so to whoever guesses. */
export interface Owner {
  readonly email: string
  readonly name: string
  readonly siteName: string
}

/** With or without a passkey: the password signs in alone. */
const shortest = 15
const longest = 256
/** So much must be left of a password once everything that is tried first is taken out of it. */
const fewestOwn = 6
const fewestDifferent = 5

/** Refuses a password that is short or easily guessed, and says how to make a better one. */
export function refuseWeakPassword(password: string, owner: Owner): void {
  const problem = weakness(password, owner)
  if (problem) throw invalid([{ pointer: '/password', ...problem }])
}

function weakness(password: string, owner: Owner): Omit<FieldProblem, 'pointer'> | undefined {
  const normal = password.normalize('NFKC')
  const length = [...normal].length
  if (length < shortest) {
    const detail = `needs at least ${shortest} characters; four unrelated words are easy to remember`
    return { code: 'too_short', detail, limit: shortest, actual: length }
  }
  if (length > longest) {
    return { code: 'too_long', detail: `must have at most ${longest} characters`, limit: longest, actual: length }
  }
  const plain = folded(normal)
  if (new Set(plain).size < fewestDifferent || isRepetition(plain)) {
    return { code: 'guessable', detail: 'repeats itself; choose words that have nothing to do with each other' }
  }
  const own = withoutWalks(without(without(plain, wordsOf(owner)), commonWords).replace(/(19|20)\d\d/g, ''))
  // A digit tells half as much as a letter.
  const worth = own.length - (own.match(/[\d\s]/g)?.length ?? 0) / 2
  if (worth >= fewestOwn) return undefined
  return {
    code: 'guessable',
    detail:
      'is made of what is guessed first (common passwords, keyboard rows, your name or address); add words of your own',
  }
}

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')

/** Each character as somebody would read it who writes p4$$w0rd. One for one, so that places stay the same. */
const unleeted = (text: string): string => text.replace(/[013457@$!]/g, (character) => leet[character]!)

/** "abcabcabc": some part of it, again and again. */
const isRepetition = (text: string): boolean => (text + text).indexOf(text, 1) <= text.length / 2

const wordsOf = ({ email, name, siteName }: Owner): string[] =>
  [email, name, siteName]
    .flatMap((text) => [folded(text), ...folded(text).split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length)

function without(text: string, words: readonly string[]): string {
  let rest = text
  for (const word of words) {
    for (let at = find(rest, word); at !== -1; at = find(rest, word))
      rest = rest.slice(0, at) + rest.slice(at + word.length)
  }
  return rest
}

function find(text: string, word: string): number {
  const at = text.indexOf(word)
  return at === -1 ? unleeted(text).indexOf(word) : at
}

/** Takes out runs of three and more along a keyboard, the alphabet or one key, either way. */
function withoutWalks(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at)
    if (length < 3) rest += text[at]
    at += length < 3 ? 1 : length
  }
  return rest
}

const allWalks = walks.flatMap((walk) => [walk, [...walk].reverse().join('')])

function runAt(text: string, start: number): number {
  let longestRun = /^(.)\1*/su.exec(text.slice(start))?.[0].length ?? 1
  for (const walk of allWalks) {
    let length = 1
    while (start + length < text.length && walk.includes(text.slice(start, start + length + 1))) length += 1
    longestRun = Math.max(longestRun, length)
  }
  return longestRun
}
