import type { Category } from '#features/pieces/schema.ts'
import { classCount, draw, drawFrom, type Model, marks, model, nameClass, numberClass } from './bigram-model.ts'
import {
  accentedWord,
  address,
  boilerplate,
  capital,
  codeText,
  derivedWord,
  identifier,
  inventedName,
  mistyped,
  numberText,
  passage,
  personName,
  thingName,
  uniqueToken,
} from './non-words.ts'
import { addCode, addHeading, addList, addMarked, addParagraph, newPage, type Page } from './page.ts'
import { type Random, randomFrom } from './random.ts'

/** Pieces without sense from a bigram model of English, for sites larger than the hand-written pieces. */
export interface SeedPiece {
  readonly headline: string
  readonly sub: string | null
  readonly bodyMd: string
  /** What platform/markdown/render.ts makes of `bodyMd`; bulk.test.ts compares them. */
  readonly html: string
  readonly text: string
  readonly category: Category
  readonly tags: readonly string[]
  readonly style: string
}

/** Separates the words of a piece from what callers draw with the same seed and index. */
const pieceStream = 0x70696563

/** The same piece for the same seed and index, in any thread and in any order. */
export function writePiece(seed: number, index: number): SeedPiece {
  const random = randomFrom(seed + pieceStream, index)
  const category = random.pick(categoryWheel)
  // Some topics are far more frequent than others. Those of the categories do not overlap.
  const perCategory = Math.floor(model().topics.length / categoryNames.length)
  const pickTopic = () => Math.floor(perCategory * random.float() ** 1.6)
  const topic = pickTopic()
  const first = categoryNames.indexOf(category) * perCategory
  const state = newTextState(random, first + topic, first + pickTopic())
  const style = pickStyle(random)
  const headline = writeHeadline(state)
  const sub = random.chance(0.1) ? null : writeWithin(state, 80, 200)
  const { md, html, text } = writeBody(state, style)
  return { headline, sub, bodyMd: md, html, text, category, tags: pickTags(random, category, topic), style }
}

/** The share of pieces in each category, and the tags of its topics. */
const categories: Readonly<Record<Category, { readonly share: number; readonly tags: readonly string[] }>> = {
  building: {
    share: 20,
    tags: ['software releases craft', 'databases search backups postgres', 'open-source maintainers', 'carpentry wood'],
  },
  leading: { share: 14, tags: ['feedback management listening', 'hiring teams', 'meetings time writing', 'strategy'] },
  culture: {
    share: 15,
    tags: ['books reading novels', 'museums objects', 'music choirs', 'film', 'translation words'],
  },
  money: {
    share: 12,
    tags: ['pricing customers', 'rent saving debt banks', 'tax accounts', 'wages work small-business'],
  },
  life: {
    share: 14,
    tags: ['sleep rest', 'parenting children family', 'gardening plants seasons', 'friendship walking'],
  },
  civic: {
    share: 8,
    tags: ['elections voting councils', 'libraries public-space', 'buses transport', 'schools water'],
  },
  ideas: { share: 9, tags: ['attention mind', 'statistics numbers evidence', 'maps places', 'language time memory'] },
  society: {
    share: 8,
    tags: ['neighbours trust', 'migration home', 'villages land', 'care hospitals community ritual'],
  },
}
const categoryNames = Object.keys(categories) as Category[]
/** Each as often as its share. */
const categoryWheel = categoryNames.flatMap((name) => Array.from({ length: categories[name].share }, () => name))

function pickStyle(random: Random): string {
  const place = random.integer(100)
  if (place < 80) return 'essay'
  if (place < 88) return 'report'
  return place < 95 ? 'note' : 'interview'
}

