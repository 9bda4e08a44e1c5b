import { type Doubtful, doubtsAbout } from '../webhooks/check.ts'
import type { Change, Evidence, Fault, Mark } from './evidence.ts'

/** The eight promises, and how long a fault may cost writes, held against what happened. Knows neither HTTP nor SQL. */

export const promises = {
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
export type Promised = keyof typeof promises

export interface Breach {
  readonly promise: Promised
  readonly what: string
}

const soon = 5000
const gone = 2000
/** Seconds that a delivery which is due may wait for a worker. */
const longestLate = 60

/** Where nothing is timed, I2 and I7 are asked when everybody has ended, and R not at all. */
export function check(evidence: Evidence, isTimed = true): Breach[] {
  return [
    ...createdOnce(evidence),
    ...publicWhenAcknowledged(evidence, isTimed),
    ...noDraftSeen(evidence),
    ...everyPublicationIsTold(evidence),
    ...doubtsAbout(evidence.arrivals).map((what: Doubtful) => ({ promise: 'I5', what }) as const),
    ...revokedIsRevoked(evidence),
    ...unpublishedIsGone(evidence, isTimed),
    ...wingsAgree(evidence),
    ...(isTimed ? evidence.faults.flatMap((fault) => inTime(fault, silenceOf(fault, evidence))) : []),
  ]
}

function createdOnce({ creates, kept }: Evidence): Breach[] {
  return creates.flatMap(({ mark, piece, result }): Breach[] => {
    const breach = (what: string): Breach[] => [{ promise: 'I1', what: `${mark} (${result}): ${what}` }]
    const found = kept.get(mark) ?? []
    if (found.length > 1) return breach(`there ${found.length} times`)
    if (result === 'ok' && found.length === 0) return breach('acknowledged, and lost')
    if (result === 'ok' && found[0] !== piece) return breach(`acknowledged as ${piece}, kept as ${found[0]}`)
    return []
  })
}

/** While it is certain that it is public: some time after the acknowledgement, until somebody asks to unpublish it. */
function publicWhenAcknowledged(evidence: Evidence, isTimed: boolean): Breach[] {
  const { publications, unpublications, absences, shown, settled } = evidence
  const breach = (what: string): Breach => ({ promise: 'I2', what })
  const looks = absences.flatMap(({ mark, where, start, end }) => {
    const [published, unpublished] = [publications.get(mark), unpublications.get(mark)]
    if (published?.result !== 'ok' || start <= (isTimed ? Math.min(published.end + soon, settled) : settled)) return []
    if (unpublished && end >= unpublished.start) return []
    const seconds = ((start - published.end) / 1000).toFixed(1)
    return [breach(`${mark}: 404 at ${where}, ${seconds} s after it was published`)]
  })
  const lost = [...publications]
    .filter(([mark, { result, piece }]) => result === 'ok' && !unpublications.has(mark) && !shown.has(piece))
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

/** At least one answer of 2xx, or a delivery that says why not yet. */
function everyPublicationIsTold({ publications, unpublications, orders, arrivals, shown }: Evidence): Breach[] {
  const byPiece = Map.groupBy(orders, ({ piece }) => piece)
  const told = new Set(
    arrivals.filter(({ doubt, status }) => doubt === null && status !== null && status < 300).map((one) => one.message),
  )
  return [...publications].flatMap(([mark, { piece, result }]): Breach[] => {
    if (result === 'fail' || (result === 'unknown' && !shown.has(piece))) return []
    const breach = (what: string): Breach[] => [{ promise: 'I4', what: `${mark} (${result}): ${what}` }]
    const [order, ...others] = byPiece.get(piece) ?? []
    if (!order) return breach('published, and no delivery was ordered')
    if (others.length > 0) return breach(`${others.length + 1} deliveries`)
    if (order.state === 'delivered' && !told.has(order.message)) return breach('delivered, it says; nobody got it')
    if (order.state === 'cancelled' && !unpublications.has(mark)) return breach('cancelled, and nobody unpublished it')
    if (order.state === 'pending' && !order.doubted && order.late > longestLate)
      return breach(`due for ${order.late.toFixed(0)} s, and its webhook answers`)
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

function unpublishedIsGone({ unpublications, sightings, shown, settled }: Evidence, isTimed: boolean): Breach[] {
  return [...unpublications].flatMap(([mark, { piece, end, result }]): Breach[] => {
    if (result !== 'ok') return []
    const breach = (what: string): Breach[] => [{ promise: 'I7', what: `${mark}: ${what}` }]
    if (shown.has(piece)) return breach('unpublished, and public at the end')
    const seen = sightings.get(mark)
    if (!seen || seen.lastStart <= (isTimed ? Math.min(end + gone, settled) : settled)) return []
    return breach(`still in ${seen.lastWhere} ${((seen.lastStart - end) / 1000).toFixed(1)} s after it was unpublished`)
  })
}

function wingsAgree({ differences }: Evidence): Breach[] {
  return differences.flatMap(({ at, pieces }): Breach[] =>
    pieces.length === 0
      ? []
      : [{ promise: 'I8', what: `${pieces.length} pieces in one wing alone at ${new Date(at).toISOString()}` }],
  )
}

/** Seconds: the longest time without an acknowledged write from a fault until it was healed. */
export function silenceOf({ at, until }: Fault, { acknowledged }: Pick<Evidence, 'acknowledged'>): number {
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

function inTime({ name, mayCost, slowest, mayDelay = Number.POSITIVE_INFINITY }: Fault, silence: number): Breach[] {
  const breach = (what: string): Breach => ({ promise: 'R', what: `${name}: ${what}` })
  return [
    ...(silence > mayCost
      ? [breach(`no write was acknowledged for ${silence.toFixed(1)} s (at most ${mayCost})`)]
      : []),
    ...(slowest > mayDelay ? [breach(`a write was answered after ${slowest.toFixed(2)} s (at most ${mayDelay})`)] : []),
  ]
}

/** What was certainly done, of publications or of unpublications. */
export const acknowledgedOf = (changes: ReadonlyMap<Mark, Change>): number =>
  [...changes.values()].filter(({ result }) => result === 'ok').length
