import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { messageId } from '../../../server/features/webhooks/sign.ts'
import { addWebhooks } from '../../../testkit/desk-client.ts'
import { isInSync } from '../../../testkit/engines/patroni.ts'
import { type Answer, good, type Receiver, startReceiver } from '../webhooks/receiver.ts'
import {
  type Author,
  createDrafts,
  type Endpoints,
  endpointsAt,
  makeAuthors,
  mintAndRevoke,
  publishDrafts,
} from './clients.ts'
import type { DeliveryRecord, Evidence, Recorder } from './evidence.ts'
import { type FaultKind, type FaultName, faultKinds } from './faults.ts'
import { compareSchemas, readAll, watchSchemas } from './readers.ts'
import { type Site, withRetry } from './start.ts'

/** Runs clients against a site during faults and collects the evidence. */

export interface ClientMix {
  readonly creators: number
  readonly publishers: number
  readonly minters: number
  readonly readers: number
  /** Factor by which clients are slower. */
  readonly slowdown?: number
}

export const allClients: ClientMix = { creators: 8, publishers: 4, minters: 2, readers: 6 }
/** The short form's clients are three times slower: it shares the machine with other checks. */
export const fewerClients: ClientMix = { creators: 8, publishers: 4, minters: 1, readers: 3, slowdown: 3 }
export const fewestClients: ClientMix = { creators: 4, publishers: 2, minters: 1, readers: 4 }

/** Milliseconds between two actions of a client, on average. */
const paces = { create: 60, publish: 150, read: 90 }
const betweenComparisons = 10_000

export interface Workload {
  readonly authors: readonly Author[]
  readonly record: Recorder
  readonly endpoints: Endpoints
  /** Lets every client finish its current action. */
  end(): Promise<void>
}

interface WorkloadOptions {
  readonly site: Site
  readonly mail: WebhookReceivers
  readonly record: Recorder
  readonly random: () => number
  readonly clients: ClientMix
  /** What their slugs begin with. */
  readonly name: string
  /** Where they reach the site, if not at its servers themselves. */
  readonly bases?: readonly string[]
}

export async function startWorkload({
  site,
  mail,
  record,
  random,
  clients,
  name,
  bases,
}: WorkloadOptions): Promise<Workload> {
  const endpoints = endpointsAt(bases ?? site.servers.map(({ base }) => base), random)
  const authors = await makeAuthors(site.admin, name, clients.creators)
  await mail.subscribe(endpoints, authors)
  let isOver = false
  const over = Promise.withResolvers<void>()
  const acting = { endpoints, record, random, isOver: () => isOver, over: over.promise }
  const slower = clients.slowdown ?? 1
  const asked = async (text: string) => (await site.admin.query<{ id: string }>(text)).rows
  const living = [
    ...authors.map((author) => createDrafts(acting, author, paces.create * slower)),
    ...times(clients.publishers, () => publishDrafts(acting, authors, paces.publish * slower)),
    ...times(clients.minters, (place) => mintAndRevoke(acting, site.admin, authors[place]!)),
    ...times(clients.readers, () => readAll(acting, authors, paces.read * slower)),
    watchSchemas(asked, acting, betweenComparisons),
  ]
  return {
    authors,
    record,
    endpoints,
    end: async () => {
      isOver = true
      over.resolve()
      await Promise.all(living)
      await compareSchemas(asked, record)
    },
  }
}

