/** What a load asks for, and what became of it. Both cross to the generator's process and back as JSON. */

export interface Kind {
  readonly name: string
  /** Of all requests, relative to the other kinds. */
  readonly share: number
  readonly method?: string
  /** Asked at random, all as often; or by Zipf's law, the first as the reader's `rank`-th. */
  readonly paths: readonly string[]
  readonly zipf?: { readonly exponent: number; readonly rank: number }
  /** Whole lines, such as `accept: text/html`. */
  readonly headers?: readonly string[]
  readonly body?: string
}

export interface Phase {
  readonly name: string
  readonly seconds: number
  /** Requests a second, whatever becomes of those before. */
  readonly rate: number
}

export interface Plan {
  readonly port: number
  /** What the Host header says; the address itself where it is left out. */
  readonly host?: string
  readonly kinds: readonly Kind[]
  /** One after the other, over the same connections. */
  readonly phases: readonly Phase[]
  /** At most so many at once. A request that finds none free waits, and its waiting counts. */
  readonly connections: number
  /** Milliseconds from the intended start after which a request has failed. */
  readonly patience?: number
  /** The same number, the same requests. */
  readonly seed?: number
}

/** Milliseconds from when a request was to start, not from when there was a connection for it. */
export interface Times {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Of the requests that were to start in a stretch of time. */
export interface Outcome {
  readonly asked: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** No answer, by why: `timeout`, `closed` in the middle or before it, or the error's code. */
  readonly failures: Readonly<Record<string, number>>
  /** Answers that an edge says it had (`X-Cache: hit`). */
  readonly hits: number
  /** 503 without Retry-After. */
  readonly rude: number
  /** Of answers below 500. */
  readonly admitted: Times
  /** Of 503. */
  readonly refused: Times
}

interface PhaseReport extends Outcome {
  readonly name: string
  readonly seconds: number
  readonly kinds: Readonly<Record<string, Outcome>>
}

export interface Report {
  readonly phases: readonly PhaseReport[]
  /** Second by second from the start, over all phases. */
  readonly timeline: readonly Outcome[]
  /** Milliseconds by which the generator itself was late with a request, at worst. */
  readonly latest: number
}