function pickTags(random: Random, category: Category, topic: number): string[] {
  const { tags } = categories[category]
  return [...tags[topic % tags.length]!.split(' '), category].slice(0, random.integer(6))
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
    let text = writeLine(state, 6)
    if (opening !== '' && !/^I\b/.test(text)) text = opening + text.charAt(0).toLowerCase() + text.slice(1)
    while (text.length < min) text += `: ${writeLine(state, 4)}`
    if (text.length > 90) text = cut(text, 90)
    if (text.length >= 30 && /^[\p{Lu}\d]/u.test(text)) return text
  }
}

/** A few words without a final mark, as in headlines, headings and lists. */
const writeLine = (state: TextState, words: number): string => writeSentence(state, words).replace(/[.,;:]$/, '')

function writeWithin(state: TextState, min: number, max: number): string {
  let text = writeSentence(state, 10)
  while (text.length < min) text += ` ${writeSentence(state, 10)}`
  return text.length <= max ? text : `${cut(text, max - 1)}.`
}

/** After a whole word, without marks that ask for another. */
const cut = (text: string, longest: number): string =>
  text.slice(0, text.lastIndexOf(' ', longest)).replace(/[ .,;:—“]+$/, '')

/** Approximately a standard normal: the sum of twelve uniform numbers, minus six. */
const normal = (random: Random): number => {
  let sum = -6
  for (let count = 0; count < 12; count += 1) sum += random.float()
  return sum
}

/** One in two hundred is long, as on real sites. */
function bodyLength(random: Random): number {
  if (random.chance(0.005)) return Math.floor(5_500 + 34_500 * random.float() ** 2)
  return Math.min(5_500, Math.max(3_000, Math.floor(4_250 * Math.exp(0.16 * normal(random)))))
}

function writeBody(state: TextState, style: string): Page {
  const { random } = state
  const page = newPage()
  const length = bodyLength(random)
  const asides = asidesOf(random)
  const extras = extrasOf(state, style)
  while (page.text.length < length - 60) {
    if (style === 'interview') addMarked(page, `*${writeLine(state, 8)}?*`)
    addText(page, state, writeParagraph(state, asides, length - 60 - page.text.length))
    extras.pop()?.(page)
  }
  for (const extra of extras) extra(page)
  for (const aside of asides) addParagraph(page, aside)
  return page
}

/** It ends early once it has `length` characters. */
function writeParagraph(state: TextState, asides: string[], length: number): string {
  const { random } = state
  let text = writeSentence(state, 1_000)
  for (let more = 1 + random.integer(5); more > 0 && text.length < length; more -= 1) {
    text += ` ${writeSentence(state, 1_000)}`
    if (asides.length > 0 && random.chance(0.06)) text += ` ${asides.pop()}`
  }
  return text
}

