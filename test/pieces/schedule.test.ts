import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkReceipt } from '../../server/features/pieces/receipts/check.ts'
import { publishDue } from '../../server/features/pieces/schedule.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { createSigner } from '../../server/platform/crypto.ts'
import { Database } from '../../server/platform/db/database.ts'
import { testApp } from '../../testkit/app.ts'
import { deskOf, makeModerator, makeSchedulesDue } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { checkedInject } from '../../testkit/openapi.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'
import { caller, everyScope } from '../../testkit/write-api.ts'
import { asking } from '../mcp/site.ts'

/** Scheduled publishing: consent to one revision and one time, which the database decides about when the time has come. */

const { url, admin, app, mailbox, subscribe } = await openWebhookSite()
const hour = 3_600_000
const inAnHour = () => new Date(Date.now() + hour).toISOString()

type Desk = Subscriber['desk']

async function schedule(desk: Desk, id: string, given: object = {}) {
  const { nonce } = (await desk.ask('POST', `pieces/${id}/preview`)).json()
  return desk.ask('POST', `pieces/${id}/schedule`, { nonce, at: inAnHour(), ...given })
}
async function scheduled(desk: Desk, given: object = {}): Promise<string> {
  const id = await desk.begin(given)
  const answer = await schedule(desk, id)
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}
const read = async (desk: Desk, id: string) => (await desk.ask('GET', `pieces/${id}`)).json().piece
const problemOf = async (desk: Desk, id: string) => (await read(desk, id)).schedule?.problem

const makeDue = (ids: readonly string[], ago?: string) => makeSchedulesDue(admin, ids, ago)
/** The job, as the cron schedule adds it every minute. */
const runJob = () => admin.query("select jobs.add('schedules.publish', '{}')")
async function untilPublished(desk: Desk, id: string) {
  await runJob()
  return until(async () => {
    const piece = await read(desk, id)
    return piece.status === 'approved' ? piece : undefined
  }, `${id} is public`)
}

const context = {
  urls: urlsFor('https://desk.test'),
  signer: createSigner('a-secret-of-tests-that-everybody-knows'),
  review: 'off',
  reviewFirst: 1,
  allowance: { firstDay: 3, firstWeek: 10 },
} as const
/** One run of the job in this process, with other settings. */
async function runHere(settings: Partial<Parameters<typeof publishDue>[0]> = {}) {
  const db = new Database({ url, role: 'svc_worker', name: 'worker', connections: 1, statementTimeout: 20_000 })
  try {
    await publishDue({ ...context, db, ...settings }, new AbortController().signal)
  } finally {
    await db.close()
  }
}
const emailsAbout = (headline: string) => mailbox.emails().filter(({ subject }) => subject.includes(headline))

const one = await subscribe()

test('what is scheduled stays a draft until its time, then it is public once, with one delivery and one email', async () => {
  const id = await one.desk.begin({ headline: 'At its time' })
  const at = inAnHour()
  const answer = await schedule(one.desk, id, { at })
  assert.equal(answer.statusCode, 200, answer.body)
  const { schedule: made, status } = answer.json().piece
  assert.deepEqual([status, made.at, made.problem], ['draft', at, null])
  await runJob()
  await runHere()
  assert.equal((await read(one.desk, id)).status, 'draft')
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 404)

  await makeDue([id])
  const piece = await untilPublished(one.desk, id)
  assert.equal(piece.schedule, null)
  await one.until((newest) => newest.piece?.id === id && newest.state === 'delivered')
  await until(() => emailsAbout('At its time').length > 0, 'the writer is emailed')
  for (let run = 0; run < 2; run += 1) await runHere()
  assert.equal(one.received().filter(({ body }) => body.includes(id)).length, 1)
  assert.equal(emailsAbout('At its time').length, 1)
  const { rows } = await admin.query('select act from app.audit where piece_id = $1 order by id', [id])
  assert.deepEqual(
    rows.map(({ act }) => act),
    ['schedule', 'publish'],
  )
})

