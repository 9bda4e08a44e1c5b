import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import type pg from 'pg'
import { inTransaction } from '../../testkit/factories.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber, secretsKey } from '../../testkit/webhook-site.ts'

/** Leases in the database, with workers that die, report late or cannot decrypt. */

const { admin, receiver, work, addWebhook, workerRound } = await openWebhookSite({ works: false })

/** Makes it live without a worker. */
async function subscribe(): Promise<Subscriber> {
  const one = await addWebhook()
  await admin.query("update app.webhooks set state = 'live', live_since = now() where writer_id = $1", [one.writer.id])
  await admin.query('delete from app.deliveries where writer_id = $1', [one.writer.id])
  return one
}

interface ClaimedDelivery {
  readonly id: string
  readonly lease_token: string
  readonly attempt: number
}

const asWorker = <T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_worker')
    return (await client.query<T>(sql, values)).rows
  })
/** Claims a delivery like a worker that then dies. */
const claim = () =>
  asWorker<ClaimedDelivery>(
    'select * from app.claim_deliveries(64, false) union all select * from app.claim_deliveries(64, true)',
  )
const settle = (met: object) => asWorker('select * from app.settle_deliveries($1)', [JSON.stringify([met])])
const answered = (claimed: ClaimedDelivery, more: object = {}) => ({
  id: claimed.id,
  token: claimed.lease_token,
  attempt: claimed.attempt,
  ms: 5,
  url: 'http://x',
  status: 200,
  wait: null,
  ...more,
})

/** Expires the lease, which lasts 45 seconds. */
async function leaseEnds(one: Subscriber): Promise<void> {
  await admin.query(
    "update app.deliveries set due_at = clock_timestamp() - interval '1 ms' where writer_id = $1 and lease_token is not null",
    [one.writer.id],
  )
  await admin.query('update app.webhooks set ready_at = clock_timestamp() where writer_id = $1', [one.writer.id])
  await admin.query('notify deliveries')
}

describe('a lease', () => {
  test('lasts 45 seconds, in which nobody else claims', async () => {
    const one = await subscribe()
    await one.publish()
    assert.equal((await claim()).length, 1)
    assert.equal((await claim()).length, 0)
    const { rows } = await admin.query(
      `select extract(epoch from d.due_at - d.leased_at)::float as lease, w.ready_at = d.due_at as comes_back
         from app.deliveries d join app.webhooks w using (writer_id) where d.writer_id = $1`,
      [one.writer.id],
    )
    assert.deepEqual(rows, [{ lease: 45, comes_back: true }])
    const [shown] = await one.log()
    assert.deepEqual([shown!.state, shown!.attempts, shown!.can_resend], ['pending', 1, false])
    await leaseEnds(one)
    const [again] = await claim()
    assert.equal(again!.attempt, 2)
    await settle(answered(again!))
  })

  test('that ended fences whoever held it: what they say is logged and changes nothing', async () => {
    const one = await subscribe()
    await one.publish()
    const [late] = await claim()
    await leaseEnds(one)
    const [next] = await claim()
    assert.notEqual(next!.lease_token, late!.lease_token)
    const { id } = (await one.log())[0]!
    assert.equal((await one.attempts(id))[0]!.problem, 'abandoned')
    await settle(answered(late!, { status: 410, problem: 'status', wait: 5, gone: true }))
    const [held] = await one.log()
    assert.deepEqual([held!.state, held!.attempts], ['pending', 2])
    assert.equal((await one.webhook()).state, 'live')
    assert.equal((await one.attempts(id))[0]!.status, 410, 'the log knows what it met')
    await settle(answered(next!))
    assert.equal((await one.log())[0]!.state, 'delivered')
    // Once more, by a worker that missed the confirmation.
    await settle(answered(next!, { status: 500, problem: 'status', wait: 5 }))
    assert.equal((await one.log())[0]!.state, 'delivered')
    assert.equal((await one.webhook()).failures, 0)
  })

  test('that was lost is taken up before all that has waited meanwhile', async () => {
    const one = await subscribe()
    await one.publish()
    const [lost] = await claim()
    await one.publish()
    await one.publish()
    await leaseEnds(one)
    const again = await claim()
    assert.deepEqual(
      again.map(({ id, attempt }) => [id, attempt]),
      [[lost!.id, 2]],
    )
    for (let next = again; next.length > 0; next = await claim())
      for (const claimed of next) await settle(answered(claimed))
    assert.deepEqual([...new Set((await one.log()).map(({ state }) => state))], ['delivered'])
  })

  test('that was lost is taken up although its server keeps another attempt waiting', async () => {
    const one = await subscribe()
    await one.publish()
    await one.publish()
    await admin.query('update app.webhooks set width = 2 where writer_id = $1', [one.writer.id])
    const [lost, waiting] = await claim()
    const { id: writer } = one.writer
    await leaseEnds(one)
    await admin.query(
      `update app.deliveries set due_at = clock_timestamp() + interval '10 s', leased_at = clock_timestamp() - interval '5 s'
        where id = $1`,
      [waiting!.id],
    )
    await one.publish()
    assert.deepEqual(
      (await claim()).map(({ id }) => id),
      [lost!.id],
    )
    assert.equal((await claim()).length, 0, 'no other until it answers')
    await admin.query(
      "update app.deliveries set state = 'exhausted', lease_token = null, leased_at = null where writer_id = $1",
      [writer],
    )
  })

  test('without a token ends nothing', async () => {
    const one = await subscribe()
    await one.publish()
    const [claimed] = await claim()
    await settle(answered(claimed!))
    await settle({ ...answered(claimed!, { status: 500, problem: 'status', wait: 5 }), token: null })
    assert.equal((await one.log())[0]!.state, 'delivered')
  })

  test('of a body that ends every worker ends with the tenth', async () => {
    const one = await subscribe()
    await one.publish()
    for (let tries = 1; tries <= 10; tries += 1) {
      const [claimed] = await claim()
      assert.equal(claimed?.attempt, tries)
      await leaseEnds(one)
    }
    assert.equal((await claim()).length, 0)
    const [given] = await one.log()
    assert.deepEqual([given!.state, given!.attempts, given!.last!.problem], ['exhausted', 10, 'abandoned'])
    const attempts = await one.attempts(given!.id)
    assert.deepEqual([...new Set(attempts.map(({ problem }) => problem))], ['abandoned'])
    assert.equal(attempts.length, 10)
  })
})

