import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { waitUntil } from '../../../testkit/engines/engine.ts'
import { isInSync, passwords } from '../../../testkit/engines/patroni.ts'
import { inTransaction } from '../../../testkit/factories.ts'
import { until } from '../../../testkit/waiting.ts'
import { check, type PromiseId } from './check.ts'
import type { Recorder } from './evidence.ts'
import { checkFinalState } from './readers.ts'
import type { Site } from './start.ts'
import {
  drain,
  evidenceOf,
  fewestClients,
  startWorkload,
  untilWriteAcknowledged,
  type WebhookReceivers,
  type Workload,
} from './workload.ts'

/** Bugs injected into this run's site; shipped code has no switch for them. Each must break the promise it names. */

interface BugContext {
  readonly site: Site
  readonly mail: WebhookReceivers
  readonly life: Workload
}

/** Reverts the bug as far as the next one would be affected. */
type Undo = () => Promise<unknown>

interface InjectedBug {
  readonly breaks: PromiseId
  readonly proxy?: Partial<ProxyBugs>
  inject?(planting: BugContext): Promise<Undo | undefined>
}

const asPublisher = (admin: pg.Pool, piece: string, ...texts: readonly string[]) =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    for (const text of texts) await client.query(text, [piece])
  })

const deleteFromPub = [
  'delete from pub.piece_texts where piece_id = $1',
  'delete from pub.piece_contents where piece_id = $1',
  'delete from pub.pieces where id = $1',
]
const setToDraft = "update app.pieces set editor_status = 'draft' where id = $1"

/** A public piece that no client will unpublish. */
async function publicPiece({ life, site }: BugContext): Promise<string> {
  return waitUntil('a public piece', async () => {
    const own = [...life.record.publications].filter(
      ([mark, { result }]) => result === 'ok' && !life.record.toBeUnpublished.has(mark),
    )
    const { rows } = await site.admin.query<{ id: string }>('select id from pub.pieces where id = any ($1) limit 1', [
      own.map(([, { piece }]) => piece),
    ])
    return rows[0]?.id
  })
}

const bug = (breaks: PromiseId, inject: NonNullable<InjectedBug['inject']>): InjectedBug => ({ breaks, inject })

export const injectedBugs = {
  /** A proxy repeats a POST without its Idempotency-Key. */
  doubled: { breaks: 'I1', proxy: { repeatsPosts: true } },
  /** A piece disappears from schema pub without a request. */
  hidden: bug('I2', async (planting) => {
    const { admin } = planting.site
    const piece = await publicPiece(planting)
    await asPublisher(admin, piece, ...deleteFromPub)
    return () => asPublisher(admin, piece, setToDraft)
  }),
  /** A public piece gets the headline of a draft. */
  leaked: bug('I3', async (planting) => {
    const { site, life } = planting
    const mark = await waitUntil(
      'a draft',
      () => life.authors.find(({ drafts }) => drafts.length > 0)?.drafts.shift()?.mark,
    )
    const headline = `update pub.pieces set headline = 'CANARY-${mark}', modified_at = date_trunc('milliseconds', now()) where id = $1`
    await asPublisher(site.admin, await publicPiece(planting), headline)
    return undefined
  }),
  /** A delivery that was ordered is no longer there. */
  forgotten: bug('I4', async (planting) => {
    const piece = await publicPiece(planting)
    await planting.site.admin.query('delete from app.deliveries where piece_id = $1', [piece])
    return undefined
  }),
  /** A forged request: the sender does not have the secret. */
  forged: bug('I5', async ({ mail, life }) => {
    const id = `http://site.test/p/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`
    await fetch(mail.urlOf(life.authors[0]!), {
      method: 'POST',
      headers: {
        'webhook-id': 'msg_forged',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
        'x-service-event': 'piece.published',
      },
      body: JSON.stringify({ id, _service: { event: 'piece.published', sequence: 1 } }),
    })
    return undefined
  }),
  /** Revoking a key has no effect. */
  unrevoked: bug('I6', async ({ site: { admin } }) => {
    await admin.query(`
      create schema if not exists chaos;
      create or replace function chaos.keep_key() returns trigger language plpgsql as
        'begin new.revoked_at := null; return new; end';
      grant usage on schema chaos to public;
      create trigger zz_chaos before update on app.api_keys for each row execute function chaos.keep_key()`)
    return () => admin.query('drop trigger zz_chaos on app.api_keys')
  }),
  /** A cache in front never expires. */
  stale: { breaks: 'I7', proxy: { cachesForever: true } },
  /** A piece is a draft again at the desk, and still public. */
  torn: bug('I8', async (planting) => {
    const { admin } = planting.site
    const piece = await publicPiece(planting)
    await asPublisher(admin, piece, setToDraft)
    return () => asPublisher(admin, piece, ...deleteFromPub)
  }),
  /** Commits do not wait for a standby; then the primary is cut off with writes only it has. */
  asynchronous: bug('I1', loseUnreplicatedWrites),
} satisfies Record<string, InjectedBug>

export type BugName = keyof typeof injectedBugs

const bugNamed = (name: BugName): InjectedBug => injectedBugs[name]

/** Those that do not hide each other, and take seconds. */
export const bugsAtOnce: readonly BugName[] = [
  'doubled',
  'hidden',
  'leaked',
  'forgotten',
  'forged',
  'unrevoked',
  'stale',
]

