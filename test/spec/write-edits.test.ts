import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { caller, countRows, idOf, isRefused, minimalPiece, problemsOf, writeApiSite } from '../../testkit/write-api.ts'

/** Extensions of the specification: changing and deleting one's own drafts with a key. */

const { admin, ask, writer, keyId, create, read, edit, remove, send } = await writeApiSite()
const otherWriter = await makeWriter(admin)

const whole = {
  ...minimalPiece,
  sub: 'Four minutes.',
  category: 'life',
  tags: ['tea', 'time'],
  frame: 'origin',
  style: 'interview',
  locale: 'de',
  external_url: 'https://elsewhere.test/tea',
}

/** A draft's row and its number of revisions. */
async function record(id: string) {
  const { rows } = await admin.query('select row_to_json(p) as piece from app.pieces p where id = $1', [id])
  return { piece: rows[0]?.piece, revisions: await countRows(admin, 'app.revisions where piece_id = $1', [id]) }
}
async function changesNothing(id: string, work: () => Promise<void>): Promise<void> {
  const before = await record(id)
  await work()
  assert.deepEqual(await record(id), before)
}

describe('PATCH', () => {
  const patched = async (body: object) => {
    const id = idOf(await create(whole))
    const answer = await edit(id, body, '"1"')
    assert.equal(answer.statusCode, 200, answer.body)
    return { id, answer, piece: answer.json().piece }
  }

  for (const [field, value] of [
    ['headline', 'Other'],
    ['sub', 'Other'],
    ['body_md', 'Other.'],
    ['category', 'money'],
    ['tags', ['other']],
    ['frame', 'contrarian'],
    ['style', 'poem'],
    ['locale', 'fr'],
    ['external_url', 'https://other.test/'],
  ] as const) {
    test(`of ${field} changes it and leaves the rest; GET shows the same`, async () => {
      const { id, piece, answer } = await patched({ [field]: value })
      const { id: _i, status, created_at, updated_at, edit_url: _e, ...text } = piece
      assert.deepEqual(text, { ...whole, [field]: value })
      assert.equal(status, 'draft')
      assert.ok(updated_at >= created_at)
      const { body, headers } = await read(id)
      assert.deepEqual([body, headers['etag']], [answer.body, answer.headers['etag']])
      assert.equal(headers['etag'], '"2"')
    })
  }

  test('of null clears sub and external_url', async () => {
    const { piece } = await patched({ sub: null, external_url: null, tags: [] })
    assert.deepEqual([piece.sub, piece.external_url, piece.tags], [null, null, []])
  })
  for (const field of ['headline', 'body_md', 'category', 'tags', 'frame', 'style', 'locale']) {
    test(`of null does not clear ${field}: 400`, async () => {
      const id = idOf(await create(whole))
      await changesNothing(id, async () => {
        assert.deepEqual(problemsOf(await edit(id, { [field]: null }, '*'))[0]?.pointer, `/${field}`)
      })
    })
  }

  for (const [what, body] of [
    ['nothing', {}],
    ['what is already so', whole],
    ['what is the same once it is made clean', { headline: ` ${whole.headline}\u200b `, tags: ['tea', 'TEA', 'time'] }],
    [
      'members nobody knows',
      { status: 'approved', editor_status: 'approved', published_at: 'now', writer_id: otherWriter.id },
    ],
  ] as const) {
    test(`of ${what} changes nothing and keeps the ETag`, async () => {
      const id = idOf(await create(whole))
      await changesNothing(id, async () => {
        const answer = await edit(id, body, '"1"')
        assert.deepEqual([answer.statusCode, answer.headers['etag']], [200, '"1"'])
      })
    })
  }

  test('names every failed field at once, with the limits of a first draft', async () => {
    const id = idOf(await create(whole))
    const wrong = { headline: 'x'.repeat(201), sub: 'x'.repeat(401), body_md: '', tags: Array(9).fill('a'), frame: 'x' }
    const found = problemsOf(await edit(id, wrong, '*')).map(({ pointer, code }) => `${pointer} ${code}`)
    assert.deepEqual(found, [
      '/headline too_long',
      '/sub too_long',
      '/body_md empty',
      '/tags too_many',
      '/frame unknown_value',
    ])
  })
  for (const body of ['[]', 'null', '"x"', '5']) {
    test(`of ${body} is 400`, async () => {
      problemsOf(await edit(idOf(await create(minimalPiece)), body, '*'))
    })
  }

  test('leaves a revision for each change, with the key that made it', async () => {
    const id = idOf(await create(minimalPiece))
    const second = await makeKey(admin, writer, { scopes: ['pieces:write', 'drafts:edit'] })
    await edit(id, { headline: 'Two' }, '"1"')
    await caller(ask, second.key).edit(id, { headline: 'Three' }, '"2"')
    await edit(id, {}, '"3"')
    const { rows } = await admin.query(
      'select revision, headline, key_id, account_id from app.revisions where piece_id = $1 order by revision',
      [id],
    )
    const by = (revision: number, headline: string, key_id: string) => ({
      revision,
      headline,
      key_id,
      account_id: null,
    })
    assert.deepEqual(rows, [by(1, minimalPiece.headline, keyId), by(2, 'Two', keyId), by(3, 'Three', second.id)])
  })
})

describe('DELETE', () => {
  test('answers 204 without a body, and after that 404', async () => {
    const id = idOf(await create(minimalPiece))
    const answer = await remove(id, '"1"')
    assert.deepEqual([answer.statusCode, answer.body], [204, ''])
    isRefused(await read(id), 404, 'not_found')
    isRefused(await remove(id, '"1"'), 404, 'not_found')
    isRefused(await edit(id, { sub: 'x' }, '*'), 404, 'not_found')
    assert.equal(await countRows(admin, 'app.pieces where id = $1 and deleted_at is not null', [id]), 1)
  })
  test('takes one piece and no other', async () => {
    const [one, two] = [idOf(await create(minimalPiece)), idOf(await create(minimalPiece))]
    await remove(one, '*')
    assert.equal((await read(two)).statusCode, 200)
  })
  test('with the headers that clients send out of habit is 204 too', async () => {
    const id = idOf(await create(minimalPiece))
    const { statusCode } = await send('DELETE', `/api/v1/pieces/${id}`, undefined, {
      'if-match': '*',
      'content-type': 'application/json',
    })
    assert.equal(statusCode, 204)
  })
})
