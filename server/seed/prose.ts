import type { Random } from './random.ts'
import { randomFrom } from './random.ts'
import type { Topic } from './vocabulary.ts'
import { draw, vocabulary } from './vocabulary.ts'
import { writeBody } from './words/body.ts'
import type { Slot } from './words/grammar.ts'
import { capital } from './words/grammar.ts'
import type { Style } from './words/repertoire.ts'
import { repertoire } from './words/repertoire.ts'
import { listings } from './words/short-texts.ts'
import type { Writer } from './words/writer.ts'
import { newWriter } from './words/writer.ts'

export interface SeedPiece {
  headline: string
  sub: string | null
  bodyMd: string
  /** What platform/markdown/render.ts makes of `bodyMd`; prose.test.ts compares them. */
  html: string
  text: string
  category: string
  tags: string[]
  style: string
}

/** Separates the words of a piece from what callers draw with the same seed and index. */
const pieceStream = 0x70696563

/** The same piece for the same seed and index, in any thread and in any order. */
export function writePiece(seed: number, index: number): SeedPiece {
  const random = randomFrom(seed + pieceStream, index)
  const topic = pickTopic(random)
  const style = pickStyle(random)
  const writer = newWriter(random, topic)
  const { headlines, standfirsts } = repertoire()
  const headline = writeFitting(headlines[style], writer, 20, 110)
  const sub = random.chance(0.1) ? null : writeFitting(standfirsts, writer, 20, 300)
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

/** Retries until it fits, which fewer than one in five thousand need. */
function writeFitting(say: Slot<Writer>, writer: Writer, least: number, most: number): string {
  for (;;) {
    const said = say(writer)
    if (said.length >= least && said.length <= most) return said
  }
}

export interface SeedAuthor {
  name: string
  slug: string
  bio: string | null
  role: string | null
  niche: string | null
  location: string | null
  website: string | null
  identityVerified: boolean
  websiteVerified: boolean
  socials: Record<string, string | null>
  joinedDaysAgo: number
}

const authorStream = 0x61757468
const networks = ['x', 'linkedin', 'facebook', 'youtube', 'instagram', 'newsletter']

/** The same author for the same seed and index. Slugs are unique within a seed. */
export function writeAuthor(seed: number, index: number): SeedAuthor {
  const random = randomFrom(seed + authorStream, index)
  const topic = random.pick(random.pick(vocabulary().topics).topics)
  const { name, slug } = pickName(seed, index)
  const writer = newWriter(random, topic)
  const { bios, roles } = repertoire()
  // Reserved names (RFC 2606), so that no seeded profile links to a real site.
  const website = random.chance(0.55) ? `https://${slug}.example.com` : null
  const identityVerified = random.chance(0.45)
  return {
    name,
    slug,
    bio: random.chance(0.12) ? null : bios(writer),
    role: random.chance(0.12) ? null : roles(writer),
    niche: random.chance(0.15) ? null : pickNiche(random, topic),
    location: random.chance(0.2) ? null : draw(vocabulary().cities, random.float()),
    website,
    identityVerified,
    websiteVerified: website !== null && random.chance(identityVerified ? 0.7 : 0.2),
    socials: Object.fromEntries(
      networks.map((network) => [network, random.chance(0.3) ? `https://${network}.example.net/${slug}` : null]),
    ),
    joinedDaysAgo: random.integer(1_500),
  }
}

/**
 * Uses every pair of names once, scattered by a step coprime to their number, before reusing one with its index. Each
 * name is one word, so no two pairs share a slug.
 */
function pickName(seed: number, index: number): { name: string; slug: string } {
  const { given, families } = vocabulary()
  const written = families.common.words
  const pairs = given.length * written.length
  const place = ((Math.abs(seed) % pairs) * 7_919 + index * 46_889) % pairs
  const name = `${given[place % given.length]} ${written[Math.floor(place / given.length)]}`
  const slug = slugOf(name)
  return { name, slug: index < pairs ? slug : `${slug}-${index}` }
}

const transliterations: Record<string, string> = { ł: 'l', ø: 'o', æ: 'ae', ß: 'ss', ı: 'i', đ: 'd' }

function slugOf(name: string): string {
  const ascii = name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f']/g, '')
  return [...ascii]
    .map((character) => transliterations[character] ?? character)
    .join('')
    .replaceAll(' ', '-')
}

function pickNiche(random: Random, { tags, category }: Topic): string {
  const first = tags[0] ?? category
  const second = random.pick(tags.slice(1))
  return capital(`${first} and ${second}`.replaceAll('-', ' '))
}

export interface SeedListing {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly price: string
  readonly currency: string
  readonly category: string
}

type Kind = keyof typeof listings
const kinds = Object.keys(listings) as Kind[]

const longestName = 120
const longestSummary = 300

export function writeListing(random: Random): SeedListing {
  const writer = newWriter(random, random.pick(random.pick(vocabulary().topics).topics))
  const kind = random.pick(kinds)
  const { names, summaries, descriptions } = repertoire().listings
  const within = (most: number, say: (writer: Parameters<typeof descriptions>[0]) => string): string => {
    for (;;) {
      const said = say(writer)
      if (said.length <= most) return said
    }
  }
  const { prices, category } = listings[kind]
  return {
    name: within(longestName, names[kind]),
    summary: within(longestSummary, summaries[kind]),
    description: Array.from({ length: 2 + random.integer(2) }, () => descriptions(writer)).join('\n\n'),
    price: `${random.pick<number>(prices)}.00`,
    currency: random.pick(['EUR', 'USD', 'GBP']),
    category,
  }
}
