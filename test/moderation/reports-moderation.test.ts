import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepReports } from '../../server/features/moderation/reports.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import { anyAddress } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter, publish, unpublish } from '../../testkit/factories.ts'

/** What moderators see of reports, and how they resolve them. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const judge = await makeModerator(admin)
const moderators = deskOf(app, judge)
const mine = deskOf(app, writer)

async function report(id: string, form: Record<string, string> = {}, from = anyAddress()): Promise<number> {
  const answer = await app.inject({
    method: 'POST',
    url: `/desk/report/${id}`,
    remoteAddress: from,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: new URLSearchParams({ reason: 'spam', ...form }).toString(),
  })
  return answer.statusCode
}

/** Takes the queued replies to reporters out of the queue. */
async function answers(): Promise<{ email: string; letter: string; params: { piece: string } }[]> {
  const { rows } = await admin.query("delete from jobs.job where name = 'mail.reporter' returning data")
  return rows.map(({ data }) => data).sort((a, b) => a.email.localeCompare(b.email))
}

async function addressCount(id: string): Promise<number> {
  const { rows } = await admin.query('select count(email)::int as kept from app.reports where piece_id = $1', [id])
  return rows[0].kept
}

const list = async (query = '') => (await moderators.ask('GET', `reports${query}`)).json()
const listed = async (): Promise<string[]> => (await list()).items.map(({ id }: { id: string }) => id)

async function outcomesOf(id: string): Promise<(string | null)[]> {
  const { rows } = await admin.query('select outcome from app.reports where piece_id = $1 order by id', [id])
  return rows.map(({ outcome }) => outcome)
}

test('moderators see reported pieces, last reported first, with how many say so and what', async () => {
  const [quiet, loud] = [
    await makePiece(admin, writer, { headline: 'Quiet' }),
    await makePiece(admin, writer, { headline: 'Loud' }),
  ]
  const angry = anyAddress()
  await report(loud, { note: 'One' }, angry)
  await report(loud, { note: 'Two' }, angry)
  await report(quiet)
  await report(loud, { reason: 'danger', note: 'Three', email: 'me@reader.test' })
  const { ok, count, items, next_cursor } = await list()
  assert.deepEqual([ok, count, next_cursor], [true, 2, null])
  const [first, second] = items
  assert.deepEqual(
    { ...first, newest_at: undefined, newest: undefined },
    {
      kind: 'piece',
      is_illegal: false,
      id: loud,
      url: 'https://site.test/author/ada/loud',
      headline: 'Loud',
      writer: { slug: 'ada', name: 'Ada Okafor' },
      reports: 3,
      reporters: 2,
      newest_at: undefined,
      newest: undefined,
    },
  )
  assert.deepEqual(
    first.newest.map(({ reason, note, email }: Record<string, unknown>) => [reason, note, email]),
    [
      ['danger', 'Three', 'me@reader.test'],
      ['spam', 'Two', null],
      ['spam', 'One', null],
    ],
  )
  assert.equal(first.newest_at, first.newest[0].at)
  assert.deepEqual([second.id, second.reports, second.reporters], [quiet, 1, 1])
  for (const id of [quiet, loud]) await moderators.ask('POST', `reports/${id}/dismiss`)
})

test('pages follow each other without a gap, also while reports come in', async () => {
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift(await makePiece(admin, writer, { headline: `Reported ${n}` }))
  for (const id of ids.toReversed()) await report(id)
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.items.map(({ id }: { id: string }) => id))
    cursor = page.next_cursor ?? ''
    await report(await makePiece(admin, writer, { headline: 'Newer' }))
  } while (cursor)
  assert.deepEqual(seen, ids)
  assert.equal((await moderators.ask('GET', 'reports?cursor=nonsense')).statusCode, 400)
  for (const id of await listed()) await moderators.ask('POST', `reports/${id}/dismiss`)
  assert.deepEqual(await listed(), [])
})

test('reports are for moderators', async () => {
  const id = await makePiece(admin, writer)
  await report(id)
  for (const [method, path] of [
    ['GET', 'reports'],
    ['POST', `reports/${id}/dismiss`],
  ] as const) {
    const out = await app.inject({ method, url: `/desk/api/${path}`, headers: { 'sec-fetch-site': 'same-origin' } })
    assert.deepEqual([out.statusCode, out.json().reason], [401, 'signed_out'])
    const writers = await mine.ask(method, path)
    assert.deepEqual([writers.statusCode, writers.json().reason], [403, 'forbidden'])
  }
  assert.deepEqual(await outcomesOf(id), [null])
})

