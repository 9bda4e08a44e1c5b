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

/**
 * Welch's t: whether two samples have the same mean. Above 4.5, the usual threshold of timing tests in cryptography, they
 * have not.
 */
export function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [momentsOf(one), momentsOf(other)]
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length)
}

export function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) }
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

/** CPU milliseconds of this work on the machine where the tests' limits were set. */
const usual = 50

/** A fixed workload like the site's: splitting and joining text. */
function work(): number {
  const before = process.cpuUsage()
  const words = Array.from({ length: 30_000 }, (_, number) => `word-${(number * 7919) % 10_007}`)
  const counts = new Map<string, number>()
  for (const word of JSON.parse(JSON.stringify(words)) as string[]) {
    const name = word.replace(/(\d)/g, '<$1>').toUpperCase()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  ;[...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** How many times slower this machine is now; 1 if equally fast. Multiply limits in milliseconds by this. */
export const slowness = (): number => Math.max(1, Math.min(...Array.from({ length: 7 }, work)) / usual)
