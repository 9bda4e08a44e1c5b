import type { Config } from '#config/config.ts'
import { type Failing, maxFailingListed, readWebhookStats, type WebhookStats } from '#features/webhooks/stats.ts'
import { cliTranslator } from '#messages/cli.ts'
import { asOwner } from './command-support.ts'
import { formatDuration, formatMinute } from './format.ts'

const t = cliTranslator()

/** `standfirst webhook status`: where to look when a webhook is not called. */
export async function status(config: Config): Promise<void> {
  const stats = await asOwner(config, readWebhookStats)
  for (const line of linesOf(stats)) console.log(line)
}

function* linesOf({ webhooks, backlog, waiting, held, late, attempts, failing }: WebhookStats): Generator<string> {
  yield t('cli.webhook.states', { counts: listed(webhooks.map(({ state, count }) => [count, state])) })
  const underWay = backlog.reduce((total, { under_way }) => total + under_way, 0)
  yield t('cli.webhook.to_send', { waiting, sending: underWay, held })
  for (const { endpoints, ready, longest } of backlog) {
    if (ready > 0) yield t('cli.webhook.backlog', { endpoints, count: ready, time: formatDuration(longest) })
  }
  yield late === 0 ? t('cli.webhook.none_late') : t('cli.webhook.late', { count: late, page: 'docs/operations.md' })
  yield attempts.length === 0
    ? t('cli.webhook.no_attempts')
    : t('cli.webhook.attempts', { counts: listed(attempts.map(({ outcome, count }) => [count, outcome])) })
  if (failing.length === 0) return
  yield ''
  yield t('cli.webhook.failing')
  for (const one of failing.slice(0, maxFailingListed)) yield lineOf(one)
  if (failing.length > maxFailingListed) yield t('cli.webhook.more_failing')
}

const listed = (counts: readonly (readonly [number, string])[]): string =>
  counts.map(([count, name]) => `${count} ${name}`).join(', ')

const lineOf = ({ slug, host, state, since, failures, last }: Failing): string =>
  [
    ...[slug, host, state, t('cli.webhook.failing_since', { time: formatMinute(since) })],
    ...[t('cli.webhook.failures', { count: failures }), last ?? t('cli.webhook.never_tried')],
  ].join('\t')
