import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Arrival, makeArrival } from '../webhooks/evidence.ts'
import { check, longestWriteGap } from './check.ts'
import type { Change, DeliveryRecord, Evidence, Fault, Sighting } from './evidence.ts'

/** The checker, held against histories that never happened. */

const change = (number: number, given: Partial<Change> = {}): Change => ({
  piece: `piece-${number}`,
  writer: 'ada',
  start: number * 10_000,
  end: number * 10_000 + 100,
  result: 'ok',
  ...given,
})
const sighting = (firstEnd: number, lastStart = firstEnd): Sighting => ({
  where: '/feed.json',
  firstEnd,
  lastStart,
  lastWhere: '/feed.json',
})
const arrival = (number: number, given: Partial<Arrival> = {}): Arrival =>
  makeArrival(number, number * 10_000 + 200, given)
const order = (number: number, given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  message: `msg-${number}`,
  piece: `piece-${number}`,
  state: 'delivered',
  lateBy: 0,
  failing: false,
  ...given,
})
const fault = (given: Partial<Fault> = {}): Fault => ({
  name: 'kill',
  at: 50_000,
  until: 90_000,
  maxWriteGap: 30,
  slowest: 4,
  ...given,
})

/** a and b are published, b is unpublished again, c stays a draft. */
const quiet: Evidence = {
  at: 100_000,
  settledAt: 98_000,
  creates: ['a', 'b', 'c'].map((mark, at) => ({ mark, piece: `piece-${at + 1}`, end: at, result: 'ok' })),
  publications: new Map([
    ['a', change(1)],
    ['b', change(2)],
  ]),
  unpublications: new Map([['b', change(2, { start: 40_000, end: 40_100 })]]),
  sightings: new Map([
    ['a', sighting(10_200, 95_000)],
    ['b', sighting(20_300, 41_000)],
  ]),
  absences: [],
  revocations: new Map([['key', 30_000]]),
  uses: [{ key: 'key', start: 30_001, status: 403 }],
  arrivals: [arrival(1), arrival(2)],
  deliveries: [order(1), order(2)],
  piecesByMark: new Map([
    ['a', ['piece-1']],
    ['b', ['piece-2']],
    ['c', ['piece-3']],
  ]),
  publicPieces: new Set(['piece-1']),
  differences: [{ at: 60_000, pieces: [] }],
  faults: [fault()],
  acknowledged: [10_000, 50_100, 60_000, 80_000],
}

const brokenIn = (given: Partial<Evidence>): string[] => check({ ...quiet, ...given }).map(({ promise }) => promise)

test('a history in which all went well breaks nothing', () => {
  assert.deepEqual(brokenIn({}), [])
})

test('I1: an acknowledged draft is there, once, under the id it was acknowledged as', () => {
  for (const found of [[], ['piece-3', 'piece-4'], ['piece-4']])
    assert.deepEqual(brokenIn({ piecesByMark: new Map([...quiet.piecesByMark, ['c', found]]) }), ['I1'])
})

test('I1: what nobody knows of may be there or not, but not twice', () => {
  const creates = [...quiet.creates.slice(0, 2), { ...quiet.creates[2]!, piece: null, result: 'unknown' as const }]
  for (const [found, broken] of [
    [[], []],
    [['piece-3'], []],
    [['piece-3', 'piece-4'], ['I1']],
  ] as const)
    assert.deepEqual(brokenIn({ creates, piecesByMark: new Map([...quiet.piecesByMark, ['c', found]]) }), broken)
})

test('I2: 404 is a breach from five seconds after Publish until somebody presses Unpublish', () => {
  const at = (mark: string, start: number) => [{ mark, where: '/api', start, end: start + 50 }]
  assert.deepEqual(brokenIn({ absences: at('a', 15_100) }), [])
  assert.deepEqual(brokenIn({ absences: at('a', 15_101) }), ['I2'])
  assert.deepEqual(brokenIn({ absences: at('b', 39_949) }), ['I2'])
  assert.deepEqual(brokenIn({ absences: at('b', 39_950) }), [])
  assert.deepEqual(brokenIn({ absences: at('c', 90_000) }), [])
})

test('I2: what was published and left alone is public at the end', () => {
  assert.deepEqual(brokenIn({ publicPieces: new Set() }), ['I2'])
})

test('I3: a draft is seen nowhere, and a piece not before its writer pressed Publish', () => {
  assert.deepEqual(brokenIn({ sightings: new Map([['c', sighting(99_000)]]) }), ['I3'])
  assert.deepEqual(brokenIn({ sightings: new Map([['a', sighting(9_999)]]) }), ['I3'])
  assert.deepEqual(brokenIn({ sightings: new Map([['a', sighting(10_001)]]) }), [])
})

