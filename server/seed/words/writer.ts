import type { Random } from '../random.ts'
import type { Table, Topic } from '../vocabulary.ts'
import { draw, vocabulary } from '../vocabulary.ts'
import type { NounForms, VerbForms } from './forms.ts'
import { splitPhrases, splitWords } from './forms.ts'
import type { Slots, Template } from './grammar.ts'
import { capital, phrase, weightedLines } from './grammar.ts'
import { phrases } from './phrases.ts'
import { chinese, european, japanese } from './tongues.ts'

interface Name {
  given: string
  family: string
  /** Already named in full. */
  met: boolean
}

/** The words a piece keeps coming back to, so that they cluster as in real text. */
export interface Writer {
  random: Random
  topic: Topic
  things: NounForms[]
  masses: string[]
  people: NounForms[]
  acts: VerbForms[]
  adjectives: string[]
  who: Name
  other: Name
  cities: string[]
  firm: string
  currency: string
  /** Whether to use “curly” quotation marks. */
  curly: boolean
  said: Set<Template<Writer>>
}

/** The share of words from the topic, and from the topic and the piece together. */
const ofTopic = 0.36
const ofPiece = 0.5

export function newWriter(random: Random, topic: Topic): Writer {
  const words = vocabulary()
  return {
    random,
    topic,
    things: several(random, words.things, 7),
    masses: several(random, words.masses, 3),
    people: several(random, words.people, 3),
    acts: several(random, words.acts, 4),
    adjectives: several(random, words.adjectives, 5),
    who: newName(random),
    other: newName(random),
    cities: several(random, words.cities, 2),
    firm: draw(words.firms, random.float()),
    currency: random.pick(['$', '£', '€']),
    curly: random.chance(0.25),
    said: new Set(),
  }
}

function several<T>(random: Random, table: Table<T>, count: number): T[] {
  const drawn: T[] = []
  for (let i = 0; i < count; i++) drawn.push(draw(table, random.float()))
  return drawn
}

function newName(random: Random): Name {
  const { given, families } = vocabulary()
  return { given: random.pick(given), family: draw(families, random.float()), met: false }
}

/** Picks from the topic's words, the piece's own, or all. */
function chosen<T>({ random }: Writer, topic: readonly T[], own: readonly T[], all: Table<T>): T {
  const place = random.float()
  if (place < ofTopic) return early(topic, place / ofTopic)
  if (place < ofPiece) return own[Math.floor(((place - ofTopic) / (ofPiece - ofTopic)) * own.length)] as T
  return draw(all, (place - ofPiece) / (1 - ofPiece))
}

/** Prefers the front of the list. */
function early<T>(list: readonly T[], place: number): T {
  return list[Math.floor(place * place * list.length)] as T
}

function called(name: Name, random: Random): string {
  if (name.met) return random.chance(0.75) ? name.family : name.given
  return fully(name)
}

function fully(name: Name): string {
  name.met = true
  return `${name.given} ${name.family}`
}

/** Every slot that a sentence can use. */
export function writerSlots(): Slots<Writer> {
  const slots: Slots<Writer> = { ...wordSlots(), ...nameSlots(), ...numberSlots(), ...tongueSlots() }
  for (const [name, source] of Object.entries(phrases)) slots[name] = phrase(weightedLines(source), slots)
  const { adjunct } = slots
  slots.tail = (w) => (adjunct && w.random.chance(0.3) ? ` ${adjunct(w)}` : '')
  return slots
}

function wordSlots(): Slots<Writer> {
  const words = vocabulary()
  const thing = (w: Writer) => chosen(w, w.topic.things, w.things, words.things)
  const person = (w: Writer) => chosen(w, w.topic.people, w.people, words.people)
  const act = (w: Writer) => chosen(w, w.topic.acts, w.acts, words.acts)
  const own = (w: Writer) => early(w.topic.things, w.random.float())
  return {
    thing: (w) => thing(w).one,
    things: (w) => thing(w).many,
    mass: (w) => chosen(w, w.topic.masses, w.masses, words.masses),
    person: (w) => person(w).one,
    people: (w) => person(w).many,
    spot: (w) => draw(words.spots, w.random.float()).one,
    adj: (w) => chosen(w, w.topic.adjectives, w.adjectives, words.adjectives),
    adv: (w) => draw(words.adverbs, w.random.float()),
    do: (w) => act(w).base,
    does: (w) => act(w).third,
    did: (w) => act(w).past,
    doing: (w) => act(w).gerund,
    done: (w) => act(w).participle,
    shape: (w) => draw(words.effects, w.random.float()).base,
    shapes: (w) => draw(words.effects, w.random.float()).third,
    shaped: (w) => draw(words.effects, w.random.float()).past,
    go: (w) => draw(words.moves, w.random.float()).base,
    goes: (w) => draw(words.moves, w.random.float()).third,
    went: (w) => draw(words.moves, w.random.float()).past,
    going: (w) => draw(words.moves, w.random.float()).gerund,
    pursuit: (w) => w.random.pick(w.topic.pursuits),
    matter: (w) => w.random.pick(w.topic.matters),
    crowd: (w) => w.random.pick(w.topic.crowds),
    ownThing: (w) => own(w).one,
    ownThings: (w) => own(w).many,
    ownMass: (w) => w.random.pick(w.topic.masses),
    ownPerson: (w) => w.random.pick(w.topic.people).one,
    ownPeople: (w) => w.random.pick(w.topic.people).many,
    ownAdj: (w) => w.random.pick(w.topic.adjectives),
  }
}

