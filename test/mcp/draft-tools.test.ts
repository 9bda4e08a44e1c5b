import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { acts } from '../../server/features/pieces/states.ts'
import { makeDraft, makeKey, makeWriter } from '../../testkit/factories.ts'
import {
  caller,
  countRows,
  idOf,
  makePieceInState,
  minimalPiece,
  type Status,
  statuses,
  writeApiSite,
} from '../../testkit/write-api.ts'
import { asking, type Json } from './site.ts'

/** The four tools of /api/v1/mcp: the write API with its schemas and messages, without any way to publish. */

const { admin, app, ask, writer, key, create, read, edit, list } = await writeApiSite()
const path = '/api/v1/mcp'
const withKey = (theirs: string) => asking(app, path, { authorization: `Bearer ${theirs}` })
const { call, result, rpc } = withKey(key)
const { tools } = await result('tools/list')
const names = ['create_draft', 'update_draft', 'get_draft', 'list_my_pieces']

/** The body of a successful result, which is the same as text and as an object. */
async function done(name: string, given: object = {}): Promise<Json> {
  const { content, structuredContent, isError } = await call(name, given)
  assert.equal(isError, false, content[0].text)
  assert.deepEqual(JSON.parse(content[0].text), structuredContent)
  return structuredContent
}

/** The error body of a refused call, which is only in the text. */
async function refused(name: string, given: object, reason: string): Promise<Json> {
  const answer = await call(name, given)
  assert.deepEqual(Object.keys(answer), ['content', 'isError'])
  assert.equal(answer.isError, true)
  const body = JSON.parse(answer.content[0].text)
  assert.deepEqual([body.ok, body.reason, typeof body.detail], [false, reason, 'string'])
  return body
}

describe('the catalogue', () => {
  test('is these four tools and nothing else', async () => {
    assert.deepEqual(
      tools.map(({ name }: Json) => name),
      names,
    )
    assert.deepEqual((await result('initialize', {})).capabilities, { tools: {} })
    for (const method of ['prompts/list', 'prompts/get', 'resources/list', 'resources/read', 'completion/complete'])
      assert.equal((await rpc(method)).json.error.code, -32601, method)
  })

  test('is as it was when somebody last read it (SNAPSHOT=write keeps a change)', () => {
    const file = new URL('draft-tools.json', import.meta.url)
    if (process.env['SNAPSHOT'] === 'write') writeFileSync(file, `${JSON.stringify(tools, null, 2)}\n`)
    assert.equal(JSON.stringify(tools), JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))))
  })

  test('is small, closed to unknown arguments, and free of what clients choke on', () => {
    assert.ok(JSON.stringify(tools).length <= 10_000)
    assert.doesNotMatch(JSON.stringify(tools), /\$ref|\$id|x-\w+|"type":\[|"examples?"/)
    for (const { inputSchema } of tools) {
      assert.equal(inputSchema.additionalProperties, false)
      assert.doesNotMatch(JSON.stringify(inputSchema), /"format":"/)
    }
  })

  test('takes what the write API takes but covers and texts for search engines, within its limits', async () => {
    const { components } = (await ask('/api/openapi.json')).json()
    const [creating, updating] = tools.map(({ inputSchema }: Json) => inputSchema)
    const { CreatePieceBody: body } = components.schemas
    delete body.properties.cover
    delete body.properties.meta
    assert.deepEqual(Object.keys(creating.properties), [...Object.keys(body.properties), 'idempotency_key'])
    assert.deepEqual(creating.required, body.required)
    assert.deepEqual(Object.keys(updating.properties), ['id', 'revision', ...Object.keys(body.properties)])
    assert.deepEqual(updating.required, ['id', 'revision'])
    for (const member of ['headline', 'body_md']) {
      assert.equal(creating.properties[member].maxLength, body.properties[member].maxLength)
      assert.equal(updating.properties[member].maxLength, body.properties[member].maxLength)
    }
    assert.equal(creating.properties.category.default, 'building')
    assert.equal('default' in updating.properties.category, false, 'a change has no default')
  })

  test('says what may happen: two read, one adds, one replaces', () => {
    const hints = tools.map(({ annotations: { title: _, ...hints } }: Json) =>
      Object.values(hints).map(Number).join(''),
    )
    // readOnly, destructive, idempotent, openWorld
    assert.deepEqual(hints, ['0000', '0110', '1010', '1010'])
  })

  test('says that it makes drafts only, and that a person publishes', async () => {
    for (const { name, description } of tools.slice(0, 2))
      assert.match(description, /drafts only.+a person publishes (it )?at the desk/s, name)
    assert.match((await result('initialize', {})).instructions, /nothing here publishes.+a person .+ at the desk/s)
  })
})

