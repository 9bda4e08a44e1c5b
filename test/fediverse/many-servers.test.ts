import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePiece } from '../../testkit/factories.ts'
import { follow, makeDeliveriesDue, openFediverseSite, untilSent } from '../../testkit/fediverse-site.ts'
import { until } from '../../testkit/waiting.ts'

const servers = 200

test('of 1,000 followers on 200 servers each server gets exactly one Create, also while some of them are away', async () => {
  const { admin, actor, ada, others, work } = await openFediverseSite(servers)
  const inboxes = others.hosts.map((_, host) => others.inbox('inbox', host))
  await follow(admin, actor, inboxes, { each: 5 })
  const away = new Set(inboxes.filter((_, place) => place % 10 === 0))
  let refused = 0
  for (const inbox of away)
    others.behave(inbox, (request) => {
      refused += 1
      request.socket.destroy()
    })
  const [worker, other] = [await work(), await work()]
  await makePiece(admin, ada)
  await until(
    () => others.received.length === servers - away.size && refused >= away.size,
    'those that are there have it',
  )
  for (const inbox of away) others.behave(inbox, undefined)
  await until(async () => {
    await makeDeliveriesDue(admin)
    return others.received.length >= servers
  }, 'all have it')
  await untilSent(admin)
  assert.deepEqual(others.received.map(({ inbox }) => inbox).sort(), [...inboxes].sort())
  assert.ok(others.received.every(({ activity }) => activity.type === 'Create'))
  assert.deepEqual(others.refused, [])
  await worker.stop()
  await other.stop()
})
