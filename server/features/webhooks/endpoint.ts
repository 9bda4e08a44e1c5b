import { randomBytes, randomUUID } from 'node:crypto'
import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { message } from '#messages/message.ts'
import type { Sealer } from '#platform/crypto.ts'
import type { Transaction } from '#platform/db/database.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { type DeliveryRow, newestPing, presentDelivery } from './log.ts'
import type { DeliveryState, RotateSecret, Webhook, WebhookFound, WebhookSaved, WebhookState } from './schema.ts'
import { newSecret } from './secrets.ts'
import { messageId } from './sign.ts'

/** A writer's webhook: one URL per writer. The database demands a session of the writer for every act. */

export interface WebhookContext extends DeskContext {
  readonly outbound: Pick<Outbound, 'check'>
  readonly sealer: Sealer
}

export function ownWebhook({ db }: DeskContext, writer: Writer): Promise<WebhookFound> {
  return withSession(db, writer, async (tx) => ({ ok: true, webhook: (await readWebhook(tx)) ?? null }))
}

/** Creates a webhook with a secret, or changes the URL of the existing one, which keeps its secret. Pings it at once. */
export async function saveWebhook(context: WebhookContext, writer: Writer, input: string): Promise<WebhookSaved> {
  const url = checkUrl(context, input)
  const { secret, hint } = newSecret()
  const sealed = context.sealer.seal(secret, writer.writer.id)
  return withSession(context.db, writer, async (tx) => {
    const { rows } = await tx.query<{ made: boolean }>('select app.desk_set_webhook($1, $2, $3, $4) as made', [
      writer.sessionHash,
      url,
      sealed,
      hint,
    ])
    await sendPing(tx, writer)
    const isNew = rows[0]!.made
    return { ok: true, webhook: await requireWebhook(tx), secret: isNew ? secret : null }
  })
}

function checkUrl({ outbound }: WebhookContext, input: string): string {
  const checked = outbound.check(input.trim())
  if ('problem' in checked) throw invalid([{ pointer: '/url', code: checked.code, detail: checked.problem }])
  // A fragment is never sent, so it is not stored either.
  checked.url.hash = ''
  return checked.url.href
}

const defaultOverlapHours = 24

export async function rotateSecret(
  { db, sealer }: WebhookContext,
  writer: Writer,
  { keep_hours = defaultOverlapHours, force = false }: RotateSecret,
): Promise<WebhookSaved> {
  const { secret, hint } = newSecret()
  return withSession(db, writer, async (tx) => {
    await tx.query('select app.desk_rotate_webhook($1, $2, $3, make_interval(hours => $4), $5)', [
      writer.sessionHash,
      sealer.seal(secret, writer.writer.id),
      hint,
      keep_hours,
      force,
    ])
    return { ok: true, webhook: await requireWebhook(tx), secret }
  })
}

/** Signed like every delivery; a 2xx response makes the webhook live. */
export function pingWebhook({ db }: DeskContext, writer: Writer): Promise<WebhookFound> {
  return withSession(db, writer, async (tx) => {
    await sendPing(tx, writer)
    return { ok: true, webhook: await requireWebhook(tx) }
  })
}

async function sendPing(tx: Transaction, { sessionHash }: Writer): Promise<void> {
  const id = randomUUID()
  const body = {
    id: messageId(id),
    challenge: randomBytes(16).toString('hex'),
    _service: { event: 'webhook.ping', sequence: 0 },
  }
  await tx.query('select app.desk_ping($1, $2, $3)', [sessionHash, id, Buffer.from(JSON.stringify(body))])
}

export function moveWebhook({ db }: DeskContext, writer: Writer, act: 'pause' | 'resume'): Promise<WebhookFound> {
  return withSession(db, writer, async (tx) => {
    await tx.query(`select app.desk_${act}_webhook($1)`, [writer.sessionHash])
    return { ok: true, webhook: await requireWebhook(tx) }
  })
}

export async function removeWebhook({ db }: DeskContext, { sessionHash }: Writer): Promise<void> {
  await db.run({ text: 'select app.desk_remove_webhook($1)', values: [sessionHash] })
}

async function requireWebhook(tx: Transaction): Promise<Webhook> {
  const webhook = await readWebhook(tx)
  if (!webhook) throw notFound(message('error.webhook_not_found'))
  return webhook
}

async function readWebhook(tx: Transaction): Promise<Webhook | undefined> {
  // Before the webhook: one transaction ends a ping and makes its webhook live, and the desk stops polling when the ping
  // has ended. Read in the other order, an ended ping could come with the state from before it.
  const ping = await newestPing(tx)
  const { rows } = await tx.query<WebhookRow>(
    `select url, state, disabled_for, created_at, url_given_at as given_at, live_since, proven_at, owner_proven_at, secret_hint,
            secret_made_at,
            case when former_until > clock_timestamp() then former_until end as former_secret_until, failures,
            case when rests_until > clock_timestamp() then rests_until end as rests_until
       from app.webhooks where writer_id = (select app.session_writer())`,
  )
  const [row] = rows
  if (row) return presentWebhook(row, ping, await countsOf(tx))
  await requireSession(tx)
  return undefined
}

async function countsOf(tx: Transaction): Promise<Pick<Webhook, 'deliveries' | 'listed'>> {
  const { rows } = await tx.query<{ state: DeliveryState; pieces: number; all: number }>(
    `select state, count(*) filter (where event = 'piece.published')::integer as pieces, count(*)::integer as all
       from app.deliveries where writer_id = (select app.session_writer()) group by state`,
  )
  const none = { pending: 0, held: 0, delivered: 0, exhausted: 0, cancelled: 0 }
  return {
    deliveries: { ...none, ...Object.fromEntries(rows.map(({ state, pieces }) => [state, pieces])) },
    listed: { ...none, ...Object.fromEntries(rows.map(({ state, all }) => [state, all])) },
  }
}

interface WebhookRow {
  readonly url: string
  readonly state: WebhookState
  readonly disabled_for: 'gone' | 'failing' | null
  readonly created_at: Date
  readonly given_at: Date
  readonly live_since: Date | null
  readonly proven_at: Date | null
  readonly owner_proven_at: Date | null
  readonly secret_hint: string
  readonly secret_made_at: Date
  readonly former_secret_until: Date | null
  readonly failures: number
  readonly rests_until: Date | null
}

const presentWebhook = (
  row: WebhookRow,
  ping: DeliveryRow | undefined,
  counts: Pick<Webhook, 'deliveries' | 'listed'>,
): Webhook => ({
  ...row,
  created_at: row.created_at.toISOString(),
  given_at: row.given_at.toISOString(),
  live_since: row.live_since?.toISOString() ?? null,
  proven_at: row.proven_at?.toISOString() ?? null,
  owner_proven_at: row.owner_proven_at?.toISOString() ?? null,
  secret_made_at: row.secret_made_at.toISOString(),
  former_secret_until: row.former_secret_until?.toISOString() ?? null,
  rests_until: row.rests_until?.toISOString() ?? null,
  ping: ping ? presentDelivery(ping) : null,
  ...counts,
})
