import { type Kysely, sql } from 'kysely'
import { type KeysetCursor, latest } from '#features/pieces/keyset.ts'
import type { Database } from '#platform/db/database.ts'
import type { DB } from '#platform/db/schema.generated.ts'
import { containing, statement } from '#platform/db/statement.ts'
import { hasSlugShape, isAddress } from '#platform/text/slug.ts'

/** The public shop: the rows of `pub.products`, with their seller. */
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

/** Related pieces that are public now, in the seller's order. */
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

const newest = statement('newest_products', (db, params: PageParameters) => page(db, params).compile())

/** For the text catalogue, which leaves out descriptions. */
const catalogue = statement('catalogue', (db, params: PageParameters) =>
  page(db, params).select(related.as('related')).compile(),
)

/** By current or former slug. */
const bySeller = (products: ReturnType<typeof publicProducts>, seller: string) =>
  products.where(
    'product.author_id',
    '=',
    sql<string>`coalesce((select id from pub.authors where slug = ${seller}::text),
                         (select author_id from pub.former_slugs where slug = ${seller}::text))`,
  )

const newestOfSeller = statement('newest_products_of_seller', (db, params: PageParameters & { seller: string }) =>
  bySeller(page(db, params), params.seller).compile(),
)

export type ProductRow = NonNullable<(typeof newest)['row']>
export type WholeProductRow = NonNullable<(typeof productById)['row']>

export async function oneProduct(db: Database, id: string): Promise<WholeProductRow | undefined> {
  const [row] = await db.query(productById, { id })
  return row
}

export async function productAt(db: Database, slug: string): Promise<WholeProductRow | undefined> {
  // Some systems send decomposed characters.
  const asked = slug.normalize('NFC')
  const [row] = isAddress(asked) ? await db.query(productBySlug, { slug: asked }) : []
  return row
}

/** An author's listings, in their order. */
export const rowsInOrder = (db: Database, authorId: string, limit: number): Promise<ProductRow[]> =>
  db.query(inOrder, { authorId, limit })

export const newestRows = (db: Database, after: KeysetCursor, limit: number): Promise<ProductRow[]> =>
  db.query(newest, { ...after, limit })

export const catalogueRows = (db: Database, { time, id }: KeysetCursor, limit: number) =>
  db.query(catalogue, { time, id, limit })

export async function newestRowsOf(
  db: Database,
  seller: string,
  after: KeysetCursor,
  limit: number,
): Promise<ProductRow[]> {
  return hasSlugShape(seller) ? db.query(newestOfSeller, { ...after, limit, seller }) : []
}

/** Where a term matched: in the name, or elsewhere. */
export const sites = ['name', 'text'] as const
export type Site = (typeof sites)[number]
export interface SearchCursor extends KeysetCursor {
  readonly site: Site
}

type FindParameters = PageParameters & { like: string }

const inName = (db: Kysely<DB>, params: FindParameters) =>
  page(db, params).where('product.name_folded', 'like', params.like)
const inText = (db: Kysely<DB>, params: FindParameters) =>
  page(db, params)
    .where('product.search_text', 'like', params.like)
    .where('product.name_folded', 'not like', params.like)

const searches = {
  name: statement('products_by_name', (db, params: FindParameters) => inName(db, params).compile()),
  text: statement('products_by_text', (db, params: FindParameters) => inText(db, params).compile()),
}

const searchesOfSeller = {
  name: statement('products_by_name_of_seller', (db, params: FindParameters & { seller: string }) =>
    bySeller(inName(db, params), params.seller).compile(),
  ),
  text: statement('products_by_text_of_seller', (db, params: FindParameters & { seller: string }) =>
    bySeller(inText(db, params), params.seller).compile(),
  ),
}

/**
 * Listings with the term in their name, newest first, then those with it elsewhere. Each query stops at the limit and is
 * planned for its term: a common one is found early among the newest, a rare one by its trigrams.
 */
export async function findRows(
  db: Database,
  { term, seller, limit, after }: ProductSearch,
): Promise<(ProductRow & { readonly site: Site })[]> {
  if (seller !== undefined && !hasSlugShape(seller)) return []
  const like = containing(term)
  const found: (ProductRow & { site: Site })[] = []
  for (const site of sites.slice(sites.indexOf(after?.site ?? 'name'))) {
    const { time, id } = after?.site === site ? after : latest
    const params = { time, id, limit: limit - found.length, like }
    const { text, values } =
      seller === undefined
        ? { text: searches[site].text, values: searches[site].values(params) }
        : { text: searchesOfSeller[site].text, values: searchesOfSeller[site].values({ ...params, seller }) }
    found.push(...(await db.run<ProductRow>({ text, values })).map((row) => ({ ...row, site })))
    if (found.length === limit) break
  }
  return found
}

interface ProductSearch {
  readonly term: string
  readonly seller: string | undefined
  readonly limit: number
  readonly after: SearchCursor | undefined
}

/** For query plan tests. */
export const statements = { productById, productBySlug, newest, ...searches } as const
