import fastify, { type FastifyInstance } from 'fastify'
import { type HealthRoutesContext, healthRoutes } from '#http/health/routes.ts'
import type { Config } from '#platform/config.ts'
import { handleErrors } from '#platform/http/errors.ts'
import { requestIdOf } from '#platform/http/request-id.ts'

/** Health, readiness and metrics of a process, at a port of their own: no reader reaches them, however they ask. */
export async function buildAdmin(health: HealthRoutesContext): Promise<FastifyInstance> {
  const admin = fastify({ requestTimeout: 10_000, forceCloseConnections: true, genReqId: requestIdOf })
  handleErrors(admin)
  await admin.register(healthRoutes, health)
  return admin
}

/** The address, or nothing where `ADMIN_PORT` names none. */
export async function listenForAdmin(
  admin: FastifyInstance,
  { ADMIN_HOST: host, ADMIN_PORT: port }: Config,
): Promise<string | undefined> {
  return port === 0 ? undefined : await admin.listen({ host, port })
}
