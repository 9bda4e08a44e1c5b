import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery, DeliveryPage } from '../../../server/features/webhooks/schema.ts'
import { pollInterval, withNewestPage } from './webhook.ts'

const page = (next: string | null, ...sent: readonly (readonly [number, Delivery['state']])[]): DeliveryPage => ({
  ok: true,
  count: sent.length,
  deliveries: sent.map(
    ([hour, state]) => ({ id: `msg_${hour}`, state, created_at: `2026-11-15T${hour}:00:00.000Z` }) as Delivery,
  ),
  next_cursor: next,
})
const summary = (pages: readonly DeliveryPage[]) =>
  pages.map(({ deliveries }) => deliveries.map(({ id, state }) => `${id.slice(4)} ${state}`))

test('what does not change is looked at less and less, and what changes at once again', () => {
  const answer = {}
  const pauses = [0, 4_000, 6_000, 20_000, 61_000, 3_600_000].map((later) => pollInterval(answer, 1_000 + later))
  assert.deepEqual(pauses, [1_000, 1_000, 2_000, 5_000, 15_000, 15_000])
  assert.equal(pollInterval({}, 3_601_000), 1_000)
})

test('a newest page takes the place of what was known of its time, and nothing older is lost or told twice', () => {
  const known = [page('b', [17, 'pending'], [16, 'delivered']), page(null, [15, 'delivered'], [14, 'held'])]
  const newer = page('a', [19, 'pending'], [18, 'pending'], [17, 'delivered'])
  assert.deepEqual(summary(withNewestPage(known, newer)), [
    ['19 pending', '18 pending', '17 delivered', '16 delivered'],
    ['15 delivered', '14 held'],
  ])
  const all = page(null, [17, 'delivered'])
  assert.deepEqual(summary(withNewestPage(known, all)), [['17 delivered'], []])
})
