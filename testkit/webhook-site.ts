import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import type pg from 'pg'
import { startDispatcher } from '../server/features/webhooks/dispatcher.ts'
import type { Attempt, Delivery, Webhook } from '../server/features/webhooks/schema.ts'
import type { App } from '../server/main/app.ts'
import type { Worker } from '../server/main/worker.ts'
import { createSealer } from '../server/platform/crypto.ts'
import { Database } from '../server/platform/db/database.ts'
import { startListening } from '../server/platform/db/listen.ts'
import { createOutbound, type OutboundLimits } from '../server/platform/outbound/outbound.ts'
import { readAllowList } from '../server/platform/outbound/rules.ts'
import { testApp } from './app.ts'
import { testDatabase } from './database.ts'
import { type Desk, deskOf } from './desk.ts'
import { type MadeWriter, makeWriter } from './factories.ts'
import { testWorker } from './jobs.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { type Behaviour, type Delivered, type Receiver, startReceiver } from './receivers.ts'
import { until } from './waiting.ts'

/** A site whose writers have webhooks: real server, worker, database and receiver. */

export const secretsKey = 'a-secret-of-tests-that-everybody-knows'

export interface WebhookSite {
  readonly url: string
  readonly admin: pg.Pool
  readonly app: App
  readonly receiver: Receiver
  readonly mailbox: Mailbox
  /** Another worker of the same site; the first is there already. */
  work(settings?: Record<string, string>): Promise<Worker>
  /** Only the part of a worker that delivers, with other limits for a server's answer. */
  deliver(limits: Partial<OutboundLimits>): { stop(): Promise<void> }
  /** A writer whose webhook is live. */
  subscribe(behaviour?: Behaviour): Promise<Subscriber>
  /** A worker has looked for due deliveries since this was called: it took one that came due later than all others. */
  workerRound(): Promise<void>
  /** A writer with a webhook whose ping may still fail. */
  addWebhook(behaviour?: Behaviour): Promise<Subscriber>
}

/** A writer, their desk and their server, which is a path of the receiver. */
export interface Subscriber {
  readonly writer: MadeWriter
  readonly desk: Desk
  readonly path: string
  readonly url: string
  /** As it was shown, once. */
  readonly secret: string
  /** A status that is a failure comes with a Retry-After of a day: nothing is tried again before the test hurries it. */
  behave(behaviour: Behaviour): void
  /** Deliveries received, without pings. */
  received(): Delivered[]
  pings(): Delivered[]
  webhook(): Promise<Webhook>
  log(): Promise<Delivery[]>
  attempts(id: string): Promise<Attempt[]>
  publish(given?: object): Promise<string>
  /** The newest delivery, once it is as described. */
  until(isIt: (newest: Delivery) => boolean): Promise<Delivery>
  untilWebhook(isIt: (webhook: Webhook) => boolean): Promise<Webhook>
  /** Makes all pending deliveries due now. */
  makeDue(): Promise<void>
}

