import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { packHistory } from '../../server/features/pieces/history.ts'
import { Database } from '../../server/platform/db/database.ts'
import { unzip } from '../../server/platform/zip.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeKey, makeWriter, typedDraft } from '../../testkit/factories.ts'

/** Which revisions of a piece remain after a day, and that they are intact. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, writer)
const worker = new Database({ name: 'packer', url, role: 'svc_worker', connections: 2, statementTimeout: 60_000 })
after(() => worker.close())

const pack = () => packHistory(worker, new AbortController().signal)

interface Kept {
  readonly revision: number
  readonly name: string | null
  readonly headline: string
}
const historyOf = async (id: string): Promise<Kept[]> =>
  (await desk.ask('GET', `pieces/${id}/history`)).json().revisions
const numbersOf = async (id: string): Promise<number[]> => (await historyOf(id)).map(({ revision }) => revision)
const bodyOf = async (id: string, revision: number): Promise<string> =>
  (await desk.ask('GET', `pieces/${id}/revisions/${revision}`)).json().revision.body_md

async function save(id: string, changes: object): Promise<void> {
  const answer = await desk.ask('PATCH', `pieces/${id}`, changes, { 'if-match': '*' })
  assert.equal(answer.statusCode, 200, answer.body)
}

/** Dates the saves of a piece two days back, at these minutes of an hour. */
async function backdate(id: string, minuteOf: (revision: number) => number): Promise<void> {
  const { rows } = await admin.query<{ revision: number }>(
    'select revision from app.recent_revisions where piece_id = $1',
    [id],
  )
  const numbers = rows.map(({ revision }) => revision)
  await admin.query(
    `update app.recent_revisions r
        set saved_at = date_trunc('hour', now()) - interval '2 days' + given.minute * interval '1 minute'
       from unnest($2::integer[], $3::float8[]) as given (revision, minute)
      where r.piece_id = $1 and r.revision = given.revision`,
    [id, numbers, numbers.map(minuteOf)],
  )
}

async function written(bodies: readonly string[]): Promise<string> {
  const id = await desk.begin({ headline: 'On tea', body_md: bodies[0]! })
  for (const body_md of bodies.slice(1)) await save(id, { body_md })
  return id
}

/** Estimated bytes on disk, with 150 bytes per row and 5 % for TOAST chunks. */
async function bytesOf(id: string): Promise<number> {
  const { rows } = await admin.query<{ bytes: string }>(
    `select sum(150 + size * 1.05) as bytes
       from (select pg_column_size(saves) as size from app.packed_revisions where piece_id = $1
             union all
             select pg_column_size(r.*) from app.recent_revisions r where piece_id = $1) kept`,
    [id],
  )
  return Number(rows[0]!.bytes)
}

test('400 saves of a 6 kB draft are at most 60 kB a day later, and each that is kept is what was saved', async () => {
  const bodies = typedDraft(400, 6000)
  const id = await written(bodies)
  // Forty editing sessions of ten saves, each within four minutes.
  await backdate(id, (revision) => Math.floor(revision / 10) * 30 + (revision % 10) * 0.4)
  await pack()

  const kept = await numbersOf(id)
  const lastOfEach = Array.from({ length: 40 }, (_, sitting) => 399 - sitting * 10)
  assert.deepEqual(kept, [400, ...lastOfEach])
  for (const revision of kept) assert.equal(await bodyOf(id, revision), bodies[revision - 1], `revision ${revision}`)
  const bytes = await bytesOf(id)
  assert.ok(bytes <= 60_000, `${bytes} bytes`)
})

