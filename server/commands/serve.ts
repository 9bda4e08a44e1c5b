import { buildApp } from '#app.ts'
import type { Config } from '#platform/config.ts'
import { createLog } from '#platform/observability/log.ts'

const longestFarewell = 20_000

export async function serve(config: Config, doors: readonly string[]): Promise<void> {
  const log = createLog(config.LOG_LEVEL)
  const app = await buildApp(config, log, doors)
  const address = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ event: 'listening', address, base: config.BASE_URL, doors })

  let leaving = false
  const leave = async (signal: string) => {
    if (leaving) process.exit(1)
    leaving = true
    log.info({ event: 'leaving', signal })
    setTimeout(() => process.exit(1), config.SHUTDOWN_DELAY * 1000 + longestFarewell).unref()
    app.startLeaving()
    await new Promise((resolve) => setTimeout(resolve, config.SHUTDOWN_DELAY * 1000))
    await app.close()
    log.info({ event: 'left' })
    log.flush()
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
}
