import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction, publish } from '../../testkit/factories.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'
import { countRows, idOf, isRefused, minimalPiece, type Status, writeApiSite } from '../../testkit/write-api.ts'

/** Concurrent edits, deletions and desk acts on the same draft. */

const { admin, ask, writer, create, read, edit, remove } = await writeApiSite()

const countOf = (answers: readonly { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length

const published = (id: string): Promise<boolean> =>
  publish(admin, writer, id).then(
    () => true,
    () => false,
  )

describe('at the same time', () => {
  test('of two changes to the same revision exactly one wins, and the other is 412', async () => {
    for (let times = 0; times < 20; times += 1) {
      const id = idOf(await create(minimalPiece))
      const answers = await Promise.all(['One', 'Two'].map((headline) => edit(id, { headline }, '"1"')))
      assert.deepEqual([countOf(answers, 200), countOf(answers, 412)], [1, 1])
      const won = answers.find(({ statusCode }) => statusCode === 200)!
      assert.equal((await read(id)).body, won.body)
      assert.equal(await countRows(admin, 'app.revisions where piece_id = $1', [id]), 2)
    }
  })

  test('of ten changes to whatever is there all are made, one after the other', async () => {
    const id = idOf(await create(minimalPiece))
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => edit(id, { headline: `Number ${at}` }, '*')),
    )
    assert.equal(countOf(answers, 200), 10)
    assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 10)
    assert.equal((await read(id)).headers['etag'], '"11"')
  })

  test('of a change and a deletion of the same revision exactly one wins', async () => {
    for (let times = 0; times < 10; times += 1) {
      const id = idOf(await create(minimalPiece))
      const [changed, deleted] = await Promise.all([edit(id, { headline: 'One' }, '"1"'), remove(id, '"1"')])
      if (deleted.statusCode === 204) assert.ok([404, 412].includes(changed.statusCode), String(changed.statusCode))
      else assert.deepEqual([changed.statusCode, deleted.statusCode], [200, 412])
      assert.equal(
        await countRows(admin, 'app.pieces where id = $1 and deleted_at is null', [id]),
        Number(deleted.statusCode !== 204),
      )
    }
  })

  test('of ten deletions one is 204', async () => {
    const id = idOf(await create(minimalPiece))
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id, '*')))
    assert.deepEqual([countOf(answers, 204), countOf(answers, 404)], [1, 9])
  })

  /** Sends a request that must wait for the writer's transaction, which changes the piece's state. */
  async function whileMoving(id: string, status: Status, request: () => ReturnType<typeof edit>) {
    const { held } = await inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query('update app.pieces set editor_status = $2 where id = $1', [id, status])
      const held = request()
      await waitForLockWait(admin, 'app.pieces')
      return { held }
    })
    return held
  }
  for (const ifMatch of ['*', '"1"']) {
    for (const [name, act] of [
      ['change', (id: string) => edit(id, { headline: 'Too late' }, ifMatch)],
      ['deletion', (id: string) => remove(id, ifMatch)],
    ] as const) {
      test(`a ${name} (If-Match: ${ifMatch}) that waited while the piece was submitted is 409, and nothing of it is done`, async () => {
        const id = idOf(await create(minimalPiece))
        isRefused(await whileMoving(id, 'pending', () => act(id)), 409, 'illegal_transition')
        const { rows } = await admin.query('select editor_status, headline from app.pieces where id = $1', [id])
        assert.deepEqual(rows, [{ editor_status: 'pending', headline: minimalPiece.headline }])
      })
    }
  }

  test('a publication and a deletion never both happen, and what is public is what its writer was shown', async () => {
    for (let times = 0; times < 8; times += 1) {
      const id = idOf(await create(minimalPiece))
      const [isPublic, { statusCode }] = await Promise.all([published(id), remove(id, '*')])
      assert.equal(statusCode === 204, !isPublic, `public: ${isPublic}, deletion: ${statusCode}`)
      assert.equal((await ask(`/api/public/pieces/${id}`)).statusCode, isPublic ? 200 : 404)
    }
  })

  test('a publication and a change never make public what its writer was not shown', async () => {
    for (let times = 0; times < 8; times += 1) {
      const id = idOf(await create(minimalPiece))
      const [isPublic, changed] = await Promise.all([published(id), edit(id, { headline: 'Slipped in' }, '"1"')])
      assert.ok([200, 409].includes(changed.statusCode), String(changed.statusCode))
      const shown = await ask(`/api/public/pieces/${id}`)
      if (isPublic && changed.statusCode === 409) assert.equal(shown.json().piece.title, minimalPiece.headline)
      if (changed.statusCode === 200 && !isPublic) assert.equal(shown.statusCode, 404)
    }
  })
})
