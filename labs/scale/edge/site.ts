import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { seedSite } from '../../../server/seed/seed.ts'
import { type DeskRequest, type DeskWriter, makeWriters } from '../../../testkit/desk-client.ts'
import { startVarnish, type Varnish } from '../../../testkit/engines/edge.ts'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { createSiteDatabase, startPrimary, startReplica } from '../../../testkit/engines/postgres.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import type { Length } from '../site.ts'

/** A site behind its edge: Varnish, a server, a worker, primary and replica. */
export interface EdgeSite {
  readonly edge: Varnish
  readonly server: SiteProcess
  readonly admin: pg.Pool
  /** REST addresses of its seeded pieces, the most read first. */
  readonly pieces: readonly string[]
}

let built: Promise<EdgeSite> | undefined

/** One for all proofs of a run: filling it takes longest. */
export const edgeSite = (length: Length): Promise<EdgeSite> => (built ??= build(length === 'short' ? 5_000 : 100_000))

async function build(count: number): Promise<EdgeSite> {
  const began = performance.now()
  const log = `${scratchFolder('edge')}/log`
  const primary = await startPrimary()
  const { admin, name, urlOf } = await createSiteDatabase(primary)
  const env = { DATABASE_URL: urlOf() }
  await seedSite(env.DATABASE_URL, {
    authors: 40 + count / 100,
    pieces: count,
    rng: 1,
    until: new Date(),
    unfiled: true,
  })
  // No searches here, so indexing is disabled by a lease that never ends.
  await admin.query("update search.lease set until = 'infinity'")
  const replica = await startReplica(primary, 'replica')
  const reading = { ...env, REPLICA_DATABASE_URL: replica.urlOf(name, 'svc_public') }
  const server = await startServer({ env: reading, log })
  const edge = await startVarnish({ backends: [server, server] })
  await startWorker({ env: { ...reading, PURGE_URL: edge.purgeUrl, BASE_URL: server.base }, log })
  const { rows } = await admin.query<{ id: string }>('select id from pub.pieces order by md5(id::text)')
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`A site of ${rows.length} pieces behind its edge, in ${seconds} s; log: ${log}`)
  return { edge, server, admin, pieces: rows.map(({ id }) => `/api/public/pieces/${id}`) }
}

/** A writer who publishes at a steady rate at the desk, with a preview before each piece. */
export interface Publishing {
  readonly done: number
  readonly failed: number
  stop(): Promise<void>
}

export async function keepPublishing(
  admin: pg.Pool,
  ask: DeskRequest,
  aSecond: number,
  seconds: number,
): Promise<Publishing> {
  const writers = await makeWriters(admin, aSecond, seconds + 5, { name: 'steady' })
  const under = new Set<Promise<void>>()
  let [done, failed, turn] = [0, 0, 0]
  const publish = async (writer: DeskWriter) => {
    const id = writer.drafts.pop()
    if (id === undefined) return
    if (await act(ask, writer, id, 'publish')) done += 1
    else failed += 1
  }
  const timer = setInterval(() => {
    const one = publish(writers[turn % writers.length]!)
    turn += 1
    under.add(one)
    void one.finally(() => under.delete(one))
  }, 1000 / aSecond)
  return {
    get done() {
      return done
    },
    get failed() {
      return failed
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all(under)
    },
  }
}

/** A busy site answers 503; publishing is retried. */
const mostTries = 10

/** Whether it was done. */
export async function act(
  ask: DeskRequest,
  writer: DeskWriter,
  id: string,
  name: 'publish' | 'unpublish',
): Promise<boolean> {
  const post = (path: string, payload?: object) => ask(writer, 'POST', `pieces/${id}/${path}`, payload)
  for (let tries = 1; tries <= mostTries; tries += 1) {
    if (tries > 1) await pause(500)
    const seen = name === 'publish' ? { nonce: (await post('preview')).body?.nonce } : undefined
    if ((await post(name, seen)).status === 200) return true
  }
  return false
}

/** Reads one address at an even pace, whatever the answers, and remembers when each status was last asked for. */
export interface Watch {
  /** When the last request began that was answered so; -Infinity where none was. */
  lastOf(status: number): number
  readonly asked: number
  readonly failures: readonly string[]
  stop(): Promise<void>
}

export function watch(url: string, aSecond: number): Watch {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const last = new Map<number, number>()
  const failures: string[] = []
  const under = new Set<Promise<void>>()
  let asked = 0

  function ask(): Promise<void> {
    const began = performance.now()
    asked += 1
    return new Promise((resolve) => {
      get(url, { agent }, (answer) => {
        answer.resume()
        const { statusCode = 0 } = answer
        last.set(statusCode, Math.max(last.get(statusCode) ?? Number.NEGATIVE_INFINITY, began))
        answer.once('close', resolve)
      }).once('error', (error) => {
        failures.push(error.message)
        resolve()
      })
    })
  }

  const begin = performance.now()
  const timer = setInterval(() => {
    for (const due = ((performance.now() - begin) * aSecond) / 1000; asked < due; ) {
      const one = ask()
      under.add(one)
      void one.finally(() => under.delete(one))
    }
  }, 2)
  return {
    lastOf: (status) => last.get(status) ?? Number.NEGATIVE_INFINITY,
    get asked() {
      return asked
    },
    failures,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(under)
      agent.destroy()
    },
  }
}
