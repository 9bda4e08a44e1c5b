import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, searchTerm, uri } from '#platform/common-schemas.ts'
import { exampleProduct, exampleProductHit, exampleProductId } from './examples.ts'

/** What everybody may read of the shop. */

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
