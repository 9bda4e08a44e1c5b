import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { seedSite } from '../../../server/seed/seed.ts'
import { runToEnd, scratchFolder } from '../../../testkit/engines/engine.ts'
import { type Postgres, startPrimary, startReplica } from '../../../testkit/engines/postgres.ts'
import { type Program, startServer, startWorker } from '../../../testkit/engines/site.ts'
import { startVarnish, type Varnish } from '../../../testkit/engines/varnish.ts'
import type { Length } from '../proof.ts'

const cli = fileURLToPath(new URL('../../../server/commands/cli.ts', import.meta.url))
const name = 'site'

/** A site behind its edge: Varnish, a server, a worker, primary and replica. */
export interface EdgeSite {
  readonly edge: Varnish
  readonly server: Program
  readonly primary: Postgres
  readonly admin: pg.Pool
  /** Addresses of its seeded pieces at the REST door, the most read first. */
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
  // Nobody searches here: workers leave filing to whoever has the lease.
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
