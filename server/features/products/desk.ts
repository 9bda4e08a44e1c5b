import { randomUUID } from 'node:crypto'
import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import type { WithEtag } from '#features/pieces/api-pieces.ts'
import { etagOf, requireRevision } from '#features/pieces/drafts.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { signedOut } from '#platform/db/pg-errors.ts'
import { invalid, notFound, ServiceError } from '#platform/errors.ts'
import { normalizeChanges, normalizeListing, type StoredListing } from './listing.ts'
import { presentPrice } from './reads.ts'
import type {
  CreateProductBody,
  DeskProduct,
  DeskProductFound,
  DeskShop,
  EditProductBody,
  ProductStatus,
} from './schema.ts'

/** A writer's own shop in the desk. Row security checks their session. */

const selectProduct = `
  select p.id, p.status, p.name, p.summary, p.description, p.price, p.currency, p.category, p.image, p.image_alt,
         p.payment_url, p.related, p.revision, p.listed_revision, p.listed_related, p.slug, p.withheld, p.created_at, p.updated_at,
         p.first_listed_at,
         (select coalesce(json_agg(json_build_object('id', piece.id, 'headline', piece.headline,
                                                     'is_public', piece.editor_status = 'approved') order by named.place), '[]')
            from unnest(p.related) with ordinality as named(id, place) join app.pieces piece on piece.id = named.id
         ) as related_pieces
    from app.products p`

export async function deskShop({ db, urls }: DeskContext, writer: Writer): Promise<DeskShop> {
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<DeskProductRow>(
      `${selectProduct} where p.writer_id = $1 order by p.position, p.id`,
      [writer.writer.id],
    )
    if (rows.length === 0) await requireSession(tx)
    return rows
  })
  return { ok: true, count: rows.length, products: rows.map((row) => presentDeskProduct(row, urls)) }
}

export const deskProduct = (context: DeskContext, writer: Writer, id: string): Promise<WithEtag<DeskProductFound>> =>
  withSession(context.db, writer, (tx) => readProduct(tx, context, writer, id))

/** The client chooses the id, so a repeated request creates one listing: the second one returns it as it is. */
export async function beginProduct(
  context: DeskContext,
  writer: Writer,
  body: CreateProductBody,
  id: string = randomUUID(),
): Promise<WithEtag<DeskProductFound>> {
  const listing = normalizeListing(body)
  const columns = Object.keys(listing)
  return withSession(context.db, writer, async (tx) => {
    await requireOwnReferences(tx, writer, listing)
    // Column names come from listing.ts, never from the request.
    await tx.query(
      `insert into app.products (id, writer_id, ${columns.join(', ')})
       values ($1, $2, ${columns.map((_, index) => `$${index + 3}`).join(', ')}) on conflict (id) do nothing`,
      [id, writer.writer.id, ...Object.values(listing)],
    )
    return readProduct(tx, context, writer, id)
  })
}

export async function saveProduct(
  context: DeskContext,
  writer: Writer,
  id: string,
  body: EditProductBody,
  ifMatch: string | undefined,
): Promise<WithEtag<DeskProductFound>> {
  const changes = normalizeChanges(body)
  return withSession(context.db, writer, async (tx) => {
    const { revision } = await lockRow(tx, writer, id)
    requireRevision(ifMatch, revision, 'listing')
    await requireOwnReferences(tx, writer, changes)
    const columns = Object.entries(changes)
    if (columns.length > 0) {
      const set = columns.map(([name], index) => `${name} = $${index + 2}`).join(', ')
      const values = columns.map(([, value]) => value)
      const { rowCount } = await tx.query(`update app.products set ${set} where id = $1`, [id, ...values])
      if (rowCount !== 1) throw signedOut()
    }
    return readProduct(tx, context, writer, id)
  })
}

export async function deleteProduct({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  await withSession(db, writer, async (tx) => {
    const { status } = await lockRow(tx, writer, id)
    if (status !== 'draft') {
      throw new ServiceError(409, 'illegal_transition', message('error.listing_public'))
    }
    const { rowCount } = await tx.query('delete from app.products where id = $1', [id])
    if (rowCount !== 1) throw signedOut()
  })
}

/** The image and the related pieces must be the writer's own. */
async function requireOwnReferences(
  tx: Transaction,
  writer: Writer,
  { image, related }: Partial<StoredListing>,
): Promise<void> {
  if (image) {
    const { rowCount } = await tx.query('select from app.media_of($1) where hash = $2', [writer.sessionHash, image])
    if (rowCount === 0)
      throw invalid([
        { pointer: '/image', code: 'unknown_value', detail: 'must be one of your pictures; upload it first' },
      ])
  }
  if (!related || related.length === 0) return
  const { rows } = await tx.query<{ id: string }>(
    'select id from app.pieces where id = any ($1::uuid[]) and writer_id = $2',
    [related, writer.writer.id],
  )
  const known = new Set(rows.map(({ id }) => id))
  const problems = related.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ pointer: `/related/${index}`, code: 'unknown_value', detail: 'must be one of your pieces' }],
  )
  if (problems.length > 0) throw invalid(problems)
}

const noSuchProduct = () => notFound(message('error.listing_not_found'))

export async function readRow(tx: Transaction, writer: Writer, id: string): Promise<DeskProductRow> {
  if (!isUuid(id)) throw noSuchProduct()
  const { rows } = await tx.query<DeskProductRow>(`${selectProduct} where p.id = $1 and p.writer_id = $2`, [
    id,
    writer.writer.id,
  ])
  if (rows[0]) return rows[0]
  await requireSession(tx)
  throw noSuchProduct()
}

async function lockRow(tx: Transaction, writer: Writer, id: string): Promise<DeskProductRow> {
  if (isUuid(id))
    await tx.query('select from app.products where id = $1 and writer_id = $2 for update', [id, writer.writer.id])
  return readRow(tx, writer, id)
}

export async function readProduct(
  tx: Transaction,
  { urls }: DeskContext,
  writer: Writer,
  id: string,
): Promise<WithEtag<DeskProductFound>> {
  const row = await readRow(tx, writer, id)
  return { body: { ok: true, product: presentDeskProduct(row, urls) }, etag: etagOf(row.revision) }
}

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

const presentDeskProduct = (row: DeskProductRow, urls: Urls): DeskProduct => ({
  id: row.id,
  status: row.status,
  has_unpublished_changes: row.listed_revision !== null && (row.listed_revision !== row.revision || lacksRelated(row)),
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

/** Whether a related piece has become public since the listing was; pieces that were removed are hidden anyway. */
const lacksRelated = ({ related_pieces, listed_related }: DeskProductRow): boolean =>
  related_pieces.some(({ id, is_public }) => is_public && !listed_related.includes(id))
