import { arrivalProblems, type Doubtful } from '../webhooks/check.ts'
import type { Change, Evidence, Fault, Mark, Recorder } from './evidence.ts'

/** Checks the eight promises and the recovery time against the evidence. Independent of HTTP and SQL. */

const promises = {
  I1: 'created once',
  I2: 'public when acknowledged',
  I3: 'no draft seen',
  I4: 'told, or named',
  I5: 'genuine, same bytes',
  I6: 'revoked is revoked',
  I7: 'unpublished is gone',
  I8: 'both wings agree',
  R: 'writes again in time',
} as const
export type PromiseId = keyof typeof promises

export interface Breach {
  readonly promise: PromiseId
  readonly what: string
}

const publicWithin = 5000
const goneWithin = 2000
/** Seconds that a delivery which is due may wait for a worker. */
const maxLateness = 60

/** Untimed runs check I2 and I7 only after all clients have stopped, and never R. */
export function check(evidence: Evidence, isTimed = true): Breach[] {
  return [
    ...createdOnce(evidence),
    ...publicWhenAcknowledged(evidence, isTimed),
    ...noDraftSeen(evidence),
    ...everyPublicationIsDelivered(evidence),
    ...arrivalProblems(evidence.arrivals).map((what: Doubtful) => ({ promise: 'I5', what }) as const),
    ...revokedIsRevoked(evidence),
    ...unpublishedIsGone(evidence, isTimed),
    ...schemasAgree(evidence),
    ...(isTimed ? evidence.faults.flatMap((fault) => recoversInTime(fault, longestWriteGap(fault, evidence))) : []),
  ]
}

function createdOnce({ creates, piecesByMark }: Evidence): Breach[] {
  return creates.flatMap(({ mark, piece, result }): Breach[] => {
    const breach = (what: string): Breach[] => [{ promise: 'I1', what: `${mark} (${result}): ${what}` }]
    const found = piecesByMark.get(mark) ?? []
    if (found.length > 1) return breach(`there ${found.length} times`)
    if (result === 'ok' && found.length === 0) return breach('acknowledged, and lost')
    if (result === 'ok' && found[0] !== piece) return breach(`acknowledged as ${piece}, kept as ${found[0]}`)
    return []
  })
}

/** Checks only while the piece must be public: some time after the acknowledgement, until an unpublish request. */
function publicWhenAcknowledged(evidence: Evidence, isTimed: boolean): Breach[] {
  const { publications, unpublications, absences, publicPieces, settledAt } = evidence
  const breach = (what: string): Breach => ({ promise: 'I2', what })
  const looks = absences.flatMap(({ mark, where, start, end }) => {
    const [published, unpublished] = [publications.get(mark), unpublications.get(mark)]
    if (
      published?.result !== 'ok' ||
      start <= (isTimed ? Math.min(published.end + publicWithin, settledAt) : settledAt)
    )
      return []
    if (unpublished && end >= unpublished.start) return []
    const seconds = ((start - published.end) / 1000).toFixed(1)
    return [breach(`${mark}: 404 at ${where}, ${seconds} s after it was published`)]
  })
  const lost = [...publications]
    .filter(([mark, { result, piece }]) => result === 'ok' && !unpublications.has(mark) && !publicPieces.has(piece))
    .map(([mark]) => breach(`${mark}: published, and not public at the end`))
  return [...looks, ...lost]
}

function noDraftSeen({ sightings, publications }: Evidence): Breach[] {
  return [...sightings].flatMap(([mark, { where, firstEnd }]): Breach[] => {
    const published = publications.get(mark)
    if (!published || published.result === 'fail')
      return [{ promise: 'I3', what: `${mark} was never published, and stands in ${where}` }]
    return published.start <= firstEnd
      ? []
      : [{ promise: 'I3', what: `${mark} stood in ${where} before anybody published it` }]
  })
}

/** Every publication has a 2xx answer or a delivery whose state says why not yet. */
function everyPublicationIsDelivered({
  publications,
  unpublications,
  deliveries,
  arrivals,
  publicPieces,
}: Evidence): Breach[] {
  const byPiece = Map.groupBy(deliveries, ({ piece }) => piece)
  const delivered = new Set(
    arrivals
      .filter(({ verifyError, status }) => verifyError === null && status !== null && status < 300)
      .map((one) => one.message),
  )
  return [...publications].flatMap(([mark, { piece, result }]): Breach[] => {
    if (result === 'fail' || (result === 'unknown' && !publicPieces.has(piece))) return []
    const breach = (what: string): Breach[] => [{ promise: 'I4', what: `${mark} (${result}): ${what}` }]
    const [order, ...others] = byPiece.get(piece) ?? []
    if (!order) return breach('published, and no delivery was ordered')
    if (others.length > 0) return breach(`${others.length + 1} deliveries`)
    if (order.state === 'delivered' && !delivered.has(order.message)) return breach('delivered, it says; nobody got it')
    if (order.state === 'cancelled' && !unpublications.has(mark)) return breach('cancelled, and nobody unpublished it')
    if (order.state === 'pending' && !order.failing && order.lateBy > maxLateness)
      return breach(`due for ${order.lateBy.toFixed(0)} s, and its webhook answers`)
    return []
  })
}

function revokedIsRevoked({ uses, revocations }: Evidence): Breach[] {
  return uses.flatMap(({ key, start, status }): Breach[] => {
    const end = revocations.get(key)
    const isTaken = status !== null && status >= 200 && status < 300
    if (end === undefined || start <= end || !isTaken) return []
    return [{ promise: 'I6', what: `${key} was taken ${start - end} ms after its end was acknowledged` }]
  })
}

