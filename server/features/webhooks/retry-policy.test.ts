import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextWait, parseRetryAfter, retryDelays } from './retry-policy.ts'

const hour = 3600

test('ten attempts, within 75 hours and 35 minutes of waiting and some chance', () => {
  const waits = Array.from({ length: 10 }, (_, index) => nextWait(index + 1, undefined, () => 0))
  assert.deepEqual(waits, [...retryDelays, null])
  assert.equal(
    waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0),
    75 * hour + 35 * 60 + 5,
  )
})

test('chance only ever adds: two seconds at least, a tenth, a quarter of an hour at most', () => {
  assert.equal(
    nextWait(1, undefined, () => 1),
    7,
  )
  assert.equal(
    nextWait(3, undefined, () => 1),
    1980,
  )
  assert.equal(
    nextWait(9, undefined, () => 1),
    86_400 + 900,
  )
})

test('a server can ask for more time, up to a day, and never for less', () => {
  assert.equal(
    nextWait(1, 60, () => 0),
    60,
  )
  assert.equal(
    nextWait(2, 60, () => 0),
    300,
  )
  assert.equal(
    nextWait(1, 1e9, () => 0),
    86_400,
  )
})

test('Retry-After is a number of seconds or a date; what is neither is no wish', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(parseRetryAfter('120', now), 120)
  assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:10:00 GMT', now), 600)
  for (const odd of [
    '-1',
    '1e9',
    '1.5',
    '',
    ' 5',
    'soon',
    'Wed, 31 Dec 2025 00:00:00 GMT',
    '2026-01-02',
    '99999999999',
  ])
    assert.equal(parseRetryAfter(odd, now), undefined, odd)
  assert.equal(parseRetryAfter(undefined), undefined)
})
