import type { Random } from '../random.ts'
import { randomFrom } from '../random.ts'
import type { Topic } from '../vocabulary.ts'
import { draw, vocabulary } from '../vocabulary.ts'
import { capital } from './grammar.ts'
import { repertoire } from './repertoire.ts'
import { newWriter } from './writer.ts'

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

/** The same author for the same seed and index. Any two indexes of a seed have different slugs. */
export function writeAuthor(seed: number, index: number): SeedAuthor {
  const random = randomFrom(seed + authorStream, index)
  const topic = random.pick(random.pick(vocabulary().topics).topics)
  const { name, slug } = pickName(seed, index)
  const writer = newWriter(random, topic)
  const { bios, roles } = repertoire()
  // Reserved names (RFC 2606), so that no seeded profile leads to a stranger's.
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
 * Every pair of names once, scattered by a step that shares no factor with their
 * number, before any is used again with its index. Names are of one word each, so
 * no two pairs share a slug.
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

const letters: Record<string, string> = { ł: 'l', ø: 'o', æ: 'ae', ß: 'ss', ı: 'i', đ: 'd' }

function slugOf(name: string): string {
  const ascii = name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f']/g, '')
  return [...ascii]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .replaceAll(' ', '-')
}

function pickNiche(random: Random, { tags, category }: Topic): string {
  const first = tags[0] ?? category
  const second = random.pick(tags.slice(1))
  return capital(`${first} and ${second}`.replaceAll('-', ' '))
}