test('the receipt tells when its writer consented, the time they chose and when it was published, and verifies', async () => {
  const id = await scheduled(one.desk, { headline: 'With a receipt' })
  await makeDue([id])
  await untilPublished(one.desk, id)
  const signed = (await app.inject(`/p/${id}/receipt`)).json()
  const { receipt } = signed
  assert.ok(receipt.scheduled.consented < receipt.scheduled.for && receipt.scheduled.for < receipt.published)
  assert.deepEqual([receipt.act, receipt.by, receipt.role, receipt.revision], ['publish', 'person', 'writer', 1])
  assert.equal(receipt.proof.method, 'password')
  const piece = (await app.inject(`/api/public/pieces/${id}`)).json()
  const keys = (await app.inject('/.well-known/standfirst-receipts.json')).json()
  const verdict = checkReceipt({ signed, keys, piece, id })
  assert.deepEqual(verdict.broken, [])
  assert.ok(verdict.proven.some((sentence) => sentence.includes(receipt.scheduled.consented)))
})

describe('a consent becomes void', () => {
  test('when the text is changed, by its writer or a key, and both the desk and an email say so', async () => {
    const { key } = await makeKey(admin, one.writer, { scopes: everyScope })
    const changes: Record<string, (id: string) => Promise<unknown>> = {
      'Changed by me': (id) => one.desk.ask('PATCH', `pieces/${id}`, { body_md: 'Else.' }, { 'if-match': '*' }),
      'Changed by a key': (id) => caller(checkedInject(app), key).edit(id, { sub: 'Else.' }, '*'),
    }
    for (const [headline, change] of Object.entries(changes)) {
      const id = await scheduled(one.desk, { headline })
      await change(id)
      assert.equal(await problemOf(one.desk, id), 'changed')
      await makeDue([id])
      await runJob()
      const [email] = await until(() => {
        const found = emailsAbout(headline)
        return found.length > 0 && found
      }, `an email about ${headline}`)
      assert.match(email!.text, /changed after you scheduled it/)
      assert.ok(!email!.text.includes('A body.'))
      assert.equal((await read(one.desk, id)).status, 'draft')
      const stored = await admin.query('select rendering from app.schedules where piece_id = $1', [id])
      assert.equal(stored.rows[0].rendering, null)
    }
  })

  test('when it gets another address, or goes to the trash', async () => {
    const id = await scheduled(one.desk)
    await one.desk.ask('PUT', `pieces/${id}/slug`, { slug: 'elsewhere' })
    assert.equal(await problemOf(one.desk, id), 'address')
    const deleted = await scheduled(one.desk)
    await one.desk.ask('DELETE', `pieces/${deleted}`)
    await makeDue([deleted])
    await runHere()
    await one.desk.ask('POST', `trash/${deleted}/restore`)
    assert.equal(await problemOf(one.desk, deleted), 'deleted')
  })

  test('even if a change of the text went past the triggers that say so', async () => {
    const id = await scheduled(one.desk)
    await inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query("update app.pieces set body_md = 'Slipped in.' where id = $1", [id])
    })
    assert.equal(await problemOf(one.desk, id), null)
    await makeDue([id])
    await runHere()
    assert.equal(await problemOf(one.desk, id), 'changed')
    assert.equal((await read(one.desk, id)).status, 'draft')
  })

  test('when its writer is suspended, and restoring them does not bring it back', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const id = await scheduled(desk)
    const moderators = deskOf(app, await makeModerator(admin))
    const act = (name: string, body?: object) => moderators.ask('POST', `review/writers/${writer.slug}/${name}`, body)
    assert.equal((await act('suspend', { reason: 'Spam.' })).statusCode, 200)
    assert.equal((await act('restore', { reason: 'It was another.' })).statusCode, 200)
    assert.equal(await problemOf(desk, id), 'suspended')
    await makeDue([id])
    await runHere()
    assert.equal((await read(desk, id)).status, 'draft')
  })

  test('when the account is barred or about to be deleted at that time', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const ids = [await scheduled(desk), await scheduled(desk)]
    for (const [id, columns] of [
      [ids[0]!, 'disabled_at = $2'],
      [ids[1]!, 'delete_asked_at = $2, delete_at = $2'],
    ] as const) {
      const set = (time: string | null) =>
        admin.query(`update app.accounts set ${columns} where id = $1`, [writer.accountId, time])
      await set('2099-01-01T00:00Z')
      await makeDue([id])
      await runHere()
      await set(null)
      assert.equal(await problemOf(desk, id), 'account')
    }
  })

  test('when the site meanwhile reviews pieces first, or a new account has reached its limit', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const ids = [await scheduled(desk), await scheduled(desk), await scheduled(desk)]
    await admin.query('update app.accounts set signed_up_at = now() where id = $1', [writer.accountId])
    const settings = [
      { review: 'required' },
      { review: 'first' },
      { allowance: { firstDay: 0, firstWeek: 0 } },
    ] as const
    const found: unknown[] = []
    for (const [at, setting] of settings.entries()) {
      await makeDue([ids[at]!])
      await runHere(setting)
      found.push(await problemOf(desk, ids[at]!))
    }
    assert.deepEqual(found, ['review', 'review', 'limit'])
  })
})

