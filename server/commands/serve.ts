import { buildApp } from '#app.ts'
import type { DoorName } from '#door-names.ts'
import type { Config } from '#platform/config.ts'
import { createLog } from '#platform/observability/log.ts'
import { beginWork } from './worker.ts'

const longestFarewell = 20_000

export interface Serving {
  readonly doors: readonly DoorName[]
  /** Also runs the jobs, in this process. */
  readonly worker?: true
}

export async function serve(config: Config, { doors, worker: works }: Serving): Promise<void> {
  const log = createLog(config.LOG_LEVEL)
  const worker = works ? await beginWork(config, log) : undefined
  const app = await buildApp(config, log, doors)
  const address = await app.listen({ host: config.HOST, port: config.PORT }).catch(async (error) => {
    await Promise.all([worker?.stop(), app.close()])
    throw error
  })
  log.info({ event: 'listening', address, base: config.BASE_URL, doors })

  let leaving = false
  const leave = async (signal: string) => {
    if (leaving) process.exit(1)
    leaving = true
    log.info({ event: 'leaving', signal })
    setTimeout(() => process.exit(1), config.SHUTDOWN_DELAY * 1000 + longestFarewell).unref()
    app.startLeaving()
    const workDone = worker?.stop().catch((err) => log.error({ event: 'failed', err }))
    await new Promise((resolve) => setTimeout(resolve, config.SHUTDOWN_DELAY * 1000))
    await Promise.all([app.close(), workDone])
    log.info({ event: 'left' })
    log.flush()
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
}
