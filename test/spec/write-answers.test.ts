import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeDraft, makePiece, makeWriter } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { caller, countRows, idOf, minimalPiece, pieces, seen, writeApiSite } from '../../testkit/write-api.ts'
import { fieldsOf, myPieceFields } from './fields.ts'

/** Section 2, CreatePieceResponse and MyPieceListItem; sections 3 and 4.3, the effects of creating a piece. */

const { admin, app, ask, writer, keyId, create, edit, list, read, anotherCaller, key } = await writeApiSite()
const hidden = await makeWriter(admin, { slug: 'hidden', shown: false })
const asHidden = await anotherCaller(hidden)

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const whole = { ...minimalPiece, sub: 'Four minutes.', tags: ['tea'], category: 'life', locale: 'de' }

const answer = {
  ok: 'boolean',
  id: 'string',
  status: 'string',
  created_at: 'date-time',
  edit_url: 'URI',
  profile_url: 'URI or null',
} as const
fieldsOf('CreatePieceResponse', answer, async () => ({
  full: (await create(whole)).json(),
  bare: (await asHidden.create(minimalPiece)).json(),
}))

fieldsOf('MyPieceListItem', myPieceFields, async () => {
  await create(whole)
  await asHidden.create(minimalPiece)
  return { full: (await list()).json().pieces[0], bare: (await asHidden.list()).json().pieces[0] }
})

describe('POST /api/v1/pieces', () => {
  test('4.3 answers 201 in JSON, with ok: true and status: draft', async () => {
    const created = await create(minimalPiece)
    assert.equal(created.statusCode, 201)
    assert.match(String(created.headers['content-type']), /^application\/json/)
    assert.deepEqual([created.json().ok, created.json().status], [true, 'draft'])
  })

  test('2 id is a UUID that does not tell when it was made', async () => {
    const [one, two] = [idOf(await create(minimalPiece)), idOf(await create(minimalPiece))]
    assert.match(one, uuid4)
    assert.match(two, uuid4)
    assert.notEqual(one, two)
  })

  test('2 created_at is now', async () => {
    const before = Date.now()
    const { created_at } = (await create(minimalPiece)).json()
    assert.ok(Date.parse(created_at) >= before - 1000 && Date.parse(created_at) <= Date.now() + 1000, created_at)
  })

  test('2 edit_url is where the writer finds it at the desk', async () => {
    const { id, edit_url } = (await create(minimalPiece)).json()
    assert.equal(edit_url, `https://site.test/desk/edit/pieces/${id}`)
  })

  test('2 profile_url is the public profile', async () => {
    assert.equal((await create(minimalPiece)).json().profile_url, 'https://site.test/author/ada')
  })

  test('2 profile_url is null until the profile is public', async () => {
    const shy = await makeWriter(admin, { slug: 'shy', shown: false })
    const asShy = await anotherCaller(shy)
    assert.equal((await asShy.create(minimalPiece)).json().profile_url, null)
    await makePiece(admin, shy)
    assert.equal((await asShy.create(minimalPiece)).json().profile_url, 'https://site.test/author/shy')
  })

  test('3 stores the piece as a draft, with its first revision, made by this key', async () => {
    const id = idOf(await create(minimalPiece))
    const { rows: stored } = await admin.query(
      'select editor_status, writer_id, slug, first_published_at, revision from app.pieces where id = $1',
      [id],
    )
    const draft = { editor_status: 'draft', writer_id: writer.id, slug: null, first_published_at: null, revision: 1 }
    assert.deepEqual(stored, [draft])
    const { rows: kept } = await admin.query(
      'select revision, key_id, account_id, headline, body_md from app.revisions where piece_id = $1',
      [id],
    )
    assert.deepEqual(kept, [{ revision: 1, key_id: keyId, account_id: null, ...minimalPiece }])
  })

  test('5.6 makes the owner of the key the owner of the piece', async () => {
    const id = idOf(await asHidden.create(minimalPiece))
    const { rows } = await admin.query('select writer_id from app.pieces where id = $1', [id])
    assert.equal(rows[0].writer_id, hidden.id)
    assert.equal((await read(id)).statusCode, 404)
  })

  test('3 makes nothing public: the draft answers the same bytes as a piece that never was', async () => {
    const publicRows = await countRows(admin, 'pub.pieces')
    const id = idOf(await create({ ...minimalPiece, headline: 'Quagga' }))
    const [draft, absent] = [await ask(`/api/public/pieces/${id}`), await ask(`/api/public/pieces/${randomUUID()}`)]
    assert.equal(draft.statusCode, 404)
    assert.deepEqual(seen(draft), seen(absent))
    assert.equal((await ask('/api/public/pieces/search?q=quagga')).json().count, 0)
    assert.equal(await countRows(admin, 'pub.pieces'), publicRows)
  })

  test('says that nobody may keep the answer, whose it is, and which revision it made', async () => {
    const { headers } = await create(minimalPiece)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['vary'], 'Authorization')
    assert.equal(headers['etag'], '"1"')
  })

  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']) {
    test(`takes ${type}`, async () => {
      assert.equal((await create(minimalPiece, { 'content-type': type })).statusCode, 201)
    })
  }
})

