import { confidential, type Setting, text, wrong } from './setting.ts'

/** By the names that every program with OpenTelemetry has. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: confidential({
    about:
      'The collector that gets traces of requests, SQL, jobs and webhooks, by OTLP over HTTP as JSON, such as `http://127.0.0.1:4318`; `/v1/traces` is added. Without it nothing is traced.',
    fallback: '',
    parse: (given: string): string | undefined => {
      if (given === '') return undefined
      const url = URL.canParse(given) ? new URL(given) : undefined
      const isFit = url && /^https?:$/.test(url.protocol) && !url.username && !url.search
      return isFit ? given : wrong('http://… or https://…, without a password: headers carry it')
    },
  }),
  OTEL_EXPORTER_OTLP_HEADERS: confidential({
    about:
      'Headers for the collector, by commas: `authorization=Bearer%20…,x-team=web`. Values may be percent-encoded.',
    fallback: '',
    parse: (given: string): Readonly<Record<string, string>> =>
      Object.fromEntries(given.split(',').filter(Boolean).map(headerOf)),
  }),
  OTEL_TRACES_SAMPLER_ARG: {
    about:
      'Which share of traces is kept, from 0 to 1, by their ids: every process keeps the same. What its caller does not sample is not kept either.',
    fallback: '1',
    parse: (given: string): number =>
      /^(?:0|1|0?\.\d{1,9}|1\.0*)$/.test(given) ? Number(given) : wrong('a number from 0 to 1'),
  },
  OTEL_SERVICE_NAME: text('standfirst', 'What the service is called in traces.'),
} satisfies Record<string, Setting<unknown>>

function headerOf(pair: string): [string, string] {
  const [, name, value] = /^\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? wrong('name=value pairs, by commas')
  try {
    return [name!.toLowerCase(), decodeURIComponent(value!)]
  } catch {
    return wrong('name=value pairs, by commas')
  }
}
