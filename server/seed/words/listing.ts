import type { Random } from '../random.ts'
import { vocabulary } from '../vocabulary.ts'
import { listings } from './listings.ts'
import { repertoire } from './repertoire.ts'
import { newWriter } from './writer.ts'

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