test('400 saves by a key are all kept, each as it was saved, in less than a tenth of the room', async () => {
  const bodies = typedDraft(400, 6000)
  const id = await desk.begin({ headline: 'By key', body_md: 'Now.' })
  await makeKey(admin, writer)
  await admin.query(
    `insert into app.recent_revisions (piece_id, revision, writer_id, saved_at, key_id, headline, body_md, category, tags,
                                       frame, style, locale, fields)
     select $1, saved.number, w.id, now() - interval '2 days' + saved.number * interval '1 second', k.id, 'By key',
            saved.body, 'life', '{}', 'lesson', 'essay', 'en', '{}'
       from unnest($2::text[]) with ordinality as saved (body, number),
            app.writers w join app.api_keys k on k.writer_id = w.id where w.id = $3`,
    [id, bodies, writer.id],
  )
  const whole = await bytesOf(id)
  await pack()
  const { rows } = await admin.query<{ body_md: string }>(
    'select body_md from app.past_revisions where piece_id = $1 order by revision',
    [id],
  )
  assert.deepEqual(
    rows.map(({ body_md }) => body_md),
    bodies,
  )
  const bytes = await bytesOf(id)
  assert.ok(bytes < whole / 10, `${bytes} of ${whole} bytes`)
})

test('every save of the last day is there; what was published, submitted, named or shown by a link is there for good', async () => {
  const id = await desk.begin({ headline: 'Kept', body_md: 'One.' })
  for (const word of ['Two', 'Three', 'Four', 'Five', 'Six']) await save(id, { body_md: `${word}.` })
  await pack()
  assert.deepEqual(await numbersOf(id), [6, 5, 4, 3, 2, 1])

  const named = await desk.ask('PUT', `pieces/${id}/revisions/2/name`, { name: '  Before the cuts ' })
  assert.deepEqual([named.statusCode, named.json()], [200, { ok: true }])
  await admin.query(
    `insert into app.audit (piece_id, writer_id, act, revision, from_status, to_status)
     values ($1, $2, 'submit', 4, 'draft', 'pending')`,
    [id, writer.id],
  )
  await backdate(id, () => 0)
  await pack()
  // The fifth is the last of its ten minutes: the sixth came two days later.
  assert.deepEqual(await numbersOf(id), [6, 5, 4, 2])
  assert.equal(await bodyOf(id, 2), 'Two.')
  assert.equal((await desk.ask('GET', `pieces/${id}/revisions/3`)).statusCode, 404)
})

test('a revision is named and the name taken away; one that is not there, of another, or a name too long is refused', async () => {
  const id = await desk.begin({ headline: 'Names', body_md: 'One.' })
  await save(id, { body_md: 'Two.' })
  const name = (revision: number, name: unknown, of = desk) =>
    of.ask('PUT', `pieces/${id}/revisions/${revision}/name`, { name })
  assert.equal((await name(1, 'First')).statusCode, 200)
  assert.equal((await name(2, 'Now')).statusCode, 200)
  assert.equal((await name(1, 'The first')).statusCode, 200)
  const names = async () => (await historyOf(id)).map(({ name }) => name)
  assert.deepEqual(await names(), ['Now', 'The first'])
  const other = deskOf(app, await makeWriter(admin))
  for (const [answer, status] of [
    [await name(3, 'Not there'), 404],
    [await name(1, 'x'.repeat(81)), 400],
    [await name(1, '   '), 400],
    [await name(1, 'Mine now', other), 404],
  ] as const)
    assert.equal(answer.statusCode, status, answer.body)
  assert.equal((await name(2, null)).statusCode, 200)
  assert.deepEqual(await names(), [null, 'The first'])
})

test('an old revision is restored, previewed by a link and taken along like any other', async () => {
  const id = await desk.begin({ headline: 'Old', sub: 'As it was', body_md: 'The first text, with 🍵.', tags: ['tea'] })
  await save(id, { headline: 'New', sub: null, body_md: 'Another text.', tags: [] })
  await backdate(id, () => 0)
  await pack()
  const { revision } = (await desk.ask('GET', `pieces/${id}/revisions/1`)).json()
  const { headline, sub, body_md, tags } = revision
  assert.deepEqual([headline, sub, body_md, tags], ['Old', 'As it was', 'The first text, with 🍵.', ['tea']])
  const files = unzip((await desk.ask('GET', 'account/export')).rawPayload)
  const file = files.find(({ name }) => name.startsWith('revisions/') && name.includes(id))
  const [first] = JSON.parse(file!.read().toString())
  assert.deepEqual([first.revision, first.headline, first.body_md], [1, 'Old', body_md])
})
