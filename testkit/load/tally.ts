import type { Answer } from './connection.ts'
import type { Outcome, Times } from './plan.ts'

/** Latencies in classes that are 2 % wide: a percentile is right to that, in constant space. */
const width = Math.log(1.02)

class Latencies {
  readonly #classes: number[] = []
  #count = 0
  #max = 0

  add(milliseconds: number): void {
    const place = milliseconds <= 0.01 ? 0 : Math.ceil(Math.log(milliseconds / 0.01) / width)
    this.#classes[place] = (this.#classes[place] ?? 0) + 1
    this.#count += 1
    if (milliseconds > this.#max) this.#max = milliseconds
  }

  times(): Times {
    return { count: this.#count, p50: this.#percentile(0.5), p99: this.#percentile(0.99), max: this.#max }
  }

  #percentile(share: number): number {
    let left = Math.ceil(this.#count * share)
    for (const place of this.#classes.keys()) {
      left -= this.#classes[place] ?? 0
      if (left <= 0) return Math.min(0.01 * Math.exp(place * width), this.#max)
    }
    return 0
  }
}

/** What became of some requests. */
export class Tally {
  asked = 0
  readonly #statuses: Record<string, number> = {}
  readonly #failures: Record<string, number> = {}
  #rude = 0
  #hits = 0
  readonly #admitted = new Latencies()
  readonly #refused = new Latencies()

  answered({ status, saysWhenToRetry, isHit }: Answer, milliseconds: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    if (isHit) this.#hits += 1
    if (status < 500) this.#admitted.add(milliseconds)
    else if (status === 503) {
      this.#refused.add(milliseconds)
      if (!saysWhenToRetry) this.#rude += 1
    }
  }

  failed(why: string): void {
    this.#failures[why] = (this.#failures[why] ?? 0) + 1
  }

  outcome(): Outcome {
    return {
      asked: this.asked,
      statuses: this.#statuses,
      failures: this.#failures,
      hits: this.#hits,
      rude: this.#rude,
      admitted: this.#admitted.times(),
      refused: this.#refused.times(),
    }
  }
}
