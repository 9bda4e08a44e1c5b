import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scratchFolder, startEngine } from '../engines/engine.ts'

const program = fileURLToPath(new URL('./generate.ts', import.meta.url))

/**
 * Asks as planned, in a process of its own: on one core where `core` names it. Up to some 10,000 requests a second; the
 * report's `latest` says whether the generator kept up.
 */
export async function load(plan: Plan, core?: number): Promise<Report> {
  const folder = scratchFolder('load')
  const [planned, reported, log] = ['plan.json', 'report.json', 'log'].map((name) => `${folder}/${name}`)
  writeFileSync(planned!, JSON.stringify(plan))
  const child = startEngine([process.execPath, program, planned!, reported!], {
    log: log!,
    ...(core === undefined ? {} : { core }),
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the generator ended with ${code}: ${readFileSync(log!, 'utf8').slice(-2000)}`)
  return JSON.parse(readFileSync(reported!, 'utf8'))
}

const count = (counts: Readonly<Record<string, number>>, isMeant: (name: string) => boolean): number =>
  Object.entries(counts).reduce((sum, [name, number]) => sum + (isMeant(name) ? number : 0), 0)

/** Answered with what was asked for, or why not: any status below 500. */
export const answeredOf = ({ statuses }: Outcome): number => count(statuses, (status) => Number(status) < 500)

/** A 5xx, a time-out, a connection that broke. */
export const failedOf = ({ statuses, failures }: Outcome): number =>
  count(statuses, (status) => Number(status) >= 500) + count(failures, () => true)

/** All failures except a 503 with Retry-After. */
export const brokenOf = ({ statuses, failures, withoutRetryAfter }: Outcome): number =>
  count(statuses, (status) => Number(status) >= 500 && status !== '503') +
  count(failures, () => true) +
  withoutRetryAfter

/** The plan of a load and its report. Both cross to the generator's process as JSON. */

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
  /** Maximum open connections. A request that finds none free waits, and its waiting counts. */
  readonly connections: number
  /** Milliseconds from the intended start after which a request has failed. */
  readonly timeout?: number
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
  readonly withoutRetryAfter: number
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
  readonly worstLag: number
}
