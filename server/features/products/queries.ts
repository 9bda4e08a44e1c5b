import { type Kysely, sql } from 'kysely'
import { latest, type Place } from '#features/pieces/keyset.ts'
import type { Database } from '#platform/db/database.ts'
import { containing } from '#platform/db/like-pattern.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { statement } from '#platform/db/statement.ts'
import { hasSlugShape } from '#platform/text/slug.ts'

/** What is in the shop: what is in `pub.products`, with its seller. */
const publicProducts = (db: Kysely<DB>) =>
  db
    .selectFrom('pub.products as product')
    .innerJoin('pub.authors as author', 'author.id', 'product.author_id')
    .select([
      'product.id',
      'product.slug',
      'product.name',
      'product.summary',
      'product.price',
      'product.currency',
      'product.category',
      'product.image',
      'product.payment_url',
      'product.listed_at',
      'author.slug as author_slug',
      'author.name as author_name',
      'author.identity_verified as author_verified',
    ])

/** Its pieces that are public now, in the seller's order. */
const related = sql<readonly RelatedRow[]>`
  (select coalesce(json_agg(json_build_object('id', piece.id, 'slug', piece.slug, 'headline', piece.headline)
                            order by named.place), '[]')
     from unnest(product.related) with ordinality as named(id, place)
     join pub.pieces as piece on piece.id = named.id and piece.author_id = product.author_id)`

interface RelatedRow {
  readonly id: string
  readonly slug: string
  readonly headline: string
}

const whole = (products: ReturnType<typeof publicProducts>) =>
  products.select([
    'product.description',
    'product.image_alt',
    'product.image_width',
    'product.image_height',
    'product.updated_at',
    related.as('related'),
  ])

const productById = statement('product_by_id', (db, { id }: { id: string }) =>
  whole(publicProducts(db)).where('product.id', '=', id).compile(),
)

const productBySlug = statement('product_by_slug', (db, { slug }: { slug: string }) =>
  whole(publicProducts(db)).where('product.slug', '=', slug).compile(),
)

const inOrder = statement('products_in_order', (db, { authorId, limit }: { authorId: string; limit: number }) =>
  publicProducts(db)
    .where('product.author_id', '=', authorId)
    .orderBy('product.position')
    .orderBy('product.id')
    .limit(limit)
    .compile(),
)

type PageParameters = { time: Date; id: string; limit: number }

const page = (db: Kysely<DB>, { time, id, limit }: PageParameters) =>
  publicProducts(db)
    .where(sql<boolean>`(product.listed_at, product.id) < (${time}::timestamptz, ${id}::uuid)`)
    .orderBy('product.listed_at', 'desc')
    .orderBy('product.id', 'desc')
    .limit(limit)

const newest = statement('newest_products', (db, place: PageParameters) => page(db, place).compile())

/** For the text catalogue, which has no room for descriptions. */
const catalogue = statement('catalogue', (db, place: PageParameters) =>
  page(db, place).select(related.as('related')).compile(),
)

/** By slug, or a former one. */
const bySeller = (products: ReturnType<typeof publicProducts>, seller: string) =>
  products.where(
    'product.author_id',
    '=',
    sql<string>`coalesce((select id from pub.authors where slug = ${seller}::text),
                         (select author_id from pub.former_slugs where slug = ${seller}::text))`,
  )

const newestOfSeller = statement('newest_products_of_seller', (db, place: PageParameters & { seller: string }) =>
  bySeller(page(db, place), place.seller).compile(),
)

export type ProductRow = NonNullable<(typeof newest)['row']>
export type WholeProductRow = NonNullable<(typeof productById)['row']>

export async function oneProduct(db: Database, id: string): Promise<WholeProductRow | undefined> {
  const [row] = await db.query(productById, { id })
  return row
}

/** As the database keeps them. */
const slugShape = /^[a-z0-9][a-z0-9-]{0,89}$/

export async function productAt(db: Database, slug: string): Promise<WholeProductRow | undefined> {
  const [row] = slugShape.test(slug) ? await db.query(productBySlug, { slug }) : []
  return row
}

/** What an author sells, in their order. */
export const rowsInOrder = (db: Database, authorId: string, limit: number): Promise<ProductRow[]> =>
  db.query(inOrder, { authorId, limit })

export const newestRows = (db: Database, after: Place, limit: number): Promise<ProductRow[]> =>
  db.query(newest, { ...after, limit })

export const catalogueRows = (db: Database, { time, id }: Place, limit: number) =>
  db.query(catalogue, { time, id, limit })

export async function newestRowsOf(db: Database, seller: string, after: Place, limit: number): Promise<ProductRow[]> {
  return hasSlugShape(seller) ? db.query(newestOfSeller, { ...after, limit, seller }) : []
}

/** Where a term was found: in the name, or elsewhere. */
export const sites = ['name', 'text'] as const
export type Site = (typeof sites)[number]
export interface FoundPlace extends Place {
  readonly site: Site
}

type FindParameters = PageParameters & { like: string }

const inName = (db: Kysely<DB>, place: FindParameters) =>
  page(db, place).where('product.name_folded', 'like', place.like)
const inText = (db: Kysely<DB>, place: FindParameters) =>
  page(db, place).where('product.search_text', 'like', place.like).where('product.name_folded', 'not like', place.like)

const finding = {
  name: statement('products_by_name', (db, place: FindParameters) => inName(db, place).compile()),
  text: statement('products_by_text', (db, place: FindParameters) => inText(db, place).compile()),
}

const findingOfSeller = {
  name: statement('products_by_name_of_seller', (db, place: FindParameters & { seller: string }) =>
    bySeller(inName(db, place), place.seller).compile(),
  ),
  text: statement('products_by_text_of_seller', (db, place: FindParameters & { seller: string }) =>
    bySeller(inText(db, place), place.seller).compile(),
  ),
}

/**
 * Listings with the term in their name, newest first, then those with it elsewhere. Each question stops at the limit and
 * is planned for its term: a common one is met early among the newest, a rare one is looked up by its trigrams.
 */
export async function findRows(
  db: Database,
  { term, seller, limit, after }: Wanted,
): Promise<(ProductRow & { readonly site: Site })[]> {
  if (seller !== undefined && !hasSlugShape(seller)) return []
  const like = containing(term)
  const found: (ProductRow & { site: Site })[] = []
  for (const site of sites.slice(sites.indexOf(after?.site ?? 'name'))) {
    const { time, id } = after?.site === site ? after : latest
    const place = { time, id, limit: limit - found.length, like }
    const { text, values } =
      seller === undefined
        ? { text: finding[site].text, values: finding[site].values(place) }
        : { text: findingOfSeller[site].text, values: findingOfSeller[site].values({ ...place, seller }) }
    found.push(...(await db.run<ProductRow>({ text, values })).map((row) => ({ ...row, site })))
    if (found.length === limit) break
  }
  return found
}

interface Wanted {
  readonly term: string
  readonly seller: string | undefined
  readonly limit: number
  readonly after: FoundPlace | undefined
}

/** What plan tests ask PostgreSQL directly. */
export const statements = { productById, productBySlug, newest, ...finding } as const
