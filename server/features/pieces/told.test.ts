import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Database } from '#platform/db/database.ts'
import { testApp } from '#testing/app.ts'
import { testDatabase } from '#testing/database.ts'
import { deskOf } from '#testing/desk.ts'
import { makeKey, makeWriter } from '#testing/make.ts'
import { sweepDrafts, tellOfDrafts } from './told.ts'

const { url, admin } = await testDatabase()
const app = await testApp(url)
const db = new Database({ name: 'worker', url, role: 'svc_worker', connections: 2, statementTimeout: 5000 })
after(() => db.close())

const writer = await makeWriter(admin)
await admin.query('update app.accounts set email_verified_at = now() where id = $1', [writer.accountId])
const { key } = await makeKey(admin, writer)

const draft = async (headers: Record<string, string> = {}): Promise<string> => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}`, ...headers },
    payload: { headline: 'By key', body_md: 'A body.' },
  })
  assert.equal(answer.statusCode, 201)
  return answer.json().id
}

/** The letters ordered since last asked. */
async function letters(): Promise<object[]> {
  await tellOfDrafts(db)
  const { rows } = await admin.query("delete from jobs.job where name = 'mail' returning data")
  return rows.map(({ data }) => data)
}

/** Lets an hour pass: everything there is becomes that much older. */
async function anHourLater(): Promise<void> {
  await admin.query("update app.accounts set drafts_told_at = drafts_told_at - interval '61 minutes'")
  await admin.query("update app.revisions set saved_at = saved_at - interval '61 minutes'")
}

test('a writer is told how many drafts a key made, once an hour at most, and never of their own', async () => {
  assert.deepEqual(await letters(), [])
  await deskOf(app, writer).begin()
  assert.deepEqual(await letters(), [], 'their own')

  await draft()
  await draft()
  assert.deepEqual(await letters(), [
    { to: { account: writer.accountId }, letter: 'drafts-by-key', params: { count: 2 } },
  ])
  await draft()
  assert.deepEqual(await letters(), [], 'within the hour')
  await anHourLater()
  assert.equal((await letters()).length, 1)
  await anHourLater()
  assert.deepEqual(await letters(), [], 'nothing new')
})

test('who turned it off is not told', async () => {
  await anHourLater()
  await admin.query('update app.accounts set drafts_letter = false where id = $1', [writer.accountId])
  await draft()
  assert.deepEqual(await letters(), [])
})

test('answers to retries are thrown away after a day', async () => {
  await draft({ 'idempotency-key': 'old' })
  await draft({ 'idempotency-key': 'young' })
  await admin.query("update app.idempotency set created_at = now() - interval '25 hours' where key = 'old'")
  await sweepDrafts(db)
  const { rows } = await admin.query('select key from app.idempotency')
  assert.deepEqual(rows, [{ key: 'young' }])
})
