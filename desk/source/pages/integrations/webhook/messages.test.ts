import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt, Delivery } from '../../../api/webhook.ts'
import { adviceFor, attemptsText, describeDelivery, formatDue, formatUntil, summarizeDelivery } from './messages.ts'

const noon = new Date(2026, 10, 15, 12).getTime()
const at = (days: number, hours: number, minutes = 0): string =>
  new Date(2026, 10, 15 + days, hours, minutes).toISOString()

const delivery: Delivery = {
  id: `msg_${'0'.repeat(32)}`,
  event: 'piece.published',
  state: 'pending',
  piece: { id: 'p', headline: 'Ferries at dawn' },
  sequence: 1,
  created_at: at(0, 11),
  delivered_at: null,
  due_at: new Date(Date.now() + 60_000).toISOString(),
  attempts: 3,
  last: { at: at(0, 11), status: 500, problem: 'status' },
  can_resend: true,
}

const attempt = (status: number | null, problem: Attempt['problem'] = 'status'): Attempt => ({
  attempt: 1,
  at: at(0, 11),
  ms: 34,
  url: 'https://example.org/hook',
  address: null,
  timestamp: null,
  signature: null,
  status,
  problem,
  detail: null,
  answer_type: null,
  answer: null,
})

test('a moment is named by its day, and by the hour', () => {
  assert.equal(formatDue(at(0, 14, 5), noon), 'at 14:05')
  assert.equal(formatDue(at(1, 0, 30), noon), 'tomorrow at 00:30')
  assert.equal(formatDue(at(3, 9), noon), 'on Wednesday at 09:00')
  assert.equal(formatDue(at(20, 9), noon), 'on 5 December at 09:00')
  assert.equal(formatDue(at(0, 11), noon), 'in a moment')
  assert.deepEqual([formatUntil(at(0, 14, 5), noon), formatUntil(at(3, 9), noon)], ['14:05', 'Wednesday at 09:00'])
})

test('what failed alike is counted, and what failed otherwise is not said to be alike', () => {
  const same = describeDelivery(delivery, [attempt(500), attempt(500), attempt(500)], null)
  assert.match(
    same,
    /^This address answered 500 three times\. We try again (tomorrow )?at \d\d:\d\d; you can also resend now\.$/,
  )
  const mixed = describeDelivery(delivery, [attempt(500), attempt(null, 'timeout'), attempt(500)], null)
  const twice = describeDelivery(delivery, [attempt(500), attempt(500), attempt(200, null)], null)
  assert.match(twice, /^The last two times, this address answered 500\./)
  assert.match(mixed, /^The last time, this address answered 500\. We try again/)
})

test('a delivery says when it was answered, and one that is cancelled that nothing goes out', () => {
  const delivered: Delivery = { ...delivery, state: 'delivered', last: { at: at(0, 11), status: 204, problem: null } }
  assert.equal(describeDelivery(delivered, [attempt(204, null)], null), 'This address answered 204 in 34 ms.')
  assert.match(describeDelivery({ ...delivery, state: 'cancelled' }, [], null), /Nothing goes out.* within 30 days/)
  assert.match(describeDelivery({ ...delivered, state: 'cancelled' }, [], null), /had been told; nothing more goes out/)
  assert.match(summarizeDelivery(delivery, null), /^Answered 500; again (tomorrow )?at \d\d:\d\d$/)
})

test('what is under way is not said to wait, nor what is resent to have failed', () => {
  assert.match(describeDelivery({ ...delivery, can_resend: false }, [attempt(500)], null), /We are asking now\.$/)
  const again: Delivery = { ...delivery, last: { at: at(0, 11), status: 200, problem: null } }
  assert.equal(describeDelivery(again, [attempt(200, null)], null), 'It is on its way.')
  assert.equal(summarizeDelivery(again, null), 'On its way')
})

test('advice is given where there is any, and none for what went well', () => {
  assert.match(adviceFor({ status: 302, problem: 'status' }) ?? '', /we do not follow/)
  assert.match(adviceFor({ status: 503, problem: 'status' }) ?? '', /your server/)
  assert.match(adviceFor({ status: null, problem: 'tls' }) ?? '', /Renew/)
  assert.equal(adviceFor({ status: 200, problem: null }), undefined)
  const late = { problem: 'timeout', detail: 'The name servers of example.org did not answer in time.' } as const
  assert.equal(adviceFor({ status: null, problem: 'timeout' }, late), late.detail)
  assert.deepEqual([0, 1, 4].map(attemptsText), ['Not tried yet', '1 attempt', '4 attempts'])
})
