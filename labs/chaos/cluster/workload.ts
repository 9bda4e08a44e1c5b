import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { messageId } from '../../../server/features/webhooks/message-id.ts'
import { areWhole } from '../../../testkit/engines/patroni.ts'
import type { Evidence, Order } from './evidence.ts'
import { type FaultName, type Kind, kinds } from './faults.ts'
import { type Author, type Endpoints, endpointsAt, makeAuthors } from './people.ts'
import { compareOnce, compareWings, read } from './readers.ts'
import type { MailRoom } from './receivers.ts'
import type { Recorder } from './recorder.ts'
import { persistently, type Site } from './start.ts'
import { create, mintAndRevoke, publish } from './writers.ts'

/** A site with people in it, for as long as something is done to it; then what it left behind. */

export interface Crowd {
  readonly creators: number
  readonly publishers: number
  readonly minters: number
  readonly readers: number
  /** By so many times. */
  readonly slower?: number
}

export const everybody: Crowd = { creators: 8, publishers: 4, minters: 2, readers: 6 }
/** Those of the short form, who take three times as long: it shares its machine with other checks. */
export const some: Crowd = { creators: 8, publishers: 4, minters: 1, readers: 3, slower: 3 }
export const afew: Crowd = { creators: 4, publishers: 2, minters: 1, readers: 4 }

/** Milliseconds from one act of somebody to their next, on average. */
const paces = { create: 60, publish: 150, read: 90 }
const betweenComparisons = 10_000

export interface Life {
  readonly authors: readonly Author[]
  readonly record: Recorder
  readonly endpoints: Endpoints
  /** Everybody ends what they are at. */
  end(): Promise<void>
}

interface Moving {
  readonly site: Site
  readonly mail: MailRoom
  readonly record: Recorder
  readonly random: () => number
  readonly crowd: Crowd
  /** What their slugs begin with. */
  readonly name: string
  /** Where they reach the site, if not at its servers themselves. */
  readonly bases?: readonly string[]
}

export async function moveIn({ site, mail, record, random, crowd, name, bases }: Moving): Promise<Life> {
  const endpoints = endpointsAt(bases ?? site.servers.map(({ base }) => base), random)
  const authors = await makeAuthors(site.admin, name, crowd.creators)
  await mail.subscribe(endpoints, authors)
  let isOver = false
  const over = Promise.withResolvers<void>()
  const acting = { endpoints, record, random, isOver: () => isOver, over: over.promise }
  const slower = crowd.slower ?? 1
  const asked = async (text: string) => (await site.admin.query<{ id: string }>(text)).rows
  const living = [
    ...authors.map((author) => create(acting, author, paces.create * slower)),
    ...times(crowd.publishers, () => publish(acting, authors, paces.publish * slower)),
    ...times(crowd.minters, (place) => mintAndRevoke(acting, site.admin, authors[place]!)),
    ...times(crowd.readers, () => read(acting, authors, paces.read * slower)),
    compareWings(asked, acting, betweenComparisons),
  ]
  return {
    authors,
    record,
    endpoints,
    end: async () => {
      isOver = true
      over.resolve()
      await Promise.all(living)
      await compareOnce(asked, record)
    },
  }
}

const times = <T>(count: number, make: (place: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** Returns once a write was acknowledged that began after this was called, or nobody should wait any longer. */
export async function untilWritten(record: Recorder, patience = 90_000): Promise<boolean> {
  const now = Date.now()
  for (const end = Date.now() + patience; Date.now() < end; await pause(20)) if (record.begun > now) return true
  return false
}

/** One fault, from its beginning until the site is whole and writes flow. */
export async function shake(
  name: FaultName,
  site: Site,
  record: Recorder,
  random: () => number,
  isShort: boolean,
): Promise<void> {
  const { mayCost, mayDelay, shake: doIt }: Kind = kinds[name]
  record.takeSlowest()
  const at = Date.now()
  const flows = async () => {
    await untilWritten(record)
  }
  await doIt({ site, random, flows, lasts: (time, isFelt) => (isShort ? isFelt() : pause(time)) })
  const slowest = record.takeSlowest() / 1000
  await flows()
  await untilWhole(site)
  await flows()
  record.faulted({ name, at, until: Date.now(), mayCost, slowest, ...(mayDelay ? { mayDelay } : {}) })
}

const longestRecovery = 120_000

async function untilWhole({ cluster, servers }: Site): Promise<void> {
  for (const end = Date.now() + longestRecovery; Date.now() < end; await pause(200)) {
    const ready = await Promise.all(
      servers.map(({ adminBase }) =>
        fetch(`${adminBase}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    if (ready.every(Boolean) && (await areWhole(cluster))) return
  }
  throw new Error('the site was not whole again within two minutes')
}

/** No faults any more: what is due goes out. */
export async function drain({ admin }: Site, authors: readonly Author[], patience: number): Promise<void> {
  const ids = authors.map(({ writer }) => writer.id)
  for (const end = Date.now() + patience; Date.now() < end; await pause(500)) {
    const { rows } = await persistently(() =>
      admin.query<{ count: number }>(
        `select count(*)::integer as count from app.deliveries d join app.webhooks w on w.writer_id = d.writer_id
          where d.state = 'pending' and d.due_at < now() + interval '10 s' and w.failures = 0 and d.writer_id = any ($1)`,
        [ids],
      ),
    )
    if (rows[0]!.count === 0) return
  }
}

export async function evidenceOf({ admin, logs }: Site, { record, authors }: Life): Promise<Evidence> {
  for (const log of logs) record.read('a log', Date.now(), readFileSync(log, 'utf8'))
  const ids = authors.map(({ writer }) => writer.id)
  const [kept, shown, orders] = await persistently(() =>
    Promise.all([
      admin.query<{ id: string; mark: string }>(
        "select id, substr(headline, length('CANARY-') + 1) as mark from app.pieces where writer_id = any ($1)",
        [ids],
      ),
      admin.query<{ id: string }>('select id from pub.pieces'),
      admin.query<Omit<Order, 'message'> & { id: string }>(
        `select d.id, d.piece_id as piece, d.state, w.failures > 0 as doubted,
                extract(epoch from now() - d.due_at)::float8 as late
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
    kept: byMark,
    shown: new Set(shown.rows.map(({ id }) => id)),
    orders: orders.rows.map(({ id, ...order }) => ({ message: messageId(id), ...order })),
  }
}
