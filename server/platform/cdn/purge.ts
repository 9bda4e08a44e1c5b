import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Replicas } from '../db/replica-watch.ts'
import { type Position, readPosition } from '../db/wal-position.ts'
import { GiveUp } from '../jobs/queue.ts'
import { createLru } from '../lru.ts'
import { purgeSeconds } from '../observability/dependencies.ts'
import { type CacheAddress, nameOf } from './address.ts'

/** Valid tags: no space or comma, which separate them, and nothing that could end a header. */
const tagShape = /^[\x21-\x2b\x2d-\x7e]{1,80}$/
const timeout = 5000

export type Purge = (tags: readonly string[], signal?: AbortSignal) => Promise<void>

/** API addresses. */
const apiHosts = { fastly: 'https://api.fastly.com', cloudflare: 'https://api.cloudflare.com/client/v4' }

interface Call {
  /** Maximum number of tags in one call. */
  readonly most: number
  readonly url: string
  readonly method: 'PURGE' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  /** How the tags are sent. */
  put(tags: readonly string[]): { readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Checks success where the status alone does not say it. */
  isDone?(answer: Response): Promise<boolean>
}

/**
 * Purges every response with one of these tags (`Surrogate-Key` or `Cache-Tag`) from all edge caches, without serving
 * stale. If one cache fails or asks to retry later, the whole purge fails and is retried at all of them. Does nothing
 * without caches.
 */
export function purgeAt(addresses: readonly CacheAddress[] | undefined, hosts = apiHosts): Purge {
  const caches = (addresses ?? []).map((address) => ({ name: nameOf(address), call: callOf(address, hosts) }))
  const timed = async (cache: string, purging: Promise<void>) => {
    const start = performance.now()
    const record = (outcome: string) => purgeSeconds.observe({ cache, outcome }, (performance.now() - start) / 1000)
    await purging.then(
      () => record('sent'),
      (error) => {
        record('failed')
        throw error
      },
    )
  }
  return async (tags, signal) => {
    const unique = [...new Set(tags)]
    const invalid = unique.find((tag) => !tagShape.test(tag))
    if (invalid !== undefined) throw new GiveUp(`${JSON.stringify(invalid)} is not a tag`)
    const results = await Promise.allSettled(
      caches.map(({ name, call }) => timed(name, sendPurge(name, call, unique, signal))),
    )
    const failed = results.filter((one) => one.status === 'rejected').map(({ reason }) => reason as Error)
    if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed, messagesOf(failed))
  }
}

const messagesOf = (errors: readonly Error[]): string => errors.map(({ message }) => message).join('; ')

async function sendPurge(
  name: string,
  call: Call,
  tags: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { most, url, method, put, isDone } = call
  for (let from = 0; from < tags.length; from += most) {
    const limit = AbortSignal.timeout(timeout)
    const { headers, body } = put(tags.slice(from, from + most))
    const answer = await fetch(url, {
      method,
      headers: { ...call.headers, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const done = answer.ok && (isDone === undefined || (await isDone(answer)))
    await answer.body?.cancel().catch(() => {})
    if (!done) throw new Error(`A purge: ${name} answered ${answer.status}`)
  }
}

function callOf(address: CacheAddress, hosts: typeof apiHosts): Call {
  if (address.kind === 'fastly') return fastly(address, hosts.fastly)
  return address.kind === 'cloudflare' ? cloudflare(address, hosts.cloudflare) : varnish(address)
}

type Of<Kind> = Extract<CacheAddress, { kind: Kind }>

/**
 * Tags in the header `xkey`, separated by spaces: Varnish limits a header line to 8 kB, and a tag has at most 80
 * characters.
 */
const varnish = ({ url, authorization }: Of<'varnish'>): Call => ({
  most: 100,
  url,
  method: 'PURGE',
  headers: authorization === undefined ? {} : { authorization },
  put: (tags) => ({ headers: { xkey: tags.join(' ') } }),
})

const json = { accept: 'application/json', 'content-type': 'application/json' }

/**
 * https://www.fastly.com/documentation/reference/api/purging/: 256 keys per call; without `Fastly-Soft-Purge` nothing
 * stays stale.
 */
const fastly = ({ service, token }: Of<'fastly'>, host: string): Call => ({
  most: 256,
  url: `${host}/service/${service}/purge`,
  method: 'POST',
  headers: { ...json, 'fastly-key': token },
  put: (tags) => ({ body: JSON.stringify({ surrogate_keys: tags }) }),
})

/** https://developers.cloudflare.com/cache/how-to/purge-cache/: 100 tags per call; calls are limited by the plan. */
const cloudflare = ({ zone, token }: Of<'cloudflare'>, host: string): Call => ({
  most: 100,
  url: `${host}/zones/${zone}/purge_cache`,
  method: 'POST',
  headers: { ...json, authorization: `Bearer ${token}` },
  put: (tags) => ({ body: JSON.stringify({ tags }) }),
  isDone: async (answer) => ((await answer.json().catch(() => ({}))) as { success?: boolean }).success === true,
})

/** As long as the CDN trusts responses that were in flight when a purge arrived (deploy/varnish/standfirst.vcl). */
const repeatAfter = 1000
/** Purges within this time are sent together: at most four more calls a second. */
const gathering = 250

export interface PurgeRepeater {
  readonly purge: Purge
  /** Waits for pending repetitions. */
  stop(): Promise<void>
}

/**
 * Repeats each purge a second later: a response that was read before a change and reaches the cache after its purge
 * would stay for its 30 s. Only the first purge decides whether the job succeeded.
 */
export function repeatPurges(
  purge: Purge,
  onTrouble: (error: unknown) => void,
  wait: (milliseconds: number) => Promise<unknown> = pause,
): PurgeRepeater {
  const pending = new Set<Promise<void>>()
  let batch: Set<string> | undefined

  async function purgeAgain(tags: Set<string>): Promise<void> {
    await wait(gathering)
    batch = undefined
    await wait(repeatAfter)
    await purge([...tags]).catch(onTrouble)
  }

  function schedule(tags: readonly string[]): void {
    if (batch === undefined) {
      batch = new Set()
      const again = purgeAgain(batch)
      pending.add(again)
      void again.finally(() => pending.delete(again))
    }
    for (const tag of tags) batch.add(tag)
  }

  return {
    purge: async (tags, signal) => {
      await purge(tags, signal)
      if (tags.length > 0) schedule(tags)
    },
    stop: async () => void (await Promise.all(pending)),
  }
}

/** Positions remembered between tries of a job: ten minutes at 25 changes a second. */
const mostRemembered = 16_384

/**
 * Purges once every replica has the change, so that no cache is filled with the old version. If one is late, purges
 * anyway and fails, so that the job is retried.
 */
export function purgeAfterReplay(purge: Purge, db: Database, replicas: Replicas) {
  const positions = createLru<Position>(mostRemembered)
  return async (tags: readonly string[], { id, signal }: { readonly id: string; readonly signal: AbortSignal }) => {
    if (replicas.count === 0) return purge(tags, signal)
    const position = positions.get(id) ?? (await positionNow(db))
    const isEverywhere = await replicas.have(position)
    await purge(tags, signal)
    if (isEverywhere) return
    // The next try is about the same change, whatever was written since.
    positions.set(id, position, 1)
    throw new Error('Purged, but a replica has not replayed the change yet: it will be purged again')
  }
}

async function positionNow(db: Database): Promise<Position> {
  const [row] = await db.run<{ position: string }>({ text: 'select pg_current_wal_flush_lsn() as position' })
  return readPosition(row!.position)!
}
