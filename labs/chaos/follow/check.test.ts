import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Arrival, check, type Evidence, stopGrace } from './check.ts'

/** The checker finds what is wrong in made-up histories. */

const arrival = (address: string, piece: string, more: Partial<Arrival> = {}): Arrival => ({
  address,
  piece,
  messageId: `<${address}-${piece}>`,
  dkim: 'pass',
  at: 1000,
  ...more,
})

const kept: Evidence = {
  readers: [
    { address: 'a@d.test', fate: 'reads' },
    { address: 'b@d.test', fate: 'stops', stoppedAt: 2000 },
    { address: 'c@d.test', fate: 'complains' },
    { address: 'gone-d@d.test', fate: 'gone' },
  ],
  pieces: ['one', 'two'],
  arrivals: [
    arrival('a@d.test', 'one'),
    arrival('a@d.test', 'two', { at: 3000 }),
    arrival('b@d.test', 'one'),
    arrival('c@d.test', 'one'),
  ],
  interrupted: 0,
  leaks: [],
}

const promises = (more: Partial<Evidence>): string[] =>
  check({ ...kept, ...more }).breaches.map(({ promise }) => promise)

test('a history without a fault has none', () => {
  assert.deepEqual(promises({}), [])
})

test('an email that did not arrive is missed', () => {
  assert.deepEqual(promises({ arrivals: kept.arrivals.slice(1) }), ['F1'])
})

test('a duplicate is allowed for each email under way at a fault, and no more', () => {
  const arrivals = [...kept.arrivals, kept.arrivals[0]!]
  assert.deepEqual(promises({ arrivals, interrupted: 1 }), [])
  assert.deepEqual(promises({ arrivals }), ['F2'])
})

test('two emails of one piece with names of their own are a fault, whatever was under way', () => {
  const arrivals = [...kept.arrivals, { ...kept.arrivals[0]!, messageId: '<another>' }]
  assert.deepEqual(promises({ arrivals, interrupted: 9 }), ['F2'])
})

test('a signature that does not verify is a fault', () => {
  const arrivals = [...kept.arrivals.slice(1), { ...kept.arrivals[0]!, dkim: 'fail' }]
  assert.deepEqual(promises({ arrivals }), ['F3'])
})

test('who stopped, complained or is gone gets nothing more, but what was under way', () => {
  for (const address of ['c@d.test', 'gone-d@d.test'])
    assert.deepEqual(promises({ arrivals: [...kept.arrivals, arrival(address, 'two')] }), ['F4'])
  const after = (at: number) => [...kept.arrivals, arrival('b@d.test', 'two', { at })]
  assert.deepEqual(promises({ arrivals: after(2000 + stopGrace) }), [])
  assert.deepEqual(promises({ arrivals: after(2001 + stopGrace) }), ['F4'])
})

test('an email to nobody who follows, and an address in a log, are faults', () => {
  assert.deepEqual(promises({ arrivals: [...kept.arrivals, arrival('x@d.test', 'one')] }), ['F4'])
  assert.deepEqual(promises({ leaks: ['a@d.test in worker.log'] }), ['F5'])
})