function addText(page: Page, state: TextState, md: string): void {
  if (state.marked) addMarked(page, md)
  else addParagraph(page, md)
  state.marked = false
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

/** Blocks that are no paragraphs; one follows each of the first paragraphs. */
function extrasOf(state: TextState, style: string): ((page: Page) => void)[] {
  const { random } = state
  const extras: ((page: Page) => void)[] = []
  const heading = (page: Page) => addHeading(page, writeLine(state, 4))
  if (random.chance(0.3)) extras.push(heading)
  if (random.chance(style === 'report' ? 0.3 : 0.08))
    extras.push((page) =>
      addList(
        page,
        Array.from({ length: 3 + random.integer(4) }, () => writeLine(state, 7)),
      ),
    )
  if (extras.length > 0 && random.chance(0.5)) extras.unshift(heading)
  if (random.chance(0.02)) extras.unshift((page) => addSnippet(page, random))
  if (random.chance(0.03))
    extras.unshift((page) =>
      addMarked(page, `**${writeLine(state, 6)}.** [${writeLine(state, 5)}](${address(random)}).`),
    )
  return extras
}

function addSnippet(page: Page, random: Random): void {
  const [one, other] = [identifier(random, '_'), identifier(random, '_')]
  const [language, code] = random.pick([
    [
      'js',
      `for (const [key, ${one}] of Object.entries(${other})) {\n  if (${one} > 12 && key !== "${other}") save(${one})\n}`,
    ],
    [
      'sql',
      `select ${one}, count(*)\nfrom ${other}\nwhere ${one} like '%\\_tea%' escape '\\' and id < 40\ngroup by ${one};`,
    ],
    [
      'py',
      `def ${one}(${other}, *, limit=5):\n    """Skip what is empty."""\n    return [x for x in ${other} if x <= limit]`,
    ],
    ['sh', `$ ${one} --limit=7 > C:\\logs\\${other}.log\n100% done & 0 errors\n$ sort ${other}.txt | uniq -c`],
  ] as const)
  addCode(page, language, code)
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
  /** Inserted once each, somewhere in the body. Code is between backticks. */
  readonly insertions: string[]
  /** Whether the paragraph so far has Markdown in it. */
  marked: boolean
}

function newTextState(random: Random, topic: number, secondTopic: number): TextState {
  const all = model()
  const insertions: string[] = []
  if (random.chance(0.3)) insertions.push(uniqueToken(random))
  if (random.chance(0.2)) for (let one = random.integer(3); one >= 0; one -= 1) insertions.push(address(random))
  if (random.chance(0.12)) insertions.push(identifier(random, '_'))
  if (random.chance(0.06))
    for (let one = random.integer(5); one >= 0; one -= 1) insertions.push(`\`${codeText(random)}\``)
  return {
    random,
    model: all,
    subject: all.topics[topic]!,
    secondSubject: all.topics[secondTopic]!,
    people: Array.from({ length: 2 + random.integer(4) }, () => personName(random)),
    named: new Set(),
    things: Array.from({ length: 3 }, () => thingName(random)),
    language: random.integer(all.accented.length),
    accents: random.integer(4) === 0 ? 0.1 : 0.006,
    insertions,
    marked: false,
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
    if (count >= max || (count >= longest && previous >= firstWord + 300)) {
      return `${isMark(previous) ? text.replace(/[ ,;:—]+$/, '') : text}.${close}`
    }
    if (symbol >= firstWord) {
      text += count === 0 ? capitals[symbol]! : spaced[symbol]!
      previous = symbol
    } else {
      previous = symbol < nameClass ? drawOfClass(state, symbol) : symbol
      const word = textOf(state, symbol, previous)
      text += count === 0 ? capital(word) : ` ${word}`
    }
    count += 1
    if (longest > 100 && state.insertions.length > 0 && random.chance(0.012)) {
      const inserted = state.insertions.pop()!
      if (inserted.startsWith('`')) state.marked = true
      text += ` ${inserted}`
    }
  }
}

/** Of words without a pair, two in three belong to the topic and a fifth to a second one, so that they are repeated. */
function drawOfClass({ random, subject, secondSubject, model: all }: TextState, group: number): number {
  const position = random.float()
  if (position < 0.85) {
    const list = position < 0.65 ? subject[group]! : secondSubject[group]!
    return list[Math.floor(list.length * random.float() ** 1.4)]!
  }
  return draw(all.ofClass[group]!, random)
}

function textOf(state: TextState, group: number, symbol: number): string {
  const { random, model: all } = state
  if (group === numberClass) return numberText(random)
  if (group === nameClass) return nameText(state)
  const word = all.words[symbol]!
  const position = random.float()
  if (position < 0.06) {
    if (position < 0.015) return `${word}’s`
    if (position < 0.035) return derivedWord(word, all.words[draw(all.ofClass[group]!, random)]!, random)
    if (position < 0.039) return mistyped(word, random)
  } else if (position < 0.06 + 2.2 * state.accents) return accentedWord(random, state.language)
  return word
}

function nameText({ random, people, named, things }: TextState): string {
  const position = random.float()
  if (position < 0.35) {
    const one = Math.floor(people.length * random.float() ** 2)
    if (named.has(one)) return people[one]!.family
    named.add(one)
    return people[one]!.full
  }
  if (position < 0.5) return random.pick(things)
  return inventedName(random)
}
