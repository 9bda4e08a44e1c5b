import type { FastifyPluginAsync } from 'fastify'
import type { Metrics } from '#features/metrics.ts'
import type { Database } from '#platform/db/database.ts'
import { overloaded } from '#platform/errors.ts'
import { compatibilityOf, incompatibilityOf } from '#sql/migrate.ts'

export interface HealthRoutesContext {
  readonly databases: readonly Database[]
  readonly metrics: Pick<Metrics, 'registry'>
  readonly isClosing: () => boolean
}

/** Probe queries that prove a pool can do its work: the public one must see published pieces. */
const probeQueries: Readonly<Record<string, string>> = { public: 'select 1 from pub.pieces limit 1' }

/**
 * Checks that the database fits this release, once, since all pools lead to it or to a replica; then each pool. Load
 * balancers ask twice a second.
 */
async function assertReady(databases: readonly Database[]): Promise<void> {
  const [first] = databases
  const misfit = first && incompatibilityOf(await compatibilityOf((query) => first.run(query)))
  if (misfit) throw overloaded(misfit)
  await Promise.all(databases.map((database) => database.probe(probeQueries[database.name] ?? 'select 1')))
}

/** Pools of the surfaces that can write; all others only read. */
const poolsOf: Readonly<Record<string, readonly string[]>> = { write: ['api'], desk: ['desk', 'export'] }

/** The pools a surface needs; all pools if none is named. */
function poolsForSurface(context: string | undefined, databases: readonly Database[]): readonly Database[] {
  if (context === undefined) return databases
  const others = Object.values(poolsOf).flat()
  return databases.filter(({ name }) => poolsOf[context]?.includes(name) ?? !others.includes(name))
}

/** For load balancers and monitors, at `ADMIN_PORT`: it reveals how busy the site is. */
export const healthRoutes: FastifyPluginAsync<HealthRoutesContext> = async (app, { databases, metrics, isClosing }) => {
  const schema = { hide: true } as object

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin')
  })

  app.get('/healthz', { schema }, async () => ({ ok: true }))

  // Per surface, so that reads from a replica stay available while the primary is down.
  app.get<{ Querystring: { surface?: string } }>('/readyz', { schema }, async ({ query: { surface } }) => {
    if (isClosing()) throw overloaded('This process is shutting down.')
    const asked = poolsForSurface(typeof surface === 'string' ? surface : undefined, databases)
    await assertReady(asked)
    return { ok: true }
  })

  app.get('/metrics', { schema }, async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}
