import type { Arrival, DeliveryRecord, Evidence, Lease, Publication, ScheduledPiece } from './evidence.ts'

/** Checks the six promises against the evidence. Independent of PostgreSQL and HTTP. */

export interface Breach {
  readonly promise: 'W1' | 'W2' | 'W3' | 'W4' | 'W5' | 'W6'
  readonly what: string
}

export interface Verdict {
  readonly breaches: readonly Breach[]
  readonly duplicates: number
  /** Duplicates the kills allow: one for each attempt in progress. */
  readonly allowed: number
  /** Seconds from each kill until its deliveries were taken over. */
  readonly takenUp: readonly number[]
}

export const maxUptake = 60
const maxSkew = 300

/** Untimed runs require only that a killed worker's deliveries are taken over eventually. */
export function check(evidence: Evidence, isTimed = true): Verdict {
  const duplicates = duplicatesIn(evidence)
  const lost = abandonedLeases(evidence)
  const uptakes = uptakesIn(evidence, lost, isTimed ? maxUptake : Number.POSITIVE_INFINITY)
  return {
    breaches: [
      ...everyPublicationIsDelivered(evidence),
      ...everyArrivalIsGenuine(evidence),
      ...(duplicates > lost.length
        ? [{ promise: 'W3', what: `${duplicates} duplicates, and kills account for ${lost.length}` } as const]
        : []),
      ...uptakes.flatMap(({ breach }) => breach ?? []),
      ...onlyPublicationsAreDelivered(evidence),
      ...schedulesAreKept(evidence),
    ],
    duplicates,
    allowed: lost.length,
    takenUp: uptakes.flatMap(({ seconds }) => seconds ?? []),
  }
}

type Published = Pick<Publication, 'piece' | 'writer' | 'result'>

/** By hand, and those whose time came with a valid consent. */
const publicationsIn = ({ publications, scheduled }: Evidence): readonly Published[] => [
  ...publications,
  ...scheduled.filter(({ consent }) => consent === 'valid').map((one) => ({ ...one, result: 'ok' as const })),
]

/** Acknowledged publications, and those without an answer that did become public. */
const becamePublic = ({ publicPieces }: Evidence, { result, piece }: Published): boolean =>
  result === 'ok' || (result === 'unknown' && publicPieces.has(piece))

const isTaken = ({ status, verifyError }: Arrival): boolean =>
  verifyError === null && status !== null && status >= 200 && status <= 299

/** W1: every publication is delivered at least once, or its delivery says why not yet; at the end all are. */
function everyPublicationIsDelivered(evidence: Evidence): Breach[] {
  const orders = Map.groupBy(evidence.deliveries, ({ piece }) => piece)
  const delivered = new Set(evidence.arrivals.filter(isTaken).map(({ message }) => message))
  return publicationsIn(evidence)
    .filter((one) => becamePublic(evidence, one))
    .flatMap(({ piece, result }): Breach[] => {
      const breach = (what: string): Breach[] => [{ promise: 'W1', what: `${piece} (${result}): ${what}` }]
      const [order, ...others] = orders.get(piece) ?? []
      if (!order) return breach('published, and no delivery was ordered')
      if (others.length > 0) return breach(`${others.length + 1} deliveries`)
      if (order.state === 'delivered' && !delivered.has(order.message))
        return breach('delivered, it says; nobody got it')
      if (order.state === 'cancelled' && !evidence.unpublished.has(piece)) return breach('cancelled, and still public')
      if (evidence.drained && !isDone(order)) return breach(`still ${order.state} after the end`)
      return []
    })
}

const isDone = ({ state }: DeliveryRecord): boolean => state === 'delivered' || state === 'cancelled'

/** W2: signed, fresh, and the same bytes each time. */
const everyArrivalIsGenuine = ({ arrivals }: Evidence): Breach[] =>
  arrivalProblems(arrivals).map((what) => ({ promise: 'W2', what }))

export type Doubtful = string

