import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../../testkit/app.ts'
import { workerDatabase } from '../../../testkit/database.ts'
import { deskOf } from '../../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../../testkit/factories.ts'
import { notifyOfDrafts, sendDraftsEmail, sweepDrafts } from './drafts.ts'

const { url, admin, app } = await testSite()
const db = workerDatabase(url)

const writer = await makeWriter(admin)
await admin.query('update app.accounts set email_verified_at = now() where id = $1', [writer.accountId])
const { key, id: keyId } = await makeKey(admin, writer)

const draft = async (headers: Record<string, string> = {}, headline = 'By key'): Promise<string> => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}`, ...headers },
    payload: { headline, body_md: 'A body.' },
  })
  assert.equal(answer.statusCode, 201)
  return answer.json().id
}

/** The emails enqueued since the last call. */
async function emails(): Promise<object[]> {
  await notifyOfDrafts(db)
  const { rows } = await admin.query("delete from jobs.job where name = 'drafts.email' returning data")
  return rows.map(({ data }) => data)
}

/** Changes that no role may make. */
const unguarded = (sql: string) =>
  admin.query(`
    alter table app.pieces disable trigger guard_status;
    ${sql};
    alter table app.pieces enable always trigger guard_status;
  `)

/** Simulates an hour passing: makes everything that much older. */
async function anHourLater(): Promise<void> {
  await admin.query("update app.accounts set drafts_told_at = drafts_told_at - interval '61 minutes'")
  await unguarded("update app.pieces set created_at = created_at - interval '61 minutes'")
}

test('a writer is notified of drafts a key made, once an hour at most, and never of their own', async () => {
  assert.deepEqual(await emails(), [])
  await deskOf(app, writer).begin()
  assert.deepEqual(await emails(), [], 'their own')

  await draft()
  await draft()
  assert.deepEqual(await emails(), [{ account: writer.accountId, count: 2 }])
  await draft()
  assert.deepEqual(await emails(), [], 'within the hour')
  await anHourLater()
  assert.equal((await emails()).length, 1)
  await anHourLater()
  assert.deepEqual(await emails(), [], 'nothing new')
})

test('nobody is notified of a draft that is in the trash', async () => {
  await anHourLater()
  const gone = await draft()
  await draft()
  assert.equal((await deskOf(app, writer).ask('DELETE', `pieces/${gone}`)).statusCode, 204)
  assert.deepEqual(await emails(), [{ account: writer.accountId, count: 1 }])
})

test('the email names the newest drafts that are not in the trash', async () => {
  const sent: unknown[] = []
  const send = async (account: string, order: unknown) => void sent.push([account, order])
  const gone = await draft({}, 'Gone')
  await draft({}, 'On tea')
  await draft({}, 'On kettles')
  assert.equal((await deskOf(app, writer).ask('DELETE', `pieces/${gone}`)).statusCode, 204)
  await sendDraftsEmail(db, send, { account: writer.accountId, count: 2 }, 'one')
  assert.deepEqual(sent, [
    [writer.accountId, { template: 'drafts-by-key', params: { count: 2, headlines: ['On kettles', 'On tea'] } }],
  ])
  await sendDraftsEmail(db, send, { account: (await makeWriter(admin)).accountId, count: 2 }, 'two')
  assert.equal(sent.length, 1, 'none are left')
  await emails()
})

test('writers who turned it off are not notified', async () => {
  await anHourLater()
  await admin.query('update app.accounts set drafts_letter = false where id = $1', [writer.accountId])
  await draft()
  assert.deepEqual(await emails(), [])
})

test('who is to be told is found among the drafts of a day, not among all there ever were', async () => {
  await unguarded(
    `insert into app.pieces (writer_id, headline, body_md, begun_by_key, created_at)
     select '${writer.id}', 'Old', repeat(md5(number::text), 20), '${keyId}', now() - interval '2 days'
       from generate_series(1, 20000) number`,
  )
  await admin.query('analyze app.pieces')
  const { rows } = await admin.query('explain (analyze, buffers, format json) select * from app.writers_to_tell()')
  const { Plan: plan } = rows[0]['QUERY PLAN'][0]
  const touched = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  const { rows: size } = await admin.query("select relpages from pg_class where oid = 'app.pieces'::regclass")
  assert.ok(size[0].relpages > 1000)
  assert.ok(touched < size[0].relpages / 2, `${touched} blocks of ${size[0].relpages}`)
})

test('answers to retries are thrown away some thousands at a time', async () => {
  await admin.query(
    `insert into app.idempotency (writer_id, key, body_hash, piece_id, begun_at, created_at)
     select $1, 'old ' || number, sha256('x'), gen_random_uuid(), now(), now() - interval '25 hours'
       from generate_series(1, 12000) number`,
    [writer.id],
  )
  const once = await db.run<{ swept: number }>({ text: 'select app.sweep_drafts() as swept' })
  assert.equal(once[0]!.swept, 5000)
  await sweepDrafts(db)
  const { rowCount } = await admin.query("select from app.idempotency where key like 'old %'")
  assert.equal(rowCount, 0)
})

test('answers to retries are thrown away after a day', async () => {
  await draft({ 'idempotency-key': 'old' })
  await draft({ 'idempotency-key': 'young' })
  await admin.query("update app.idempotency set created_at = now() - interval '25 hours' where key = 'old'")
  await sweepDrafts(db)
  const { rows } = await admin.query('select key from app.idempotency')
  assert.deepEqual(rows, [{ key: 'young' }])
})
