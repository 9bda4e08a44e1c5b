import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { listingOf, type StoredListing } from '../server/features/products/listing.ts'
import { callListProductFunction } from '../server/features/products/publish.ts'
import { hashOf } from '../server/platform/secret.ts'
import { asDesk, inTransaction, type MadeWriter } from './factories.ts'

/** Makers of listings. What is public of them gets there as in life: through the database's own functions. */

type Given = Partial<Parameters<typeof listingOf>[0]> & { readonly id?: string }

/** A listing that only its writer sees. */
export async function makeProductDraft(admin: pg.Pool, writer: MadeWriter, given: Given = {}): Promise<string> {
  const { id = randomUUID(), ...body } = given
  const listing = listingOf({ name: 'A notebook', payment_url: 'https://pay.example/notebook', ...body })
  const columns = Object.keys(listing)
  await asDesk(admin, writer, (client) =>
    client.query(
      `insert into app.products (id, writer_id, ${columns.join(', ')})
       values ($1, $2, ${columns.map((_, index) => `$${index + 3}`).join(', ')})`,
      [id, writer.id, ...Object.values(listing)],
    ),
  )
  return id
}

export const listProduct = (admin: pg.Pool, writer: MadeWriter, id: string, act: 'list' | 'update' = 'list') =>
  asDesk(admin, writer, async (client) => {
    const { rows } = await client.query<StoredListing & { revision: number }>(
      'select * from app.products where id = $1',
      [id],
    )
    const { revision } = rows[0]!
    const sessionHash = hashOf(writer.sessionToken)
    await callListProductFunction(client, act, { id, sessionHash, revision, listing: rows[0]! })
  })

export const withdrawProduct = (admin: pg.Pool, writer: MadeWriter, id: string) =>
  asDesk(admin, writer, (client) =>
    client.query('select app.desk_withdraw_product($1, $2)', [id, hashOf(writer.sessionToken)]),
  )

/** A public listing. `listedAt` is for tests of order: it is set afterwards, by the only role that may. */
export async function makeProduct(
  admin: pg.Pool,
  writer: MadeWriter,
  { listedAt, ...given }: Given & { listedAt?: Date } = {},
): Promise<string> {
  const id = await makeProductDraft(admin, writer, given)
  await listProduct(admin, writer, id)
  if (listedAt) {
    await inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query('update pub.products set listed_at = $2 where id = $1', [id, listedAt])
    })
  }
  return id
}
