import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { createMetrics } from '../../server/features/metrics.ts'

/** Dashboard and alerts use only metrics and labels that the site exports. */

const folder = new URL('../../deploy/monitoring/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly do: string }
}
const rulesIn = (name: string): Rule[] => parse(read(name)).groups.flatMap((group: { rules: Rule[] }) => group.rules)
const rules = ['alerts.yaml', 'alerts-database.yaml'].flatMap(rulesIn)

interface Panel {
  readonly id: number
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly w: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}
const panels: Panel[] = JSON.parse(read('dashboard.json')).panels
// Grafana replaces it by a duration.
const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')))

/** Labels by the names that Prometheus knows; its own label `job` moves ours aside. */
const known = new Map<string, readonly string[]>()
for (const metric of createMetrics([]).registry.getMetricsAsArray()) {
  const { name, type, labelNames } = metric as unknown as { name: string; type: string; labelNames: string[] }
  const labels = ['job', 'instance', ...labelNames.map((label) => (label === 'job' ? 'exported_job' : label))]
  if (type !== 'histogram') known.set(name, labels)
  else
    for (const part of ['_bucket', '_count', '_sum'])
      known.set(name + part, part === '_bucket' ? [...labels, 'le'] : labels)
}
known.set('up', ['job', 'instance'])
// Metrics of the PostgreSQL machines: those deploy/pgbackrest/metrics writes, and those of node_exporter and Patroni,
// which `deploy/rehearse recovery` checks.
for (const [name] of readFileSync(new URL('../pgbackrest/metrics', folder), 'utf8').matchAll(/standfirst_\w+/g))
  known.set(name, ['instance', ...(name === 'standfirst_backup_finished_seconds' ? ['type'] : [])])
const disk = ['instance', 'device', 'fstype', 'mountpoint']
for (const [name, labels] of Object.entries({
  node_filesystem_avail_bytes: disk,
  node_filesystem_size_bytes: disk,
  node_textfile_mtime_seconds: ['instance', 'file'],
  node_systemd_unit_state: ['instance', 'name', 'state', 'type'],
  node_systemd_timer_last_trigger_seconds: ['instance', 'name'],
}))
  known.set(name, labels)
for (const name of [
  ...['postgres_running', 'primary', 'replica', 'sync_standby', 'dcs_last_seen'],
  ...['xlog_location', 'xlog_replayed_location'],
])
  known.set(`patroni_${name}`, ['job', 'instance', 'scope', 'name'])

interface Selector {
  readonly metric: string
  readonly labels: readonly string[]
}

/** The selectors of an expression; fails if Prometheus could not parse it. */
function understood(expr: string): { selectors: Selector[]; grouped: string[] } {
  const selectors: Selector[] = []
  const grouped: string[] = []
  parser.parse(expr).iterate({
    enter: ({ name, node, from, to, type }) => {
      assert.ok(!type.isError, `not PromQL at ${from}: ${expr}`)
      if (name === 'VectorSelector') {
        const identifier = node.getChild('Identifier')!
        const matchers = expr.slice(from, to).matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)
        selectors.push({
          metric: expr.slice(identifier.from, identifier.to),
          labels: [...matchers].map(([, label]) => label!),
        })
      }
      if (name === 'GroupingLabels') grouped.push(...(expr.slice(from, to).match(/\w+/g) ?? []))
    },
  })
  return { selectors, grouped }
}

test('every metric and label that dashboard and alerts ask for exists', () => {
  assert.ok(rules.length > 8 && asked.length > 12)
  for (const expr of [...rules.map((rule) => rule.expr), ...asked]) {
    const { selectors, grouped } = understood(expr)
    assert.ok(selectors.length > 0, expr)
    for (const { metric, labels } of selectors) {
      assert.ok(known.has(metric), `nobody measures ${metric}`)
      for (const label of [...labels, ...grouped])
        assert.ok(known.get(metric)!.includes(label), `${metric} has no ${label}`)
    }
  }
})

test('what is no PromQL, or names what is not there, would be noticed', () => {
  assert.throws(() => understood('sum(rate(up[5m])'), /not PromQL/)
  assert.deepEqual(understood('sum by (pool) (a_metric{state="x",pool=~"y"})'), {
    selectors: [{ metric: 'a_metric', labels: ['state', 'pool'] }],
    grouped: ['pool'],
  })
})

test('every metric of ours is on the dashboard', () => {
  const shown = new Set(asked.flatMap((expr) => understood(expr).selectors.map(({ metric }) => metric)))
  const ours = createMetrics([])
    .registry.getMetricsAsArray()
    .map(({ name }) => name)
  for (const name of ours.filter((one) => one.startsWith('standfirst_')))
    assert.ok(
      [name, `${name}_count`, `${name}_bucket`].some((part) => shown.has(part)),
      `${name} is not shown`,
    )
})

test('every panel says what it is, and every alert what happened and what to do', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const { title, description, targets, gridPos } of panels) {
    assert.ok(title && gridPos.x + gridPos.w <= 24)
    if (targets) assert.ok(description && targets.every(({ legendFormat }) => legendFormat), title)
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, labels, annotations } of rules) {
    assert.match(labels.severity, /^(page|ticket)$/, alert)
    assert.ok(annotations.summary && annotations.do, alert)
  }
})

const firings = ['alerts-test.yaml', 'alerts-fire-test.yaml', 'alerts-database-test.yaml']

test('every alert is fired once in a test', () => {
  interface Fired {
    readonly alertname: string
    readonly exp_alerts: readonly unknown[]
  }
  const fired = firings
    .flatMap((name) => parse(read(name), { merge: true }).tests)
    .flatMap(({ alert_rule_test }: { alert_rule_test: Fired[] }) => alert_rule_test)
    .filter(({ exp_alerts }) => exp_alerts.length > 0)
    .map(({ alertname }) => alertname)
  for (const { alert } of rules) assert.ok(fired.includes(alert), `${alert} is never fired`)
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test('Prometheus takes the rules, and they fire when they should', { skip: !hasPromtool && 'no promtool here' }, () => {
  for (const args of [
    ['check', 'config', 'prometheus.yaml'],
    ['check', 'config', 'prometheus-nodes.yaml'],
    ['test', 'rules', ...firings],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: fileURLToPath(folder), encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  }
})
