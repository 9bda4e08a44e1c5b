import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import {
  countRows,
  idOf,
  isRefused,
  makePieceInState,
  minimalPiece,
  seen,
  statuses,
  writeApiSite,
} from '../../testkit/write-api.ts'
import { fieldsOf } from './fields.ts'

/** Extensions of the specification: GET, PATCH and DELETE of /api/v1/pieces/{id}, on the key owner's pieces. */

const { admin, writer, create, read, edit, remove, send, anotherCaller } = await writeApiSite()
const otherWriter = await makeWriter(admin)
const asOther = await anotherCaller(otherWriter)

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

const shown = {
  id: 'string',
  headline: 'string',
  sub: 'string or null',
  category: 'string',
  status: 'string',
  locale: 'string',
  tags: 'array of string',
  created_at: 'date-time',
  edit_url: 'URI',
  body_md: 'string',
  frame: 'string',
  style: 'string',
  external_url: 'URI or null',
  updated_at: 'date-time',
} as const
fieldsOf('MyPiece', shown, async () => ({
  full: (await read(idOf(await create(whole)))).json().piece,
  bare: (await read(idOf(await create(minimalPiece)))).json().piece,
}))

describe('GET', () => {
  test('shows a draft whole, with an ETag that holds while it stays as it is', async () => {
    const id = idOf(await create(whole))
    const [first, second] = [await read(id), await read(id)]
    assert.equal(first.statusCode, 200)
    assert.match(String(first.headers['etag']), /^"[^"]+"$/)
    assert.deepEqual(seen(second), seen(first))
  })

  for (const status of statuses) {
    const isDraft = status === 'draft'
    test(`of a piece that is ${status} ${isDraft ? 'shows its body' : 'shows no body: keys read drafts only'}`, async () => {
      const id = await makePieceInState(admin, writer, status)
      const { piece } = (await read(id)).json()
      assert.equal(piece.status, status)
      assert.equal(piece.body_md, isDraft ? 'The body of draft.' : null)
    })
  }

  test('of an unpublished piece shows the body again', async () => {
    const id = await makePiece(admin, writer, { body_md: 'Back.' })
    await unpublish(admin, writer, id)
    assert.equal((await read(id)).json().piece.body_md, 'Back.')
  })

  test('takes an id in upper case', async () => {
    const id = idOf(await create(minimalPiece))
    assert.equal((await read(id.toUpperCase())).body, (await read(id)).body)
  })

  test('is for its caller alone, and If-None-Match spares nobody the answer', async () => {
    const id = idOf(await create(minimalPiece))
    const { etag } = (await read(id)).headers
    const answer = await send('GET', `/api/v1/pieces/${id}`, undefined, { 'if-none-match': String(etag) })
    assert.deepEqual(
      [answer.statusCode, answer.headers['cache-control'], answer.headers['vary']],
      [200, 'no-store', 'Authorization'],
    )
  })
})

describe('a piece that is not one’s own', () => {
  const others = [
    ['never was', async () => randomUUID()],
    ['is another’s draft', () => makeDraft(admin, otherWriter)],
    ['is another’s public piece', () => makePiece(admin, otherWriter)],
    ['is another’s rejected piece', () => makePieceInState(admin, otherWriter, 'rejected')],
    [
      'was one’s own and is deleted',
      async () => {
        const id = idOf(await create(minimalPiece))
        await remove(id, '*')
        return id
      },
    ],
    ['has no UUID', async () => 'tea'],
    ['has the nil UUID', async () => '00000000-0000-0000-0000-000000000000'],
    ['has a UUID in braces', async () => `%7B${randomUUID()}%7D`],
    ['has a UUID without dashes', async () => randomUUID().replaceAll('-', '')],
    ['has a UUID as a URN', async () => `urn:uuid:${randomUUID()}`],
    ['has NUL in its id', async () => `${randomUUID()}%00`],
    ['has a slash in its id', async () => `%2F${randomUUID()}`],
    ['has an id of 5,000 characters', async () => 'a'.repeat(5_000)],
  ] as const
  for (const [what, make] of others) {
    test(`because it ${what} answers GET, PATCH and DELETE with the same bytes of 404`, async () => {
      const id = await make()
      const absent = seen(await read(randomUUID()))
      assert.equal(absent.statusCode, 404)
      assert.deepEqual(seen(await read(id)), absent)
      for (const ifMatch of [undefined, '*', '"1"']) {
        for (const act of [
          (one: string) => edit(one, { sub: 'Mine now' }, ifMatch),
          (one: string) => remove(one, ifMatch),
        ]) {
          assert.deepEqual(seen(await act(id)), seen(await act(randomUUID())))
          isRefused(await act(id), 404, 'not_found')
        }
      }
    })
  }
  test('stays as it was', async () => {
    const id = await makeDraft(admin, otherWriter)
    await changesNothing(id, async () => {
      await edit(id, { headline: 'Mine now' }, '*')
      await remove(id, '*')
    })
    assert.equal((await asOther.read(id)).statusCode, 200)
  })
})

describe('If-Match', () => {
  for (const [act, name] of [
    [(id: string, ifMatch?: string) => edit(id, { sub: 'Changed' }, ifMatch), 'PATCH'],
    [(id: string, ifMatch?: string) => remove(id, ifMatch), 'DELETE'],
  ] as const) {
    test(`left out of ${name} is 428`, async () => {
      const id = idOf(await create(minimalPiece))
      await changesNothing(id, async () => isRefused(await act(id), 428, 'precondition_required'))
    })
    for (const wrong of [
      '"0"',
      '"2"',
      '1',
      'W/"2"',
      '',
      '"',
      '"1',
      '**',
      '"*"',
      '"a", "b"',
      '"1" "2"',
      "'1'",
      '"01"',
    ]) {
      test(`${wrong || 'empty'} of ${name} is 412`, async () => {
        const id = idOf(await create(minimalPiece))
        assert.equal((await read(id)).headers['etag'], '"1"')
        await changesNothing(id, async () => isRefused(await act(id, wrong), 412, 'precondition_failed'))
      })
    }
    for (const right of ['"1"', '*', ' "1" ', '"a", "1"', '"1","a"', 'W/"9", "1"']) {
      test(`${right} of ${name} is a match`, async () => {
        const { statusCode } = await act(idOf(await create(minimalPiece)), right)
        assert.equal(statusCode, name === 'PATCH' ? 200 : 204)
      })
    }
    for (const status of statuses.slice(1)) {
      test(`${name} of a piece that is ${status} is 409 and changes nothing, whatever If-Match says`, async () => {
        const id = await makePieceInState(admin, writer, status)
        await changesNothing(id, async () => {
          for (const ifMatch of ['*', '"1"', '"7"']) isRefused(await act(id, ifMatch), 409, 'illegal_transition')
        })
      })
    }
  }
})
