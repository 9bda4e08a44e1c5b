import type pg from 'pg'
import { type Writer, withSession } from '#features/accounts/sessions.ts'
import { purgeProduct, tagOfWork } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue } from '#features/jobs.ts'
import type { WithEtag } from '#features/pieces/api-pieces.ts'
import { message } from '#messages/message.ts'
import type { Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import { deskShop, readProduct, readRow } from './desk.ts'
import { derivedFrom, type StoredListing } from './listing.ts'
import type { DeskProductFound, DeskShop } from './schema.ts'

/** Acts of the writer. They take a Writer, so no API key can reach them; PostgreSQL would refuse one too. */

export async function listOrUpdateProduct(
  context: DeskContext,
  writer: Writer,
  id: string,
  revision: number,
  act: 'list' | 'update',
): Promise<WithEtag<DeskProductFound>> {
  return withSession(context.db, writer, async (tx) => {
    const listing = await readRow(tx, writer, id)
    if (listing.revision !== revision) throw changedSince()
    await callListProductFunction(tx, act, { id, sessionHash: writer.sessionHash, revision, listing })
    await purgeProduct(tx, id, writer.writer.slug)
    return readProduct(tx, context, writer, id)
  })
}

export async function withdrawProduct(
  context: DeskContext,
  writer: Writer,
  id: string,
): Promise<WithEtag<DeskProductFound>> {
  return withSession(context.db, writer, async (tx) => {
    await readRow(tx, writer, id)
    await tx.query('select app.desk_withdraw_product($1, $2)', [id, writer.sessionHash])
    await purgeProduct(tx, id, writer.writer.slug)
    return readProduct(tx, context, writer, id)
  })
}

/** Public at once: there is nothing to review in an order. */
export async function orderProducts(context: DeskContext, writer: Writer, ids: readonly string[]): Promise<DeskShop> {
  await withSession(context.db, writer, async (tx) => {
    await tx.query('select app.desk_order_products($1, $2)', [writer.sessionHash, ids])
    await enqueue(tx, 'cache.purge', { tags: [tagOfWork(writer.writer.slug)] })
  })
  return deskShop(context, writer)
}

/** The database refuses the same if it changes in between. */
const changedSince = () => new ServiceError(412, 'precondition_failed', message('error.listing_changed'))

export interface ListProductRequest {
  readonly id: string
  readonly sessionHash: Buffer
  /** The one its writer saw. */
  readonly revision: number
  readonly listing: StoredListing
}

/** Makes a listing public. PostgreSQL refuses anyone but its signed-in writer, and any other revision. */
export async function callListProductFunction(
  tx: Transaction,
  act: 'list' | 'update',
  { id, sessionHash, revision, listing }: ListProductRequest,
): Promise<void> {
  const { slug, nameFolded, searchText } = derivedFrom(listing)
  const values = [id, sessionHash, revision, ...(act === 'list' ? [slug] : []), nameFolded, searchText]
  const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
  await tx.query(`select app.desk_${act}_product(${parameters})`, values)
}

/**
 * Removes a listing, by slug, from the shop and blocks it: its writer gets the reason in the desk and by email, and can
 * appeal. Without a reason they may list it again. Returns whether there is such a listing.
 */
export async function withholdProduct(owner: pg.ClientBase, slug: string, reason: string | null): Promise<boolean> {
  const { rows } = await owner.query<{ product_id: string; seller: string; decision: string | null }>(
    'select * from app.withhold_product($1, $2)',
    [slug, reason],
  )
  const [withheld] = rows
  if (withheld) await purgeProduct(owner, withheld.product_id, withheld.seller)
  if (withheld?.decision) await enqueue(owner, 'decision.email', { decision: withheld.decision, to: 'writer' })
  return withheld !== undefined
}