test('what a worker left behind another delivers, when the lease ends and not before', async () => {
  const one = await subscribe()
  const waiting: ServerResponse[] = []
  one.behave((_request, response) => void waiting.push(response))
  const first = await work()
  await one.publish()
  await receiver.expect(() => waiting.length === 1)
  one.behave(200)
  const second = await work()
  await workerRound()
  assert.equal(one.received().length, 1)
  assert.equal((await one.log())[0]!.attempts, 1)
  await leaseEnds(one)
  await one.until(({ state }) => state === 'delivered')
  waiting[0]!.writeHead(500).end()
  const { id, state } = await until(async () => {
    const [newest] = await one.log()
    const attempts = await one.attempts(newest!.id)
    return attempts.some(({ status }) => status === 500) ? newest : undefined
  }, 'the late answer is logged')
  assert.equal(state, 'delivered')
  assert.deepEqual(
    (await one.attempts(id)).map(({ attempt, status }) => [attempt, status]),
    [
      [2, 200],
      [1, 500],
    ],
  )
  await Promise.all([first.stop(), second.stop()])
})

test('a worker that is told to stop hears the answers it waits for first, and takes nothing more', async () => {
  const one = await subscribe()
  const waiting: ServerResponse[] = []
  one.behave((_request, response) => void waiting.push(response))
  const worker = await work()
  await one.publish()
  await receiver.expect(() => waiting.length === 1)
  const stopping = worker.stop()
  // A claim in progress may still take deliveries; none follows.
  await until(async () => {
    const { rowCount } = await admin.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'standfirst dispatcher' and state = 'active'`,
    )
    return rowCount === 0
  }, 'the worker asks nothing any more')
  await one.publish()
  // An answer wakes a worker, so a running one would take the next delivery now.
  waiting[0]!.end()
  await stopping
  assert.equal(waiting.length, 1, 'it took another')
  const [next, first] = await one.log()
  assert.deepEqual([first!.state, next!.state, next!.attempts], ['delivered', 'pending', 0])
  one.behave(200)
  const other = await work()
  await one.until(({ state }) => state === 'delivered')
  await other.stop()
})

describe('SECRETS_KEY', () => {
  const fresh = 'another-secret-of-tests-that-everybody-knows'

  test('with the new one before the old, what the old one sealed is still signed', async () => {
    const one = await subscribe()
    await one.publish()
    const worker = await work({ SECRETS_KEY: `${fresh}, ${secretsKey}` })
    await one.until(({ state }) => state === 'delivered')
    const { Webhook } = await import('standardwebhooks')
    const [told] = one.received()
    new Webhook(one.secret).verify(told!.body, told!.headers as Record<string, string>)
    await worker.stop()
  })

  test('without the old one nothing is sent, nobody is blamed, and it goes out when the key is back', async () => {
    const one = await subscribe()
    await one.publish()
    const wrong = await work({ SECRETS_KEY: fresh })
    const { id } = await one.until(({ last }) => last?.problem === 'sealed')
    const [attempt] = await one.attempts(id)
    assert.deepEqual([attempt!.status, attempt!.signature, attempt!.address], [null, null, null])
    assert.match(attempt!.detail!, /nothing was sent/)
    assert.deepEqual([one.received().length, (await one.webhook()).failures], [0, 0])
    await wrong.stop()
    const right = await work()
    await one.makeDue()
    await one.until(({ state }) => state === 'delivered')
    await right.stop()
  })

  test('a secret that was moved to another writer’s webhook does not open', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    await admin.query(
      'update app.webhooks set secret = (select secret from app.webhooks where writer_id = $2) where writer_id = $1',
      [one.writer.id, other.writer.id],
    )
    await one.publish()
    const worker = await work()
    await one.until(({ last }) => last?.problem === 'sealed')
    assert.equal(one.received().length, 0)
    await worker.stop()
  })
})