test('a cancelled schedule publishes nothing and cannot be cancelled twice', async () => {
  const id = await scheduled(one.desk)
  const cancelled = await one.desk.ask('DELETE', `pieces/${id}/schedule`)
  assert.deepEqual([cancelled.statusCode, cancelled.json().piece.schedule], [200, null])
  assert.equal((await one.desk.ask('DELETE', `pieces/${id}/schedule`)).statusCode, 409)
  await makeDue([id])
  await runHere()
  assert.equal((await read(one.desk, id)).status, 'draft')
})

test('a later consent replaces the one before, and publishing or submitting by hand ends it', async () => {
  const id = await scheduled(one.desk)
  await one.desk.ask('PATCH', `pieces/${id}`, { sub: 'Better.' }, { 'if-match': '*' })
  const at = new Date(Date.now() + 2 * hour).toISOString()
  assert.equal((await schedule(one.desk, id, { at })).statusCode, 200)
  assert.deepEqual([(await read(one.desk, id)).schedule.at, await problemOf(one.desk, id)], [at, null])
  assert.equal((await one.desk.act('publish', id)).statusCode, 200)
  assert.equal((await read(one.desk, id)).schedule, null)
  await one.desk.act('unpublish', id)
  assert.equal((await schedule(one.desk, id)).statusCode, 200)
  assert.equal((await one.desk.act('submit', id)).statusCode, 200)
  assert.equal((await read(one.desk, id)).schedule, null)
})

