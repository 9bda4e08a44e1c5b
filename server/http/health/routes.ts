import type { FastifyPluginAsync } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { misfitOf, releaseFitOf } from '#platform/db/release-fit.ts'
import { overloaded } from '#platform/errors.ts'
import type { Metrics } from '#platform/observability/metrics.ts'

export interface HealthRoutesContext {
  readonly databases: readonly Database[]
  readonly metrics: Pick<Metrics, 'registry'>
  readonly isClosing: () => boolean
}

/** What says that a pool can do its work: the public one can see what it is there to show. */
const questions: Readonly<Record<string, string>> = { public: 'select 1 from pub.pieces limit 1' }

/**
 * The database is of a release that this one fits, which is asked once: all pools lead to it, or to a replica of it. A load
 * balancer asks twice a second.
 */
async function demandReady(databases: readonly Database[]): Promise<void> {
  const [first] = databases
  const misfit = first && misfitOf(await releaseFitOf((query) => first.run(query)))
  if (misfit) throw overloaded(misfit)
  await Promise.all(databases.map((database) => database.probe(questions[database.name] ?? 'select 1')))
}

/** Pools of the doors behind which something may change; all others are for readers. */
const poolsOf: Readonly<Record<string, readonly string[]>> = { write: ['api'], desk: ['desk', 'export'] }

/** Those that a context cannot do without; of all doors where none is named. */
function poolsBehind(context: string | undefined, databases: readonly Database[]): readonly Database[] {
  if (context === undefined) return databases
  const others = Object.values(poolsOf).flat()
  return databases.filter(({ name }) => poolsOf[context]?.includes(name) ?? !others.includes(name))
}

/** For load balancers and monitors, at `ADMIN_PORT`: it tells how busy the site is. */
export const healthRoutes: FastifyPluginAsync<HealthRoutesContext> = async (app, { databases, metrics, isClosing }) => {
  const schema = { hide: true } as object

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin')
  })

  app.get('/healthz', { schema }, async () => ({ ok: true }))

  // By context, so that readers of a replica do not go without it while the primary is away.
  app.get<{ Querystring: { surface?: string } }>('/readyz', { schema }, async ({ query: { surface } }) => {
    if (isClosing()) throw overloaded('This process is shutting down.')
    const asked = poolsBehind(typeof surface === 'string' ? surface : undefined, databases)
    await demandReady(asked)
    return { ok: true }
  })

  app.get('/metrics', { schema }, async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}
