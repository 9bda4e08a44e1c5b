import type { FastifyPluginAsync } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { misfitOf, releaseFitOf } from '#platform/db/release-fit.ts'
import { overloaded } from '#platform/errors.ts'
import type { Metrics } from '#platform/observability/metrics.ts'

export interface HealthDoor {
  readonly databases: readonly Database[]
  readonly metrics: Pick<Metrics, 'registry'>
  readonly isClosing: () => boolean
}

/** A pool can do its work if its database is of a release that this one fits, and the public one sees what it shows. */
async function demandReady(database: Database): Promise<void> {
  const misfit = misfitOf(await releaseFitOf((query) => database.run(query)))
  if (misfit) throw overloaded(misfit)
  await database.probe(database.name === 'public' ? 'select 1 from pub.pieces limit 1' : 'select 1')
}

/** Pools of the doors behind which something may change; all others are for readers. */
const poolsOf: Readonly<Record<string, readonly string[]>> = { write: ['api'], desk: ['desk', 'export'] }

/** Those that a door cannot do without; of all doors where none is named. */
function poolsBehind(door: string | undefined, databases: readonly Database[]): readonly Database[] {
  if (door === undefined) return databases
  const others = Object.values(poolsOf).flat()
  return databases.filter(({ name }) => poolsOf[door]?.includes(name) ?? !others.includes(name))
}

/** For load balancers and monitors, at `ADMIN_PORT`: it tells how busy the site is. */
export const healthRoutes: FastifyPluginAsync<HealthDoor> = async (app, { databases, metrics, isClosing }) => {
  const schema = { hide: true } as object

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin')
  })

  app.get('/healthz', { schema }, async () => ({ ok: true }))

  // By door, so that readers of a replica do not go without it while the primary is away.
  app.get<{ Querystring: { door?: string } }>('/readyz', { schema }, async ({ query: { door } }) => {
    if (isClosing()) throw overloaded('This process is shutting down.')
    const asked = poolsBehind(typeof door === 'string' ? door : undefined, databases)
    await Promise.all(asked.map(demandReady))
    return { ok: true }
  })

  app.get('/metrics', { schema }, async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}