describe('no tool publishes', () => {
  const before = () => countRows(admin, 'pub.pieces')

  test('and no act of the desk is the name of one', async () => {
    const verbs = [...acts, 'delete', 'publish_draft', 'publish_piece', 'submit_draft', 'delete_draft', 'approve_piece']
    for (const verb of verbs.flatMap((one) => [one, `desk_${one}`, `${one}_draft`, `${one}_piece`])) {
      if (names.includes(verb)) continue
      const { json } = await rpc('tools/call', { name: verb, arguments: { id: randomUUID() } })
      assert.deepEqual([json.error.code, json.error.data.available], [-32602, names], verb)
    }
    for (const verb of acts) assert.equal((await rpc(`pieces/${verb}`)).json.error.code, -32601)
  })

  test('and the tools of the two servers are not each other’s', async () => {
    const open = asking(app)
    for (const name of names) assert.equal((await open.rpc('tools/call', { name })).json.error.code, -32602)
    const { tools: theirs } = await open.result('tools/list')
    for (const { name } of theirs) assert.equal((await rpc('tools/call', { name })).json.error.code, -32602)
  })

  test('and whoever asks one to is told who does; nothing is made, nothing moves', async () => {
    const shown = await before()
    const pieces = () => countRows(admin, 'app.pieces')
    const [count, draft] = [await pieces(), await makeDraft(admin, writer)]
    for (const wish of ['status', 'editor_status', 'published', 'published_at']) {
      for (const [name, given] of [
        ['create_draft', minimalPiece],
        ['update_draft', { id: draft, revision: 1, sub: 'x' }],
      ] as const) {
        const { errors } = await refused(name, { ...given, [wish]: 'approved' }, 'validation_failed')
        assert.deepEqual(errors, [
          {
            pointer: `/${wish}`,
            code: 'unknown_argument',
            detail: 'is not an argument: only the writer can publish, at the desk',
          },
        ])
      }
    }
    assert.deepEqual([await before(), await pieces()], [shown, count + 1])
    assert.equal((await read(draft)).headers['etag'], '"1"')
  })
})