async function loseUnreplicatedWrites({ site, life }: BugContext): Promise<Undo> {
  const { cluster, network } = site
  const configure = async (isSynchronous: boolean) => {
    const { address } = (await cluster.primary())!
    const credentials = Buffer.from(`patroni:${passwords.PATRONI_PASSWORD}`).toString('base64')
    const answer = await fetch(`http://${address}:8008/config`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      body: JSON.stringify({ synchronous_mode: isSynchronous }),
    })
    if (!answer.ok) throw new Error(`Patroni refuses: ${answer.status} ${await answer.text()}`)
  }
  await configure(false)
  await waitUntil('asynchronous replication', async () => {
    const { rows } = await site.admin.query<{ names: string }>(
      "select current_setting('synchronous_standby_names') as names",
    )
    return rows[0]!.names === ''
  })
  const former = (await cluster.primary())!
  network.cut(former.name, 'nodes')
  await waitUntil('another primary', async () => {
    const primary = await cluster.primary()
    return primary !== undefined && primary.name !== former.name
  })
  network.heal(former.name)
  await untilWriteAcknowledged(life.record)
  await pause(1000)
  return async () => {
    await configure(true)
    await waitUntil('a whole cluster', () => isInSync(cluster), 120_000)
  }
}

/** Runs a small workload with a bug; the checker must name the promise it broke. */

interface SearchContext {
  readonly site: Site
  readonly mail: WebhookReceivers
  readonly record: Recorder
  readonly random: () => number
}

let batches = 0

export async function injectAndFind(names: readonly BugName[], given: SearchContext): Promise<boolean> {
  const { site, mail } = given
  const chosen = names.map(bugNamed)
  batches += 1
  const bugs: ProxyBugs = {
    repeatsPosts: false,
    cachesForever: false,
    ...Object.assign({}, ...chosen.map(({ proxy }) => proxy ?? {})),
  }
  const needsFront = chosen.some(({ proxy }) => proxy)
  const fronts: BadProxy[] = needsFront
    ? await Promise.all(site.servers.map(({ base }) => startBadProxy(base, bugs)))
    : []
  const bases = needsFront ? { bases: fronts.map(({ base }) => base) } : {}
  const life = await startWorkload({ ...given, ...bases, clients: fewestClients, name: `plant-${batches}` })
  const undo = await Promise.all(chosen.map((one) => one.inject?.({ site, mail, life })))
  await untilBugsAreHit(given.record)
  await life.end()
  await drain(site, life.authors, 10_000)
  await checkFinalState(life.endpoints, given.record, 1)
  const broken = new Set(check(await evidenceOf(site, life)).map(({ promise }) => promise))
  for (const front of fronts) front.close()
  for (const one of undo) await one?.()

  let areFound = true
  for (const [place, name] of names.entries()) {
    const { breaks } = chosen[place]!
    const isFound = broken.has(breaks)
    console.log(`  planted ${name.padEnd(14)}${isFound ? `found by ${breaks}` : `MISSED by ${breaks}`}`)
    areFound &&= isFound
  }
  return areFound
}

/** Waits until drafts were created, keys were revoked and used again, and pieces that were seen were unpublished. */
async function untilBugsAreHit({ creates, uses, sightings, unpublications }: Recorder): Promise<void> {
  const [created, used] = [creates.length, uses.length]
  await until(
    () =>
      creates.length >= created + 20 &&
      uses.length >= used + 12 &&
      [...unpublications].filter(([mark, { result }]) => result === 'ok' && sightings.has(mark)).length >= 5,
    'everybody met the planted bugs',
  )
}

/** A reverse proxy with a bug. */

interface BadProxy {
  readonly base: string
  close(): void
}

interface ProxyBugs {
  /** Repeats every third POST without its Idempotency-Key. */
  readonly repeatsPosts: boolean
  /** Caches every answer forever. */
  readonly cachesForever: boolean
}

interface CachedResponse {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

async function startBadProxy(target: string, { repeatsPosts, cachesForever }: ProxyBugs): Promise<BadProxy> {
  const kept = new Map<string, CachedResponse>()
  let posts = 0
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request
    const isRead = method === 'GET' && request.headers.authorization === undefined
    const known = isRead ? kept.get(url) : undefined
    if (known) {
      response.writeHead(known.status, { 'content-type': known.type }).end(known.body)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _, connection: __, 'content-length': ___, ...rest } = request.headers
    const headers = rest as Record<string, string>
    const init = { method, redirect: 'manual' as const, ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}) }
    const answer = await fetch(`${target}${url}`, { ...init, headers })
    const body = Buffer.from(await answer.arrayBuffer())
    const type = answer.headers.get('content-type') ?? 'text/plain'
    if (method === 'POST' && headers['idempotency-key']) {
      posts += 1
      const { 'idempotency-key': ____, ...others } = headers
      if (repeatsPosts && posts % 3 === 0) await fetch(`${target}${url}`, { ...init, headers: others })
    }
    if (isRead && answer.status === 200 && cachesForever) kept.set(url, { status: 200, type, body })
    const location = answer.headers.get('location')
    response.writeHead(answer.status, { 'content-type': type, ...(location ? { location } : {}) })
    response.end(answer.status === 204 ? undefined : body)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
