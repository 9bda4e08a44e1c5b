import type pg from 'pg'
import { inTransaction } from '#platform/db/in-transaction.ts'
import { copyBinary } from './binary.ts'
import { copyRows, insertRows } from './copy.ts'
import {
  approvedRows,
  auditTable,
  countPieces,
  type Draft,
  draftRows,
  publicPieceRows,
  publishedTables,
  type SeededAuthor,
  type SeededPiece,
  writersTable,
} from './tables.ts'

/** The bulk path: COPY, as the one role that may write the public wing. */

export async function bulkAuthors(client: pg.ClientBase, authors: readonly SeededAuthor[]): Promise<void> {
  await transaction(client, 'svc_owner', () => copyRows(client, writersTable.target, authors.map(writersTable.values)))
  await transaction(client, 'svc_publisher', async () => {
    const ids = authors.map(({ id }) => id)
    await client.query('select app.show_author(id) from app.writers where id = any($1::uuid[])', [ids])
  })
}

export async function bulkPieces(client: pg.ClientBase, pieces: readonly SeededPiece[]): Promise<void> {
  await transaction(client, 'svc_publisher', async () => {
    await insertRows(client, 'app.pieces', approvedRows.columns, pieces.map(approvedRows.values))
    await copyBinary(client, publicPieceRows.target, pieces.map(publicPieceRows.fields))
    for (const { target, values } of publishedTables) await copyRows(client, target, pieces.map(values))
    // COPY takes no part in row security, which binds everyone but the owner here.
    await client.query('set local role svc_owner')
    await copyRows(client, auditTable.target, pieces.map(auditTable.values))
  })
}

export async function bulkDrafts(client: pg.ClientBase, drafts: readonly Draft[]): Promise<void> {
  await transaction(client, 'svc_publisher', () =>
    insertRows(client, 'app.pieces', draftRows.columns, drafts.map(draftRows.values)),
  )
}

/** After the last batch: what the publishing function counts one by one. */
export async function bulkCounts(client: pg.ClientBase): Promise<void> {
  await transaction(client, 'svc_publisher', async () => {
    await client.query(countPieces)
  })
}

export const transaction = (client: pg.ClientBase, role: string, work: () => Promise<void>): Promise<void> =>
  inTransaction(client, async () => {
    await client.query(`set local role ${role}`)
    await work()
  })
