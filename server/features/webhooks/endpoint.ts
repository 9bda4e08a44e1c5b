import { randomBytes, randomUUID } from 'node:crypto'
import type { Writer } from '#features/accounts/session-user.ts'
import { demandSession, withSession } from '#features/pieces/with-session.ts'
import type { DeskContext } from '#platform/context.ts'
import type { Transaction } from '#platform/db/database.ts'
import type { Sealer } from '#platform/encryption.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { newestPing } from './log.ts'
import { messageId } from './message-id.ts'
import { presentWebhook, type WebhookRow } from './present.ts'
import type { DeliveryState, RotateSecret, Webhook, WebhookFound, WebhookSaved } from './schema.ts'
import { newSecret } from './secret.ts'

/** Where a writer wants to be told. One address for each writer; the database demands a session of theirs for every act. */

export interface WebhookContext extends DeskContext {
  readonly outbound: Pick<Outbound, 'check'>
  readonly sealer: Sealer
}

const advice =
  'Copy the secret now: it is not shown again. With it your server can tell that a delivery comes from here; whoever else has it can pretend to.'

export function ownWebhook({ db }: DeskContext, writer: Writer): Promise<WebhookFound> {
  return withSession(db, writer, async (tx) => ({ ok: true, webhook: (await found(tx)) ?? null }))
}

/** A new webhook, with its secret; or another address for the one there is, which keeps it. Its server is asked at once. */
export async function saveWebhook(context: WebhookContext, writer: Writer, given: string): Promise<WebhookSaved> {
  const url = addressOf(context, given)
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
    const { made } = rows[0]!
    return { ok: true, webhook: await mine(tx), secret: made ? secret : null, advice: made ? advice : null }
  })
}

function addressOf({ outbound }: WebhookContext, given: string): string {
  const checked = outbound.check(given.trim())
  if ('problem' in checked) throw invalid([{ pointer: '/url', code: 'malformed', detail: checked.problem }])
  // Never sent, so not kept either.
  checked.url.hash = ''
  return checked.url.href
}

const usualOverlap = 24

export async function rotateSecret(
  { db, sealer }: WebhookContext,
  writer: Writer,
  { keep_hours = usualOverlap, force = false }: RotateSecret,
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
    return { ok: true, webhook: await mine(tx), secret, advice }
  })
}

/** Signed like every delivery; an answer of 2xx makes the webhook live. */
export function pingWebhook({ db }: DeskContext, writer: Writer): Promise<WebhookFound> {
  return withSession(db, writer, async (tx) => {
    await sendPing(tx, writer)
    return { ok: true, webhook: await mine(tx) }
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
    return { ok: true, webhook: await mine(tx) }
  })
}

export async function removeWebhook({ db }: DeskContext, { sessionHash }: Writer): Promise<void> {
  await db.run({ text: 'select app.desk_remove_webhook($1)', values: [sessionHash] })
}

async function mine(tx: Transaction): Promise<Webhook> {
  const webhook = await found(tx)
  if (!webhook) throw notFound('You have no webhook. Give the address it should call first.')
  return webhook
}

async function found(tx: Transaction): Promise<Webhook | undefined> {
  const { rows } = await tx.query<WebhookRow>(
    `select url, state, disabled_for, created_at, url_given_at as given_at, live_since, proven_at, owner_proven_at, secret_hint,
            secret_made_at,
            case when former_until > clock_timestamp() then former_until end as former_secret_until, failures,
            case when rests_until > clock_timestamp() then rests_until end as rests_until
       from app.webhooks where writer_id = (select app.session_writer())`,
  )
  const [row] = rows
  if (row) return presentWebhook(row, await newestPing(tx), await countsOf(tx))
  await demandSession(tx)
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