test('I3: what the desk refused to publish is a draft', () => {
  const publications = new Map([...quiet.publications, ['c', change(3, { result: 'fail' })]])
  assert.deepEqual(brokenIn({ publications, sightings: new Map([['c', sighting(99_000)]]) }), ['I3'])
})

test('I4: a publication without a delivery, or with two, is found', () => {
  assert.deepEqual(brokenIn({ deliveries: [order(2)] }), ['I4'])
  assert.deepEqual(brokenIn({ deliveries: [order(1), order(2), order(1, { message: 'other' })] }), ['I4'])
})

test('I4: delivered is what a receiver took', () => {
  for (const status of [500, null])
    assert.deepEqual(brokenIn({ arrivals: [arrival(1, { status }), arrival(2)] }), ['I4'])
})

test('I4: what waits has a reason: it is not due, its webhook fails, it was given up, or its piece is gone', () => {
  const arrivals = [arrival(2)]
  const waiting = (given: Partial<DeliveryRecord>) => brokenIn({ arrivals, deliveries: [order(1, given), order(2)] })
  assert.deepEqual(waiting({ state: 'pending', lateBy: -10 }), [])
  assert.deepEqual(waiting({ state: 'pending', lateBy: 61, failing: true }), [])
  assert.deepEqual(waiting({ state: 'pending', lateBy: 61 }), ['I4'])
  assert.deepEqual(waiting({ state: 'exhausted' }), [])
  assert.deepEqual(waiting({ state: 'cancelled' }), ['I4'])
  assert.deepEqual(brokenIn({ arrivals: [arrival(1)], deliveries: [order(1), order(2, { state: 'cancelled' })] }), [])
})

test('I5: a request that does not verify, was signed long ago, or says other things than before is found', () => {
  for (const given of [{ verifyError: 'no match' }, { skew: 301 }, { digest: 'others' }])
    assert.deepEqual(brokenIn({ arrivals: [...quiet.arrivals, arrival(1, given)] }), ['I5'])
})

test('I6: a key is taken until its end is acknowledged, and never after', () => {
  const used = (start: number, status: number | null) => brokenIn({ uses: [{ key: 'key', start, status }] })
  assert.deepEqual(used(30_000, 201), [])
  assert.deepEqual(used(30_001, 201), ['I6'])
  assert.deepEqual(used(30_001, null), [])
  assert.deepEqual(used(30_001, 503), [])
})

test('I7: nothing of a piece is shown from two seconds after it was unpublished', () => {
  const seen = (lastStart: number) => brokenIn({ sightings: new Map([['b', sighting(20_300, lastStart)]]) })
  assert.deepEqual(seen(42_100), [])
  assert.deepEqual(seen(42_101), ['I7'])
  assert.deepEqual(brokenIn({ publicPieces: new Set(['piece-1', 'piece-2']) }), ['I7'])
})

test('I8: what is in one wing alone is found', () => {
  assert.deepEqual(brokenIn({ differences: [{ at: 1, pieces: ['piece-9'] }] }), ['I8'])
})

test('R: a fault costs writes as long as nobody is told that theirs was kept', () => {
  assert.equal(longestWriteGap(fault(), quiet), 20)
  assert.equal(longestWriteGap(fault({ until: 85_000 }), { acknowledged: [] }), 35)
  assert.equal(longestWriteGap(fault({ until: 60_000 }), { acknowledged: [50_500, 59_000, 75_000] }), 8.5)
  assert.deepEqual(brokenIn({ faults: [fault({ maxWriteGap: 19 })] }), ['R'])
  assert.deepEqual(brokenIn({ faults: [fault({ maxLatency: 4 })] }), [])
  assert.deepEqual(brokenIn({ faults: [fault({ maxLatency: 1 })] }), ['R'])
})

test('where nothing is timed, I2 and I7 hold from the last look on, and R is not asked', () => {
  const broken = (given: Partial<Evidence>) => check({ ...quiet, ...given }, false).map(({ promise }) => promise)
  const absent = (start: number) => broken({ absences: [{ mark: 'a', where: '/api', start, end: start + 50 }] })
  assert.deepEqual([absent(97_999), absent(98_001)], [[], ['I2']])
  const seen = (lastStart: number) => broken({ sightings: new Map([['b', sighting(20_300, lastStart)]]) })
  assert.deepEqual([seen(97_999), seen(98_001)], [[], ['I7']])
  assert.deepEqual(broken({ faults: [fault({ maxWriteGap: 19 })] }), [])
})
