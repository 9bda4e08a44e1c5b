import type { Logger } from '#platform/observability/log.ts'

const longest = 20_000

/** When told to end, a process says goodbye once, in its own time; told twice, or too slow, it ends at once. */
export function announceShutdown(log: Logger, goodbye: () => Promise<unknown>, delay = 0): void {
  let leaving = false
  const leave = async (signal: string) => {
    if (leaving) process.exit(1)
    leaving = true
    log.info({ event: 'leaving', signal })
    setTimeout(() => process.exit(1), delay + longest).unref()
    await goodbye()
    log.info({ event: 'left' })
    log.flush()
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
}
