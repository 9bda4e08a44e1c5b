import { type Random, randomFrom } from '../../../server/seed/random.ts'
import { categories } from '../../../server/seed/vocabulary.ts'
import { classCount, draw, drawFrom, type Model, marks, model, nameClass, numberClass } from './bigram-model.ts'
import {
  accentedWord,
  address,
  boilerplate,
  codeText,
  derivedWord,
  mistyped,
  numberText,
  passage,
  personName,
  thingName,
  uniqueToken,
} from './non-words.ts'

/**
 * Pieces generated from a bigram model of English, for benchmarks of search, whose cost depends on the text.
 *
 *   const { headline, sub, body, category, tags } = piece(seed, index)
 *
 * Pure: the same piece for the same two numbers, in any thread and in any order. `body` is plain text with an empty line
 * between paragraphs; `htmlOf(body)` wraps them in <p>. load.ts fills a database with pieces, queries.ts draws queries,
 * oracle.ts knows the correct results.
 */
export interface CorpusPiece {
  readonly headline: string
  readonly sub: string | null
  readonly body: string
  readonly category: Category
  readonly tags: readonly string[]
}

type Category = keyof typeof categories

const pieceStream = 0x636f7270

export function piece(seed: number, index: number): CorpusPiece {
  const random = randomFrom(seed + pieceStream, index)
  const category = pickCategory(random)
  const state = newTextState(random, topicsOf(category), random.integer(4) === 0)
  const headline = writeHeadline(state)
  const sub = random.chance(0.05) ? null : writeWithin(state, 80, 200)
  const { tags } = random.pick(categories[category].topics)
  return { headline, sub, body: writeBody(state), category, tags: tags.split(' ').slice(0, random.integer(5)) }
}

export const htmlOf = (body: string): string =>
  `<p>${body.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replaceAll('\n\n', '</p>\n<p>')}</p>\n`

function pickCategory(random: Random): Category {
  let position = random.integer(100)
  for (const name of Object.keys(categories) as Category[]) {
    if (position < categories[name].share) return name
    position -= categories[name].share
  }
  throw new Error('the shares of the categories do not add up to 100')
}

/** The range of topics of a category. Ranges do not overlap. */
function topicsOf(category: Category): { from: number; count: number } {
  const names = Object.keys(categories)
  const count = Math.floor(model().topics.length / names.length)
  return { from: names.indexOf(category) * count, count }
}

const openings = [
  'How to',
  'How',
  'Why',
  'What',
  'What we learned from',
  'The case for',
  'The case against',
  'Inside',
  'A short history of',
  'Notes on',
  'In defence of',
  'The end of',
  'When',
  'Learning to',
  'Against',
  'The trouble with',
] as const

function writeHeadline(state: TextState): string {
  const { random } = state
  const min = 30 + random.integer(20)
  const opening = random.chance(0.35) ? `${random.pick(openings)} ` : ''
  for (;;) {
    let text = writeSentence(state, 6).replace(/[.,;:]$/, '')
    if (opening !== '' && !/^I\b/.test(text)) text = opening + text.charAt(0).toLowerCase() + text.slice(1)
    while (text.length < min) text += `: ${writeSentence(state, 4).replace(/[.,;:]$/, '')}`
    if (text.length > 90) text = text.slice(0, text.lastIndexOf(' ', 90)).replace(/[ .,;:—“]+$/, '')
    if (text.length >= 30) return text
  }
}

function writeWithin(state: TextState, min: number, max: number): string {
  let text = writeSentence(state, 10)
  while (text.length < min) text += ` ${writeSentence(state, 10)}`
  return text.length <= max ? text : `${text.slice(0, text.lastIndexOf(' ', max - 1)).replace(/[ .,;:—“]+$/, '')}.`
}

/** Approximately a standard normal: the sum of twelve uniform numbers, minus six. */
const normal = (random: Random): number => {
  let sum = -6
  for (let count = 0; count < 12; count += 1) sum += random.float()
  return sum
}

function bodyLength(random: Random): number {
  if (random.chance(0.005)) return Math.floor(5_500 + 34_500 * random.float() ** 2)
  return Math.min(5_500, Math.max(3_000, Math.floor(4_250 * Math.exp(0.16 * normal(random)))))
}

function writeBody(state: TextState): string {
  const { random } = state
  const length = bodyLength(random)
  const asides = asidesOf(random)
  let text = ''
  let sentences = 0
  let paragraph = 2 + random.integer(5)
  while (text.length < length - 60) {
    const join = text === '' ? '' : sentences === 0 ? '\n\n' : ' '
    text += join + writeSentence(state, 1_000)
    if (asides.length > 0 && random.chance(0.06)) text += ` ${asides.pop()}`
    sentences += 1
    if (sentences === paragraph) {
      sentences = 0
      paragraph = 2 + random.integer(5)
    }
  }
  for (const aside of asides) text += `\n\n${aside}`
  return text
}

