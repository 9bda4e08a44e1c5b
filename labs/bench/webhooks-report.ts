import type { WebhooksResult } from './webhooks.ts'

interface Drawing {
  fixed(value: number, digits?: number): string
  row(cells: readonly string[]): string
  head(cells: readonly string[]): string
}

/** Three small tables: how many, how soon, and how soon beside servers that fail. */
export function webhooksSection(measured: WebhooksResult, when: string, { fixed, row, head }: Drawing): string {
  const { throughput, neighbours, idle } = measured
  const { quiet, sick } = neighbours
  const rate = (name: string, one: { readonly rate: number; readonly processor: number }) =>
    row([name, fixed(one.rate), fixed(one.processor, 2)])
  const times = sick.p99 / quiet.p99
  return `## Webhooks

One worker process. Measured ${when}. The bars are 500 deliveries a second, a first attempt within a second (p95) in a site where nothing else happens, and twice the p99 of the quiet site for writers whose neighbours' servers fail.

${head([
  `${fixed(throughput.deliveries)} deliveries of ${fixed(throughput.writers)} writers`,
  'a second',
  'processor time of each, ms',
])}${rate('ours', throughput.ours)}${rate('undici alone, a connection for each, as ours', throughput.fresh)}${rate(
  'undici alone, connections kept',
  throughput.kept,
)}
PostgreSQL spends ${fixed(throughput.database, 2)} ms on each of ours.

${head(['from publication to first attempt', 'p50, ms', 'p95, ms', 'p99, ms', 'most, ms'])}${row([
  `idle site, ${fixed(idle.publications)} publications`,
  fixed(idle.p50),
  fixed(idle.p95),
  '',
  fixed(idle.most),
])}${row([`50 writers of 100, all well`, fixed(quiet.p50), '', fixed(quiet.p99), ''])}${row([
  `the same 50, the others' servers sick (${fixed(times, 2)} times)`,
  fixed(sick.p50),
  '',
  fixed(sick.p99),
  '',
])}`
}
