import type { Config } from '#config/config.ts'
import { instanceName, type Logger } from '#platform/observability/log.ts'
import { startTracing } from '#platform/observability/tracing.ts'

const timeout = 20_000

/** Shuts down gracefully on the first signal; exits immediately on the second, or when it takes too long. */
export function announceShutdown(log: Logger, stop: () => Promise<unknown>, delay = 0): void {
  let isStopping = false
  const stopOnce = async (signal: string) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ event: 'stopping', signal })
    setTimeout(() => process.exit(1), delay + timeout).unref()
    await stop()
    log.info({ event: 'stopped' })
    log.flush()
  }
  process.on('SIGTERM', stopOnce)
  process.on('SIGINT', stopOnce)
}

/** Called before anything that could be traced is built; undefined without a collector. */
export function traceBy(config: Config): { stop(): Promise<void> } | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config
  if (endpoint === undefined) return undefined
  return startTracing({
    endpoint,
    headers,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      'service.name': config.OTEL_SERVICE_NAME,
      'service.instance.id': instanceName(config.INSTANCE),
    },
  })
}