/** Problems of these requests, one by one and together. */
export function arrivalProblems(arrivals: readonly Arrival[]): Doubtful[] {
  const digests = new Map<string, string>()
  return arrivals.flatMap(({ message, verifyError, skew, digest }): Doubtful[] => {
    const first = digests.get(message)
    digests.set(message, first ?? digest)
    if (verifyError !== null) return [`${message} is not to be believed: ${verifyError}`]
    if (Math.abs(skew) > maxSkew) return [`${message} was signed ${skew} s from its arrival`]
    if (first !== undefined && first !== digest) return [`${message} came with other bytes`]
    return []
  })
}

/** 2xx answers beyond the first. A manual resend is not a duplicate. */
function duplicatesIn({ arrivals, deliveries }: Evidence): number {
  const resent = new Set(deliveries.filter((order) => order.resent).map(({ message }) => message))
  const taken = arrivals.filter((one) => one.piece !== null && isTaken(one) && !resent.has(one.message))
  return taken.length - new Set(taken.map(({ message }) => message)).size
}

/** Leases that another worker took over, or that wait for it since their worker was killed. */
function abandonedLeases({ leases, kills }: Evidence): Lease[] {
  const killed = new Set(kills.map(({ worker }) => worker))
  return leases.filter(({ end, worker }) => end === 'abandoned' || (end === null && killed.has(worker)))
}

interface Uptake {
  readonly seconds?: number
  readonly breach?: Breach
}

/** W4: from the kill to the next claim of each delivery that was under way. */
function uptakesIn({ leases, kills, deliveries, at }: Evidence, lost: readonly Lease[], longest: number): Uptake[] {
  const killedAt = new Map(kills.map((kill) => [kill.worker, kill.at]))
  const ofMessage = Map.groupBy(leases, ({ message }) => message)
  const cancelled = new Set(deliveries.filter(({ state }) => state === 'cancelled').map(({ message }) => message))
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

/** W5: only publications are delivered; each writer's sequence numbers start at 1 without gaps or duplicates. */
function onlyPublicationsAreDelivered(evidence: Evidence): Breach[] {
  const published = new Map(
    publicationsIn(evidence)
      .filter(({ result }) => result !== 'fail')
      .map(({ piece, writer }) => [piece, writer]),
  )
  const orders = new Map(evidence.deliveries.map((order) => [order.message, order]))
  const breach = (what: string): Breach[] => [{ promise: 'W5', what }]
  return [
    ...evidence.deliveries.flatMap(({ message, piece, writer }) =>
      published.get(piece) === writer ? [] : breach(`${message} tells of ${piece}, which ${writer} never published`),
    ),
    ...evidence.arrivals.flatMap(({ message, piece, writer, sequence }) => {
      if (piece === null) return []
      const order = orders.get(message)
      const isRight = order?.piece === piece && order.writer === writer && order.sequence === sequence
      return isRight ? [] : breach(`${message} came to ${writer}, and nothing like it was ordered`)
    }),
    ...[...Map.groupBy(evidence.deliveries, ({ writer }) => writer)].flatMap(([writer, own]) => {
      const numbers = own.map(({ sequence }) => sequence).sort((a, b) => a - b)
      const place = numbers.findIndex((number, index) => number !== index + 1)
      return place === -1 ? [] : breach(`${writer} has number ${numbers[place]} where ${place + 1} belongs`)
    }),
  ]
}

/** W6: what is scheduled becomes public once, at or after its time, and never without a valid consent. */
function schedulesAreKept({ scheduled, appearances }: Evidence): Breach[] {
  const ofPiece = Map.groupBy(appearances, ({ piece }) => piece)
  const problemOf = ({ piece, consent, due }: ScheduledPiece): string | undefined => {
    const times = ofPiece.get(piece) ?? []
    if (consent === 'later') return times.length > 0 ? 'was published before its time' : undefined
    if (consent !== 'valid') return times.length > 0 ? `was published, and its consent was ${consent}` : undefined
    if (times.length !== 1) return `was due, and was published ${times.length} times`
    return times[0]!.at < due! ? `was published ${due! - times[0]!.at} ms before its time` : undefined
  }
  return scheduled.flatMap((one): Breach[] => {
    const problem = problemOf(one)
    return problem === undefined ? [] : [{ promise: 'W6', what: `${one.piece} ${problem}` }]
  })
}