function unpublishedIsGone(
  { unpublications, sightings, publicPieces, settledAt }: Evidence,
  isTimed: boolean,
): Breach[] {
  return [...unpublications].flatMap(([mark, { piece, end, result }]): Breach[] => {
    if (result !== 'ok') return []
    const breach = (what: string): Breach[] => [{ promise: 'I7', what: `${mark}: ${what}` }]
    if (publicPieces.has(piece)) return breach('unpublished, and public at the end')
    const seen = sightings.get(mark)
    if (!seen || seen.lastStart <= (isTimed ? Math.min(end + goneWithin, settledAt) : settledAt)) return []
    return breach(`still in ${seen.lastWhere} ${((seen.lastStart - end) / 1000).toFixed(1)} s after it was unpublished`)
  })
}

function schemasAgree({ differences }: Evidence): Breach[] {
  return differences.flatMap(({ at, pieces }): Breach[] =>
    pieces.length === 0
      ? []
      : [{ promise: 'I8', what: `${pieces.length} pieces in one wing alone at ${new Date(at).toISOString()}` }],
  )
}

/** The longest time in seconds without an acknowledged write, from a fault until recovery. */
export function longestWriteGap({ at, until }: Fault, { acknowledged }: Pick<Evidence, 'acknowledged'>): number {
  let [last, longest] = [at, 0]
  for (let place = firstAfter(acknowledged, at); ; place += 1) {
    const next = Math.min(acknowledged[place] ?? until, until)
    longest = Math.max(longest, next - last)
    if (next >= until) return longest / 1000
    last = next
  }
}

function firstAfter(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < at) low = middle + 1
    else high = middle
  }
  return low
}

function recoversInTime(
  { name, maxWriteGap, slowest, maxLatency = Number.POSITIVE_INFINITY }: Fault,
  silence: number,
): Breach[] {
  const breach = (what: string): Breach => ({ promise: 'R', what: `${name}: ${what}` })
  return [
    ...(silence > maxWriteGap
      ? [breach(`no write was acknowledged for ${silence.toFixed(1)} s (at most ${maxWriteGap})`)]
      : []),
    ...(slowest > maxLatency
      ? [breach(`a write was answered after ${slowest.toFixed(2)} s (at most ${maxLatency})`)]
      : []),
  ]
}

/** Number of acknowledged changes. */
const countAcknowledged = (changes: ReadonlyMap<Mark, Change>): number =>
  [...changes.values()].filter(({ result }) => result === 'ok').length

/** What a person sees of a run. */

const shownBreaches = 8
const count = (number: number): string => number.toLocaleString('en')

export function progress(began: number, what: string): void {
  const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(5)
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${seconds} s  ${what}`)
  else console.log(`${seconds} s  ${what}`)
}

/** The last fault, when it is over. */
export function printFault(began: number, record: Recorder): void {
  const fault = record.faults.at(-1)!
  const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(5)
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  const [silence, whole] = [longestWriteGap(fault, record), (fault.until - fault.at) / 1000]
  console.log(
    `${seconds} s  ${String(record.faults.length).padStart(3)} ${fault.name.padEnd(46)} no write for ${silence.toFixed(1).padStart(5)} s, whole after ${whole.toFixed(0).padStart(3)} s, slowest answer ${fault.slowest.toFixed(2)} s; ${count(record.acknowledged.length)} writes`,
  )
}

export function printResult(evidence: Evidence, breaches: readonly Breach[], record: Recorder, seconds: number): void {
  const { creates, publications, unpublications, deliveries, arrivals, faults, uses, differences } = evidence
  const states = [...Map.groupBy(deliveries, ({ state }) => state)].map(
    ([state, all]) => `${state} ${count(all.length)}`,
  )
  const rows: [string, string][] = [
    [
      'acknowledged writes',
      `${count(evidence.acknowledged.length)} in ${seconds.toFixed(0)} s: ${count(creates.filter(({ result }) => result === 'ok').length)} created, ${count(countAcknowledged(publications))} published, ${count(countAcknowledged(unpublications))} unpublished, ${count(evidence.revocations.size)} keys revoked; ${count(record.unknown.writes)} unknown`,
    ],
    ['faults', `${faults.length} of ${new Set(faults.map(({ name }) => name)).size} kinds`],
    ['read', `${count(record.reads)} answers, ${count(evidence.sightings.size)} pieces seen`],
    ['deliveries', `${states.join(', ')}; ${count(arrivals.length)} requests`],
    ['other looks', `${count(uses.length)} uses of revoked keys, ${differences.length} comparisons of the wings`],
    ...[...Map.groupBy(faults, ({ name }) => name)].map(([name, all]): [string, string] => [
      name,
      `no write for ${all.map((fault) => longestWriteGap(fault, evidence).toFixed(1)).join(', ')} s (at most ${all[0]!.maxWriteGap})`,
    ]),
    ...Object.entries(promises).map(([promise, name]): [string, string] => {
      const broken = breaches.filter((breach) => breach.promise === promise).length
      return [`${promise} ${name}`, broken === 0 ? 'kept' : `BROKEN ${count(broken)} times`]
    }),
  ]
  console.log(rows.map(([name, value]) => `  ${name.padEnd(46)}${value}`).join('\n'))
  const longest = Math.max(0, ...faults.map((fault) => longestWriteGap(fault, evidence)))
  console.log(
    `figure: ${faults.length} faults, ${count(evidence.acknowledged.length)} acknowledged writes, longest time without one ${longest.toFixed(1)} s, ${breaches.length} breaches`,
  )
}

export function printBreaches(breaches: readonly Breach[]): void {
  for (const { promise, what } of breaches.slice(0, shownBreaches)) console.log(`  BREACH ${promise} ${what}`)
  if (breaches.length > shownBreaches) console.log(`  and ${count(breaches.length - shownBreaches)} more`)
}