test('PostgreSQL itself keeps reports from everybody else', async () => {
  const { rows } = await admin.query<{ role: string; thing: string }>(
    `select role, thing from unnest(array['svc_public', 'svc_api', 'svc_desk', 'svc_worker', 'svc_publisher']) as role,
            unnest(array['app.reports', 'app.report_salts']) as thing
      where has_any_column_privilege(role, thing, 'select, insert, update, references')
         or has_table_privilege(role, thing, 'delete, truncate, trigger')`,
  )
  assert.deepEqual(rows, [])
  for (const call of [
    'app.open_reports($1, null, true, now(), gen_random_uuid(), 1)',
    "app.dismiss_reports($1, 'piece', gen_random_uuid())",
    "app.take_reporters($1, 'piece', gen_random_uuid())",
    "app.reports_of($1, 'piece', gen_random_uuid())",
  ]) {
    await assert.rejects(admin.query(`select ${call}`, [hashOf('no such session')]), { code: 'SF401' })
    await assert.rejects(admin.query(`select ${call}`, [hashOf(writer.sessionToken)]), { code: 'SF403' })
  }
})

test('dismissing settles what is open, and the trail says who did; the writer hears nothing of it', async () => {
  const id = await makePiece(admin, writer)
  const before = (await mine.ask('GET', `pieces/${id}/history`)).json()
  await report(id)
  await report(id, { reason: 'other', note: 'I do not like it.' })
  const answer = await moderators.ask('POST', `reports/${id}/dismiss`)
  assert.deepEqual([answer.statusCode, answer.json()], [200, { ok: true, id, dismissed: 2 }])
  assert.deepEqual(await outcomesOf(id), ['dismissed', 'dismissed'])
  assert.ok(!(await listed()).includes(id))
  const { rows } = await admin.query(
    "select account_id, session_id, revision, from_status, to_status, note from app.audit where piece_id = $1 and act = 'dismiss_reports'",
    [id],
  )
  assert.deepEqual(rows, [
    {
      account_id: judge.accountId,
      session_id: judge.sessionId,
      revision: 1,
      from_status: 'approved',
      to_status: 'approved',
      note: null,
    },
  ])
  assert.deepEqual((await mine.ask('GET', `pieces/${id}/history`)).json(), before)
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 200)
  const again = await moderators.ask('POST', `reports/${id}/dismiss`)
  assert.deepEqual([again.statusCode, again.json().reason], [404, 'not_found'])
  await report(id)
  assert.ok((await listed()).includes(id), 'a new report opens it again')
})

test('nobody judges reports on what they wrote', async () => {
  const both = await makeModerator(admin)
  const own = await makePiece(admin, both, { headline: 'My own' })
  await report(own)
  const theirs = deskOf(app, both)
  const { items } = (await theirs.ask('GET', 'reports')).json()
  assert.ok(!items.some(({ id }: { id: string }) => id === own))
  assert.equal((await theirs.ask('POST', `reports/${own}/dismiss`)).statusCode, 403)
  assert.ok((await listed()).includes(own))
})

for (const to of ['changes_requested', 'rejected']) {
  test(`taking a piece down (${to}) settles its reports`, async () => {
    const id = await makePiece(admin, writer)
    await report(id)
    const taken = await moderators.act('take_down', id, { to })
    assert.equal(taken.statusCode, 200, taken.body)
    assert.deepEqual(await outcomesOf(id), ['taken_down'])
    assert.ok(!(await listed()).includes(id))
    assert.equal(await report(id), 404)
  })
}

for (const { outcome, letter, decide } of [
  { outcome: 'kept', letter: 'report-kept', decide: (id: string) => moderators.ask('POST', `reports/${id}/dismiss`) },
  { outcome: 'taken down', letter: 'report-taken-down', decide: (id: string) => moderators.act('take_down', id) },
]) {
  test(`when a piece is ${outcome}, each address that was left gets one answer and is forgotten`, async () => {
    const id = await makePiece(admin, writer)
    await report(id, { email: 'kim@reader.test', note: 'One' })
    await report(id, { email: 'Kim@Reader.test', note: 'Two' })
    await report(id, { email: 'lee@reader.test' })
    await report(id)
    await answers()
    assert.equal((await decide(id)).statusCode, 200)
    assert.deepEqual(await answers(), [
      { email: 'kim@reader.test', letter, params: { piece: id } },
      { email: 'lee@reader.test', letter, params: { piece: id } },
    ])
    assert.equal(await addressCount(id), 0)
  })
}

