import { fold } from '../../../server/platform/text/fold.ts'
import { randomFrom } from '../../../server/seed/random.ts'
import { type CorpusPiece, piece } from './piece.ts'

/** A site of such pieces: the same for the same numbers. */
export interface CorpusPlan {
  readonly seed: number
  readonly pieces: number
  /** When the newest piece went public. */
  readonly until: Date
}

export const planOf = (seed: number, pieces: number): CorpusPlan => ({
  seed,
  pieces,
  until: new Date('2026-11-15T00:00:00Z'),
})

const placeStream = 0x706c6163
const fiveYears = 5 * 365 * 86_400_000

/** What of a piece is known without writing it: who it is, whose and when. The newest has the greatest index. */
export function placeAt(plan: CorpusPlan, index: number): { id: string; author: number; publishedAt: Date } {
  const random = randomFrom(plan.seed + placeStream, index)
  const authors = authorsOf(plan)
  return {
    id: random.uuid(),
    // A few write much and most write little.
    author: Math.floor(authors * random.float() ** 2),
    publishedAt: timeAt(plan, index),
  }
}

export const authorsOf = ({ pieces }: CorpusPlan): number => Math.ceil(pieces / 100)

/** One in fifty goes public in the same millisecond as the one before it: the id then decides. */
function timeAt({ pieces, until }: CorpusPlan, index: number): Date {
  const place = index % 50 === 7 ? index - 1 : index
  return new Date(until.getTime() - Math.floor(((pieces - 1 - place) * fiveYears) / pieces))
}

/** A piece as search sees it. */
export interface SearchRecord {
  readonly id: string
  readonly publishedAt: number
  readonly category: string
  readonly headlineFolded: string
  readonly subFolded: string
  readonly bodyFolded: string
}

export function recordOf({ id, publishedAt }: { id: string; publishedAt: Date }, made: CorpusPiece): SearchRecord {
  return {
    id,
    publishedAt: publishedAt.getTime(),
    category: made.category,
    headlineFolded: fold(made.headline),
    subFolded: fold(made.sub ?? ''),
    bodyFolded: fold(made.body),
  }
}

/** Every piece of the plan, newest first, made again by number. */
export function* recordsOf(plan: CorpusPlan): Generator<SearchRecord> {
  for (let index = plan.pieces - 1; index >= 0; index -= 1) {
    yield recordOf(placeAt(plan, index), piece(plan.seed, index))
  }
}
