import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sendEmailChange } from '../../server/features/accounts/email-change.ts'
import { deleteDue } from '../../server/features/offboarding/delete-account.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makePiece, makeWriter } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'

/** The seven days before an account is deleted for good. */

const { url, admin, app } = await testSite()
const worker = workerDatabase(url)

const ask = async (who: MadeWriter) => {
  const answer = await deskOf(app, who).ask('DELETE', 'account', { name: 'A Writer' })
  assert.equal(answer.statusCode, 202, answer.body)
  return answer.json().delete_at as string
}
const deletionOf = async (who: MadeWriter) => (await deskOf(app, who).ask('GET', 'account')).json().account.deletion
const isThere = async ({ accountId }: MadeWriter) =>
  (await admin.query('select from app.accounts where id = $1', [accountId])).rowCount === 1

/** The email a worker sends about it, if any. */
async function emailOf({ accountId }: MadeWriter): Promise<{ to: string; token: string; at: string } | undefined> {
  const { rows } = await admin.query(
    `delete from jobs.job where name = 'account.email' and data->>'account' = $1 returning data`,
    [accountId],
  )
  let sent: { to: string; token: string; at: string } | undefined
  for (const { data } of rows)
    await sendEmailChange(
      worker,
      async (to, { params }) => {
        sent = { to, ...(params as { token: string; at: string }) }
      },
      data,
    )
  return sent
}

test('for seven days everything stays as it is, the desk says when, and then it is gone', async () => {
  const who = await makeWriter(admin)
  const piece = await makePiece(admin, who)
  const at = await ask(who)
  const { rows } = await admin.query(
    "select $1::timestamptz - now() between interval '6 days 23 hours' and interval '7 days' as is_so",
    [at],
  )
  assert.ok(rows[0].is_so, at)
  assert.equal((await deletionOf(who)).at, at)
  await deleteDue(worker)
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
  await deleteNow(admin, url, who.accountId)
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 404)
})

test('asked for again, the date stays, and no second email goes out', async () => {
  const who = await makeWriter(admin)
  const at = await ask(who)
  assert.equal((await emailOf(who))?.at, at)
  assert.equal(await ask(who), at)
  assert.equal(await emailOf(who), undefined)
})

describe('it is cancelled', () => {
  test('by a button at the desk, in any session; again, nothing happens', async () => {
    const who = await makeWriter(admin)
    await ask(who)
    await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
      who.sessionId,
    ])
    for (const _ of [1, 2]) assert.equal((await deskOf(app, who).ask('DELETE', 'account/deletion')).statusCode, 204)
    assert.equal(await deletionOf(who), null)
    const { events } = (await deskOf(app, who).ask('GET', 'account/history')).json()
    assert.deepEqual(
      events.slice(0, 2).map(({ act }: { act: string }) => act),
      ['deletion_cancelled', 'deletion_asked'],
    )
  })

  test('by the link in the email, once, without a session', async () => {
    const who = await makeWriter(admin)
    await ask(who)
    const { to, token } = (await emailOf(who))!
    assert.match(to, /@site\.test$/)
    const cancel = () =>
      app.inject({
        method: 'POST',
        url: '/desk/api/account/deletion/cancel',
        headers: { 'sec-fetch-site': 'same-origin' },
        payload: { token },
      })
    assert.equal((await cancel()).statusCode, 200)
    assert.equal(await deletionOf(who), null)
    assert.equal((await cancel()).statusCode, 410)
    await ask(who)
    assert.equal((await cancel()).statusCode, 410, 'the link of the one before')
  })

  test('by a password that is set, and by signing out everywhere else', async () => {
    const acts = {
      password: (who: MadeWriter) =>
        deskOf(app, who).ask('PUT', 'account/password', { password: 'marble anchor thimble gravel' }),
      sessions: (who: MadeWriter) => deskOf(app, who).ask('POST', 'sessions/end-others'),
    }
    for (const [name, act] of Object.entries(acts)) {
      const who = await makeWriter(admin)
      await ask(who)
      assert.equal((await act(who)).statusCode, 200, name)
      assert.equal(await deletionOf(who), null, name)
    }
  })

  test('also in the last moment: what is kept while the worker is about to delete it stays whole', async () => {
    const who = await makeWriter(admin)
    const piece = await makePiece(admin, who)
    await ask(who)
    await admin.query('update app.accounts set delete_at = now() where id = $1', [who.accountId])
    const owner = await admin.connect()
    try {
      await owner.query('begin')
      await owner.query('update app.accounts set delete_asked_at = null, delete_at = null where id = $1', [
        who.accountId,
      ])
      const deleting = deleteDue(worker).catch(() => {})
      await owner.query('commit')
      await deleting
    } finally {
      owner.release()
    }
    assert.ok(await isThere(who))
    assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
  })
})

test('five times an hour are the most: each is an email to somebody', async () => {
  const who = await makeWriter(admin)
  for (let times = 0; times < 5; times += 1) {
    await ask(who)
    await deskOf(app, who).ask('DELETE', 'account/deletion')
  }
  const answer = await deskOf(app, who).ask('DELETE', 'account', { name: 'A Writer' })
  assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'limit_reached'])
})

test('an account that cannot be deleted now holds up no other', async () => {
  const [one, other] = [await makeWriter(admin), await makeWriter(admin)]
  for (const who of [one, other]) await ask(who)
  await admin.query('update app.accounts set delete_at = now() where id = any ($1)', [[one.accountId, other.accountId]])
  const busy = await admin.connect()
  try {
    await busy.query('begin')
    await busy.query('select from app.accounts where id = $1 for update', [one.accountId])
    await assert.rejects(deleteDue(worker), AggregateError)
    await busy.query('rollback')
  } finally {
    busy.release()
  }
  assert.deepEqual([await isThere(one), await isThere(other)], [true, false])
  await deleteDue(worker)
  assert.equal(await isThere(one), false)
})
