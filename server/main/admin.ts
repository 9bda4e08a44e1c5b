import fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '#config/config.ts'
import { type HealthRoutesContext, healthRoutes } from '#http/health/routes.ts'
import { handleErrors } from '#platform/http/errors.ts'
import { requestIdOf } from '#platform/observability/requests.ts'

/** Health, readiness and metrics of a process on a separate port, which readers cannot reach. */
export async function buildAdmin(health: HealthRoutesContext): Promise<FastifyInstance> {
  const admin = fastify({ requestTimeout: 10_000, forceCloseConnections: true, genReqId: requestIdOf })
  handleErrors(admin)
  await admin.register(healthRoutes, health)
  return admin
}

/** The address; undefined if `ADMIN_PORT` is 0. */
export async function listenForAdmin(
  admin: FastifyInstance,
  { ADMIN_HOST: host, ADMIN_PORT: port }: Config,
): Promise<string | undefined> {
  return port === 0 ? undefined : await admin.listen({ host, port })
}
