import type { Config } from '#platform/config.ts'
import { instanceName } from '#platform/observability/log.ts'
import { startTracing } from '#platform/observability/tracing.ts'

/** Before anything is built that could be traced; nothing where no collector is named. */
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
