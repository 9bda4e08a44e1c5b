import type { Writer } from '#features/accounts/session-user.ts'
import { tagOfWork } from '#features/authors/cache-tags.ts'
import type { Tagged } from '#features/pieces/api-pieces.ts'
import { withSession } from '#features/pieces/with-session.ts'
import type { DeskContext } from '#platform/context.ts'
import type { Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import { deskShop, found, ownRow } from './desk.ts'
import type { DeskProductFound, DeskShop } from './desk-schema.ts'
import { derivedFrom, type StoredListing } from './listing.ts'
import { purgeProduct } from './purge.ts'

/** The writer's acts. They take a Writer, so no key can reach them; nor would PostgreSQL let it. */

export async function showProduct(
  context: DeskContext,
  writer: Writer,
  id: string,
  revision: number,
  act: 'list' | 'update',
): Promise<Tagged<DeskProductFound>> {
  return withSession(context.db, writer, async (tx) => {
    const listing = await ownRow(tx, writer, id)
    if (listing.revision !== revision) throw changedSince(listing.revision)
    await callListProductFunction(tx, act, { id, sessionHash: writer.sessionHash, revision, listing })
    await purgeProduct(tx, id, writer.writer.slug)
    return found(tx, context, writer, id)
  })
}

export async function withdrawProduct(
  context: DeskContext,
  writer: Writer,
  id: string,
): Promise<Tagged<DeskProductFound>> {
  return withSession(context.db, writer, async (tx) => {
    await ownRow(tx, writer, id)
    await tx.query('select app.desk_withdraw_product($1, $2)', [id, writer.sessionHash])
    await purgeProduct(tx, id, writer.writer.slug)
    return found(tx, context, writer, id)
  })
}

/** Readers see the new order at once: there is nothing in it to look over. */
export async function orderProducts(context: DeskContext, writer: Writer, ids: readonly string[]): Promise<DeskShop> {
  await withSession(context.db, writer, async (tx) => {
    await tx.query('select app.desk_order_products($1, $2)', [writer.sessionHash, ids])
    await enqueue(tx, 'cache.purge', { tags: [tagOfWork(writer.writer.slug)] })
  })
  return deskShop(context, writer)
}

/** The database says the same of what changes in between. */
const changedSince = (revision: number) =>
  new ServiceError(
    412,
    'precondition_failed',
    `It has changed since you looked at it: it is at revision ${revision}. Look at it once more.`,
  )

export interface ShowProductRequest {
  readonly id: string
  readonly sessionHash: Buffer
  /** The one its writer was shown. */
  readonly revision: number
  readonly listing: StoredListing
}

/** Asks the database to make a listing public. It refuses whoever is not its writer, signed in, and any other revision. */
export async function callListProductFunction(
  tx: Transaction,
  act: 'list' | 'update',
  { id, sessionHash, revision, listing }: ShowProductRequest,
): Promise<void> {
  const { slug, nameFolded, searchText } = derivedFrom(listing)
  const values = [id, sessionHash, revision, ...(act === 'list' ? [slug] : []), nameFolded, searchText]
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  await tx.query(`select app.desk_${act}_product(${places})`, values)
}
