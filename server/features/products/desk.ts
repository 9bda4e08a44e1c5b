import { randomUUID } from 'node:crypto'
import type { Writer } from '#features/accounts/session-user.ts'
import type { Tagged } from '#features/pieces/api-pieces.ts'
import { demandRevision, etagOf } from '#features/pieces/etag.ts'
import { demandSession, withSession } from '#features/pieces/with-session.ts'
import type { DeskContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Transaction } from '#platform/db/database.ts'
import { signedOut } from '#platform/db/pg-errors.ts'
import { invalid, notFound, ServiceError } from '#platform/errors.ts'
import type { CreateProductBody, DeskProductFound, DeskShop, EditProductBody } from './desk-schema.ts'
import { changesOf, listingOf, type StoredListing } from './listing.ts'
import { type DeskProductRow, presentDeskProduct } from './present-desk.ts'

/** A writer's own shop, at the desk. Row security answers to their session. */

const shown = `
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
    const { rows } = await tx.query<DeskProductRow>(`${shown} where p.writer_id = $1 order by p.position, p.id`, [
      writer.writer.id,
    ])
    if (rows.length === 0) await demandSession(tx)
    return rows
  })
  return { ok: true, count: rows.length, products: rows.map((row) => presentDeskProduct(row, urls)) }
}

export const deskProduct = (context: DeskContext, writer: Writer, id: string): Promise<Tagged<DeskProductFound>> =>
  withSession(context.db, writer, (tx) => found(tx, context, writer, id))

/** Under the id its page chose, so that asking twice begins one: then it answers with that one as it is. */
export async function beginProduct(
  context: DeskContext,
  writer: Writer,
  body: CreateProductBody,
  id: string = randomUUID(),
): Promise<Tagged<DeskProductFound>> {
  const listing = listingOf(body)
  const columns = Object.keys(listing)
  return withSession(context.db, writer, async (tx) => {
    await demandTheirs(tx, writer, listing)
    // Names of columns come from listing.ts, never from the request.
    await tx.query(
      `insert into app.products (id, writer_id, ${columns.join(', ')})
       values ($1, $2, ${columns.map((_, index) => `$${index + 3}`).join(', ')}) on conflict (id) do nothing`,
      [id, writer.writer.id, ...Object.values(listing)],
    )
    return found(tx, context, writer, id)
  })
}

export async function saveProduct(
  context: DeskContext,
  writer: Writer,
  id: string,
  given: EditProductBody,
  ifMatch: string | undefined,
): Promise<Tagged<DeskProductFound>> {
  const changes = changesOf(given)
  return withSession(context.db, writer, async (tx) => {
    const { revision } = await lockedRow(tx, writer, id)
    demandRevision(ifMatch, revision, 'listing')
    await demandTheirs(tx, writer, changes)
    const columns = Object.entries(changes)
    if (columns.length > 0) {
      const set = columns.map(([name], index) => `${name} = $${index + 2}`).join(', ')
      const values = columns.map(([, value]) => value)
      const { rowCount } = await tx.query(`update app.products set ${set} where id = $1`, [id, ...values])
      if (rowCount !== 1) throw signedOut()
    }
    return found(tx, context, writer, id)
  })
}

export async function deleteProduct({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  await withSession(db, writer, async (tx) => {
    const { status } = await lockedRow(tx, writer, id)
    if (status !== 'draft') {
      throw new ServiceError(409, 'illegal_transition', 'A listing that is public is not deleted. Withdraw it first.')
    }
    const { rowCount } = await tx.query('delete from app.products where id = $1', [id])
    if (rowCount !== 1) throw signedOut()
  })
}

/** The picture and the writing it names are the writer's own. */
async function demandTheirs(
  tx: Transaction,
  writer: Writer,
  { image, related }: Partial<StoredListing>,
): Promise<void> {
  if (image) {
    const { rowCount } = await tx.query('select from app.media_of($1) where hash = $2', [writer.sessionHash, image])
    if (rowCount === 0)
      throw invalid([
        { pointer: '/image', code: 'unknown_value', detail: 'must be a picture of yours. Upload it first' },
      ])
  }
  if (!related || related.length === 0) return
  const { rows } = await tx.query<{ id: string }>(
    'select id from app.pieces where id = any ($1::uuid[]) and writer_id = $2',
    [related, writer.writer.id],
  )
  const known = new Set(rows.map(({ id }) => id))
  const problems = related.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/related/${index}`, code: 'unknown_value', detail: 'must be a piece of yours' }],
  )
  if (problems.length > 0) throw invalid(problems)
}

const noSuchProduct = () => notFound('You have no such listing. Your shop shows those you have.')

export async function ownRow(tx: Transaction, writer: Writer, id: string): Promise<DeskProductRow> {
  if (!isUuid(id)) throw noSuchProduct()
  const { rows } = await tx.query<DeskProductRow>(`${shown} where p.id = $1 and p.writer_id = $2`, [
    id,
    writer.writer.id,
  ])
  if (rows[0]) return rows[0]
  await demandSession(tx)
  throw noSuchProduct()
}

async function lockedRow(tx: Transaction, writer: Writer, id: string): Promise<DeskProductRow> {
  if (isUuid(id))
    await tx.query('select from app.products where id = $1 and writer_id = $2 for update', [id, writer.writer.id])
  return ownRow(tx, writer, id)
}

export async function found(
  tx: Transaction,
  { urls }: DeskContext,
  writer: Writer,
  id: string,
): Promise<Tagged<DeskProductFound>> {
  const own = await ownRow(tx, writer, id)
  return { body: { ok: true, product: presentDeskProduct(own, urls) }, etag: etagOf(own.revision) }
}