/** Passages in other scripts, and sentences that many pieces have at the end. */
function asidesOf(random: Random): string[] {
  const asides: string[] = []
  if (random.chance(0.05)) {
    const script = [0, 0, 0, 1, 1, 2][random.integer(6)]!
    const count = 1 + random.integer(3)
    for (let one = 0; one < count; one += 1) asides.push(passage(random, script, 15 + random.integer(150)))
  }
  for (const sentence of boilerplate) if (random.chance(0.02)) asides.push(sentence)
  return asides
}

/** What one piece is about, which people it names, and what is still to be inserted. */
interface TextState {
  readonly random: Random
  readonly model: Model
  /** By class: words of the topic, and of a second one. */
  readonly subject: readonly Uint32Array[]
  readonly secondSubject: readonly Uint32Array[]
  readonly people: readonly { readonly full: string; readonly family: string }[]
  readonly named: Set<number>
  readonly things: readonly string[]
  readonly language: number
  /** Probability of an accented word. */
  readonly accents: number
  /** Inserted once each, somewhere in the body. */
  readonly insertions: string[]
}

function newTextState(random: Random, { from, count }: { from: number; count: number }, foreign: boolean): TextState {
  const all = model()
  // Some topics are far more frequent than others.
  const topic = () => all.topics[from + Math.floor(count * random.float() ** 1.6)]!
  const insertions: string[] = []
  if (random.chance(0.3)) insertions.push(uniqueToken(random))
  if (random.chance(0.2)) for (let one = random.integer(3); one >= 0; one -= 1) insertions.push(address(random))
  if (random.chance(0.18)) for (let one = random.integer(5); one >= 0; one -= 1) insertions.push(codeText(random))
  return {
    random,
    model: all,
    subject: topic(),
    secondSubject: topic(),
    people: Array.from({ length: 2 + random.integer(4) }, () => personName(random)),
    named: new Set(),
    things: Array.from({ length: 3 }, () => thingName(random)),
    language: random.integer(all.accented.length),
    accents: foreign ? 0.1 : 0.006,
    insertions,
  }
}

const stop: number = classCount
const colon = classCount + marks.indexOf(':')
const dash = classCount + marks.indexOf('—')
const firstWord = classCount + marks.length

const isMark = (symbol: number): boolean => symbol >= classCount && symbol < firstWord

/** A sentence with a capital and a final mark. It ends soon after `longest` words. */
function writeSentence(state: TextState, longest: number): string {
  const { random, model: all } = state
  const { after, words, spaced, capitals } = all
  const max = Math.min(longest, 40) + 6
  const quoted = longest > 100 && random.chance(0.05)
  const close = quoted ? '”' : ''
  let text = quoted ? '“' : ''
  let previous = stop
  let count = 0
  for (;;) {
    let symbol = drawFrom(after, previous, random)
    if (isMark(symbol)) {
      if (count >= 4 && !isMark(previous)) {
        if (symbol !== dash && (symbol === stop || symbol > colon)) return text + words[symbol]! + close
        text += symbol === dash ? ' —' : words[symbol]!
        previous = symbol
        continue
      }
      // A word instead of a mark in the first four words, or after another mark.
      if (count === 0 && symbol === stop) continue
      symbol = random.integer(3) === 0 ? 0 : 1
    }
    if (count >= max || (count >= longest && previous >= firstWord + 300)) return `${text}.${close}`
    if (symbol >= firstWord) {
      text += count === 0 ? capitals[symbol]! : spaced[symbol]!
      previous = symbol
    } else {
      previous = symbol < nameClass ? drawOfClass(state, symbol) : symbol
      if (count > 0) text += ' '
      text += textOf(state, symbol, previous, count === 0)
    }
    count += 1
    if (longest > 100 && state.insertions.length > 0 && random.chance(0.012)) text += ` ${state.insertions.pop()}`
  }
}

/** Of words without a pair, a third belong to the topic and a tenth to a second one, so that they are repeated. */
function drawOfClass({ random, subject, secondSubject, model: all }: TextState, group: number): number {
  const position = random.float()
  if (position < 0.42) {
    const list = position < 0.32 ? subject[group]! : secondSubject[group]!
    return list[Math.floor(list.length * random.float() ** 1.7)]!
  }
  return draw(all.ofClass[group]!, random)
}

function textOf(state: TextState, group: number, symbol: number, isFirst: boolean): string {
  const { random, model: all } = state
  if (group === numberClass) return numberText(random)
  if (group === nameClass) return nameText(state)
  const position = random.float()
  if (position < 0.06) {
    if (position < 0.015) return `${(isFirst ? all.capitals : all.words)[symbol]!}’s`
    if (position < 0.035) return derivedWord(all.words[symbol]!, all.words[draw(all.ofClass[group]!, random)]!, random)
    if (position < 0.039) return mistyped(all.words[symbol]!, random)
  } else if (position < 0.06 + 2.2 * state.accents) return accentedWord(random, state.language)
  return (isFirst ? all.capitals : all.words)[symbol]!
}

function nameText({ random, model: all, people, named, things }: TextState): string {
  const position = random.float()
  if (position < 0.35) {
    const one = Math.floor(people.length * random.float() ** 2)
    if (named.has(one)) return people[one]!.family
    named.add(one)
    return people[one]!.full
  }
  if (position < 0.5) return random.pick(things)
  return all.words[draw(all.ofClass[nameClass]!, random)]!
}
