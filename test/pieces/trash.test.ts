import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { packHistory } from '../../server/features/pieces/history.ts'
import { sweepTrash } from '../../server/features/pieces/trash.ts'
import { unzip } from '../../server/platform/unzip.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makePiece, makeWriter, typedDraft, unpublish } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { caller, countRows, everyScope, isRefused } from '../../testkit/write-api.ts'
import { asking } from '../mcp/site.ts'

/** A deleted piece exists only in its writer's trash, for 30 days. */

const { url, admin, app, ask } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, writer)
const { key } = await makeKey(admin, writer, { scopes: everyScope })
const worker = workerDatabase(url)

const trash = async () => (await desk.ask('GET', 'trash')).json().pieces
const actsOf = async (id: string) => (await desk.ask('GET', `pieces/${id}/history`)).json().deeds
const trailOf = async (id: string) =>
  (await admin.query('select act from app.audit where piece_id = $1 order by id', [id])).rows.map(({ act }) => act)

test('a deleted draft is 404 at every address of the desk, the API, the tools and its preview links', async () => {
  const id = await desk.begin({ headline: 'Second thoughts' })
  await desk.ask('PATCH', `pieces/${id}`, { sub: 'Changed' }, { 'if-match': '*' })
  const { link } = (await desk.ask('POST', `pieces/${id}/links`, { days: 7 })).json()
  const { page, nonce } = (await desk.ask('POST', `pieces/${id}/preview`)).json()
  const shown = [new URL(link.url).pathname, page]
  for (const path of shown) assert.equal((await app.inject(path)).statusCode, 200, path)
  assert.equal((await desk.ask('DELETE', `pieces/${id}`)).statusCode, 204)

  for (const path of shown) assert.equal((await app.inject(path)).statusCode, 404, path)
  for (const [method, path, payload] of [
    ['GET', `pieces/${id}`],
    ['PATCH', `pieces/${id}`, { sub: 'x' }],
    ['DELETE', `pieces/${id}`],
    ['POST', `pieces/${id}/preview`],
    ['POST', `pieces/${id}/publish`, { nonce }],
    ['POST', `pieces/${id}/submit`, { nonce }],
    ['POST', `pieces/${id}/unpublish`],
    ['GET', `pieces/${id}/history`],
    ['GET', `pieces/${id}/revisions/1`],
    ['GET', `pieces/${id}/links`],
    ['POST', `pieces/${id}/links`, { days: 1 }],
    ['GET', `stats/${id}`],
  ] as const) {
    const answer = await desk.ask(method, path, payload, { 'if-match': '*' })
    assert.deepEqual([answer.statusCode, answer.json().reason], [404, 'not_found'], `${method} ${path}`)
  }
  const by = caller(ask, key)
  for (const answer of [await by.read(id), await by.edit(id, { sub: 'x' }, '*'), await by.remove(id, '*')]) {
    isRefused(answer, 404, 'not_found')
  }
  const { call } = asking(app, '/api/v1/mcp', { authorization: `Bearer ${key}` })
  assert.equal(JSON.parse((await call('get_draft', { id })).content[0].text).reason, 'not_found')
  for (const list of [(await by.list()).body, (await desk.ask('GET', 'pieces?q=thoughts')).body]) {
    assert.ok(!list.includes(id))
  }
  assert.equal((await desk.ask('GET', 'pieces/counts')).json().counts.draft, 0)
  const moderators = deskOf(app, await makeModerator(admin))
  assert.equal((await moderators.ask('POST', `review/${id}/show`)).statusCode, 404)
})

test('a restored draft is what it was, with its revisions, its counts and the trail of both acts', async () => {
  const id = await makePiece(admin, writer, { headline: 'Public once' })
  await unpublish(admin, writer, id)
  await admin.query('insert into app.piece_reads values ($1, $2, 5)', [id, writer.id])
  await desk.ask('PATCH', `pieces/${id}`, { body_md: 'A later text.' }, { 'if-match': '*' })
  const before = await desk.ask('GET', `pieces/${id}`)
  assert.equal((await caller(ask, key).remove(id, '*')).statusCode, 204)
  const [item] = await trash()
  assert.deepEqual(
    [item.id, item.headline, item.opening, item.deleted_by],
    [id, 'Public once', 'A later text.', { kind: 'key', key: 'A key' }],
  )
  assert.equal(new Date(item.gone_at).getTime() - new Date(item.deleted_at).getTime(), 30 * 86_400_000)

  assert.equal((await desk.ask('POST', `trash/${id}/restore`)).statusCode, 204)
  const restored = await desk.ask('GET', `pieces/${id}`)
  assert.deepEqual([restored.body, restored.headers['etag']], [before.body, before.headers['etag']])
  const [restoring, deleting] = await actsOf(id)
  assert.deepEqual([restoring.act, restoring.by], ['restore', { kind: 'person', key: null }])
  assert.deepEqual([deleting.act, deleting.by], ['delete', { kind: 'key', key: 'A key' }])
  assert.equal(await countRows(admin, 'app.piece_reads where piece_id = $1', [id]), 1)
  assert.equal((await desk.act('publish', id)).statusCode, 200)
})

