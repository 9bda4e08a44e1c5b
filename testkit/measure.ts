import { readFileSync } from 'node:fs'

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** CPU steal time of this machine: if it is high, measured times mean little. */
export interface StealTime {
  /** A sentence with the overall share and the worst ten seconds. */
  summary(): string
}

const every = 10_000

/** Of /proc/stat's first line: user, nice, system, idle, iowait, irq, softirq, steal. */
function readTimes(): { all: number; stolen: number } {
  const times = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).slice(1, 9).map(Number)
  return { all: times.reduce((sum, one) => sum + one, 0), stolen: times[7] ?? 0 }
}

export function watchStealTime(): StealTime {
  const first = readTimes()
  let last = first
  let worst = 0
  const shareSince = (then: ReturnType<typeof readTimes>, now = readTimes()) =>
    now.all > then.all ? (now.stolen - then.stolen) / (now.all - then.all) : 0
  const timer = setInterval(() => {
    const now = readTimes()
    worst = Math.max(worst, shareSince(last, now))
    last = now
  }, every).unref()
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`
  return {
    summary: () => {
      clearInterval(timer)
      return `Others took ${percent(shareSince(first))} of this machine's processors meanwhile, ${percent(Math.max(worst, shareSince(last)))} in the worst ten seconds.`
    },
  }
}

export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export const percentilesOf = (values: readonly number[]): Percentiles => ({
  p50: percentile(values, 0.5),
  p95: percentile(values, 0.95),
  p99: percentile(values, 0.99),
  max: percentile(values, 1),
})
