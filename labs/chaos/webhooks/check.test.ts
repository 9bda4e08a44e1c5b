import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { check } from './check.ts'
import {
  type Arrival,
  type DeliveryRecord,
  type Evidence,
  type Kill,
  type Lease,
  makeArrival,
  type Publication,
  type ScheduledPiece,
} from './evidence.ts'

/** The checker, held against histories that never happened. */

const publication = (number: number, given: Partial<Publication> = {}): Publication => ({
  piece: `piece-${number}`,
  writer: 'ada',
  start: number * 1000,
  end: number * 1000 + 10,
  result: 'ok',
  ...given,
})
const order = (number: number, given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  message: `msg-${number}`,
  writer: 'ada',
  piece: `piece-${number}`,
  sequence: number,
  state: 'delivered',
  resent: false,
  ...given,
})
const arrival = (number: number, given: Partial<Arrival> = {}): Arrival =>
  makeArrival(number, number * 1000 + 50, given)
const lease = (number: number, given: Partial<Lease> = {}): Lease => ({
  message: `msg-${number}`,
  worker: 'first',
  taken: number * 1000 + 20,
  end: 'reported',
  ...given,
})
const kill = (given: Partial<Kill> = {}): Kill => ({ worker: 'first', at: 2100, step: 'sent', ...given })

/** Three publications, each delivered once. */
const quiet: Evidence = {
  at: 200_000,
  publications: [1, 2, 3].map((number) => publication(number)),
  scheduled: [],
  appearances: [],
  unpublished: new Set(),
  arrivals: [1, 2, 3].map((number) => arrival(number)),
  deliveries: [1, 2, 3].map((number) => order(number)),
  leases: [1, 2, 3].map((number) => lease(number)),
  kills: [],
  publicPieces: new Set(['piece-1', 'piece-2', 'piece-3']),
  drained: true,
}

const brokenIn = (given: Partial<Evidence>): string[] =>
  check({ ...quiet, ...given }).breaches.map(({ promise }) => promise)

const but = <T>(list: readonly T[], place: number, given: Partial<T>): T[] =>
  list.map((one, index) => (index === place ? { ...one, ...given } : one))

test('a history in which all went well breaks nothing', () => {
  assert.deepEqual(brokenIn({}), [])
})

test('W1: a publication without a delivery is found, also where nobody knew that it had happened', () => {
  const deliveries = quiet.deliveries.slice(0, 2)
  const arrivals = quiet.arrivals.slice(0, 2)
  assert.deepEqual(brokenIn({ deliveries, arrivals }), ['W1'])
  const publications = but(quiet.publications, 2, { result: 'unknown' })
  assert.deepEqual(brokenIn({ deliveries, arrivals, publications }), ['W1'])
  assert.deepEqual(brokenIn({ deliveries, arrivals, publications, publicPieces: new Set(['piece-1', 'piece-2']) }), [])
})

test('W1: delivered is what a receiver took; an answer of 500, none, or a forged request is not', () => {
  for (const given of [{ status: 500 }, { status: null }]) {
    assert.deepEqual(brokenIn({ arrivals: but(quiet.arrivals, 1, given) }), ['W1'])
  }
  assert.deepEqual(brokenIn({ arrivals: but(quiet.arrivals, 1, { verifyError: 'no match' }) }), ['W1', 'W2'])
  assert.deepEqual(brokenIn({ arrivals: quiet.arrivals.slice(0, 2) }), ['W1'])
})

test('W1: what waits has a name for it until all is resent, and none after that', () => {
  for (const state of ['pending', 'held', 'exhausted'] as const) {
    const waiting = { deliveries: but(quiet.deliveries, 0, { state }), arrivals: quiet.arrivals.slice(1) }
    assert.deepEqual(brokenIn({ ...waiting, drained: false }), [])
    assert.deepEqual(brokenIn(waiting), ['W1'])
  }
})

test('W1: only what its writer unpublished may be cancelled', () => {
  const cancelled = { deliveries: but(quiet.deliveries, 0, { state: 'cancelled' }), arrivals: quiet.arrivals.slice(1) }
  assert.deepEqual(brokenIn(cancelled), ['W1'])
  assert.deepEqual(brokenIn({ ...cancelled, unpublished: new Set(['piece-1']) }), [])
})

test('W1: two deliveries of one publication are one too many', () => {
  const deliveries = [...quiet.deliveries, order(4, { piece: 'piece-3' })]
  assert.deepEqual(brokenIn({ deliveries }), ['W1'])
})

test('W2: a request that does not verify, was signed long ago, or says other things than before is found', () => {
  const ping = arrival(0, { message: 'ping', piece: null, sequence: 0 })
  const failed = { status: 500 }
  for (const given of [{ verifyError: 'no match' }, { skew: 301 }, { skew: -301 }, { digest: 'others' }]) {
    assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, arrival(2, { ...failed, ...given })] }), ['W2'])
  }
  assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, ping] }), [])
  assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, { ...ping, verifyError: 'no match' }] }), ['W2'])
})

const killedOnce: Partial<Evidence> = {
  kills: [kill()],
  leases: [
    lease(1),
    lease(2, { end: 'abandoned' }),
    lease(3, { worker: 'second' }),
    lease(2, { worker: 'second', taken: 47_500 }),
  ],
}

