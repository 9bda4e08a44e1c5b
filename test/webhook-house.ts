import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Attempt, Delivery, Webhook } from '../server/features/webhooks/schema.ts'
import { readConfig } from '../server/platform/config.ts'
import { testApp } from '../server/testing/app.ts'
import { testDatabase } from '../server/testing/database.ts'
import { type Desk, deskOf } from '../server/testing/desk.ts'
import { silentLog } from '../server/testing/log.ts'
import { type Mailbox, startMailbox } from '../server/testing/mailbox.ts'
import { type MadeWriter, makeWriter } from '../server/testing/make.ts'
import { type Behaviour, type Delivered, type Receiver, startReceiver } from '../server/testing/receiver.ts'
import { startWorker, type Worker } from '../server/worker.ts'

/** A house whose writers are told of: real server, worker, database and receiver. */

export const secretsKey = 'a-secret-of-tests-that-everybody-knows'

export interface WebhookHouse {
  readonly url: string
  readonly admin: pg.Pool
  readonly app: FastifyInstance
  readonly receiver: Receiver
  readonly mailbox: Mailbox
  /** Another worker of the same house; the first is there already. */
  work(settings?: Record<string, string>): Promise<Worker>
  /** A writer whose webhook is live. */
  subscribe(behaviour?: Behaviour): Promise<Subscriber>
  /** A writer who has only given an address: what their server says to the ping is up to it. */
  introduce(behaviour?: Behaviour): Promise<Subscriber>
}

/** A writer, their desk and their server, which is a path of the receiver. */
export interface Subscriber {
  readonly writer: MadeWriter
  readonly desk: Desk
  readonly path: string
  readonly url: string
  /** As it was shown, once. */
  readonly secret: string
  behave(behaviour: Behaviour): void
  /** What arrived there, without the pings. */
  told(): Delivered[]
  pings(): Delivered[]
  webhook(): Promise<Webhook>
  log(): Promise<Delivery[]>
  attempts(id: string): Promise<Attempt[]>
  publish(given?: object): Promise<string>
  /** The newest delivery, once it is as described. */
  until(isIt: (newest: Delivery) => boolean): Promise<Delivery>
  untilWebhook(isIt: (webhook: Webhook) => boolean): Promise<Webhook>
  /** What waits for its time is due now. */
  hurry(): Promise<void>
}

export async function openWebhookHouse({ works = true } = {}): Promise<WebhookHouse> {
  const { url, admin } = await testDatabase()
  const [receiver, mailbox] = await Promise.all([startReceiver(), startMailbox()])
  const OUTBOUND_ALLOW = receiver.host
  const app = await testApp(url, { OUTBOUND_ALLOW })
  const base = { DATABASE_URL: url, BASE_URL: 'https://house.test', AUTH_SECRET: secretsKey, SECRETS_KEY: secretsKey }
  const work: WebhookHouse['work'] = async (settings = {}) => {
    const config = readConfig({ ...base, OUTBOUND_ALLOW, SMTP_URL: mailbox.url, ...settings })
    const worker = await startWorker(config, silentLog())
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= worker.stop()
      return stopped
    }
    after(stop)
    return { ...worker, stop }
  }
  if (works) await work()

  const introduce: WebhookHouse['introduce'] = async (behaviour = 200) => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const path = `/${randomBytes(6).toString('hex')}`
    receiver.behave(behaviour, path)
    const saved = await desk.ask('PUT', 'webhook', { url: `http://${receiver.host}${path}` })
    assert.equal(saved.statusCode, 200, saved.body)
    return subscriber({ admin, receiver }, writer, desk, path, saved.json().secret)
  }
  const subscribe: WebhookHouse['subscribe'] = async (behaviour = 200) => {
    const one = await introduce()
    await one.untilWebhook(({ state }) => state === 'live')
    one.behave(behaviour)
    return one
  }
  return { url, admin, app, receiver, mailbox, work, subscribe, introduce }
}

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
    behave: (behaviour) => receiver.behave(behaviour, path),
    told: () => arrived('piece.published'),
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
      eventually(`the newest delivery of ${path}`, async () => {
        const [newest] = await log()
        return newest && isIt(newest) ? newest : undefined
      }),
    untilWebhook: (isIt) =>
      eventually(`the webhook at ${path}`, async () => {
        const found = await webhook()
        return isIt(found) ? found : undefined
      }),
    hurry: async () => {
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

/** Looks often at first, and then less and less: those who wait together would keep the house from its work. */
export async function eventually<T>(what: string, find: () => Promise<T | undefined>, within = 60_000): Promise<T> {
  let between = 10
  for (const end = performance.now() + within; performance.now() < end; await pause(between)) {
    const found = await find()
    if (found !== undefined) return found
    between = Math.min(between * 1.3, 250)
  }
  throw new Error(`not within ${within} ms: ${what}`)
}