describe('create_draft', () => {
  test('makes what POST /api/v1/pieces makes, and answers its body', async () => {
    const whole = { ...minimalPiece, sub: 'Slowly.', category: 'life', tags: ['tea'], frame: 'origin', style: 'note' }
    const byTool = await done('create_draft', whole)
    const byRest = (await create(whole)).json()
    assert.deepEqual(Object.keys(byTool), Object.keys(byRest))
    assert.deepEqual([byTool.status, byTool.profile_url], ['draft', byRest.profile_url])
    const [one, other] = [await read(byTool.id), await read(byRest.id)].map((answer) => answer.json().piece)
    const own = { id: '', edit_url: '', created_at: '', updated_at: '' }
    assert.deepEqual({ ...one, ...own }, { ...other, ...own })
    assert.equal(await countRows(admin, 'app.revisions where piece_id = $1 and key_id is not null', [byTool.id]), 1)
  })

  test('takes a body of 100,000 characters, each written as an escape', async () => {
    const body_md = '\u2603'.repeat(100_000)
    const params = JSON.stringify({ name: 'create_draft', arguments: { headline: 'Snow', body_md } })
    const { json } = await withKey(key).post(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params.replaceAll('\u2603', '\\u2603')}}`,
    )
    assert.equal((await read(json.result.structuredContent.id)).json().piece.body_md, body_md)
  })

  test('is refused as POST /api/v1/pieces is, every problem at once and in its words', async () => {
    for (const wrong of [
      {},
      { headline: ' ', body_md: 'x', category: 'tea', tags: Array(9).fill('t') },
      { ...minimalPiece, headline: 'x'.repeat(201), sub: 5, external_url: 'javascript:alert(1)', locale: 'a\u0000' },
      { ...minimalPiece, tags: ['x'.repeat(33)] },
    ]) {
      const { errors, detail } = await refused('create_draft', wrong, 'validation_failed')
      const byRest = (await create(wrong)).json()
      assert.deepEqual([errors, detail], [byRest.errors, byRest.detail])
    }
  })

  test('with an idempotency_key makes one piece, by tool and by REST together', async () => {
    const text = { headline: 'Once', body_md: 'Only.' }
    const [first, again] = [
      await done('create_draft', { ...text, idempotency_key: 'one' }),
      await done('create_draft', { ...text, idempotency_key: 'one' }),
    ]
    const byRest = await create(text, { 'idempotency-key': 'one' })
    assert.deepEqual([again, idOf(byRest)], [first, first.id])
    assert.equal(byRest.headers['idempotent-replayed'], 'true')
    const { detail } = await refused(
      'create_draft',
      { ...minimalPiece, idempotency_key: 'one' },
      'idempotency_mismatch',
    )
    assert.match(detail, /idempotency_key was used with other arguments/)
    for (const strange of ['', ' ', 'ü', 'a b', 'x'.repeat(256), 7]) {
      const { errors } = await refused(
        'create_draft',
        { ...minimalPiece, idempotency_key: strange },
        'validation_failed',
      )
      assert.equal(errors[0].pointer, '/idempotency_key')
    }
    assert.equal(await countRows(admin, "app.pieces where headline = 'Once'"), 1)
  })
})

describe('update_draft', () => {
  test('changes what is passed and leaves the rest, as PATCH does', async () => {
    const { id } = await done('create_draft', { ...minimalPiece, sub: 'Kept', tags: ['kept'] })
    const { piece, revision } = await done('update_draft', { id, revision: 1, body_md: 'More tea.' })
    assert.deepEqual([piece.body_md, piece.sub, piece.tags, revision], ['More tea.', 'Kept', ['kept'], 2])
    assert.deepEqual((await read(id)).json(), { ok: true, piece })
    const cleared = await done('update_draft', { id, revision: 2, sub: null, tags: [] })
    assert.deepEqual([cleared.piece.sub, cleared.piece.tags, cleared.revision], [null, [], 3])
  })

  test('demands the revision it is based on, and overwrites nobody', async () => {
    const { id } = await done('create_draft', minimalPiece)
    const { detail } = await refused('update_draft', { id, sub: 'x' }, 'precondition_required')
    assert.match(detail, /revision that get_draft returned/)
    assert.equal((await edit(id, { sub: 'The writer’s' }, '"1"')).statusCode, 200)
    const stale = await refused('update_draft', { id, revision: 1, sub: 'Mine' }, 'precondition_failed')
    assert.match(stale.detail, /at revision 2/)
    for (const revision of ['*', '1', 0, -1, 1.5, null, 2 ** 31])
      await refused('update_draft', { id, revision, sub: 'Mine' }, 'validation_failed')
    assert.deepEqual((await done('get_draft', { id })).piece.sub, 'The writer’s')
  })

  test('repeated, changes nothing more', async () => {
    const { id } = await done('create_draft', minimalPiece)
    await done('update_draft', { id, revision: 1, sub: 'Once' })
    await refused('update_draft', { id, revision: 1, sub: 'Once' }, 'precondition_failed')
    assert.equal(await countRows(admin, 'app.revisions where piece_id = $1', [id]), 2)
  })

  for (const status of statuses.filter((one) => one !== 'draft'))
    test(`refuses a piece that is ${status}`, async () => {
      const id = await makePieceInState(admin, writer, status)
      const { revision } = await done('get_draft', { id })
      const { detail } = await refused('update_draft', { id, revision, sub: 'x' }, 'illegal_transition')
      assert.equal(detail, (await edit(id, { sub: 'x' }, '*')).json().detail)
    })
})

describe('get_draft', () => {
  test('answers what GET /api/v1/pieces/{id} answers, and its revision, by id, edit_url and URN', async () => {
    const { id, edit_url } = await done('create_draft', minimalPiece)
    const byRest = await read(id)
    for (const given of [id, id.toUpperCase(), edit_url, `urn:uuid:${id}`, ` ${id} `]) {
      const { revision, ...body } = await done('get_draft', { id: given })
      assert.deepEqual([body, `"${revision}"`], [byRest.json(), byRest.headers['etag']])
    }
  })

  test('shows the text of drafts only', async () => {
    for (const status of statuses) {
      const { piece } = await done('get_draft', { id: await makePieceInState(admin, writer, status) })
      assert.deepEqual([piece.status, piece.body_md !== null], [status, status === 'draft'])
    }
  })

  test('knows nothing of another’s piece, nor of what is none, in the same words', async () => {
    const other = await makeWriter(admin)
    const theirs = await makeDraft(admin, other)
    const answers = await Promise.all(
      [theirs, randomUUID(), 'nothing', `https://elsewhere.test/${theirs}`, '../me', 'x'.repeat(500)].map((id) =>
        refused('get_draft', { id }, 'not_found'),
      ),
    )
    for (const { request_id, ...answer } of answers) {
      assert.match(request_id, /^[0-9a-f-]{36}$/)
      assert.deepEqual({ ...answer, request_id: '' }, { ...answers[0], request_id: '' })
    }
    assert.match(answers[0].detail, /list_my_pieces/)
    await refused('update_draft', { id: theirs, revision: 1, sub: 'x' }, 'not_found')
    const owner = withKey((await makeKey(admin, other, { scopes: ['pieces:write', 'drafts:read'] })).key)
    assert.equal((await owner.call('get_draft', { id: theirs })).isError, false)
  })
})