describe('members that are not part of a piece', () => {
  const warningsOf = async (body: object | string) => {
    const created = await create(body)
    idOf(created)
    return created.json().warnings as { pointer: string; detail: string }[] | undefined
  }

  test('there is no word of warning where there is nothing to warn of', async () => {
    assert.ok(!('warnings' in (await create(whole)).json()))
  })

  for (const name of ['status', 'editor_status', 'published', 'published_at']) {
    test(`1 ${name} publishes nothing, and the warning says who does`, async () => {
      const created = await create({ ...minimalPiece, [name]: name === 'published' ? true : 'approved' })
      assert.equal(created.json().status, 'draft')
      const [warning, ...others] = created.json().warnings
      assert.deepEqual([warning.pointer, others], [`/${name}`, []])
      assert.match(warning.detail, /only the writer publishes, at the desk/)
      assert.equal((await read(idOf(created))).json().piece.status, 'draft')
    })
  }

  test('1 none of what only the site decides can be sent', async () => {
    const theirs = randomUUID()
    const sent = {
      id: theirs,
      writer_id: hidden.id,
      slug: 'mine',
      revision: 7,
      created_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
      first_published_at: '2001-01-01T00:00:00Z',
      review_required: true,
      fields: { external_url: 'javascript:1', other: 1 },
      ok: false,
      edit_url: 'https://evil.test/',
      profile_url: 'https://evil.test/',
      warnings: [],
    }
    const created = await create({ ...minimalPiece, ...sent })
    const id = idOf(created)
    assert.notEqual(id, theirs)
    assert.doesNotMatch(JSON.stringify({ ...created.json(), warnings: [] }), /evil/)
    const { rows } = await admin.query(
      `select writer_id, slug, revision, first_published_at, review_required, fields,
              created_at > now() - interval '1 minute' as is_new from app.pieces where id = $1`,
      [id],
    )
    const own = { writer_id: writer.id, slug: null, revision: 1, first_published_at: null, review_required: false }
    assert.deepEqual(rows, [{ ...own, fields: { is_category_default: true, is_frame_default: true }, is_new: true }])
    const named = created.json().warnings.map(({ pointer }: { pointer: string }) => pointer)
    assert.deepEqual(
      named.sort(),
      Object.keys(sent)
        .map((name) => `/${name}`)
        .sort(),
    )
  })

  test('each is named once, by a pointer of RFC 6901', async () => {
    const found = await warningsOf({ ...minimalPiece, colour: 1, 'a/b': 2, 'm~n': null, '': [] })
    assert.deepEqual(
      found?.map(({ pointer }) => pointer),
      ['/colour', '/a~1b', '/m~0n', '/'],
    )
    for (const { detail } of found!) assert.match(detail, /ignored/)
  })

  test('names that every object has are unknown like any other', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', '__defineGetter__', 'length']
    const found = await warningsOf({ ...minimalPiece, ...Object.fromEntries(names.map((name) => [name, 1])) })
    assert.deepEqual(
      found?.map(({ pointer }) => pointer),
      names.map((name) => `/${name}`),
    )
  })

  for (const [what, name] of [
    ['NUL', 'a\u0000b'],
    ['a control character', '\u0001'],
    ['half of a pair', '\ud800'],
    ['a pair that a cut would halve', `${'x'.repeat(99)}😀`],
    ['a line break', 'a\r\nb'],
    ['10,000 characters', 'x'.repeat(10_000)],
  ] as const) {
    test(`a name with ${what} is ignored like any other`, async () => {
      assert.equal((await warningsOf({ ...minimalPiece, [name]: 1 }))?.length, 1)
      assert.equal((await warningsOf(`{"headline":"a","body_md":"b",${JSON.stringify(name)}:1}`))?.length, 1)
    })
  }

  test('a thousand of them make no long answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`member ${number}`, number]))
    assert.ok((await create({ ...minimalPiece, ...many })).body.length < 5_000)
  })
})

test('a caller whose key was never given creates nothing', async () => {
  const before = await countRows(admin, 'app.pieces')
  assert.equal((await caller(ask).create(minimalPiece)).statusCode, 401)
  assert.equal(await countRows(admin, 'app.pieces'), before)
})

