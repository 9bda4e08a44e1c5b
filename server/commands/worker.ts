import type { Config } from '#config/config.ts'
import { processRegistry } from '#features/metrics.ts'
import { buildAdmin, listenForAdmin } from '#main/app.ts'
import { startWorker, type Worker } from '#main/worker.ts'
import { WrongConnection } from '#platform/db/access.ts'
import { QueueNotReady } from '#platform/jobs/queue.ts'
import { createLog, type Logger } from '#platform/observability/log.ts'
import { CommandError } from './command-support.ts'
import { announceShutdown, traceBy } from './lifecycle.ts'

/** Runs only the jobs. */
export async function work(config: Config): Promise<void> {
  const log = createLog(config.LOG_LEVEL, config.INSTANCE)
  const tracing = traceBy(config)
  const worker = await startWork(config, log)
  let isClosing = false
  const metrics = { registry: processRegistry(config.INSTANCE) }
  const admin = buildAdmin({ databases: worker.databases, metrics, isClosing: () => isClosing })
  // Before the `working` event is seen: a supervisor that waits for it may send a signal at once.
  announceShutdown(log, async () => {
    isClosing = true
    await worker.stop()
    await (await admin).close()
    await tracing?.stop()
  })
  try {
    const address = await listenForAdmin(await admin, config)
    if (address) log.info({ event: 'listening', admin: address })
  } catch (error) {
    await worker.stop()
    throw error
  }
}

export async function startWork(config: Config, log: Logger): Promise<Worker> {
  try {
    return await startWorker(config, log)
  } catch (error) {
    throw error instanceof QueueNotReady || error instanceof WrongConnection ? new CommandError(error.message) : error
  }
}
