import { exampleAuthor } from '#features/authors/schema.ts'
import { deriveRendering, renderPiece } from '#features/pieces/rendering/render-piece.ts'
import { exampleListItem } from '#features/pieces/schema.ts'
import type { Draft, SeededAuthor, SeededPiece } from './bulk.ts'
import type { SeedAuthor } from './prose.ts'
import { writeAuthor, writePiece } from './prose.ts'
import { randomFrom } from './random.ts'

/** A plausible site, determined by these numbers: its authors, pieces and publication times. */
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

/** One draft per twenty public pieces, up to a thousand: enough to see that none is ever shown. */
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

/** Belongs to Ada, so that it comes first wherever it is listed. */
function newestPiece(plan: SitePlan, index: number): SeededPiece {
  const { id, createdAt, publishedAt } = generatedPiece(plan, index)
  const rendering = renderPiece({ ...slowTea, body_md: slowTea.bodyMd })
  return { id, writerId: authorId(plan, 0), slug: rendering.slug, ...slowTea, createdAt, publishedAt, rendering }
}

function generatedPiece(plan: SitePlan, index: number): SeededPiece {
  const piece = writePiece(plan.rng, index)
  const random = randomFrom(plan.rng, placeStream + index)
  const id = random.uuid()
  // A few authors write much, most write little.
  const writer = Math.floor(plan.authors * random.float() ** 2)
  const publishedAt = timeAt(plan, index, random.float())
  const rendering = deriveRendering(piece.headline, piece.sub, piece)
  return {
    id,
    writerId: authorId(plan, writer),
    // Unique without a query: the publishing function ensures it one by one, which a million in parallel cannot.
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

/**
 * The first writer of every seeded site and her newest piece, which the reference and the guides use in their examples.
 * The generator does not use her given name, so nobody else gets her slug.
 */

const { slug, name, bio, role, niche, location, website, socials } = exampleAuthor

export const ada: SeedAuthor = {
  slug,
  name,
  bio,
  role,
  niche,
  location,
  website,
  socials,
  identityVerified: true,
  websiteVerified: true,
  joinedDaysAgo: 260,
}

const slowTea = {
  headline: exampleListItem.title,
  sub: exampleListItem.summary,
  category: exampleListItem.category,
  tags: exampleListItem.tags,
  style: 'essay',
  bodyMd: `The kettle is the only clock in my kitchen that tells the truth. The one on the oven runs fast, the one on the wall stopped in March, and the one in my pocket is never about the time. The kettle says: not yet, not yet, now.

Tea wants four minutes after that. I used to give it two, because two is what I thought I had. I would stand there with the bag on its string, lift it early, and carry a cup of warm brown water back to the desk, where it went cold beside me. I never once finished it sooner for having started it sooner.

## What four minutes hold

One winter I stopped leaving the room. I set nothing, read nothing, and stayed with the pot. Four minutes turned out to be long. These are some of the things that fit into them:

- the whole of the neighbour's piano scale, up and down;
- every leaf of the plant on the sill, turned round once, so that it grows straight;
- one letter, thought through from greeting to farewell, so that writing it later takes no thought at all;
- the smell changing, from hay to bread to tea.

None of it is work. Yet the letters got answered that winter, and the plant is straight.

## The argument, such as it is

People who sell us things like to say how much time they save. They seldom say where it goes. The two minutes I saved on tea went nowhere: there was no jar of them at the end of the year. What I had was two hundred bad cups, and a habit of being somewhere else.

I do not think that slow is better than fast. A fire brigade should be fast. So should a search, a bus and a plaster. But some things are made of the time they take, and take it out and there is less of the thing. Bread is like that, and mending, and most conversations. Tea is only the smallest of them, and so the easiest to begin with.

> Not yet, says the kettle. It is the kindest thing that anybody says to me before nine.

So here is the case for slow tea, in full. It costs four minutes. It tastes of something. And while you wait for it there is nothing to do but notice what the day is made of, before you go and spend it.
`,
} as const
