import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, searchTerm, uri } from '#platform/common-schemas.ts'

/** Examples for the API reference. A test checks each against its schema. */

const exampleProductId = '8c1d5a0e-7c0b-4c59-8f35-2f6f6c1f9d10'

const base = 'https://standfirst.example'

const exampleProductHit = {
  id: exampleProductId,
  slug: 'the-tea-notebook',
  name: 'The tea notebook',
  summary: 'Ninety-six ruled pages for what four minutes make you notice.',
  price: { amount: '19.00', currency: 'EUR' },
  category: 'Stationery',
  seller: { name: 'Ada Okafor', slug: 'ada-okafor', url: `${base}/author/ada-okafor`, identity_verified: true },
  image_url: null,
  url: `${base}/shop/the-tea-notebook`,
  payment_url: 'https://pay.example/ada/tea-notebook',
}

const exampleProduct = {
  ...exampleProductHit,
  description: 'Bound in Lisbon, on paper that takes ink without complaint.',
  related_pieces: [
    {
      id: `${base}/p/5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44`,
      url: `${base}/author/ada-okafor/the-case-for-slow-tea`,
      title: 'The case for slow tea',
    },
  ],
  updated_at: '2026-11-02T08:30:00.000Z',
}

// The public API

const text = Type.String()

const Price = Type.Object({
  amount: Type.String({ description: 'A decimal number with two places.', examples: ['19.00'] }),
  currency: Type.String({ description: 'ISO 4217.', examples: ['EUR'] }),
})

const Seller = Type.Object({ name: text, slug: text, url: uri, identity_verified: Type.Boolean() })

const listed = {
  id: Type.String({ format: 'uuid' }),
  slug: text,
  name: text,
  summary: nullable(text),
  price: nullable(Price),
  category: nullable(text),
  seller: Seller,
  image_url: nullable(uri),
  url: uri,
  payment_url: Type.String({
    format: 'uri',
    description: 'Where it is bought: a page of the seller, not of this site.',
  }),
}

export const ProductHit = Type.Object(listed, {
  $id: 'ProductHit',
  description: 'A listing of the shop in a list.',
  examples: [exampleProductHit],
})
export type ProductHit = Static<typeof ProductHit>

export const Product = Type.Object(
  {
    ...listed,
    description: nullable(Type.String({ description: 'Plain text; an empty line begins a paragraph.' })),
    related_pieces: Type.Array(Type.Object({ id: uri, url: uri, title: text }), {
      description: "The seller's writing about it, as far as it is public now.",
    }),
    updated_at: dateTime,
  },
  { $id: 'Product', description: 'A listing of the shop, whole.', examples: [exampleProduct] },
)
export type Product = Static<typeof Product>

export const OneProduct = Type.Object({
  id: Type.String({ description: "The listing's UUID.", examples: [exampleProductId] }),
})
export type OneProduct = Static<typeof OneProduct>

export const ProductFound = Type.Object({ ok, product: Type.Ref('Product') })
export type ProductFound = { ok: true; product: Product }

export const productSearchLimits = { minimum: 1, maximum: 50, default: 10 } as const

export const SearchProducts = Type.Object({
  q: Type.Optional(searchTerm('A word in the name, summary, description or category; the newest if left out.', 'tea')),
  seller: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only listings of this author, by slug.',
      examples: ['ada-okafor'],
    }),
  ),
  limit: limited(productSearchLimits),
  cursor,
})
export type SearchProducts = Static<typeof SearchProducts>

export const ProductHits = Type.Object({
  ok,
  query: nullable(text),
  count: Type.Integer(),
  results: Type.Array(Type.Ref('ProductHit')),
  next_cursor: nextCursor,
})
export type ProductHits = {
  ok: true
  query: string | null
  count: number
  results: ProductHit[]
  next_cursor: string | null
}

// The desk API, for a writer's own shop

/** Characters; the same limits as in the database. */
export const longest = {
  name: 120,
  summary: 300,
  description: 10_000,
  category: 40,
  imageAlt: 300,
  address: 2048,
} as const
export const mostRelated = 8
const mostListings = 200

const optionalText = (maxLength: number) => nullable(Type.String({ maxLength, 'x-printable': true }))
const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

/** As typed: `19`, `19.5`, `19.00`. Stored with two decimals. */
const PriceInput = Type.Object({
  amount: Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{1,2})?$' }),
  /** ISO 4217, upper case. */
  currency: Type.String({ 'x-currency': true }),
})

const fields = {
  name: Type.String({ maxLength: longest.name, 'x-visible': true, 'x-printable': true }),
  summary: optionalText(longest.summary),
  description: optionalText(longest.description),
  price: nullable(PriceInput),
  category: optionalText(longest.category),
  /** The hash of one of their images, as POST /desk/api/media returns it. */
  image: nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  image_alt: optionalText(longest.imageAlt),
  /** https only: buyers must know whom they pay, and http could be read and changed on the way. */
  payment_url: Type.String({ maxLength: longest.address, 'x-web-address': 'https' }),
  /** Ids of their pieces, in order. */
  related: Type.Array(Type.String({ pattern: uuid }), { maxItems: mostRelated, uniqueItems: true }),
}

export const CreateProductBody = Type.Object({
  name: fields.name,
  payment_url: fields.payment_url,
  summary: Type.Optional(fields.summary),
  description: Type.Optional(fields.description),
  price: Type.Optional(fields.price),
  category: Type.Optional(fields.category),
  image: Type.Optional(fields.image),
  image_alt: Type.Optional(fields.image_alt),
  related: Type.Optional(fields.related),
})
export type CreateProductBody = Static<typeof CreateProductBody>

/** Omitted fields stay as they are; null clears one. */
export const EditProductBody = Type.Partial(CreateProductBody)
export type EditProductBody = Static<typeof EditProductBody>

const productStatuses = ['draft', 'listed'] as const
export type ProductStatus = (typeof productStatuses)[number]

export const DeskProduct = Type.Object({
  id: text,
  status: Type.Unsafe<ProductStatus>({ type: 'string', enum: [...productStatuses] }),
  /** It is listed and has changes that are not public yet, or a related piece has become public since. */
  has_unpublished_changes: Type.Boolean(),
  /** Why the site removed it from the shop; it cannot be listed while this is set. */
  withheld: nullable(text),
  name: text,
  summary: nullable(text),
  description: nullable(text),
  price: nullable(Type.Object({ amount: text, currency: text })),
  category: nullable(text),
  image: nullable(text),
  image_alt: nullable(text),
  payment_url: uri,
  related: Type.Array(Type.Object({ id: text, headline: text, is_public: Type.Boolean() })),
  revision: Type.Integer(),
  /** The public URL; null unless it is listed. */
  url: nullable(uri),
  created_at: dateTime,
  updated_at: dateTime,
  /** When it was first listed. */
  listed_at: nullable(dateTime),
})
export type DeskProduct = Static<typeof DeskProduct>

export const DeskProductFound = Type.Object({ ok, product: DeskProduct })
export type DeskProductFound = Static<typeof DeskProductFound>

/** All listings, in the writer's order. */
export const DeskShop = Type.Object({ ok, count: Type.Integer(), products: Type.Array(DeskProduct) })
export type DeskShop = Static<typeof DeskShop>

/** The revision the writer saw; any other is refused. */
export const ShownRevision = Type.Object({ revision: Type.Integer({ minimum: 1 }) })

/** All of the writer's listings, each once. */
export const ProductOrder = Type.Object({
  ids: Type.Array(Type.String({ pattern: uuid }), { maxItems: mostListings, uniqueItems: true }),
})
