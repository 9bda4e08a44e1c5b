import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeDraft, makeKey, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import {
  caller,
  countRows,
  idOf,
  isRefused,
  makePieceInState,
  minimalPiece,
  problemsOf,
  seen,
  statuses,
  writeApiSite,
} from '../../testkit/write-api.ts'
import { fieldsOf, myPieceFields } from './fields.ts'

/** Extensions of the specification: GET, PATCH and DELETE of /api/v1/pieces/{id}, on the key owner's pieces. */

const { admin, writer, create, read, edit, remove, send, anotherCaller, ask, keyId } = await writeApiSite()
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
  ...myPieceFields,
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

/** Extensions of the specification: changing and deleting one's own drafts with a key. */

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