const times = <T>(count: number, make: (place: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** Returns once a write that began after this call was acknowledged, or after the timeout. */
export async function untilWriteAcknowledged(record: Recorder, timeout = 90_000): Promise<boolean> {
  const now = Date.now()
  for (const end = Date.now() + timeout; Date.now() < end; await pause(20)) if (record.lastWriteStart > now) return true
  return false
}

/** Injects one fault and returns when the site has recovered and writes flow. */
export async function injectFault(
  name: FaultName,
  site: Site,
  record: Recorder,
  random: () => number,
  isShort: boolean,
): Promise<void> {
  const { maxWriteGap, maxLatency, inject: doIt }: FaultKind = faultKinds[name]
  record.takeSlowest()
  const at = Date.now()
  const untilWritesFlow = async () => {
    await untilWriteAcknowledged(record)
  }
  await doIt({ site, random, untilWritesFlow, holdFor: (time, isFelt) => (isShort ? isFelt() : pause(time)) })
  const slowest = record.takeSlowest() / 1000
  await untilWritesFlow()
  await untilRecovered(site)
  await untilWritesFlow()
  record.faulted({ name, at, until: Date.now(), maxWriteGap, slowest, ...(maxLatency ? { maxLatency } : {}) })
}

const longestRecovery = 120_000

async function untilRecovered({ cluster, servers }: Site): Promise<void> {
  for (const end = Date.now() + longestRecovery; Date.now() < end; await pause(200)) {
    const ready = await Promise.all(
      servers.map(({ adminBase }) =>
        fetch(`${adminBase}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    if (ready.every(Boolean) && (await isInSync(cluster))) return
  }
  throw new Error('the site was not whole again within two minutes')
}

/** No faults any more: what is due goes out. */
export async function drain({ admin }: Site, authors: readonly Author[], timeout: number): Promise<void> {
  const ids = authors.map(({ writer }) => writer.id)
  for (const end = Date.now() + timeout; Date.now() < end; await pause(500)) {
    const { rows } = await withRetry(() =>
      admin.query<{ count: number }>(
        `select count(*)::integer as count from app.deliveries d join app.webhooks w on w.writer_id = d.writer_id
          where d.state = 'pending' and d.due_at < now() + interval '10 s' and w.failures = 0 and d.writer_id = any ($1)`,
        [ids],
      ),
    )
    if (rows[0]!.count === 0) return
  }
}

export async function evidenceOf({ admin, logs }: Site, { record, authors }: Workload): Promise<Evidence> {
  for (const log of logs) record.read('a log', Date.now(), readFileSync(log, 'utf8'))
  const ids = authors.map(({ writer }) => writer.id)
  const [kept, shown, orders] = await withRetry(() =>
    Promise.all([
      admin.query<{ id: string; mark: string }>(
        "select id, substr(headline, length('CANARY-') + 1) as mark from app.pieces where writer_id = any ($1)",
        [ids],
      ),
      admin.query<{ id: string }>('select id from pub.pieces'),
      admin.query<Omit<DeliveryRecord, 'message'> & { id: string }>(
        `select d.id, d.piece_id as piece, d.state, w.failures > 0 as failing,
                extract(epoch from now() - d.due_at)::float8 as "lateBy"
           from app.deliveries d join app.webhooks w on w.writer_id = d.writer_id
          where d.event = 'piece.published' and d.writer_id = any ($1)`,
        [ids],
      ),
    ]),
  )
  const byMark = new Map<string, string[]>()
  for (const { id, mark } of kept.rows) byMark.set(mark, [...(byMark.get(mark) ?? []), id])
  return {
    ...record,
    at: Date.now(),
    acknowledged: record.acknowledged.toSorted((one, other) => one - other),
    piecesByMark: byMark,
    publicPieces: new Set(shown.rows.map(({ id }) => id)),
    deliveries: orders.rows.map(({ id, ...order }) => ({ message: messageId(id), ...order })),
  }
}

/** Three webhook receivers: a good one, a flaky one, and one that never answers in time. */

const flaky = (random: () => number): Answer => {
  const draw = random()
  if (draw < 0.2) return { status: draw < 0.1 ? 500 : 503, after: random() * 20 }
  return draw < 0.3 ? 'reset' : good(random)
}
/** Longer than an attempt may take. */
const tarpit = (): Answer => ({ status: 200, after: 17_000 })

export interface WebhookReceivers {
  /** `host:port` of all, by commas. */
  readonly allow: string
  /** Registers each author's receiver at the desk and waits for its ping. */
  subscribe(endpoints: Endpoints, authors: readonly Author[]): Promise<void>
  /** The server of this author. */
  urlOf(author: Author): string
  /** From now on all answer correctly, including the tarpit. */
  stopFaults(): void
  close(): void
}

export async function startReceivers(random: () => number, record: () => Recorder): Promise<WebhookReceivers> {
  const watch = {
    reached: () => {},
    senderAt: () => undefined,
    arrived: (arrival: Parameters<Recorder['arrived']>[0], body: Buffer) => {
      record().arrived(arrival)
      record().read('a webhook', arrival.at, body.toString('utf8'))
    },
  }
  const receivers: Receiver[] = await Promise.all(
    [good, flaky, tarpit].map((manner) => startReceiver(random, watch, manner)),
  )
  const slugs = new Map<string, number>()
  const receiverOf = (slug: string): Receiver => receivers[slugs.get(slug)!]!
  return {
    allow: receivers.map(({ host }) => host).join(','),
    subscribe: async (endpoints, authors) => {
      for (const [place, { writer }] of authors.entries()) slugs.set(writer.slug, receiverIndex(place))
      await addWebhooks(
        endpoints.desk,
        authors.map(({ writer }) => ({ ...writer, drafts: [] })),
        (slug) => receiverOf(slug).urlOf(slug),
        (slug, secret) => receiverOf(slug).setSecret(slug, secret),
      )
      for (const receiver of receivers) receiver.isFaulty = true
    },
    urlOf: ({ writer }) => receiverOf(writer.slug).urlOf(writer.slug),
    stopFaults: () => {
      for (const receiver of receivers) receiver.isFaulty = false
    },
    close: () => {
      for (const receiver of receivers) receiver.close()
    },
  }
}

/** Of eight writers five have a good one, two a flaky one, one a tarpit. */
const receiverIndex = (place: number): number => (place % 8 === 7 ? 2 : place % 4 === 2 ? 1 : 0)
