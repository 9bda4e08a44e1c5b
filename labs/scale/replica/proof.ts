import { setTimeout as pause } from 'node:timers/promises'
import { requirePrograms } from '../../../testkit/engines/engine.ts'
import { percentile } from '../../../testkit/measure.ts'
import type { Length } from '../site.ts'
import { act, heldBackBy, type Look, type Placed, placedAt, readAnything, type Site, startSite } from './clients.ts'

/**
 * P21: replica lag is invisible. A read after an acknowledged change sees it, at a server with a prompt replica and at
 * one with a delayed replica; and the prompt replica still carries the reads.
 */

const sizes = {
  short: { acts: 300, steady: 5 },
  usual: { acts: 2_000, steady: 20 },
  long: { acts: 10_000, steady: 60 },
}
/** A reader may wait so long, in milliseconds, while a replica goes away. */
const longestRead = 2_000

export async function proveReplica(length: Length): Promise<boolean> {
  requirePrograms('setpriv', 'ps')
  const size = sizes[length]
  // Fewer than ten of each (see Piece in clients.ts), and fewer together than a list holds.
  const site = await startSite(6, 7)
  const verdicts = [
    await freshAtOnce(site, size.acts),
    await carriedByReplica(site, size.steady),
    await withoutReplica(site, length === 'short' ? 1 : 3),
  ]
  return verdicts.every(Boolean)
}

async function freshAtOnce(site: Site, wanted: number): Promise<boolean> {
  const start = performance.now()
  const { acts, refused, looks } = await act(site, wanted)
  const seconds = (performance.now() - start) / 1000
  console.log(
    `${acts} acts in ${seconds.toFixed(0)} s (${(acts / seconds).toFixed(0)} a second), ${refused} refused; ` +
      `one replica prompt, one held back by ${heldBackBy} s`,
  )
  for (const server of ['near', 'far'] as const)
    for (const withCookie of [true, false])
      tell(
        `  ${server}, ${withCookie ? 'with' : 'without'} cookie`,
        looks.filter((one) => one.server === server && one.withCookie === withCookie),
      )
  return refused === 0 && holds(looks)
}

/** Ten publications and as many retractions a second, and readers of everything. */
async function carriedByReplica(site: Site, seconds: number): Promise<boolean> {
  const before = await placedAt(site.near)
  const done = new AbortController()
  const [reads, { looks, acts }] = await Promise.all([
    load(site, seconds, done),
    act(site, Number.POSITIVE_INFINITY, (site.writers.length * 1000) / 20, done.signal),
  ])
  const { replica, primary, waited } = since(before, await placedAt(site.near))
  const share = replica / (replica + primary)
  const times = reads.near.map(({ ms }) => ms)
  console.log(
    `${(acts / 2 / seconds).toFixed(1)} publications a second, ${(times.length / seconds).toFixed(0)} readers a second: ` +
      `the prompt replica answered ${(share * 100).toFixed(1)} % of ${replica + primary}`,
  )
  console.log(`  waited for it: ${inWords(waited, replica + primary)}`)
  console.log(`  answers after ${at(times, 0.5)} ms, 99 of 100 within ${at(times, 0.99)} ms`)
  tell('  looked after each act', looks)
  const failed = [...reads.near, ...reads.far].filter(({ status }) => status !== 200).length
  if (failed > 0) console.log(`  ${failed} readers were refused`)
  return share >= 0.9 && failed === 0 && holds(looks)
}

/** The prompt replica freezes, crashes, is restarted; writers and readers go on, for some seconds after each. */
async function withoutReplica(site: Site, seconds: number): Promise<boolean> {
  const done = new AbortController()
  const faults = async () => {
    await pause(500)
    site.prompt.freeze()
    await pause(1500 + seconds * 1000)
    site.prompt.thaw()
    await pause(seconds * 1000)
    await site.prompt.stop('immediate')
    await pause(seconds * 1000)
    await site.prompt.start()
    await pause(seconds * 1000)
    await site.prompt.stop('fast')
    await site.prompt.start()
    await pause(seconds * 1000)
    done.abort()
  }
  const before = await placedAt(site.near)
  const [, reads, { looks, refused }] = await Promise.all([
    faults(),
    load(site, Number.POSITIVE_INFINITY, done),
    act(site, Number.POSITIVE_INFINITY, 200, done.signal),
  ])
  const all = [...reads.near, ...reads.far]
  const failed = all.filter(({ status }) => status !== 200).length
  const longest = Math.max(...all.map(({ ms }) => ms), ...looks.map(({ ms }) => ms))
  const { replica, primary } = since(before, await placedAt(site.near))
  console.log(
    `The prompt replica froze, crashed and was restarted: ${all.length} readers, ${failed} refused, the longest waited ` +
      `${longest.toFixed(0)} ms; ${replica} were answered by it, ${primary} by the primary; ${refused} acts refused`,
  )
  tell('  looked after each act', looks)
  return failed === 0 && longest <= longestRead && holds(looks)
}

interface Read {
  readonly status: number
  readonly ms: number
}

/** 100 readers a second at each server, whether they are answered or not. Ends what `done` is for. */
async function load({ near, far }: Site, seconds: number, done: AbortController) {
  const reads: { near: Promise<Read>[]; far: Promise<Read>[] } = { near: [], far: [] }
  const end = performance.now() + seconds * 1000
  for (let tick = performance.now(); tick < end && !done.signal.aborted; tick += 10) {
    await pause(Math.max(0, tick - performance.now()))
    reads.near.push(readAnything(near.base))
    reads.far.push(readAnything(far.base))
  }
  done.abort()
  return { near: await Promise.all(reads.near), far: await Promise.all(reads.far) }
}

const holds = (looks: readonly Look[]): boolean => looks.every(({ found }) => found === 'as it is')

function tell(whose: string, looks: readonly Look[]): void {
  const times = looks.map(({ ms }) => ms)
  const count = (found: Look['found']) => looks.filter((one) => one.found === found).length
  console.log(
    `${whose}: ${looks.length} looks, ${count('stale')} stale, ${count('failed')} failed; after ${at(times, 0.5)} ms, ` +
      `99 of 100 within ${at(times, 0.99)} ms`,
  )
  for (const one of looks.filter(({ found }) => found !== 'as it is').slice(0, 5))
    console.log('    ', JSON.stringify(one))
}

const at = (times: readonly number[], share: number): string => percentile(times, share).toFixed(0)

const since = (before: Placed, now: Placed): Placed => ({
  replica: now.replica - before.replica,
  primary: now.primary - before.primary,
  waited: now.waited.map(({ atMost, count }, place) => ({ atMost, count: count - (before.waited[place]?.count ?? 0) })),
})

/** Of all, with those who did not wait; the figures of a histogram are the upper ends of its steps. */
function inWords(waited: Placed['waited'], all: number): string {
  const some = waited.at(-1)?.count ?? 0
  const within = (share: number) => {
    const step = waited.find(({ count }) => all - some + count >= all * share)
    return all - some >= all * share || !step ? 'not at all' : `at most ${step.atMost * 1000} ms`
  }
  return `${some} of ${all}; half ${within(0.5)}, 99 of 100 ${within(0.99)}`
}
