import type { Config } from '#config/config.ts'
import { type Failing, maxFailingListed, readWebhookStats, type WebhookStats } from '#features/webhooks/stats.ts'
import { asOwner } from './command-support.ts'

/** `standfirst webhook status`: where to look when a webhook is not called. */
export async function status(config: Config): Promise<void> {
  const stats = await asOwner(config, readWebhookStats)
  for (const line of linesOf(stats)) console.log(line)
}

function* linesOf({ webhooks, backlog, waiting, held, late, attempts, failing }: WebhookStats): Generator<string> {
  yield `Webhooks: ${listed(webhooks.map(({ state, count }) => [count, state]))}`
  const underWay = backlog.reduce((total, { under_way }) => total + under_way, 0)
  yield `To send: ${waiting} waiting, ${underWay} under way, ${held} held`
  for (const { endpoints, ready, longest } of backlog) {
    if (ready > 0) yield `In line where the server is ${endpoints}: ${ready}, the first for ${inWords(longest)}`
  }
  yield late === 0
    ? 'Late: none'
    : `Late: ${late} in line for more than a minute though the server answers. Is a worker running? docs/operations.md says what to do.`
  yield `Last hour: ${listed(attempts.map(({ outcome, count }) => [count, outcome])) || 'no attempts'}`
  if (failing.length === 0) return
  yield ''
  yield 'Failing or switched off, the longest first:'
  for (const one of failing.slice(0, maxFailingListed)) yield lineOf(one)
  if (failing.length > maxFailingListed) yield '… and more'
}

const listed = (counts: readonly (readonly [number, string])[]): string =>
  counts.map(([count, name]) => `${count} ${name}`).join(', ')

const lineOf = ({ slug, host, state, since, failures, last }: Failing): string =>
  [slug, host, state, `since ${since.toISOString().slice(0, 16)}Z`, `${failures} in a row`, last ?? 'never tried'].join(
    '\t',
  )

function inWords(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
