import type { Urls } from '#platform/urls.ts'
import type { DeskProduct, ProductStatus } from './desk-schema.ts'
import type { StoredListing } from './listing.ts'
import { presentPrice } from './present.ts'

export interface DeskProductRow extends StoredListing {
  readonly id: string
  readonly status: ProductStatus
  readonly revision: number
  readonly listed_revision: number | null
  readonly listed_related: readonly string[]
  readonly slug: string | null
  readonly withheld: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly first_listed_at: Date | null
  readonly related_pieces: DeskProduct['related']
}

export const presentDeskProduct = (row: DeskProductRow, urls: Urls): DeskProduct => ({
  id: row.id,
  status: row.status,
  has_unpublished_changes: row.listed_revision !== null && (row.listed_revision !== row.revision || lacksWriting(row)),
  withheld: row.withheld,
  name: row.name,
  summary: row.summary,
  description: row.description,
  price: presentPrice(row),
  category: row.category,
  image: row.image,
  image_alt: row.image_alt,
  payment_url: row.payment_url,
  related: row.related_pieces,
  revision: row.revision,
  url: row.status === 'listed' && row.slug !== null ? urls.product(row.slug) : null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  listed_at: row.first_listed_at?.toISOString() ?? null,
})

/** Readers lack writing that became public since; what went meanwhile they do not see anyway. */
const lacksWriting = ({ related_pieces, listed_related }: DeskProductRow): boolean =>
  related_pieces.some(({ id, is_public }) => is_public && !listed_related.includes(id))
