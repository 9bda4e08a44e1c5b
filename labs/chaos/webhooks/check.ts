import type { Arrival, Evidence, Lease, Order, Publication } from './evidence.ts'

/** The five promises, held against what happened. Knows neither PostgreSQL nor HTTP. */

export interface Breach {
  readonly promise: 'W1' | 'W2' | 'W3' | 'W4' | 'W5'
  readonly what: string
}

export interface Verdict {
  readonly breaches: readonly Breach[]
  readonly duplicates: number
  /** As many duplicates as the kills allow: one for each attempt that was under way. */
  readonly allowed: number
  /** Seconds from each kill until what it left was taken up. */
  readonly takenUp: readonly number[]
}

export const longestUptake = 60
const longestSkew = 300

/** Where nothing is timed, what a killed worker left must be taken up in the end, however late. */
export function check(evidence: Evidence, isTimed = true): Verdict {
  const duplicates = duplicatesIn(evidence)
  const lost = lostIn(evidence)
  const uptakes = uptakesIn(evidence, lost, isTimed ? longestUptake : Number.POSITIVE_INFINITY)
  return {
    breaches: [
      ...everyPublicationIsTold(evidence),
      ...everyArrivalIsGenuine(evidence),
      ...(duplicates > lost.length
        ? [{ promise: 'W3', what: `${duplicates} duplicates, and kills account for ${lost.length}` } as const]
        : []),
      ...uptakes.flatMap(({ breach }) => breach ?? []),
      ...onlyPublicationsAreTold(evidence),
    ],
    duplicates,
    allowed: lost.length,
    takenUp: uptakes.flatMap(({ seconds }) => seconds ?? []),
  }
}

/** What certainly became public, and what did although nobody was told that it had. */
const becamePublic = ({ shown }: Evidence, { result, piece }: Publication): boolean =>
  result === 'ok' || (result === 'unknown' && shown.has(piece))

const isTaken = ({ status, doubt }: Arrival): boolean =>
  doubt === null && status !== null && status >= 200 && status <= 299

/** W1: at least once, or a delivery that says why not yet; in the end, all. */
function everyPublicationIsTold(evidence: Evidence): Breach[] {
  const orders = Map.groupBy(evidence.orders, ({ piece }) => piece)
  const told = new Set(evidence.arrivals.filter(isTaken).map(({ message }) => message))
  return evidence.publications
    .filter((one) => becamePublic(evidence, one))
    .flatMap(({ piece, result }): Breach[] => {
      const breach = (what: string): Breach[] => [{ promise: 'W1', what: `${piece} (${result}): ${what}` }]
      const [order, ...others] = orders.get(piece) ?? []
      if (!order) return breach('published, and no delivery was ordered')
      if (others.length > 0) return breach(`${others.length + 1} deliveries`)
      if (order.state === 'delivered' && !told.has(order.message)) return breach('delivered, it says; nobody got it')
      if (order.state === 'cancelled' && !evidence.unpublished.has(piece)) return breach('cancelled, and still public')
      if (evidence.drained && !isDone(order)) return breach(`still ${order.state} after the end`)
      return []
    })
}

const isDone = ({ state }: Order): boolean => state === 'delivered' || state === 'cancelled'

/** W2: signed, fresh, and the same bytes each time. */
const everyArrivalIsGenuine = ({ arrivals }: Evidence): Breach[] =>
  doubtsAbout(arrivals).map((what) => ({ promise: 'W2', what }))

export type Doubtful = string

/** What is wrong with these requests, seen one by one and together. */
export function doubtsAbout(arrivals: readonly Arrival[]): Doubtful[] {
  const digests = new Map<string, string>()
  return arrivals.flatMap(({ message, doubt, skew, digest }): Doubtful[] => {
    const first = digests.get(message)
    digests.set(message, first ?? digest)
    if (doubt !== null) return [`${message} is not to be believed: ${doubt}`]
    if (Math.abs(skew) > longestSkew) return [`${message} was signed ${skew} s from its arrival`]
    if (first !== undefined && first !== digest) return [`${message} came with other bytes`]
    return []
  })
}

/** Answers of 2xx beyond the first. What somebody had resent is none. */
function duplicatesIn({ arrivals, orders }: Evidence): number {
  const resent = new Set(orders.filter((order) => order.resent).map(({ message }) => message))
  const taken = arrivals.filter((one) => one.piece !== null && isTaken(one) && !resent.has(one.message))
  return taken.length - new Set(taken.map(({ message }) => message)).size
}

/** Given up by nobody, and taken up by somebody else; or waiting for that, since its worker was killed. */
function lostIn({ leases, kills }: Evidence): Lease[] {
  const killed = new Set(kills.map(({ worker }) => worker))
  return leases.filter(({ end, worker }) => end === 'abandoned' || (end === null && killed.has(worker)))
}

interface Uptake {
  readonly seconds?: number
  readonly breach?: Breach
}

/** W4: from the kill to the next claim of each delivery that was under way. */
function uptakesIn({ leases, kills, orders, at }: Evidence, lost: readonly Lease[], longest: number): Uptake[] {
  const killedAt = new Map(kills.map((kill) => [kill.worker, kill.at]))
  const ofMessage = Map.groupBy(leases, ({ message }) => message)
  const cancelled = new Set(orders.filter(({ state }) => state === 'cancelled').map(({ message }) => message))
  return lost.flatMap(({ message, worker, taken }): Uptake[] => {
    const breach = (what: string) => ({ promise: 'W4', what: `${message} ${what}` }) as const
    const from = killedAt.get(worker)
    if (from === undefined) return [{ breach: breach(`was dropped by ${worker}, which lived`) }]
    const next = ofMessage.get(message)!.find((lease) => lease.taken > taken)
    if (!next && cancelled.has(message)) return []
    const seconds = ((next?.taken ?? at) - from) / 1000
    if (!next) return seconds <= longest ? [] : [{ breach: breach(`waits for ${seconds.toFixed(1)} s`) }]
    const isLate = seconds > longest
    return [{ seconds, ...(isLate ? { breach: breach(`was taken up after ${seconds.toFixed(1)} s`) } : {}) }]
  })
}

/** W5: nothing of what was never published; numbers of each writer from 1 on, none twice, none left out. */
function onlyPublicationsAreTold(evidence: Evidence): Breach[] {
  const published = new Map(
    evidence.publications.filter(({ result }) => result !== 'fail').map(({ piece, writer }) => [piece, writer]),
  )
  const orders = new Map(evidence.orders.map((order) => [order.message, order]))
  const breach = (what: string): Breach[] => [{ promise: 'W5', what }]
  return [
    ...evidence.orders.flatMap(({ message, piece, writer }) =>
      published.get(piece) === writer ? [] : breach(`${message} tells of ${piece}, which ${writer} never published`),
    ),
    ...evidence.arrivals.flatMap(({ message, piece, writer, sequence }) => {
      if (piece === null) return []
      const order = orders.get(message)
      const isRight = order?.piece === piece && order.writer === writer && order.sequence === sequence
      return isRight ? [] : breach(`${message} came to ${writer}, and nothing like it was ordered`)
    }),
    ...[...Map.groupBy(evidence.orders, ({ writer }) => writer)].flatMap(([writer, own]) => {
      const numbers = own.map(({ sequence }) => sequence).sort((a, b) => a - b)
      const place = numbers.findIndex((number, index) => number !== index + 1)
      return place === -1 ? [] : breach(`${writer} has number ${numbers[place]} where ${place + 1} belongs`)
    }),
  ]
}
