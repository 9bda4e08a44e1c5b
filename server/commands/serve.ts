import type { Config } from '#config/config.ts'
import type { SurfaceName } from '#config/required-settings.ts'
import { type App, buildApp, listenForAdmin } from '#main/app.ts'
import { WrongConnection } from '#platform/db/access.ts'
import { createLog, type Logger } from '#platform/observability/log.ts'
import { CommandError } from './command-support.ts'
import { announceShutdown, traceBy } from './lifecycle.ts'

export interface Serving {
  readonly surfaces: readonly SurfaceName[]
  /** Also run jobs in this process. */
  readonly worker?: true
}

export async function serve(config: Config, { surfaces, worker: works }: Serving): Promise<void> {
  const log = createLog(config.LOG_LEVEL, config.INSTANCE)
  const tracing = traceBy(config)
  // Loaded on demand: a server without jobs is smaller and starts faster.
  const worker = works ? await (await import('./worker.ts')).startWork(config, log) : undefined
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
  const stop = async () => {
    app.startShutdown()
    const workDone = worker?.stop().catch((err) => log.error({ event: 'failed', err }))
    await new Promise((resolve) => setTimeout(resolve, delay))
    await Promise.all([app.close(), workDone])
    await tracing?.stop()
  }
  // Before the `listening` event: a supervisor that waits for it may send a signal at once.
  announceShutdown(log, stop, delay)
  log.info({ event: 'listening', address, admin, base: config.BASE_URL, surfaces })
  await warnIfNotReady(app, log)
}

/** While this is so the process is not ready and gets no traffic; `/readyz` reports it too. */
async function warnIfNotReady(app: App, log: Logger): Promise<void> {
  const { statusCode, body } = await app.admin.inject('/readyz')
  if (statusCode !== 200) log.warn({ event: 'not_ready', message: JSON.parse(body).detail })
}
