import fastify from 'fastify'
import { healthRoutes } from '#doors/health/routes.ts'
import type { Config } from '#platform/config.ts'
import { handleErrors } from '#platform/http/errors.ts'
import type { Logger } from '#platform/observability/log.ts'
import { processRegistry } from '#platform/observability/metrics.ts'
import type { Worker } from './worker.ts'

/** A worker alone serves nobody but those who watch it. Answers how to close. */
export async function openForMonitors(
  { HOST, WORKER_PORT }: Config,
  log: Logger,
  { databases }: Worker,
  isClosing: () => boolean,
): Promise<() => Promise<void>> {
  if (WORKER_PORT === 0) return async () => {}
  const app = fastify({ requestTimeout: 10_000, forceCloseConnections: true })
  handleErrors(app)
  await app.register(healthRoutes, { databases, metrics: { registry: processRegistry() }, isClosing })
  const address = await app.listen({ host: HOST, port: WORKER_PORT })
  log.info({ event: 'listening', address })
  return () => app.close()
}