test('a decision that is refused answers nobody, and the address waits for one that is not', async () => {
  const id = await makePiece(admin, writer)
  await report(id, { email: 'kim@reader.test' })
  await answers()
  assert.equal((await mine.ask('POST', `reports/${id}/dismiss`)).statusCode, 403)
  assert.equal((await moderators.act('take_down', id, { to: 'approved' })).statusCode, 400)
  assert.deepEqual([await answers(), await addressCount(id)], [[], 1])
})

test('an answer is for whoever reported since the last decision', async () => {
  const id = await makePiece(admin, writer)
  await report(id, { email: 'early@reader.test' })
  await moderators.ask('POST', `reports/${id}/dismiss`)
  await report(id, { email: 'late@reader.test' })
  await answers()
  await moderators.act('take_down', id)
  assert.deepEqual(
    (await answers()).map(({ email }) => email),
    ['late@reader.test'],
  )
})

test('a reported piece is shown to moderators with what was said of it, until that is settled', async () => {
  const id = await makePiece(admin, writer)
  const shown = async () => (await moderators.ask('POST', `review/${id}/show`)).json().reports
  assert.equal(await shown(), null)
  await report(id, { reason: 'danger', note: 'It burns.', email: 'kim@reader.test' })
  const { reports, reporters, newest_at, newest } = await shown()
  assert.deepEqual([reports, reporters, newest.length], [1, 1, 1])
  assert.deepEqual(newest[0], {
    reason: 'danger',
    note: 'It burns.',
    place: null,
    name: null,
    email: 'kim@reader.test',
    at: newest_at,
  })
  await moderators.ask('POST', `reports/${id}/dismiss`)
  assert.equal(await shown(), null)
})

test('a writer does not get rid of reports by unpublishing for a while', async () => {
  const id = await makePiece(admin, writer)
  await report(id)
  await unpublish(admin, writer, id)
  assert.ok(!(await listed()).includes(id), 'a draft is nobody’s business')
  await publish(admin, writer, id)
  assert.ok((await listed()).includes(id))
})

test('a report that meets a take-down is settled by it or comes too late', async () => {
  for (let round = 0; round < 12; round++) {
    const id = await makePiece(admin, writer)
    const [taken, ...reported] = await Promise.all([
      moderators.act('take_down', id),
      ...Array.from({ length: 4 }, (_, n) => report(id, { note: `${n}` })),
    ])
    assert.equal(taken.statusCode, 200, taken.body)
    for (const status of reported) assert.ok([303, 404].includes(status), `${status}`)
    const outcomes = await outcomesOf(id)
    assert.equal(outcomes.length, reported.filter((status) => status === 303).length)
    assert.ok(outcomes.every((outcome) => outcome === 'taken_down'))
  }
})

test('a thousand open reports of a piece are enough to know', async () => {
  const id = await makePiece(admin, writer)
  await admin.query(
    `insert into app.reports (piece_id, reason, reporter) select $1, 'spam', sha256(n::text::bytea) from generate_series(1, 1000) n`,
    [id],
  )
  assert.equal(await report(id, { note: 'One more' }), 303)
  assert.equal((await outcomesOf(id)).length, 1000)
  const piece = (await list()).items.find((one: { id: string }) => one.id === id)
  assert.deepEqual([piece.reports, piece.reporters, piece.newest.length], [1000, 1000, 20])
})

test('what was settled three months ago is forgotten, and what is open is not', async () => {
  const worker = workerDatabase(url)
  const id = await makePiece(admin, writer)
  await report(id)
  await moderators.ask('POST', `reports/${id}/dismiss`)
  await report(id)
  await admin.query("update app.reports set settled_at = settled_at - interval '91 days' where piece_id = $1", [id])
  await admin.query('update app.report_salts set day = day - 1')
  await sweepReports(worker)
  assert.deepEqual(await outcomesOf(id), [null])
  assert.equal((await admin.query('select from app.report_salts')).rowCount, 0)
})