describe('the trash', () => {
  test('is its writer’s alone: nobody else restores or empties, and no key comes near', async () => {
    const id = await desk.begin()
    await desk.ask('DELETE', `pieces/${id}`)
    const otherDesk = deskOf(app, await makeWriter(admin))
    assert.deepEqual((await otherDesk.ask('GET', 'trash')).json().pieces, [])
    for (const [method, path] of [
      ['POST', `trash/${id}/restore`],
      ['DELETE', `trash/${id}`],
    ] as const) {
      const answer = await otherDesk.ask(method, path)
      assert.deepEqual([answer.statusCode, answer.json().reason], [404, 'not_found'])
      assert.match(answer.json().detail, /isn’t in your trash/)
      const keyed = await app.inject({
        method,
        url: `/desk/api/${path}`,
        headers: { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' },
      })
      assert.equal(keyed.statusCode, 400, 'the desk takes no key')
    }
    await otherDesk.ask('DELETE', 'trash')
    assert.equal((await desk.ask('POST', `trash/${id}/restore`)).statusCode, 204)
    assert.equal((await desk.ask('POST', `trash/${id}/restore`)).statusCode, 404, 'it is there no more')
  })

  test('is emptied of one piece or of all, for good, and the trail says so', async () => {
    const ids = [await desk.begin(), await desk.begin(), await desk.begin()]
    for (const id of ids) await desk.ask('DELETE', `pieces/${id}`)
    assert.equal((await desk.ask('DELETE', `trash/${ids[0]}`)).statusCode, 204)
    assert.equal((await desk.ask('DELETE', `trash/${ids[0]}`)).statusCode, 404)
    assert.equal((await desk.ask('DELETE', 'trash')).statusCode, 204)
    assert.deepEqual(await trash(), [])
    for (const id of ids) {
      assert.equal(await countRows(admin, 'app.pieces where id = $1', [id]), 0)
      assert.deepEqual(await trailOf(id), ['delete', 'delete_for_good'])
    }
  })

  test('keeps a piece for 30 days and no longer', async () => {
    const [young, old] = [await desk.begin(), await desk.begin()]
    for (const [id, age] of [
      [young, '29 days 23 hours'],
      [old, '30 days 1 minute'],
    ] as const) {
      await desk.ask('DELETE', `pieces/${id}`)
      await admin.query('alter table app.pieces disable trigger guard_status')
      await admin.query('update app.pieces set deleted_at = now() - $2::interval where id = $1', [id, age])
      await admin.query('alter table app.pieces enable always trigger guard_status')
    }
    await sweepTrash(worker)
    assert.deepEqual(
      (await trash()).map(({ id }: { id: string }) => id),
      [young],
    )
    assert.deepEqual(await trailOf(old), ['delete', 'delete_for_good'])
    await desk.ask('DELETE', 'trash')
  })

  test('is listed page by page, the last deleted first', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push(await desk.begin())
    for (const id of ids) await desk.ask('DELETE', `pieces/${id}`)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { pieces, next_cursor } = (await desk.ask('GET', `trash?limit=2${cursor}`)).json()
      for (const { id } of pieces) seen.push(id)
      if (next_cursor === null) break
      cursor = `&cursor=${next_cursor}`
    }
    assert.deepEqual(seen, ids.toReversed())
    await desk.ask('DELETE', 'trash')
  })

  test('is in the export, in a folder of its own, and goes with the account', async () => {
    const leaver = await makeWriter(admin)
    const theirs = deskOf(app, leaver)
    const id = await theirs.begin({ body_md: 'Deleted words.' })
    await theirs.ask('DELETE', `pieces/${id}`)
    const files = unzip(new Uint8Array((await theirs.ask('GET', 'account/export')).rawPayload))
    const names = files.map(({ name }) => name).filter((name) => name.includes(id))
    assert.deepEqual(
      names.map((name) => name.replace(/^(\w+)\/.*(\.\w+)$/, '$1$2')),
      ['trash.md', 'trash.json'],
    )
    assert.equal((await theirs.ask('DELETE', 'account', { name: 'A Writer' })).statusCode, 202)
    await deleteNow(admin, url, leaver.accountId)
    assert.equal(await countRows(admin, 'app.pieces where writer_id = $1', [leaver.id]), 0)
  })
})

/** Which revisions of a piece remain after a day, and that they are intact. */

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
  const byKey = await makeKey(admin, writer)
  await admin.query(
    `insert into app.recent_revisions (piece_id, revision, writer_id, saved_at, key_id, headline, body_md, category, tags,
                                       frame, style, locale, fields)
     select $1, saved.number, w.id, now() - interval '2 days' + saved.number * interval '1 second', k.id, 'By key',
            saved.body, 'life', '{}', 'lesson', 'essay', 'en', '{}'
       from unnest($2::text[]) with ordinality as saved (body, number),
            app.writers w join app.api_keys k on k.writer_id = w.id where w.id = $3 and k.id = $4`,
    [id, bodies, writer.id, byKey.id],
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
  const files = unzip(new Uint8Array((await desk.ask('GET', 'account/export')).rawPayload))
  const file = files.find(({ name }) => name.startsWith('revisions/') && name.includes(id))
  const [first] = JSON.parse(Buffer.from(await file!.read()).toString())
  assert.deepEqual([first.revision, first.headline, first.body_md], [1, 'Old', body_md])
})
