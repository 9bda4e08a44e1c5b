import { listenForAdmin } from '#admin.ts'
import { buildApp } from '#app.ts'
import type { DoorName } from '#door-names.ts'
import type { Config } from '#platform/config.ts'
import { createLog } from '#platform/observability/log.ts'
import { sayFarewell } from './farewell.ts'
import { traceBy } from './tracing.ts'
import { beginWork } from './worker.ts'

export interface Serving {
  readonly doors: readonly DoorName[]
  /** Also runs the jobs, in this process. */
  readonly worker?: true
}

export async function serve(config: Config, { doors, worker: works }: Serving): Promise<void> {
  const log = createLog(config.LOG_LEVEL, config.INSTANCE)
  const tracing = traceBy(config)
  const worker = works ? await beginWork(config, log) : undefined
  const app = await buildApp(config, log, doors)
  const listening = async () => ({
    admin: await listenForAdmin(app.admin, config),
    address: await app.listen({ host: config.HOST, port: config.PORT }),
  })
  const { admin, address } = await listening().catch(async (error) => {
    await Promise.all([worker?.stop(), app.close()])
    throw error
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
  sayFarewell(log, goodbye, delay)
  log.info({ event: 'listening', address, admin, base: config.BASE_URL, doors })
}
