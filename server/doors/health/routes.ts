import type { FastifyPluginAsync } from 'fastify'
import type { Database } from '#platform/db/database.ts'
import { overloaded } from '#platform/errors.ts'
import type { Metrics } from '#platform/observability/metrics.ts'

export interface HealthDoor {
  readonly databases: readonly Database[]
  readonly metrics: Pick<Metrics, 'registry'>
  readonly isClosing: () => boolean
}

/** What says that a pool can do its work: the public one can see what it is there to show. */
const questions: Readonly<Record<string, string>> = { public: 'select 1 from pub.pieces limit 1' }

/** For load balancers and monitors. Keep /metrics behind the edge: it tells how busy the house is. */
export const healthRoutes: FastifyPluginAsync<HealthDoor> = async (app, { databases, metrics, isClosing }) => {
  const schema = { hide: true } as object

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').removeHeader('access-control-allow-origin')
  })

  app.get('/healthz', { schema }, async () => ({ ok: true }))

  app.get('/readyz', { schema }, async () => {
    if (isClosing()) throw overloaded('This process is shutting down.')
    await Promise.all(databases.map((database) => database.run({ text: questions[database.name] ?? 'select 1' })))
    return { ok: true }
  })

  app.get('/metrics', { schema }, async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}
