import type pg from 'pg'
import { derivedFrom } from '#features/products/listing.ts'
import { transactionAs } from './bulk.ts'
import { copyRows, insertRows } from './copy.ts'
import { type Random, randomFrom } from './random.ts'
import { authorAt, type SitePlan } from './site-plan.ts'

/** The shop of a seeded site: one author in four sells up to three things, and the first always does. */

const shopStream = 3_000_000_019
const batchSize = 1_000

const columns = {
  id: 'uuid',
  writer_id: 'uuid',
  status: 'text',
  name: 'text',
  summary: 'text',
  description: 'text',
  price: 'numeric',
  currency: 'text',
  category: 'text',
  payment_url: 'text',
  related: 'uuid[]',
  position: 'integer',
  listed_revision: 'integer',
  slug: 'text',
  first_listed_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

interface SeededListing {
  readonly id: string
  readonly writerId: string
  readonly position: number
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly price: string
  readonly currency: string
  readonly category: string
  readonly paymentUrl: string
  readonly slug: string
  readonly nameFolded: string
  readonly searchText: string
  readonly listedAt: Date
}

interface Listing {
  readonly category: string
  readonly name: string
  /** What may follow the name, so that the same thing is not always the same listing. */
  readonly versions: readonly string[]
  readonly prices: readonly number[]
  readonly summary: string
  readonly description: string
}

const listings: readonly Listing[] = [
  {
    category: 'Books',
    name: 'Twelve short essays on waiting',
    versions: ['', ', second printing', ', signed'],
    prices: [12, 14, 18],
    summary: 'Queues, ovens, platforms and one very long phone call. A hundred and ten pages, sewn, for a coat pocket.',
    description:
      'The essays came out here first, one a month. For the book I rewrote nine of them and threw out two that did not deserve the paper.\n\nIt lies flat when it is open, so you can read it over soup.',
  },
  {
    category: 'Books',
    name: 'The repair diary',
    versions: ['', ', with a blank half for your own', ' as an e-book'],
    prices: [9, 16, 24],
    summary: 'Three hundred and sixty-five things that broke, what I tried, and which of them work again.',
    description:
      'Sorted by what was wrong, not by what it was: things that leak, things that rattle, things that say nothing at all.\n\nAbout two thirds were mended. The rest are in here too, because they taught me more.',
  },
  {
    category: 'Books',
    name: 'Soup for six, eleven ways',
    versions: ['', ', spiral bound', ', in large print'],
    prices: [8, 11],
    summary: 'Recipes from a kitchen with one big pot, written for people who cook while talking.',
    description:
      'Every recipe fits on one page and forgives you. Quantities are in mugs and handfuls, with grams beside them for those who sleep better that way.',
  },
  {
    category: 'Courses',
    name: 'Write one page a week',
    versions: ['', ', autumn group', ', spring group'],
    prices: [49, 60, 90],
    summary: 'Eight weeks, eight pages, and one careful reader. No lectures.',
    description:
      'Each Monday you get a small task by email. Each Friday you send a page, and by Sunday you have it back with notes in the margin.\n\nThere are eight places, because that is how many pages I can read well.',
  },
  {
    category: 'Courses',
    name: 'Read a balance sheet in an afternoon',
    versions: ['', ', for charities', ', for shops'],
    prices: [29, 35],
    summary: 'Three recorded hours, four real balance sheets and a page you can pin to the wall.',
    description:
      'Made for people who sit on a board and nod. After it you will nod at the right places.\n\nYou need a pencil and no mathematics beyond subtraction.',
  },
  {
    category: 'Courses',
    name: 'Sharpen everything you own',
    versions: ['', ', with a whetstone'],
    prices: [40, 70],
    summary: 'Knives, scissors, chisels, a spade. Five evenings at the bench, filmed from above.',
    description:
      'You will ruin one cheap knife on the first evening. That is part of the course, and the knife comes with it.',
  },
  {
    category: 'Services',
    name: 'A second reading of your draft',
    versions: ['', ', up to 2,000 words', ', up to 5,000 words'],
    prices: [40, 80, 150],
    summary: 'Two pages of notes within a week, from somebody who has nothing to gain by being nice.',
    description:
      'I read it once for what it says and once for how. You get notes on both, and the three sentences I would keep whatever happens.',
  },
  {
    category: 'Services',
    name: 'An hour about your awkward meeting',
    versions: ['', ', by phone', ', on a walk'],
    prices: [60, 80],
    summary: 'Before it happens: what you want, what they want, and what you will say first.',
    description:
      'Bring the invitation and the worst version of what might be said. We try it aloud, twice.\n\nIf the meeting turns out not to be needed, you get half of your money back.',
  },
  {
    category: 'Services',
    name: 'Your old code, explained',
    versions: ['', ', one module', ', one week'],
    prices: [120, 200],
    summary: 'I read what nobody dares to touch and write down what it does, in sentences.',
    description:
      'You send read-only access and a list of questions. You get ten pages, a drawing, and a list of what can be deleted, which is usually the best part.',
  },
  {
    category: 'Paper goods',
    name: 'The lie-flat notebook',
    versions: ['', ', ruled', ', plain', ', squared'],
    prices: [11, 15, 22],
    summary: 'Ninety-six pages, thread-sewn, on paper that takes ink without complaint.',
    description:
      'Bound in small numbers, so the blue is not always the same blue. It opens flat on the first page and on the last.',
  },
  {
    category: 'Paper goods',
    name: 'Cards for saying little',
    versions: ['', ', set of six', ', set of twelve'],
    prices: [6, 9],
    summary: 'Each has one printed line and space for one more: thank you, I was wrong, come over.',
    description: 'Letterpress on grey board, with envelopes. “I was wrong” sells out first.',
  },
  {
    category: 'Paper goods',
    name: 'A map of benches',
    versions: ['', ', folded', ', flat for framing'],
    prices: [0, 7, 15],
    summary: 'Every public bench within an hour’s walk of the old market, with what you see from it.',
    description:
      'Two hundred and four benches, walked and sat on over one summer. Marked are those with shade, with a view, and with a neighbour who talks.',
  },
]

function pickListing(random: Random) {
  const { name, versions, prices, ...listing } = random.pick(listings)
  return {
    ...listing,
    name: name + random.pick(versions),
    price: `${random.pick(prices)}.00`,
    currency: random.pick(['EUR', 'USD', 'GBP']),
  }
}

export function listingsOf(plan: SitePlan, index: number): SeededListing[] {
  const random = randomFrom(plan.rng, shopStream + index)
  if (index > 0 && !random.chance(0.25)) return []
  const { id: writerId, slug: seller } = authorAt(plan, index)
  return Array.from({ length: 1 + random.integer(3) }, (_, at) => {
    const id = random.uuid()
    const listing = pickListing(random)
    const derived = derivedFrom({ ...listing, image: null, image_alt: null, payment_url: '', related: [] })
    const daysAgo = random.integer(400)
    return {
      ...listing,
      ...derived,
      // Unique without a query, as for pieces.
      slug: `${derived.slug}-${index.toString(36)}${at ? `-${at}` : ''}`,
      id,
      writerId,
      position: at + 1,
      // Reserved names (RFC 2606), so that nobody is paid by mistake.
      paymentUrl: `https://pay.example.com/${seller}/${at + 1}`,
      listedAt: new Date(plan.until.getTime() - daysAgo * 86_400_000 - random.integer(86_400_000)),
    }
  })
}

export async function loadShop(client: pg.ClientBase, plan: SitePlan): Promise<number> {
  let loaded = 0
  for (let start = 0; start < plan.authors; start += batchSize) {
    const length = Math.min(batchSize, plan.authors - start)
    const sold = Array.from({ length }, (_, offset) => listingsOf(plan, start + offset)).flat()
    await loadListings(client, sold)
    loaded += sold.length
  }
  return loaded
}

/** Writes the rows that the desk's functions would, which a seed cannot call without a session. */
async function loadListings(client: pg.ClientBase, sold: readonly SeededListing[]): Promise<void> {
  if (sold.length === 0) return
  const related = await newestPieces(client, [...new Set(sold.map(({ writerId }) => writerId))])
  await transactionAs(client, 'svc_publisher', async () => {
    await insertRows(
      client,
      'app.products',
      columns,
      sold.map((one) => [
        one.id,
        one.writerId,
        'listed',
        one.name,
        one.summary,
        one.description,
        one.price,
        one.currency,
        one.category,
        one.paymentUrl,
        (related.get(one.writerId) ?? []).slice(0, one.position),
        one.position,
        1,
        one.slug,
        one.listedAt,
        one.listedAt,
        one.listedAt,
      ]),
    )
    await copyRows(
      client,
      'app.product_slugs (slug, product_id, writer_id, kept_at)',
      sold.map(({ slug, id, writerId, listedAt }) => [slug, id, writerId, listedAt]),
    )
    await client.query(
      `select app.copy_product(p, p.slug, p.first_listed_at, given.name_folded, given.search_text)
         from app.products p join unnest($1::uuid[], $2::text[], $3::text[]) given(id, name_folded, search_text) using (id)`,
      [sold.map(({ id }) => id), sold.map(({ nameFolded }) => nameFolded), sold.map(({ searchText }) => searchText)],
    )
    await client.query('update pub.products set updated_at = listed_at where id = any($1)', [sold.map(({ id }) => id)])
    // COPY does not support row security, which applies to everyone but the owner here.
    await client.query('set local role svc_owner')
    await copyRows(
      client,
      'app.product_audit (at, act, product_id, writer_id, revision, from_status, to_status)',
      sold.map(({ listedAt, id, writerId }) => [listedAt, 'list', id, writerId, 1, 'draft', 'listed']),
    )
  })
}

async function newestPieces(client: pg.ClientBase, writers: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ writer: string; pieces: string[] }>(
    `select writer, array(select p.id from pub.pieces p where p.author_id = writer
                           order by p.published_at desc, p.id desc limit 3) as pieces
       from unnest($1::uuid[]) writer`,
    [writers],
  )
  return new Map(rows.map(({ writer, pieces }) => [writer, pieces]))
}