function nameSlots(): Slots<Writer> {
  const words = vocabulary()
  const part = (w: Writer) => early(words.parts, w.random.float())
  return {
    who: (w) => called(w.who, w.random),
    other: (w) => called(w.other, w.random),
    full: (w) => fully(w.who),
    surname: (w) => draw(words.families, w.random.float()),
    city: (w) => (w.random.chance(0.6) ? w.random.pick(w.cities) : draw(words.cities, w.random.float())),
    town: (w) => draw(words.towns, w.random.float()),
    firm: (w) => (w.random.chance(0.5) ? w.firm : draw(words.firms, w.random.float())),
    product: (w) => `${draw(words.firms, w.random.float())} ${w.random.integer(90) + 1}`,
    ident: (w) => `${part(w)}_${part(w)}`,
    camel: (w) => part(w) + capital(part(w)),
    slug: (w) => `${part(w)}-${part(w)}`,
    host: (w) => part(w) + part(w),
    url: (w) => `https://${part(w)}${part(w)}.example.org/${part(w)}-${part(w)}`,
  }
}

function numberSlots(): Slots<Writer> {
  const list = (source: string) => {
    const all = splitWords(source)
    return (w: Writer) => early(all, w.random.float())
  }
  return {
    few: list(fewWords),
    weekday: list(weekdays),
    month: list(months),
    season: list(seasons),
    day: (w) => String(w.random.integer(28) + 1),
    year: (w) => year(w.random),
    oldYear: (w) => String(2016 - w.random.integer(70)),
    nearYear: (w) => String(2022 + w.random.integer(5)),
    percent: (w) => percent(w.random),
    price: (w) => price(w.random, w.currency),
    many: (w) => count(w.random),
    number: (w) => String(w.random.integer(400) + 1),
  }
}

function tongueSlots(): Slots<Writer> {
  const slots: Slots<Writer> = {}
  for (const [name, source] of Object.entries({ ...chinese.words, ...japanese.words })) {
    const words = splitWords(source)
    slots[name] = (w) => early(words, w.random.float())
  }
  for (const [name, source] of Object.entries(european.nouns)) {
    const nouns = splitPhrases(source)
    slots[name] = (w) => w.random.pick(nouns)
  }
  return slots
}

const fewWords = `three two four five nine six seven eleven ten eight twelve forty twenty thirteen fifteen thirty
  fifty fourteen sixteen eighteen ninety seventeen nineteen sixty eighty seventy`
const weekdays = 'Tuesday Friday Monday Thursday Sunday Wednesday Saturday'
const months = 'March October June January September May November April February July August December'
const seasons = 'winter spring autumn summer'

/** Mostly recent years, as in print; none after 2026. */
function year(random: Random): string {
  const back = random.float()
  return String(2026 - Math.floor(150 * back * back))
}

function percent(random: Random): string {
  const whole = random.integer(99) + 1
  return random.chance(0.75) ? `${whole}%` : `${whole}.${random.integer(9) + 1}%`
}

function price(random: Random, currency: string): string {
  return random.chance(0.2) ? `${currency}${random.integer(40) + 1}.${random.integer(9)}0` : currency + count(random)
}

/** From a dozen to a hundred thousand, each magnitude equally likely. */
function count(random: Random): string {
  const size = Math.floor(12 * 10 ** (random.float() * 3.9))
  return grouped(random.chance(0.5) && size > 100 ? size - (size % 10) : size)
}

function grouped(number: number): string {
  if (number < 1000) return String(number)
  const rest = String(number % 1000)
  return `${Math.floor(number / 1000)},${rest.padStart(3, '0')}`
}
