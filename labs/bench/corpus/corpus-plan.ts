import { fold } from '../../../server/platform/text/fold.ts'
import { randomFrom } from '../../../server/seed/random.ts'
import type { SitePlan } from '../../../server/seed/site-plan.ts'
import { type CorpusPiece, piece } from './piece.ts'

/** A site of generated pieces: the same for the same numbers. */
export interface CorpusPlan {
  readonly seed: number
  readonly pieces: number
  /** When the newest piece was published. */
  readonly until: Date
}

export const planOf = (seed: number, pieces: number): CorpusPlan => ({
  seed,
  pieces,
  until: new Date('2026-11-15T00:00:00Z'),
})

const metadataStream = 0x706c6163
const fiveYears = 5 * 365 * 86_400_000

/** Metadata of a piece, without generating its text. The newest piece has the greatest index. */
export function metadataOf(plan: CorpusPlan, index: number): { id: string; author: number; publishedAt: Date } {
  const random = randomFrom(plan.seed + metadataStream, index)
  const authors = authorsOf(plan)
  return {
    id: random.uuid(),
    // A few authors write much, most write little.
    author: Math.floor(authors * random.float() ** 2),
    publishedAt: timeAt(plan, index),
  }
}

const authorsOf = ({ pieces }: CorpusPlan): number => Math.ceil(pieces / 100)

/** For the authors, who are those of the seed: they do not matter to the search for pieces. */
export const sitePlanOf = (plan: CorpusPlan): SitePlan => ({
  authors: authorsOf(plan),
  pieces: plan.pieces,
  rng: plan.seed,
  until: plan.until,
})

/** One in fifty is published in the same millisecond as the one before it, so that the id has to break ties. */
function timeAt({ pieces, until }: CorpusPlan, index: number): Date {
  const position = index % 50 === 7 ? index - 1 : index
  return new Date(until.getTime() - Math.floor(((pieces - 1 - position) * fiveYears) / pieces))
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

export function recordOf({ id, publishedAt }: { id: string; publishedAt: Date }, generated: CorpusPiece): SearchRecord {
  return {
    id,
    publishedAt: publishedAt.getTime(),
    category: generated.category,
    headlineFolded: fold(generated.headline),
    subFolded: fold(generated.sub ?? ''),
    bodyFolded: fold(generated.body),
  }
}

/** Every piece of the plan, newest first, generated again. */
export function* recordsOf(plan: CorpusPlan): Generator<SearchRecord> {
  for (let index = plan.pieces - 1; index >= 0; index -= 1) {
    yield recordOf(metadataOf(plan, index), piece(plan.seed, index))
  }
}
