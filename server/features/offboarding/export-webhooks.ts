import { latest } from '#features/pieces/keyset.ts'
import { messageId } from '#features/webhooks/message-id.ts'
import type { Transaction } from '#platform/db/database.ts'

/** What a writer's webhook is, and was told, as they take it along. Never a secret: whoever has one can pretend to be us. */

export async function webhookOf(tx: Transaction): Promise<object | null> {
  const { rows } = await tx.query(
    `select url, url_given_at as given_at, state, disabled_for, created_at, live_since, proven_at, owner_proven_at,
            secret_hint, secret_made_at, former_until as former_secret_until, failures, failing_since
       from app.webhooks where writer_id = (select app.session_writer())`,
  )
  return rows[0] ?? null
}

const deliveriesAtOnce = 100

/** Newest first, each with its attempts. The texts are those of the pieces, which have files of their own. */
export async function* deliveriesOf(tx: Transaction): AsyncGenerator<object> {
  for (let after = latest, count = deliveriesAtOnce; count === deliveriesAtOnce; ) {
    const { rows } = await tx.query<{ id: string; created_at: Date }>(
      `select d.id, d.event, d.piece_id, d.sequence::integer, d.state, d.created_at, d.ended_at,
              coalesce(a.attempts, '[]') as attempts
         from app.deliveries d left join lateral (
                select jsonb_agg(to_jsonb(a) - 'delivery_id' - 'writer_id' order by a.attempt) as attempts
                  from app.delivery_attempts a where a.delivery_id = d.id
              ) a on true
        where d.writer_id = (select app.session_writer()) and (d.created_at, d.id) < ($1, $2)
        order by d.created_at desc, d.id desc limit $3`,
      [after.time, after.id, deliveriesAtOnce],
    )
    for (const { id, ...delivery } of rows) yield { message: messageId(id), ...delivery }
    count = rows.length
    const last = rows.at(-1)
    if (last) after = { time: last.created_at, id: last.id }
  }
}
