import { type Random, randomFrom } from '../../../server/seed/random.ts'
import { categories } from '../../../server/seed/words/topics.ts'
import { boilerplate, passage } from './non-words.ts'
import { newPen, type Pen, write } from './sentence.ts'
import { tables } from './tables.ts'

/**
 * Pieces made of counted English: for measuring search, where the text decides everything.
 *
 *   import { piece } from './corpus/piece.ts'
 *   const { headline, sub, body, category, tags } = piece(seed, index)
 *
 * Pure: the same piece for the same two numbers, in any thread and in any order. `body` is plain text, its paragraphs
 * apart by an empty line; `htmlOf(body)` puts them into <p>. Whole databases are filled by load.ts, questions drawn
 * by queries.ts and answered by oracle.ts.
 */
export interface CorpusPiece {
  readonly headline: string
  readonly sub: string | null
  readonly body: string
  readonly category: Category
  readonly tags: readonly string[]
}

export type Category = keyof typeof categories

const pieceStream = 0x636f7270

export function piece(seed: number, index: number): CorpusPiece {
  const random = randomFrom(seed + pieceStream, index)
  const category = pickCategory(random)
  const pen = newPen(random, topicsOf(category), random.integer(4) === 0)
  const headline = writeHeadline(pen)
  const sub = random.chance(0.05) ? null : writeWithin(pen, 80, 200)
  const { tags } = random.pick(categories[category].topics)
  return { headline, sub, body: writeBody(pen), category, tags: tags.split(' ').slice(0, random.integer(5)) }
}

export const htmlOf = (body: string): string =>
  `<p>${body.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replaceAll('\n\n', '</p>\n<p>')}</p>\n`

function pickCategory(random: Random): Category {
  let place = random.integer(100)
  for (const name of Object.keys(categories) as Category[]) {
    if (place < categories[name].share) return name
    place -= categories[name].share
  }
  throw new Error('the shares of the categories do not add up to 100')
}

/** The topics of a category, which share nothing with those of the others. */
function topicsOf(category: Category): { from: number; count: number } {
  const names = Object.keys(categories)
  const count = Math.floor(tables().topics.length / names.length)
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

function writeHeadline(pen: Pen): string {
  const { random } = pen
  const least = 30 + random.integer(20)
  const opening = random.chance(0.35) ? `${random.pick(openings)} ` : ''
  for (;;) {
    let said = write(pen, 6).replace(/[.,;:]$/, '')
    if (opening !== '' && !/^I\b/.test(said)) said = opening + said.charAt(0).toLowerCase() + said.slice(1)
    while (said.length < least) said += `: ${write(pen, 4).replace(/[.,;:]$/, '')}`
    if (said.length > 90) said = said.slice(0, said.lastIndexOf(' ', 90)).replace(/[ .,;:—“]+$/, '')
    if (said.length >= 30) return said
  }
}

function writeWithin(pen: Pen, least: number, most: number): string {
  let said = write(pen, 10)
  while (said.length < least) said += ` ${write(pen, 10)}`
  return said.length <= most ? said : `${said.slice(0, said.lastIndexOf(' ', most - 1)).replace(/[ .,;:—“]+$/, '')}.`
}

/** Normal by the sum of twelve. */
const normal = (random: Random): number => {
  let sum = -6
  for (let count = 0; count < 12; count += 1) sum += random.float()
  return sum
}

function bodyLength(random: Random): number {
  if (random.chance(0.005)) return Math.floor(5_500 + 34_500 * random.float() ** 2)
  return Math.min(5_500, Math.max(3_000, Math.floor(4_250 * Math.exp(0.16 * normal(random)))))
}

function writeBody(pen: Pen): string {
  const { random } = pen
  const length = bodyLength(random)
  const asides = asidesOf(random)
  let text = ''
  let sentences = 0
  let paragraph = 2 + random.integer(5)
  while (text.length < length - 60) {
    const join = text === '' ? '' : sentences === 0 ? '\n\n' : ' '
    text += join + write(pen, 1_000)
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

/** Passages in other scripts, and what is said under many pieces. */
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
