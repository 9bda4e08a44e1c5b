import type { Random } from '../../../server/seed/random.ts'
import { draw, drawFrom } from './alias-sampler.ts'
import { classCount, marks, nameClass, numberClass } from './classes.ts'
import {
  accentedWord,
  address,
  codeText,
  grown,
  mistyped,
  numberText,
  personName,
  thingName,
  uniqueToken,
} from './non-words.ts'
import { type Tables, tables } from './tables.ts'

/** One writer at one piece: what it is about and whom, and what it will name once. */
export interface Pen {
  readonly random: Random
  readonly tables: Tables
  /** By class, the words of the subject. */
  readonly subject: readonly Uint32Array[]
  readonly aside: readonly Uint32Array[]
  readonly people: readonly { readonly full: string; readonly family: string }[]
  readonly named: Set<number>
  readonly things: readonly string[]
  readonly tongue: number
  readonly accents: number
  /** Said once each, at some place of the body. */
  readonly oddments: string[]
}

export function newPen(random: Random, { from, count }: { from: number; count: number }, foreign: boolean): Pen {
  const all = tables()
  // Some subjects are written about far more than others.
  const topic = () => all.topics[from + Math.floor(count * random.float() ** 1.6)]!
  const oddments: string[] = []
  if (random.chance(0.3)) oddments.push(uniqueToken(random))
  if (random.chance(0.2)) for (let one = random.integer(3); one >= 0; one -= 1) oddments.push(address(random))
  if (random.chance(0.18)) for (let one = random.integer(5); one >= 0; one -= 1) oddments.push(codeText(random))
  return {
    random,
    tables: all,
    subject: topic(),
    aside: topic(),
    people: Array.from({ length: 2 + random.integer(4) }, () => personName(random)),
    named: new Set(),
    things: Array.from({ length: 3 }, () => thingName(random)),
    tongue: random.integer(all.accented.length),
    accents: foreign ? 0.1 : 0.006,
    oddments,
  }
}

const stop: number = classCount
const colon = classCount + marks.indexOf(':')
const dash = classCount + marks.indexOf('—')
const firstWord = classCount + marks.length

const isMark = (symbol: number): boolean => symbol >= classCount && symbol < firstWord

/** A sentence, begun large and ended by a mark; past `longest` words at the next chance. */
export function write(pen: Pen, longest: number): string {
  const { random, tables: all } = pen
  const { after, words, spaced, capitals } = all
  const most = Math.min(longest, 40) + 6
  const quoted = longest > 100 && random.chance(0.05)
  const close = quoted ? '”' : ''
  let text = quoted ? '“' : ''
  let state = stop
  let count = 0
  for (;;) {
    let symbol = drawFrom(after, state, random)
    if (isMark(symbol)) {
      if (count >= 4 && !isMark(state)) {
        if (symbol !== dash && (symbol === stop || symbol > colon)) return text + words[symbol]! + close
        text += symbol === dash ? ' —' : words[symbol]!
        state = symbol
        continue
      }
      // No sentence of fewer than four words, and no mark upon a mark: a word instead.
      if (count === 0 && symbol === stop) continue
      symbol = random.integer(3) === 0 ? 0 : 1
    }
    if (count >= most || (count >= longest && state >= firstWord + 300)) return `${text}.${close}`
    if (symbol >= firstWord) {
      text += count === 0 ? capitals[symbol]! : spaced[symbol]!
      state = symbol
    } else {
      state = symbol < nameClass ? drawOfClass(pen, symbol) : symbol
      if (count > 0) text += ' '
      text += say(pen, symbol, state, count === 0)
    }
    count += 1
    if (longest > 100 && pen.oddments.length > 0 && random.chance(0.012)) text += ` ${pen.oddments.pop()}`
  }
}

/** Of words without a pair, a third belong to the subject and a tenth to a second one: they come again and again. */
function drawOfClass({ random, subject, aside, tables: all }: Pen, group: number): number {
  const place = random.float()
  if (place < 0.42) {
    const list = place < 0.32 ? subject[group]! : aside[group]!
    return list[Math.floor(list.length * random.float() ** 1.7)]!
  }
  return draw(all.ofClass[group]!, random)
}

function say(pen: Pen, group: number, symbol: number, begins: boolean): string {
  const { random, tables: all } = pen
  if (group === numberClass) return numberText(random)
  if (group === nameClass) return nameText(pen)
  const place = random.float()
  if (place < 0.06) {
    if (place < 0.015) return `${(begins ? all.capitals : all.words)[symbol]!}’s`
    if (place < 0.035) return grown(all.words[symbol]!, all.words[draw(all.ofClass[group]!, random)]!, random)
    if (place < 0.039) return mistyped(all.words[symbol]!, random)
  } else if (place < 0.06 + 2.2 * pen.accents) return accentedWord(random, pen.tongue)
  return (begins ? all.capitals : all.words)[symbol]!
}

function nameText({ random, tables: all, people, named, things }: Pen): string {
  const place = random.float()
  if (place < 0.35) {
    const one = Math.floor(people.length * random.float() ** 2)
    if (named.has(one)) return people[one]!.family
    named.add(one)
    return people[one]!.full
  }
  if (place < 0.5) return random.pick(things)
  return all.words[draw(all.ofClass[nameClass]!, random)]!
}
