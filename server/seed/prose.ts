import type { Random } from './random.ts'
import { randomFrom } from './random.ts'
import type { Topic } from './vocabulary.ts'
import { vocabulary } from './vocabulary.ts'
import { writeBody } from './words/body.ts'
import type { Slot } from './words/grammar.ts'
import type { Style } from './words/repertoire.ts'
import { repertoire } from './words/repertoire.ts'
import type { Writer } from './words/writer.ts'
import { newWriter } from './words/writer.ts'

export { writeAuthor } from './words/author.ts'

export interface SeedPiece {
  headline: string
  sub: string | null
  bodyMd: string
  /** What platform/markdown/render.ts makes of `bodyMd`; prose.test.ts holds the two together. */
  html: string
  text: string
  category: string
  tags: string[]
  style: string
}

/** Keeps the words of a piece apart from what callers draw with the same seed and index. */
const pieceStream = 0x70696563

/** The same piece for the same seed and index, in any thread and in any order. */
export function writePiece(seed: number, index: number): SeedPiece {
  const random = randomFrom(seed + pieceStream, index)
  const topic = pickTopic(random)
  const style = pickStyle(random)
  const writer = newWriter(random, topic)
  const { headlines, standfirsts } = repertoire()
  const headline = fitting(headlines[style], writer, 20, 110)
  const sub = random.chance(0.1) ? null : fitting(standfirsts, writer, 20, 300)
  const { md, html, text } = writeBody(writer, style)
  return { headline, sub, bodyMd: md, html, text, category: topic.category, tags: pickTags(random, topic), style }
}

function pickTopic(random: Random): Topic {
  let place = random.integer(100)
  for (const { share, topics } of vocabulary().topics) {
    if (place < share) return random.pick(topics)
    place -= share
  }
  throw new Error('the shares of the categories do not add up to 100')
}

function pickStyle(random: Random): Style {
  const place = random.integer(100)
  if (place < 80) return 'essay'
  if (place < 88) return 'report'
  return place < 95 ? 'note' : 'interview'
}

function pickTags(random: Random, { category, tags }: Topic): string[] {
  const all = [...tags.filter((tag) => tag !== category), category]
  const start = random.integer(all.length)
  return [...all.slice(start), ...all.slice(0, start)].slice(0, random.integer(6))
}

/** Said again until it fits, as hardly one in five thousand has to be. */
function fitting(say: Slot<Writer>, writer: Writer, least: number, most: number): string {
  for (;;) {
    const said = say(writer)
    if (said.length >= least && said.length <= most) return said
  }
}