describe('a schedule is refused', () => {
  test('with a wrong, a used or an outdated nonce', async () => {
    const id = await one.desk.begin()
    const at = inAnHour()
    const { nonce } = (await one.desk.ask('POST', `pieces/${id}/preview`)).json()
    const tried = (body: object) => one.desk.ask('POST', `pieces/${id}/schedule`, { at, ...body })
    assert.equal((await tried({ nonce: 'x'.repeat(43) })).statusCode, 412)
    assert.equal((await tried({})).statusCode, 400)
    assert.equal((await tried({ nonce })).statusCode, 200)
    assert.equal((await tried({ nonce })).statusCode, 412)
    const { nonce: second } = (await one.desk.ask('POST', `pieces/${id}/preview`)).json()
    await one.desk.ask('PATCH', `pieces/${id}`, { sub: 'Else.' }, { 'if-match': '*' })
    assert.equal((await tried({ nonce: second })).statusCode, 412)
  })

  test('for a time that is past, more than a year ahead or none', async () => {
    const id = await one.desk.begin()
    for (const at of [
      new Date(Date.now() - 1000).toISOString(),
      new Date(Date.now() + 367 * 24 * hour).toISOString(),
    ]) {
      const answer = await schedule(one.desk, id, { at })
      assert.deepEqual([answer.statusCode, answer.json().reason], [400, 'validation_failed'], at)
    }
    assert.equal((await schedule(one.desk, id, { at: 'tomorrow' })).statusCode, 400)
    assert.equal((await read(one.desk, id)).schedule, null)
  })

  test('without a headline, for a piece that is public, and where the site reviews first', async () => {
    const untitled = await one.desk.begin({ headline: 'Untitled' })
    assert.equal((await schedule(one.desk, untitled)).statusCode, 400)
    const live = await one.publish()
    assert.equal((await schedule(one.desk, live)).statusCode, 409)
    const reviewing = deskOf(await testApp(url, { REVIEW: 'required' }), one.writer)
    assert.equal((await schedule(reviewing, await one.desk.begin())).statusCode, 409)
  })

  test('without the proof that Publish asks for', async () => {
    const strict = await testApp(url, { PUBLISH_PROOF: 'passkey' })
    const answer = await schedule(deskOf(strict, one.writer), await one.desk.begin())
    assert.equal(answer.statusCode, 403)
    const writer = await makeWriter(admin)
    await admin.query("update app.sessions set authenticated_at = now() - interval '13 hours' where account_id = $1", [
      writer.accountId,
    ])
    const late = deskOf(app, writer)
    assert.equal((await schedule(late, await late.begin())).json().reason, 'fresh_sign_in_required')
  })

  test('to every key and tool', async () => {
    const id = await one.desk.begin()
    const { key } = await makeKey(admin, one.writer, { scopes: everyScope })
    const headers = { authorization: `Bearer ${key}` }
    const { nonce } = (await one.desk.ask('POST', `pieces/${id}/preview`)).json()
    const payload = { nonce, at: inAnHour() }
    const atDesk = await app.inject({
      method: 'POST',
      url: `/desk/api/pieces/${id}/schedule`,
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      payload,
    })
    assert.match(atDesk.json().detail, /does not accept API keys/)
    for (const path of [`/api/v1/pieces/${id}/schedule`, `/api/v1/schedules/${id}`]) {
      assert.equal((await app.inject({ method: 'POST', url: path, headers, payload })).statusCode, 404)
    }
    await app.inject({
      method: 'PATCH',
      url: `/api/v1/pieces/${id}`,
      headers: { ...headers, 'if-match': '*' },
      payload,
    })
    const { call } = asking(app, '/api/v1/mcp', headers)
    for (const tool of ['schedule_piece', 'schedule_draft']) await call(tool, { id, ...payload }).catch(() => undefined)
    assert.equal((await read(one.desk, id)).schedule, null)
  })
})

test('a worker that was down at the time publishes when it is back', async () => {
  const id = await scheduled(one.desk)
  await makeDue([id], '3 days')
  await untilPublished(one.desk, id)
})

test('a worker killed in the middle leaves a draft; the next one publishes it, and one delivery arrives', async () => {
  const id = await scheduled(one.desk, { headline: 'Killed in the middle' })
  await makeDue([id])
  const signer = {
    ...context.signer,
    sign: () => {
      throw new Error('killed')
    },
  }
  await assert.rejects(runHere({ signer }))
  const piece = await read(one.desk, id)
  assert.deepEqual([piece.status, piece.schedule.problem], ['draft', null])
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 404)
  await Promise.all([runHere(), runHere(), runHere()])
  assert.equal((await read(one.desk, id)).status, 'approved')
  await one.until((newest) => newest.piece?.id === id && newest.state === 'delivered')
  assert.equal(one.received().filter(({ body }) => body.includes(id)).length, 1)
})

test('the desk lists what is scheduled in the order of its times, and counts it', async () => {
  const writer = await makeWriter(admin)
  const desk = deskOf(app, writer)
  const ids: string[] = []
  for (const hours of [3, 1, 2]) {
    const id = await desk.begin()
    await schedule(desk, id, { at: new Date(Date.now() + hours * hour).toISOString() })
    ids.push(id)
  }
  await desk.begin()
  const { pieces, next_cursor } = (await desk.ask('GET', 'pieces?scheduled=true')).json()
  assert.deepEqual(
    pieces.map(({ id }: { id: string }) => id),
    [ids[1], ids[2], ids[0]],
  )
  assert.equal(next_cursor, null)
  const counts = (await desk.ask('GET', 'pieces/counts')).json()
  assert.deepEqual([counts.scheduled, counts.counts.draft], [3, 4])
})
