import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sweepTrash } from '../../server/features/pieces/trash.ts'
import { Database } from '../../server/platform/db/database.ts'
import { unzip } from '../../server/platform/zip.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { caller, countRows, everyScope, isRefused } from '../../testkit/write-api.ts'
import { asking } from '../mcp/site.ts'

/** A deleted piece exists only in its writer's trash, for 30 days. */

const { url, admin, app, ask } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, writer)
const { key } = await makeKey(admin, writer, { scopes: everyScope })
const worker = new Database({ name: 'sweeper', url, role: 'svc_worker', connections: 1, statementTimeout: 5000 })
after(() => worker.close())

const trash = async () => (await desk.ask('GET', 'trash')).json().pieces
const historyOf = async (id: string) => (await desk.ask('GET', `pieces/${id}/history`)).json().deeds
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
  const [restoring, deleting] = await historyOf(id)
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
      assert.match(answer.json().detail, /not in your trash/)
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
    const files = unzip((await theirs.ask('GET', 'account/export')).rawPayload)
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
