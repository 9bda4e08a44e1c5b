import { withoutAccents } from '../server/platform/text/slug.ts'
import { randomFrom } from '../server/seed/random.ts'
import { authorAt, pieceAt, type SitePlan } from '../server/seed/site-plan.ts'

/**
 * Questions as readers type them, each with the piece it is meant for: made from the pieces of a generated site, the same
 * for the same numbers. A reader remembers what is special about a piece, so the words taken are the rarest of its headline.
 */
export interface LabelledQuestion {
  readonly class: QuestionClass
  readonly q: string
  readonly id: string
  readonly authorId: string
  readonly publishedAt: Date
}

export const questionClasses = ['two words', 'accents', 'typo', 'inflected', 'author and subject'] as const
type QuestionClass = (typeof questionClasses)[number]

type Random = ReturnType<typeof randomFrom>
type Piece = ReturnType<typeof pieceAt>

export function labelledQuestions(plan: SitePlan, seed: number, count: number): LabelledQuestion[] {
  const counts = countHeadlineWords(plan)
  const authors = new Map(
    Array.from({ length: plan.authors }, (_, at) => authorAt(plan, at)).map((one) => [one.id, one]),
  )
  const random = randomFrom(seed, 77)
  const questions: LabelledQuestion[] = []
  const perClass = count / questionClasses.length
  for (const kind of questionClasses) {
    for (let made = 0; made < perClass; ) {
      const piece = pieceAt(plan, random.integer(plan.pieces))
      const words = specialWords(piece.headline, counts)
      const q = write[kind](random, words, piece, authors.get(piece.writerId)!.name)
      if (q === undefined) continue
      questions.push({ class: kind, q, id: piece.id, authorId: piece.writerId, publishedAt: piece.publishedAt })
      made += 1
    }
  }
  return questions
}

/** In how many headlines of a sample each word stands. */
function countHeadlineWords(plan: SitePlan): Map<string, number> {
  const counts = new Map<string, number>()
  const step = Math.max(1, Math.floor(plan.pieces / 2_000))
  for (let at = 0; at < plan.pieces; at += step)
    for (const word of new Set(longWordsIn(pieceAt(plan, at).headline))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const longWordsIn = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/\p{L}{4,}/gu) ?? []

/** Rarest first. */
const specialWords = (headline: string, counts: ReadonlyMap<string, number>): string[] =>
  [...new Set(longWordsIn(headline))].sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))

type Write = (random: Random, words: readonly string[], piece: Piece, author: string) => string | undefined

const write: Readonly<Record<QuestionClass, Write>> = {
  'two words': (random, [first, second]) =>
    first && second && (random.integer(2) === 0 ? `${first} ${second}` : `${second} ${first}`),
  accents: (_random, words) => {
    const accented = words.find((word) => /^\p{Script=Latin}+$/u.test(word) && withoutAccents(word) !== word)
    const other = words.find((word) => word !== accented)
    return accented && other && `${withoutAccents(accented)} ${withoutAccents(other)}`
  },
  typo: (random, words) => {
    const long = words.slice(0, 3).find((word) => word.length >= 6)
    const other = words.find((word) => word !== long)
    return long && other && `${misspelt(random, long)} ${other}`
  },
  inflected: (_random, words) => {
    const found = words.slice(0, 3).find((word) => inflected(word) !== undefined)
    const other = words.find((word) => word !== found)
    return found && other && `${inflected(found)} ${other}`
  },
  'author and subject': (_random, [subject], _piece, author) => {
    const surname = longWordsIn(author).at(-1)
    return surname && subject && `${surname} ${subject}`
  },
}

/** One slip: a character left out, doubled, replaced by the next one, or swapped with it; not the first. */
function misspelt(random: Random, word: string): string {
  const at = 1 + random.integer(word.length - 2)
  const [before, one, next, rest] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
  const slips = [
    before + next + rest,
    before + one + one + next + rest,
    `${before}q${next}${rest}`,
    before + next + one + rest,
  ]
  const slip = slips[random.integer(slips.length)]!
  return slip === word ? before + next + rest : slip
}

/** Another form of an English word, if it has a regular one. */
function inflected(word: string): string | undefined {
  if (!/^[a-z]{5,}$/.test(word)) return undefined
  if (/[^s]s$/.test(word) && !/(us|is)$/.test(word)) return word.slice(0, -1)
  if (/[bdgklmnprt]$/.test(word) && !/(ed|ing|er|en|ent|ant|est|al|ion|ard)$/.test(word)) return `${word}s`
  return undefined
}
