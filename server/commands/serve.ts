import { listenForAdmin } from '#main/admin.ts'
import { type App, buildApp } from '#main/app.ts'
import type { SurfaceName } from '#main/surfaces.ts'
import type { Config } from '#platform/config.ts'
import { WrongConnection } from '#platform/db/verify.ts'
import { createLog, type Logger } from '#platform/observability/log.ts'
import { CommandError } from './command-error.ts'
import { announceShutdown } from './shutdown.ts'
import { traceBy } from './tracing.ts'

export interface Serving {
  readonly surfaces: readonly SurfaceName[]
  /** Also runs the jobs, in this process. */
  readonly worker?: true
}

export async function serve(config: Config, { surfaces, worker: works }: Serving): Promise<void> {
  const log = createLog(config.LOG_LEVEL, config.INSTANCE)
  const tracing = traceBy(config)
  // Loaded where it is wanted: a server without jobs is smaller and sooner ready.
  const worker = works ? await (await import('./worker.ts')).beginWork(config, log) : undefined
  const app = await buildApp(config, log, surfaces)
  const listening = async () => {
    await app.verifyDatabases()
    return {
      admin: await listenForAdmin(app.admin, config),
      address: await app.listen({ host: config.HOST, port: config.PORT }),
    }
  }
  const { admin, address } = await listening().catch(async (error) => {
    await Promise.all([worker?.stop(), app.close()])
    throw error instanceof WrongConnection ? new CommandError(error.message) : error
  })
  const delay = config.SHUTDOWN_DELAY * 1000
  const goodbye = async () => {
    app.startLeaving()
    const workDone = worker?.stop().catch((err) => log.error({ event: 'failed', err }))
    await new Promise((resolve) => setTimeout(resolve, delay))
    await Promise.all([app.close(), workDone])
    await tracing?.stop()
  }
  // Before it says that it is there: whoever waits for that may end it in the same moment.
  announceShutdown(log, goodbye, delay)
  log.info({ event: 'listening', address, admin, base: config.BASE_URL, surfaces })
  await tellOfMisfit(app, log)
}

/** It is not ready as long as this is so, and a load balancer sends nobody; `/readyz` says it, too. */
async function tellOfMisfit(app: App, log: Logger): Promise<void> {
  const { statusCode, body } = await app.admin.inject('/readyz')
  if (statusCode !== 200) log.warn({ event: 'not_ready', message: JSON.parse(body).detail })
}