test('W3: a kill may double what was under way, and nothing else', () => {
  const again = { arrivals: [...quiet.arrivals, arrival(2)] }
  assert.deepEqual(brokenIn(again), ['W3'])
  assert.deepEqual(brokenIn({ ...again, ...killedOnce }), [])
  assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, arrival(2), arrival(3)], ...killedOnce }), ['W3'])
})

test('W3: neither a resend nor an attempt that failed is a duplicate', () => {
  assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, arrival(2, { status: 500 })] }), [])
  const resent = { arrivals: [...quiet.arrivals, arrival(2)], deliveries: but(quiet.deliveries, 1, { resent: true }) }
  assert.deepEqual(brokenIn(resent), [])
})

test('W4: what a kill left is taken up within a minute, counted from the kill', () => {
  assert.deepEqual(check({ ...quiet, ...killedOnce }).takenUp, [45.4])
  const late = but(killedOnce.leases!, 3, { taken: 62_101 })
  assert.deepEqual(brokenIn({ ...killedOnce, leases: late }), ['W4'])
})

test('W4: what nobody has taken up yet may wait for a minute, and not at all once it is cancelled', () => {
  const waiting = { kills: [kill()], leases: but(quiet.leases, 1, { end: null }) }
  assert.deepEqual(brokenIn({ ...waiting, at: 62_100 }), [])
  assert.deepEqual(brokenIn({ ...waiting, at: 62_101 }), ['W4'])
  const deliveries = but(quiet.deliveries, 1, { state: 'cancelled' })
  assert.deepEqual(brokenIn({ ...waiting, deliveries, unpublished: new Set(['piece-2']) }), [])
})

test('W4: a worker that lives drops nothing, and may be at work', () => {
  assert.deepEqual(brokenIn({ leases: but(quiet.leases, 1, { end: 'abandoned' }) }), ['W4'])
  assert.deepEqual(brokenIn({ leases: but(quiet.leases, 1, { end: null }) }), [])
})

test('W5: a draft, or what the desk refused to publish, is told to nobody', () => {
  assert.deepEqual(brokenIn({ publications: quiet.publications.slice(0, 2) }), ['W5'])
  assert.deepEqual(brokenIn({ publications: but(quiet.publications, 2, { result: 'fail' }) }), ['W5'])
  assert.deepEqual(brokenIn({ publications: but(quiet.publications, 2, { writer: 'bob' }) }), ['W5'])
  assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, arrival(4, { status: 500 })] }), ['W5'])
})

test('W5: another writer’s address, piece or number is not where a delivery comes', () => {
  for (const given of [{ writer: 'bob' }, { piece: 'piece-1' }, { sequence: 7 }]) {
    assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, arrival(2, { status: 500, ...given })] }), ['W5'])
  }
})

test('W5: numbers of a writer have no gap and no double', () => {
  for (const sequence of [2, 4]) {
    const deliveries = but(quiet.deliveries, 2, { sequence })
    assert.deepEqual(brokenIn({ deliveries, arrivals: but(quiet.arrivals, 2, { sequence }) }), ['W5'])
  }
})

describe('scheduled pieces', () => {
  const piece = { piece: 'piece-4', writer: 'ada', consent: 'valid', due: 4000 } as const
  /** A fourth piece, that was due and was published and delivered. */
  const inTime = (given: Partial<ScheduledPiece> = {}, times: readonly number[] = [4010]): Partial<Evidence> => ({
    scheduled: [{ ...piece, ...given }],
    appearances: times.map((at) => ({ piece: 'piece-4', at })),
    arrivals: [...quiet.arrivals, arrival(4)],
    deliveries: [...quiet.deliveries, order(4)],
    leases: [...quiet.leases, lease(4)],
    publicPieces: new Set([...quiet.publicPieces, 'piece-4']),
  })

  test('one that is published and delivered at its time breaks nothing', () => {
    assert.deepEqual(brokenIn(inTime()), [])
  })
  test('W6 is broken by one that is early, late without end, or published twice', () => {
    assert.deepEqual(brokenIn(inTime({}, [3999])), ['W6'])
    assert.deepEqual(brokenIn(inTime({}, [])), ['W6'])
    assert.deepEqual(brokenIn(inTime({}, [4010, 4020])), ['W6'])
  })
  test('W6 is broken by one whose consent was void, or whose time has not come, and W5 by its delivery', () => {
    for (const consent of ['changed', 'cancelled', 'later'] as const) {
      assert.deepEqual([...new Set(brokenIn(inTime({ consent })))].sort(), ['W5', 'W6'], consent)
      const silent = { scheduled: [{ ...piece, consent }], appearances: [] }
      assert.deepEqual(brokenIn(silent), [])
    }
  })
  test('W1 is broken by one without a delivery, or with two', () => {
    assert.deepEqual(brokenIn({ ...inTime(), arrivals: quiet.arrivals, deliveries: quiet.deliveries }), ['W1'])
    const twice = [...quiet.deliveries, order(4), order(4, { message: 'msg-5', sequence: 5 })]
    assert.deepEqual(brokenIn({ ...inTime(), deliveries: twice }), ['W1'])
  })
})
