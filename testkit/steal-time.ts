import { readFileSync } from 'node:fs'

/** What other guests of the same host took of this machine's processors: where that is much, times say little. */
export interface Stolen {
  /** In words, of the whole time and of its worst ten seconds. */
  told(): string
}

const every = 10_000

/** Of /proc/stat's first line: user, nice, system, idle, iowait, irq, softirq, steal. */
function readTimes(): { all: number; stolen: number } {
  const times = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).slice(1, 9).map(Number)
  return { all: times.reduce((sum, one) => sum + one, 0), stolen: times[7] ?? 0 }
}

export function watchStolen(): Stolen {
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
    told: () => {
      clearInterval(timer)
      return `Others took ${percent(shareSince(first))} of this machine's processors meanwhile, ${percent(Math.max(worst, shareSince(last)))} in the worst ten seconds.`
    },
  }
}
