import Type, { type Static } from 'typebox'
import { dateTime, nullable, ok, uri } from '#platform/common-schemas.ts'

/** What the desk shows a writer of their own shop. */

/** In characters, as the database has them. */
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

const text = Type.String()
const said = (maxLength: number) => nullable(Type.String({ maxLength, 'x-printable': true }))
const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

/** As people type it: `19`, `19.5`, `19.00`. It is kept with two places. */
const Price = Type.Object({
  amount: Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{1,2})?$' }),
  /** ISO 4217, in capitals. */
  currency: Type.String({ 'x-currency': true }),
})

const fields = {
  name: Type.String({ maxLength: longest.name, 'x-visible': true, 'x-printable': true }),
  summary: said(longest.summary),
  description: said(longest.description),
  price: nullable(Price),
  category: said(longest.category),
  /** The hash of a picture of theirs, as POST /desk/api/media answers it. */
  image: nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  image_alt: said(longest.imageAlt),
  /** Whoever pays must know whom: http shows the page to everybody on the way, and lets them change it. */
  payment_url: Type.String({ maxLength: longest.address, 'x-web-address': 'https' }),
  /** Ids of pieces of theirs, in order. */
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

/** Members that are left out stay as they are; null empties one. */
export const EditProductBody = Type.Partial(CreateProductBody)
export type EditProductBody = Static<typeof EditProductBody>

const productStatuses = ['draft', 'listed'] as const
export type ProductStatus = (typeof productStatuses)[number]

export const DeskProduct = Type.Object({
  id: text,
  status: Type.Unsafe<ProductStatus>({ type: 'string', enum: [...productStatuses] }),
  /** A listed one that has changed since readers last got it, or whose related writing became public since. */
  has_unpublished_changes: Type.Boolean(),
  /** Why the site took it out of the shop; it is not listed while this stands. */
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
  /** Where readers find it; null unless it is listed. */
  url: nullable(uri),
  created_at: dateTime,
  updated_at: dateTime,
  /** When it was first listed. */
  listed_at: nullable(dateTime),
})
export type DeskProduct = Static<typeof DeskProduct>

export const DeskProductFound = Type.Object({ ok, product: DeskProduct })
export type DeskProductFound = Static<typeof DeskProductFound>

/** All of them, in the order their writer gave them. */
export const DeskShop = Type.Object({ ok, count: Type.Integer(), products: Type.Array(DeskProduct) })
export type DeskShop = Static<typeof DeskShop>

/** The revision that was shown: another is neither listed nor updated. */
export const ShownRevision = Type.Object({ revision: Type.Integer({ minimum: 1 }) })

/** All of a writer's listings, each once. */
export const ProductOrder = Type.Object({
  ids: Type.Array(Type.String({ pattern: uuid }), { maxItems: mostListings, uniqueItems: true }),
})
