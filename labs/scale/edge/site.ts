import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { seedSite } from '../../../server/seed/seed.ts'
import type { DeskRequest, DeskWriter } from '../../../testkit/desk-client.ts'
import { startVarnish, type Varnish } from '../../../testkit/engines/edge.ts'
import { runToEnd, scratchFolder } from '../../../testkit/engines/engine.ts'
import { type Postgres, startPrimary, startReplica } from '../../../testkit/engines/postgres.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import { makeDraft, makeWriter } from '../../../testkit/factories.ts'
import type { Length } from '../proof.ts'

const cli = fileURLToPath(new URL('../../../server/commands/cli.ts', import.meta.url))
const name = 'site'

/** A site behind its edge: Varnish, a server, a worker, primary and replica. */
export interface EdgeSite {
  readonly edge: Varnish
  readonly server: SiteProcess
  readonly primary: Postgres
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
  await primary.query('postgres', `create database ${name} encoding 'UTF8' locale 'C.UTF-8' template template0`)
  const env = { DATABASE_URL: primary.urlOf(name) }
  await runToEnd([process.execPath, cli, 'migrate'], env)
  await seedSite(env.DATABASE_URL, {
    authors: 40 + count / 100,
    pieces: count,
    rng: 1,
    until: new Date(),
    unfiled: true,
  })
  // No searches here, so indexing is disabled by a lease that never ends.
  await primary.query(name, "update search.lease set until = 'infinity'")
  const replica = await startReplica(primary, 'replica')
  const reading = { ...env, REPLICA_DATABASE_URL: replica.urlOf(name, 'svc_public') }
  const server = await startServer({ env: reading, log })
  const edge = await startVarnish({ backends: [server, server] })
  await startWorker({ env: { ...reading, PURGE_URL: edge.purgeUrl, BASE_URL: server.base }, log })
  const admin = new pg.Pool({ connectionString: primary.urlOf(name), max: 4 })
  admin.on('error', () => {})
  const { rows } = await admin.query<{ id: string }>('select id from pub.pieces order by md5(id::text)')
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`A site of ${rows.length} pieces behind its edge, in ${seconds} s; log: ${log}`)
  return { edge, server, primary, admin, pieces: rows.map(({ id }) => `/api/public/pieces/${id}`) }
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
  const writers = await makeWriters(admin, 'steady', aSecond, seconds + 5)
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

/** Writers with something to publish. No two runs of a proof may have the same name. */
export async function makeWriters(admin: pg.Pool, name: string, count: number, drafts: number): Promise<DeskWriter[]> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  return Promise.all(
    numbers.map(async (number) => {
      const writer = await makeWriter(admin, { slug: `${name}-${number}`, name: `${name} ${number}` })
      const made: string[] = []
      for (let draft = 0; draft < drafts; draft += 1) {
        made.push(
          await makeDraft(admin, writer, {
            headline: `Piece ${draft}`,
            body_md: 'It was morning.\n\nAnd then it was not.',
          }),
        )
      }
      return { ...writer, drafts: made }
    }),
  )
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
  for (let tries = 1; tries < mostTries; tries += 1) {
    if (await tryOnce(ask, writer, id, name)) return true
    await pause(500)
  }
  return tryOnce(ask, writer, id, name)
}

async function tryOnce(
  ask: DeskRequest,
  writer: DeskWriter,
  id: string,
  name: 'publish' | 'unpublish',
): Promise<boolean> {
  if (name === 'unpublish') return (await ask(writer, 'POST', `pieces/${id}/unpublish`)).status === 200
  const shown = await ask(writer, 'POST', `pieces/${id}/preview`)
  return (await ask(writer, 'POST', `pieces/${id}/publish`, { nonce: shown.body?.nonce })).status === 200
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