describe('list_my_pieces', () => {
  test('answers what GET /api/v1/pieces/me answers, page by page and by state', async () => {
    const reader = await makeWriter(admin)
    const { key: theirs } = await makeKey(admin, reader)
    const { call: asReader } = withKey(theirs)
    const rest = caller(ask, theirs)
    for (const status of statuses) await makePieceInState(admin, reader, status as Status)
    for (const [given, query] of [
      [{}, ''],
      [{ limit: 2 }, '?limit=2'],
      [{ status: 'pending' }, '?status=pending'],
    ] as const)
      assert.deepEqual((await asReader('list_my_pieces', given)).structuredContent, (await rest.list(query)).json())
    const { next_cursor: cursor } = (await rest.list('?limit=2')).json()
    const next = await asReader('list_my_pieces', { limit: 2, cursor })
    assert.deepEqual(next.structuredContent, (await rest.list(`?limit=2&cursor=${cursor}`)).json())
  })

  test('is refused as GET is', async () => {
    for (const [given, query] of [
      [{ limit: 51 }, '?limit=51'],
      [{ status: 'live' }, '?status=live'],
      [{ cursor: 'x' }, '?cursor=x'],
    ] as const) {
      const { errors } = await refused('list_my_pieces', given, 'validation_failed')
      assert.deepEqual(errors, (await list(query)).json().errors)
    }
  })
})
