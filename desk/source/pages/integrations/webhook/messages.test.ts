import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt, Delivery } from '../../../api/webhook.ts'
import { t } from '../../../messages.ts'
import '../../../testing-messages.ts'
import { adviceFor, describeDelivery, summarizeDelivery, timeValues } from './messages.ts'

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

test('a time to come is named by its day and its hour', () => {
  const next = (time: string) => t('desk.integrations.webhook.next_attempt', timeValues(time, noon))
  assert.equal(next(at(0, 14, 5)), 'Next attempt at 14:05')
  assert.equal(next(at(1, 0, 30)), 'Next attempt tomorrow at 00:30')
  assert.equal(next(at(3, 9)), 'Next attempt on Wednesday at 09:00')
  assert.equal(next(at(20, 9)), 'Next attempt on 5 December at 09:00')
  assert.equal(next(at(0, 11)), 'Next attempt in a moment')
  assert.deepEqual(
    [at(0, 14, 5), at(3, 9)].map((time) => t('desk.integrations.webhook.previous_secret', timeValues(time, noon))),
    ['The previous secret also works until 14:05.', 'The previous secret also works until Wednesday at 09:00.'],
  )
})

test('what failed alike is counted, and what failed otherwise is not said to be alike', () => {
  const again = /^We’ll try again (tomorrow )?at \d\d:\d\d\.$/
  const [why, count, next] = describeDelivery(delivery, [attempt(500), attempt(500), attempt(500)], null)
  assert.deepEqual([why, count], ['Your server responded with 500.', 'All 3 attempts failed this way.'])
  assert.match(next!, again)
  const twice = describeDelivery(delivery, [attempt(500), attempt(500), attempt(200, null)], null)
  assert.equal(twice[1], 'The last 2 attempts failed this way.')
  const mixed = describeDelivery(delivery, [attempt(500), attempt(null, 'timeout'), attempt(500)], null)
  assert.equal(mixed[0], 'Your server responded with 500.')
  assert.match(mixed[1]!, again)
})

test('a delivery says when it was answered, and one that is cancelled that nothing goes out', () => {
  const delivered: Delivery = { ...delivery, state: 'delivered', last: { at: at(0, 11), status: 204, problem: null } }
  assert.deepEqual(describeDelivery(delivered, [attempt(204, null)], null), [
    'Your server responded with 204 in 34 ms.',
  ])
  const cancelled = (one: Delivery) => describeDelivery({ ...one, state: 'cancelled' }, [], null).join()
  assert.match(cancelled(delivery), /before this was sent\. Nothing was delivered.* within 30 days/)
  assert.match(cancelled(delivered), /had received this\. Nothing more will be sent/)
  const [result, next] = summarizeDelivery(delivery, null)
  assert.equal(result, 'Responded with 500')
  assert.match(next!, /^Next attempt (tomorrow )?at \d\d:\d\d$/)
})

test('what is under way is not said to wait, nor what is resent to have failed', () => {
  assert.equal(describeDelivery({ ...delivery, can_resend: false }, [attempt(500)], null).at(-1), 'Sending…')
  const again: Delivery = { ...delivery, last: { at: at(0, 11), status: 200, problem: null } }
  assert.deepEqual(describeDelivery(again, [attempt(200, null)], null), ['Waiting to be sent'])
  assert.deepEqual(summarizeDelivery(again, null), ['Waiting to be sent'])
})

test('advice is given where there is any, and none for what went well', () => {
  assert.match(adviceFor({ status: 302, problem: 'status' }) ?? '', /don’t follow redirects/)
  assert.equal(adviceFor({ status: 503, problem: 'status' }), 'Check your server’s logs.')
  assert.match(adviceFor({ status: null, problem: 'tls' }) ?? '', /Renew/)
  assert.equal(adviceFor({ status: 200, problem: null }), undefined)
  const late = { problem: 'timeout', detail: 'The name servers of example.org did not answer in time.' } as const
  assert.equal(adviceFor({ status: null, problem: 'timeout' }, late), late.detail)
  assert.deepEqual(
    [0, 1, 4].map((count) => t('desk.integrations.webhook.attempts', { count })),
    ['Not tried yet', '1 attempt', '4 attempts'],
  )
})