export async function openWebhookSite({ works = true } = {}): Promise<WebhookSite> {
  const { url, admin } = await testDatabase()
  const [receiver, mailbox] = await Promise.all([startReceiver(), startMailbox()])
  const OUTBOUND_ALLOW = receiver.host
  const app = await testApp(url, { OUTBOUND_ALLOW })
  const work: WebhookSite['work'] = (settings = {}) =>
    testWorker(url, { OUTBOUND_ALLOW, SMTP_URL: mailbox.url, ...settings })
  if (works) await work()
  const deliver: WebhookSite['deliver'] = (limits) => {
    const access = { url, role: 'svc_worker', name: 'dispatcher', connections: 3, statementTimeout: 5000 }
    const db = new Database(access)
    const outbound = createOutbound({ ownHosts: [], allow: readAllowList(OUTBOUND_ALLOW)!, limits })
    const ignore = () => {}
    const dispatcher = startDispatcher(
      db,
      { outbound, sealer: createSealer([secretsKey]), userAgent: 'a test' },
      { onAttempt: ignore, onTrouble: ignore, onClock: ignore },
    )
    const listening = startListening({
      url,
      role: 'svc_worker',
      channel: 'deliveries',
      onNotification: dispatcher.wake,
      onError: ignore,
    })
    let stopped: Promise<unknown> | undefined
    const stop = async () => {
      stopped ??= Promise.all([listening.stop(), dispatcher.stop()]).then(() => db.close())
      await stopped
    }
    after(stop)
    return { stop }
  }

  const addWebhook: WebhookSite['addWebhook'] = async (behaviour = 200) => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const path = `/${randomBytes(6).toString('hex')}`
    receiver.behave(patient(behaviour), path)
    const saved = await desk.ask('PUT', 'webhook', { url: `http://${receiver.host}${path}` })
    assert.equal(saved.statusCode, 200, saved.body)
    return subscriber({ admin, receiver }, writer, desk, path, saved.json().secret)
  }
  const subscribe: WebhookSite['subscribe'] = async (behaviour = 200) => {
    const one = await addWebhook()
    // Many wait at once: this costs the server nothing.
    await until(() => one.pings().length > 0, `a ping at ${one.path}`)
    await one.untilWebhook(({ state }) => state === 'live')
    one.behave(behaviour)
    return one
  }
  let witness: Promise<Subscriber> | undefined
  const workerRound = async () => {
    witness ??= subscribe()
    const one = await witness
    const id = await one.publish()
    await one.until(({ piece, state }) => piece?.id === id && state === 'delivered')
  }
  return { url, admin, app, receiver, mailbox, work, deliver, subscribe, addWebhook, workerRound }
}

const patient = (behaviour: Behaviour): Behaviour =>
  typeof behaviour === 'number' && behaviour >= 400
    ? (_request, response) =>
        response.writeHead(behaviour, { 'content-type': 'text/plain', 'retry-after': '86400' }).end('Noted.')
    : behaviour

function subscriber(
  { admin, receiver }: { admin: pg.Pool; receiver: Receiver },
  writer: MadeWriter,
  desk: Desk,
  path: string,
  secret: string,
): Subscriber {
  const arrived = (event: string) =>
    receiver.delivered.filter((one) => one.path === path && one.headers['x-service-event'] === event)
  const webhook = async () => (await desk.ask('GET', 'webhook')).json().webhook
  const log = async () => (await desk.ask('GET', 'webhook/deliveries')).json().deliveries
  return {
    writer,
    desk,
    path,
    url: `http://${receiver.host}${path}`,
    secret,
    behave: (behaviour) => receiver.behave(patient(behaviour), path),
    received: () => arrived('piece.published'),
    pings: () => arrived('webhook.ping'),
    webhook,
    log,
    attempts: async (id) => (await desk.ask('GET', `webhook/deliveries/${id}`)).json().attempts,
    publish: async (given) => {
      const id = await desk.begin(given)
      const answer = await desk.act('publish', id)
      assert.equal(answer.statusCode, 200, answer.body)
      return id
    },
    until: (isIt) =>
      until(async () => {
        const [newest] = await log()
        return newest && isIt(newest) ? newest : undefined
      }, `the newest delivery of ${path}: ${isIt}`),
    untilWebhook: (isIt) =>
      until(async () => {
        const found = await webhook()
        return isIt(found) ? found : undefined
      }, `the webhook at ${path}: ${isIt}`),
    makeDue: async () => {
      await admin.query(
        `update app.deliveries set due_at = clock_timestamp()
          where writer_id = $1 and state = 'pending' and lease_token is null`,
        [writer.id],
      )
      await admin.query('update app.webhooks set ready_at = clock_timestamp() where writer_id = $1', [writer.id])
      await admin.query('notify deliveries')
    },
  }
}