test('members that only the site decides are counted, by name and once a request', async () => {
  const count = async (member: string) => {
    const { body } = await app.admin.inject('/metrics')
    return Number(new RegExp(`standfirst_ignored_members_total\\{member="${member}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
  }
  const before = [await count('status'), await count('editor_status'), await count('writer_id')]
  const id = idOf(await create({ ...minimalPiece, status: 'approved', editor_status: 'approved' }))
  await edit(id, { status: 'approved', sub: 'Changed' }, '*')
  await create(minimalPiece)
  const after = [await count('status'), await count('editor_status'), await count('writer_id')]
  assert.deepEqual(
    after.map((number, at) => number - before[at]!),
    [2, 1, 0],
  )
})

/** The write API allows neither other origins nor caches, whatever it answers. */

const draft = await makeDraft(admin, writer)
const agents = '/api/v1/mcp'
/** Bypasses the OpenAPI check, which knows only one spelling of an address. */
const unchecked: Parameters<typeof caller>[0] = (request) => injectRetrying503(app, request)
const [known, stranger, dead] = [caller(unchecked, key), caller(unchecked), caller(unchecked, 'pk_live_')]

function isClosed({ headers }: { headers: Readonly<Record<string, unknown>> }): void {
  const open = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
  assert.deepEqual(open, [])
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none'/)
}
const origin = { origin: 'https://elsewhere.test' }

describe('no answer opens the write API to other origins, nor to caches', () => {
  for (const [what, who] of [
    ['a live key', known],
    ['no key', stranger],
    ['a dead key', dead],
  ] as const) {
    test(`with ${what}`, async () => {
      for (const answer of [
        await who.create(minimalPiece, origin),
        await who.create('{', origin),
        await who.create('x'.repeat(1_400_000), origin),
        await who.create(minimalPiece, { ...origin, 'content-type': 'text/plain' }),
        await who.send('GET', `${pieces}/me`, undefined, origin),
        await who.send('GET', `${pieces}/me?limit=0`, undefined, origin),
        await who.send('HEAD', `${pieces}/me`, undefined, origin),
        await who.send('GET', `${pieces}/${draft}`, undefined, origin),
        await who.send('GET', `${pieces}/nothing`, undefined, origin),
        await who.send('PATCH', `${pieces}/${draft}`, {}, origin),
        await who.send('DELETE', `${pieces}/${draft}`, undefined, origin),
        await who.send('POST', agents, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, origin),
        await who.send('POST', agents, '{', origin),
        await who.send('POST', agents, 'x'.repeat(1_400_000), origin),
        await who.send('POST', agents, '{}', { ...origin, 'content-type': 'text/plain' }),
        await who.send('POST', agents, '{}', { origin: 'no origin' }),
      ]) {
        isClosed(answer)
        assert.equal(answer.headers['vary'], 'Authorization')
      }
    })
  }

  for (const address of [pieces, `${pieces}/me`, `${pieces}/${draft}`, agents]) {
    test(`the preflight of ${address.replace(draft, '{id}')} allows nothing`, async () => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const answer = await stranger.send('OPTIONS', address, undefined, {
          ...origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, content-type',
        })
        isClosed(answer)
        assert.equal(answer.statusCode, 204)
        assert.match(String(answer.headers['allow']), /OPTIONS/)
      }
    })
  }

  for (const address of [
    `${pieces}/me/more`,
    '/api/v1',
    '/api/v1/',
    '/api/v1/nowhere',
    `${pieces}?x`,
    `${pieces}/%C3%A9`,
  ]) {
    test(`nor does ${address}, where there is nothing`, async () => {
      for (const method of ['GET', 'PUT', 'OPTIONS'] as const)
        isClosed(await known.send(method, address, undefined, origin))
    })
  }

  for (const address of ['/%61pi/v1/pieces/me', '/api/%76%31/pieces/me', `/api/v1/%70ieces/${draft}`]) {
    test(`nor does ${address.replace(draft, '{id}')}, another spelling of an address`, async () => {
      const answer = await known.send('GET', address, undefined, origin)
      assert.equal(answer.statusCode, 200)
      isClosed(answer)
      isClosed(await stranger.send('GET', address, undefined, origin))
    })
  }

  test('nor does another spelling, by its preflight or a method it does not take', async () => {
    for (const method of ['OPTIONS', 'PUT'] as const) {
      isClosed(await stranger.send(method, '/%61pi/v1/pieces/me', undefined, origin))
    }
  })

  test('nor does an address that cannot be decoded', async () => {
    isClosed(await known.send('GET', `${pieces}/%ff`, undefined, origin))
  })
})

test('public reads stay open to every origin', async () => {
  const answer = await stranger.send('GET', '/api/public/pieces/recent', undefined, origin)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
})
