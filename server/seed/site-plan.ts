import { deriveRendering, renderPiece } from '#features/pieces/rendering.ts'
import { ada, slowTea } from './ada.ts'
import { writeAuthor, writePiece } from './prose.ts'
import { randomFrom } from './random.ts'
import type { Draft, SeededAuthor, SeededPiece } from './tables.ts'

/** A believable site, the same for the same numbers: who writes in it, what, and when it went public. */
export interface SitePlan {
  readonly authors: number
  readonly pieces: number
  readonly rng: number
  /** When the newest piece went public. */
  readonly until: Date
  /** Search is left to whoever files next. */
  readonly unfiled?: true
}

const day = 86_400_000
const year = 365 * day

/** Streams of the generator that must not meet. */
const authorStream = 1_000_000_007
const placeStream = 2_000_000_011
const draftStream = 500_000_003

/** A draft for every twentieth public piece, up to a thousand: enough to see that none is ever shown. */
export const draftsOf = ({ pieces }: SitePlan): number => Math.min(Math.floor(pieces / 20), 1_000)

export function authorAt(plan: SitePlan, index: number): SeededAuthor {
  const author = index === 0 ? ada : writeAuthor(plan.rng, index)
  return {
    id: authorId(plan, index),
    ...author,
    joinedAt: new Date(plan.until.getTime() - 5 * year - author.joinedDaysAgo * day),
  }
}

export function pieceAt(plan: SitePlan, index: number): SeededPiece {
  return index === plan.pieces - 1 ? newestPiece(plan, index) : generatedPiece(plan, index)
}

/** Ada's, so that it comes first wherever it is found. */
function newestPiece(plan: SitePlan, index: number): SeededPiece {
  const { id, createdAt, publishedAt } = generatedPiece(plan, index)
  const rendering = renderPiece({ ...slowTea, body_md: slowTea.bodyMd })
  return { id, writerId: authorId(plan, 0), slug: rendering.slug, ...slowTea, createdAt, publishedAt, rendering }
}

function generatedPiece(plan: SitePlan, index: number): SeededPiece {
  const piece = writePiece(plan.rng, index)
  const random = randomFrom(plan.rng, placeStream + index)
  const id = random.uuid()
  // A few write much and most write little.
  const writer = Math.floor(plan.authors * random.float() ** 2)
  const publishedAt = timeAt(plan, index, random.float())
  const rendering = deriveRendering(piece.headline, piece.sub, piece)
  return {
    id,
    writerId: authorId(plan, writer),
    // Unique without asking: the function makes it so one at a time, which a million in parallel cannot.
    slug: `${rendering.slug}-${index.toString(36)}`,
    headline: piece.headline,
    sub: piece.sub,
    bodyMd: piece.bodyMd,
    category: piece.category,
    tags: piece.tags,
    style: piece.style,
    createdAt: new Date(publishedAt.getTime() - 3_600_000),
    publishedAt,
    rendering,
  }
}

export function draftAt(plan: SitePlan, index: number): Draft {
  const { id, writerId, headline, sub, bodyMd, category, tags, style, createdAt } = pieceAt(plan, draftStream + index)
  return { id, writerId, headline, sub, bodyMd, category, tags, style, createdAt }
}

function authorId(plan: SitePlan, index: number): string {
  return randomFrom(plan.rng, authorStream + index).uuid()
}

/** Evenly over five years, oldest first, so that neighbours in time are neighbours on disk. */
function timeAt({ pieces, until }: SitePlan, index: number, jitter: number): Date {
  const step = (5 * year) / Math.max(pieces, 1)
  const age = Math.max(pieces - 1 - index, 0) * step + jitter * step * 0.9
  return new Date(Math.floor(until.getTime() - age))
}
