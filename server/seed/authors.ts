import { exampleAuthor } from '#features/authors/schema.ts'
import { slugFrom } from '#platform/text/slug.ts'
import { cities, familyNames, givenNames } from './non-words.ts'
import { randomFrom } from './random.ts'

export interface SeedAuthor {
  readonly name: string
  readonly slug: string
  readonly bio: string | null
  readonly role: string | null
  readonly niche: string | null
  readonly location: string | null
  readonly website: string | null
  readonly identityVerified: boolean
  readonly websiteVerified: boolean
  readonly socials: Readonly<Record<string, string | null>>
  readonly joinedDaysAgo: number
}

const { slug, name, bio, role, niche, location, website, socials } = exampleAuthor

/** The first writer of every seeded site, who is in the examples of the reference and the guides. */
const ada: SeedAuthor = {
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

const networks = ['x', 'linkedin', 'facebook', 'youtube', 'instagram', 'newsletter']

/** One of the writers of the hand-written pieces. Their addresses are under reserved names (RFC 2606). */
function writer(
  [name, role, location, niche]: readonly [string, string, string, string],
  bio: string,
  linked: Readonly<Record<string, string>> = {},
  identityVerified = true,
): SeedAuthor {
  const slug = slugFrom(name, 40, 'author')
  return {
    slug,
    name,
    bio,
    role,
    niche,
    location,
    website: `https://${slug}.example.com`,
    identityVerified,
    websiteVerified: identityVerified,
    socials: Object.fromEntries(networks.map((network) => [network, linked[network] ?? null])),
    joinedDaysAgo: 30 * name.length,
  }
}

/** The writers of the hand-written pieces. No generated author has one of their given names, so their slugs are unique. */
export const writers: readonly SeedAuthor[] = [
  ada,
  writer(
    ['Margit Soler', 'Software engineer', 'Tarragona', 'Old code and small tools'],
    'Looks after programs that are older than some of her colleagues. Before that she looked after bridges, which complain less.',
    { newsletter: 'https://margit-soler.example.com/post' },
  ),
  writer(
    ['Joseph Amankwah', 'Former ward manager', 'Kumasi', 'Work that runs in shifts'],
    'Ran a hospital ward for eleven years and now teaches people who are about to. Writes about handovers, rotas and how to say a hard thing before lunch.',
    { linkedin: 'https://social.example.net/joseph-amankwah' },
  ),
  writer(
    ['Wen Ruolan', 'Translator', 'Chengdu', 'Food, jokes and other untranslatables'],
    'Translates novels from English and recipes into it. 译者，写吃的，也写笑话。',
  ),
  writer(
    ['Mizuho Arakawa', 'Bookbinder', 'Kanazawa', 'Paper and patience'],
    '金沢で小さな製本工房を営む。本を直しながら、直す時間について書いている。 Mends books, and writes about the time that takes.',
    { instagram: 'https://pictures.example.net/mizuho' },
  ),
  writer(
    ['Clémence Aubertin', 'Critic', 'Nancy', 'Films, seats and neighbours'],
    'Goes to the pictures on weekday afternoons and to the baker every morning. Has opinions about both.',
    {},
    false,
  ),
  writer(
    ['Lothar Ostermaier', 'Joiner', 'Regensburg', 'Stairs, benches, second attempts'],
    'Builds staircases and repairs other people’s. Writes in the evening, with sawdust in the keyboard.',
  ),
  writer(
    ['Dilys Marchbank', 'Bookkeeper', 'Swansea', 'Small sums'],
    'Keeps the books of nineteen shops, two choirs and a lifeboat. Believes that most money troubles are paper troubles with a coat on.',
    { newsletter: 'https://dilys-marchbank.example.com/sums' },
  ),
  writer(
    ['Farid Noorzai', 'Local reporter', 'Utrecht', 'Councils, benches and hedges'],
    'Has sat through some four hundred council meetings and remembers most of them. Bring him minutes.',
  ),
  writer(
    ['Thembi Radebe', 'Community organiser', 'Durban', 'Streets and the people on them'],
    'Organises street libraries, lift clubs and the occasional quarrel. Writes down how people manage to live next to each other.',
    { facebook: 'https://social.example.net/thembi' },
  ),
]

const authorStream = 0x61757468

const roles = [
  ...['Writer', 'Editor', 'Staff writer', 'Teacher', 'Independent researcher', 'Columnist', 'Librarian', 'Essayist'],
  ...['Nurse', 'Architect', 'Translator', 'Economist', 'Baker', 'Photographer', 'Carpenter and writer', 'Lecturer'],
]
const subjects = [
  ...['gardens', 'trains', 'small shops', 'kitchens', 'rivers', 'old software', 'choirs', 'maps', 'night shifts'],
  ...['public libraries', 'bicycles', 'family archives', 'bread', 'weather', 'school meals', 'football', 'languages'],
]
const habits = [
  'Answers every message, slowly.',
  'Publishes on Tuesdays.',
  'Working on a book about it.',
  'Two children, one dog, no plan.',
  'Learned most of it by getting it wrong.',
  'Reads everything twice.',
]

/** The same author for the same seed and index. Slugs are unique within a seed. */
export function writeAuthor(seed: number, index: number): SeedAuthor {
  const random = randomFrom(seed + authorStream, index)
  const { name, slug } = pickName(seed, index)
  const [first, second] = [random.pick(subjects), random.pick(subjects)]
  const city = random.pick(cities)
  const bio = `${random.pick(roles)} in ${city}. Writes about ${first} and what they have to do with ${second}. ${random.pick(habits)}`
  // Reserved names (RFC 2606), so that no seeded profile links to a real site.
  const website = random.chance(0.55) ? `https://${slug}.example.com` : null
  const identityVerified = random.chance(0.45)
  return {
    name,
    slug,
    bio: random.chance(0.12) ? null : bio,
    role: random.chance(0.12) ? null : random.pick(roles),
    niche: random.chance(0.15) ? null : `On ${first}`,
    location: random.chance(0.2) ? null : city,
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
  const pairs = givenNames.length * familyNames.length
  const place = ((Math.abs(seed) % pairs) * 7_919 + index * 46_889) % pairs
  const name = `${givenNames[place % givenNames.length]} ${familyNames[Math.floor(place / givenNames.length)]}`
  const slug = slugFrom(name, 40, 'author')
  return { name, slug: index < pairs ? slug : `${slug}-${index}` }
}
