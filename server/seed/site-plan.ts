import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { deriveRendering, renderPiece } from '#features/pieces/rendering/render-piece.ts'
import type { Category } from '#features/pieces/schema.ts'
import { writeAuthor, writers } from './authors.ts'
import type { Draft, SeededAuthor, SeededPiece } from './bulk.ts'
import { writePiece } from './prose.ts'
import { randomFrom } from './random.ts'

/**
 * A site, determined by these numbers: its authors, pieces and publication times. The newest pieces and the first
 * authors are hand-written; everything beyond them is generated.
 */
export interface SitePlan {
  readonly authors: number
  readonly pieces: number
  readonly rng: number
  /** Publication time of the newest piece. */
  readonly until: Date
  /** Leaves the search index to a later run. */
  readonly unfiled?: true
}

const day = 86_400_000
const year = 365 * day

/** Offsets that keep the random streams apart. */
const authorStream = 1_000_000_007
const placeStream = 2_000_000_011
const draftStream = 500_000_003
const timeStream = 3_500_000_017

/** One draft per twenty public pieces, up to a thousand: enough to see that none is ever shown. */
export const draftsOf = ({ pieces }: SitePlan): number => Math.min(Math.floor(pieces / 20), 1_000)

export function authorAt(plan: SitePlan, index: number): SeededAuthor {
  const author = writers[index] ?? writeAuthor(plan.rng, index)
  return {
    id: authorId(plan, index),
    ...author,
    joinedAt: new Date(plan.until.getTime() - 5 * year - author.joinedDaysAgo * day),
  }
}

/** The newest piece has the greatest index. */
export function pieceAt(plan: SitePlan, index: number): SeededPiece {
  const written = writtenPieces()[plan.pieces - 1 - index]
  const random = placeOf(plan, index)
  const id = random.uuid()
  const author = written ? written.author % plan.authors : drawAuthor(plan, random.float())
  const publishedAt = timeAt(plan, index)
  return {
    ...(written?.content ?? generatedContent(plan, index)),
    id,
    writerId: authorId(plan, author),
    translationOf: originalOf(plan, written),
    createdAt: new Date(publishedAt.getTime() - 3_600_000),
    publishedAt,
  }
}

const placeOf = ({ rng }: SitePlan, index: number) => randomFrom(rng, placeStream + index)

/** A small site may have the translation only. */
function originalOf(plan: SitePlan, written: WrittenPiece | undefined): string | null {
  if (written?.translationOf === undefined) return null
  const place = writtenPieces().findIndex(({ content }) => content.slug === written.translationOf)
  return place < plan.pieces ? placeOf(plan, plan.pieces - 1 - place).uuid() : null
}

/** A few authors write much, most write little; those of the hand-written pieces nothing else, if there are others. */
function drawAuthor({ authors }: SitePlan, place: number): number {
  const first = authors > writers.length ? writers.length : 0
  return first + Math.floor((authors - first) * place ** 2)
}

type Content = Omit<SeededPiece, 'id' | 'writerId' | 'translationOf' | 'createdAt' | 'publishedAt'>

function generatedContent(plan: SitePlan, index: number): Content {
  const { html, text, ...piece } = writePiece(plan.rng, index)
  const rendering = deriveRendering(piece.headline, piece.sub, { html, text })
  // Unique without a query: the publishing function ensures it one by one, which a million in parallel cannot.
  return { ...piece, locale: 'en', slug: `${rendering.slug}-${index.toString(36)}`, rendering }
}

/** The first is of the first author, who signs in. */
export function draftAt(plan: SitePlan, index: number): Draft {
  const { slug, publishedAt, rendering, translationOf, ...draft } = pieceAt(plan, draftStream + index)
  return { ...draft, writerId: authorId(plan, index % plan.authors) }
}

function authorId(plan: SitePlan, index: number): string {
  return randomFrom(plan.rng, authorStream + index).uuid()
}

/**
 * Evenly over five years, oldest first, so that neighbours in time are neighbours on disk. One in fifty is published in
 * the same millisecond as the one before it, so that the id has to break ties.
 */
function timeAt({ rng, pieces, until }: SitePlan, index: number): Date {
  const place = index % 50 === 7 ? index - 1 : index
  const step = (5 * year) / Math.max(pieces, 1)
  const jitter = randomFrom(rng, timeStream + place).float()
  const age = Math.max(pieces - 1 - place, 0) * step + jitter * step * 0.9
  return new Date(Math.floor(until.getTime() - age))
}

interface WrittenPiece {
  /** Of `writers`. */
  readonly author: number
  /** The slug of the original, by the same author. */
  readonly translationOf: string | undefined
  readonly content: Content
}

interface FrontMatter {
  readonly headline: string
  readonly sub?: string
  readonly author: string
  readonly category: Category
  readonly tags: readonly string[]
  readonly style: string
  readonly locale?: string
  readonly translation_of?: string
}

let read: readonly WrittenPiece[] | undefined

/** The hand-written pieces, newest first: their files are numbered in this order. Ada's about tea is the first. */
function writtenPieces(): readonly WrittenPiece[] {
  read ??= readdirSync(folder).toSorted().map(readPiece)
  return read
}

const folder = new URL('./pieces/', import.meta.url)

function readPiece(file: string): WrittenPiece {
  const [, facts, bodyMd] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(readFileSync(new URL(file, folder), 'utf8'))!
  const { translation_of, ...given } = parse(facts!) as FrontMatter
  const { headline, sub = null, author, category, tags, style, locale = 'en' } = given
  const rendering = renderPiece({ headline, sub, body_md: bodyMd! })
  // By its file, since a headline in Chinese has nothing that a slug can be made of.
  const slug = file.replace(/^\d+-|\.md$/g, '')
  return {
    author: writers.findIndex((one) => one.slug === author),
    translationOf: translation_of,
    content: { headline, sub, bodyMd: bodyMd!, category, tags, style, locale, slug, rendering },
  }
}
