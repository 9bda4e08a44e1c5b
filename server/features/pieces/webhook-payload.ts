import type { Transaction } from '#platform/db/database.ts'
import { handOnTrace } from '#platform/db/trace-handover.ts'
import type { Piece } from './schema.ts'

/** Bytes of a body; the database takes no more. */
const longest = 1_048_576

/**
 * Writes what the writer's webhook is told, in the transaction that makes the piece public. The database has ordered it
 * already, where there is somebody to tell, and lets no publication through without it.
 */
export async function announcePiece(tx: Transaction, id: string, piece: Piece): Promise<void> {
  const { rows } = await tx.query<{ sequence: string | null }>('select app.delivery_to_fill($1) as sequence', [id])
  const sequence = rows[0]?.sequence ?? null
  if (sequence === null) return
  await tx.query('select app.fill_delivery($1, $2)', [id, bodyOf(piece, Number(sequence))])
  await handOnTrace(tx, 'deliveries', id)
}

/** The Piece as everywhere else, and what only a delivery says. Too long a piece goes with its summary for a text. */
function bodyOf(piece: Piece, sequence: number): Buffer {
  const service = { event: 'piece.published', sequence }
  const whole = Buffer.from(JSON.stringify({ ...piece, _service: service }))
  if (whole.length <= longest) return whole
  const short = { ...piece, content_html: null, content_text: piece.summary, _service: { ...service, truncated: true } }
  return Buffer.from(JSON.stringify(short))
}
