import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inTransaction, type MadeWriter } from './factories.ts'

/** As many public pieces as somebody has who publishes for years: copies of one, since their number is what matters. */
export async function copyPiece(
  admin: pg.Pool,
  { id: writer }: MadeWriter,
  piece: string,
  count: number,
): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    const ids = Array.from({ length: count }, () => randomUUID())
    const copied = (table: string, key: string, changed: string) =>
      client.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${changed}))).*
           from ${table} t, unnest($2::uuid[]) with ordinality c(id, n) where t.${key} = $1`,
        [piece, ids],
      )
    await copied('app.pieces', 'id', "'id', c.id, 'slug', 'copy-' || c.n")
    await copied('pub.pieces', 'id', "'id', c.id, 'slug', 'copy-' || c.n")
    await copied('pub.piece_contents', 'piece_id', "'piece_id', c.id")
    await copied('pub.piece_texts', 'piece_id', "'piece_id', c.id")
    await copied('pub.receipts', 'piece_id', "'piece_id', c.id")
    await client.query('update pub.authors set pieces_count = pieces_count + $2 where id = $1', [writer, count])
  })
}
