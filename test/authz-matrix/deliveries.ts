import type { Receiver } from '../../testkit/webhook-receiver.ts'
import type { SiteUnderProof } from './honest-site.ts'
import { canaryPattern } from './site.ts'

/** Both writers have a webhook, so that whatever went public is told to somebody whose post is read here. */

/** Before the worker starts: nothing leaves for any address but the one that is read here. */
export async function readPost({ site: { admin } }: SiteUnderProof, receiver: Receiver): Promise<void> {
  await admin.query("update app.webhooks set url = $1, state = 'live', disabled_for = null, rests_until = null", [
    receiver.url,
  ])
  await admin.query("update app.deliveries set state = 'pending', due_at = now() where state = 'held'")
  await admin.query('update app.webhooks set ready_at = now()')
}

export const stillToDeliver = async ({ site: { admin } }: SiteUnderProof): Promise<number> => {
  const { rows } = await admin.query("select count(*)::integer as count from app.deliveries where state = 'pending'")
  return rows[0].count
}

/** What arrived holds no canary, and nothing arrived that no person has published. */
export async function judgePost({ site: { admin } }: SiteUnderProof, receiver: Receiver): Promise<string[]> {
  const told: string[] = []
  const { rows } = await admin.query<{ id: string }>(
    "select distinct piece_id as id from app.audit where act in ('publish', 'approve')",
  )
  const published = new Set(rows.map(({ id }) => id))
  const pieces = receiver.delivered
    .filter(({ headers }) => headers['x-service-event'] === 'piece.published')
    .map(({ body }) => (JSON.parse(body.toString('utf8')) as { id: string }).id.slice(-36))
  for (const id of pieces) if (!published.has(id)) told.push(`a delivery tells of ${id}, which nobody has published`)
  for (const { body, headers } of receiver.delivered) {
    if (`${body}${JSON.stringify(headers)}`.match(canaryPattern)) told.push('a delivery holds a canary')
  }
  if (pieces.length === 0) told.push('pieces went public, and no delivery arrived')
  const left = await admin.query("select from app.deliveries where convert_from(body, 'UTF8') ~ 'CANARY-'")
  if (left.rowCount) told.push(`${left.rowCount} deliveries hold a canary`)
  return told
}
