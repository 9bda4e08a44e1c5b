import pg from 'pg'
import { fillWebhookDelivery, pieceNow } from '../../../server/features/pieces/publish.ts'
import { urlsFor } from '../../../server/features/urls.ts'

/** The process of the injected bug: listens for publications and inserts deliveries, unless it is killed first. */

const [url, base] = process.argv.slice(2)
const urls = urlsFor(base!)
const listening = new pg.Client({ connectionString: url! })
const pool = new pg.Pool({ connectionString: url!, max: 4 })
// The parent restarts this process when the database goes away.
listening.on('error', () => process.exit(1))
pool.on('error', () => {})

async function order(piece: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `with numbered as (
         update app.writers w set published = published + 1 from app.pieces p
          where p.id = $1 and w.id = p.writer_id returning w.id, w.published)
       insert into app.deliveries (writer_id, event, piece_id, sequence, state)
       select id, 'piece.published', $1, published, 'pending' from numbered`,
      [piece],
    )
    await fillWebhookDelivery(client, piece, await pieceNow(client, urls, piece))
    await client.query('select app.line_up(writer_id) from app.pieces where id = $1', [piece])
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

listening.on('notification', ({ payload }) => {
  order(payload!).catch(() => {})
})
await listening.connect()
await listening.query('listen published')
console.log('listening')
