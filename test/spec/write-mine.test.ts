import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asDesk, makeKey, makeWriter, unpublish } from '../../testkit/factories.ts'
import {
  caller,
  idOf,
  isRefused,
  makePieceInState,
  minimalPiece,
  pieces,
  problemsOf,
  statuses,
  writeApiSite,
} from '../../testkit/write-api.ts'

/** Section 4.3, GET /api/v1/pieces/me, its limit in section 8, and cursors. */

const { admin, ask, writer, list, create, anotherCaller } = await writeApiSite()
const prolific = await makeWriter(admin, { slug: 'prolific' })
const many = await anotherCaller(prolific)
const empty = await anotherCaller(await makeWriter(admin))

interface Page {
  readonly count: number
  readonly pieces: readonly { readonly id: string; readonly status: string; readonly created_at: string }[]
  readonly next_cursor: string | null
}
const page = async (query: string, who = many) => (await who.list(query)).json<Page>()
const idsOf = (one: Page) => one.pieces.map(({ id }) => id)

before(async () => {
  // Twenty pieces share each timestamp, so a cursor must distinguish more than time.
  for (let batch = 0; batch < 3; batch += 1) {
    await asDesk(admin, prolific, (client) =>
      client.query(
        `insert into app.pieces (writer_id, headline, body_md)
         select $1, 'Number ' || number, 'A body.' from generate_series(1, 20) number`,
        [prolific.id],
      ),
    )
  }
})

describe('4.3 the list', () => {
  test('of nobody’s pieces is empty', async () => {
    assert.deepEqual((await empty.list()).json(), { ok: true, count: 0, pieces: [], next_cursor: null })
  })

  test('is newest first, in every state, the newest being the one just made', async () => {
    const expected: string[] = []
    for (const status of statuses) expected.unshift(await makePieceInState(admin, writer, status))
    expected.unshift(idOf(await create(minimalPiece)))
    assert.deepEqual(idsOf((await list()).json()), expected)
  })

  test('has ok, and a count of the pieces that it holds', async () => {
    const answer = (await many.list('?limit=7')).json()
    assert.equal(answer.ok, true)
    assert.deepEqual([answer.count, answer.pieces.length], [7, 7])
  })

  test('shows each piece as it was sent, with where to edit it', async () => {
    const whole = { ...minimalPiece, sub: 'Four minutes.', tags: ['tea'], category: 'life', locale: 'de' }
    const { id, created_at } = (await create(whole)).json()
    const { body_md: _body, ...shown } = whole
    const edit_url = `https://site.test/desk/edit/pieces/${id}`
    assert.deepEqual((await list('?limit=1')).json().pieces, [{ id, status: 'draft', created_at, edit_url, ...shown }])
  })

  test('holds only pieces of the owner of the key', async () => {
    const theirs = new Set(idsOf(await page('?limit=50')))
    const mine = idsOf(await page('?limit=50', await anotherCaller(writer)))
    assert.ok(mine.length > 0)
    assert.ok(mine.every((id) => !theirs.has(id)))
  })

  test('is the same with every key of the same owner', async () => {
    assert.deepEqual(await page('?limit=50', await anotherCaller(prolific)), await page('?limit=50'))
  })

  test('is for its caller alone: nobody keeps it, and no other origin reads it', async () => {
    const { headers } = await list()
    assert.deepEqual([headers['cache-control'], headers['vary']], ['no-store', 'Authorization'])
    assert.equal(headers['access-control-allow-origin'], undefined)
  })
})

describe('4.3 status', () => {
  for (const status of statuses) {
    test(`${status} gives the pieces in that state and no others`, async () => {
      const one = await makeWriter(admin)
      const ids = new Map<string, string>()
      for (const each of statuses) ids.set(each, await makePieceInState(admin, one, each))
      const found = await page(`?status=${status}`, await anotherCaller(one))
      assert.deepEqual([found.count, idsOf(found), found.pieces[0]?.status], [1, [ids.get(status)], status])
    })
  }

  test('follows a piece from state to state', async () => {
    const one = await makeWriter(admin)
    const asOne = await anotherCaller(one)
    const id = await makePieceInState(admin, one, 'approved')
    assert.equal((await page('?status=draft', asOne)).count, 0)
    await unpublish(admin, one, id)
    assert.deepEqual(idsOf(await page('?status=draft', asOne)), [id])
    assert.equal((await page('?status=approved', asOne)).count, 0)
  })

  for (const status of [
    '',
    'published',
    'Draft',
    'draft%20',
    'draft,pending',
    '__proto__',
    'constructor',
    '%00',
    '*',
  ]) {
    test(`"${status}" is 400, and the five are named`, async () => {
      const [problem] = problemsOf(await list(`?status=${status}`))
      assert.deepEqual([problem?.pointer, problem?.code], ['/status', 'unknown_value'])
      assert.match(problem!.detail, /draft.*pending.*approved.*rejected.*changes_requested/)
    })
  }
  test('given twice is 400', async () => {
    const [problem] = problemsOf(await list('?status=draft&status=draft'))
    assert.deepEqual([problem?.pointer, problem?.code], ['/status', 'repeated'])
  })
})

describe('8 limit', () => {
  test('left out is 20', async () => {
    assert.equal((await page('')).count, 20)
  })
  for (const limit of [1, 2, 49, 50]) {
    test(`${limit} gives ${limit}`, async () => {
      assert.equal((await page(`?limit=${limit}`)).count, limit)
    })
  }
  for (const [limit, code] of [
    ['0', 'out_of_range'],
    ['51', 'out_of_range'],
    ['100', 'out_of_range'],
    ['-1', 'out_of_range'],
    ['99999999999999999999', 'out_of_range'],
    ['', 'not_integer'],
    ['five', 'not_integer'],
    ['1.5', 'not_integer'],
    ['1e1', 'not_integer'],
    ['0x10', 'not_integer'],
    ['%2B5', 'not_integer'],
    ['%205', 'not_integer'],
    ['5%00', 'not_integer'],
    ['5&limit=6', 'repeated'],
  ] as const) {
    test(`${limit} is 400 and names the range`, async () => {
      const [problem, ...others] = problemsOf(await many.list(`?limit=${limit}`))
      assert.deepEqual([problem?.pointer, problem?.code, others], ['/limit', code, []])
      assert.match(problem!.detail, /\b1\b.*\b50\b/)
    })
  }
  test('in brackets is another parameter, which nobody knows', async () => {
    assert.equal((await page('?limit[]=5')).count, 20)
  })
})

describe('cursor', () => {
  async function walk(limit: number, query = '', between = async () => {}): Promise<string[]> {
    const rows: string[] = []
    let cursor: string | null | undefined
    for (let pages = 0; cursor !== null; pages += 1) {
      assert.ok(pages < 100, 'the list has no end')
      const one: Page = await page(`?limit=${limit}${query}${cursor ? `&cursor=${cursor}` : ''}`)
      rows.push(...idsOf(one))
      cursor = one.next_cursor
      await between()
    }
    return rows
  }
  const whole = async () => {
    const { rows } = await admin.query(
      'select id from app.pieces where writer_id = $1 order by created_at desc, id desc',
      [prolific.id],
    )
    return rows.map(({ id }) => id as string)
  }

  for (const limit of [7, 20, 50]) {
    test(`pages of ${limit} give the whole list in its order, without gap or repeat`, async () => {
      assert.deepEqual(await walk(limit), await whole())
    })
  }

  test('goes on within one status', async () => {
    assert.deepEqual(await walk(25, '&status=draft'), await whole())
  })

  test('a piece made while one pages is not shown, and nothing older is left out', async () => {
    const before = await whole()
    assert.deepEqual(await walk(30, '', async () => void (await many.create(minimalPiece))), before)
  })

  test('Link: rel="next" leads to the page that next_cursor does, and the last page has none', async () => {
    const answer = await many.list('?limit=5&status=draft')
    const [, target] = /^<https:\/\/site\.test([^>]+)>; rel="next"$/.exec(String(answer.headers['link'])) ?? []
    assert.ok(target, `Link is ${answer.headers['link']}`)
    const next = await page(`?limit=5&status=draft&cursor=${answer.json().next_cursor}`)
    assert.deepEqual((await many.send('GET', target)).json(), next)
    assert.equal((await empty.list()).headers['link'], undefined)
  })

  test('of another’s list shows nothing of theirs', async () => {
    const { next_cursor } = await page('?limit=1')
    const theirs = new Set(await whole())
    assert.ok(
      idsOf(await page(`?limit=50&cursor=${next_cursor}`, await anotherCaller(writer))).every((id) => !theirs.has(id)),
    )
  })

  test('of a public list, or edited, is 400', async () => {
    const cursor = (await page('?limit=1')).next_cursor!
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const remade = (changed: unknown) => Buffer.from(JSON.stringify(changed)).toString('base64url')
    const changed = parts.flatMap((_, at) =>
      [null, [], '\u0000', 1e300, "'"].map((other) => remade(parts.with(at, other))),
    )
    const recent = (await ask('/api/public/pieces/recent?limit=1')).json().next_cursor
    for (const wrong of [recent, '', 'null', cursor.slice(3), remade({}), remade([...parts, 1]), ...changed]) {
      assert.equal(problemsOf(await many.list(`?cursor=${wrong}`))[0]?.pointer, '/cursor', wrong)
    }
  })
})

describe('who may ask', () => {
  test('4.3 nobody without a key: 401', async () => {
    isRefused(await caller(ask).list(), 401, 'missing_authorization')
  })
  test('a revoked key is 403', async () => {
    const { key } = await makeKey(admin, writer, { revoked: true })
    isRefused(await caller(ask, key).list(), 403, 'invalid_key')
  })
  test('a key without the scope is 403', async () => {
    const { key } = await makeKey(admin, writer, { scopes: [] })
    isRefused(await caller(ask, key).list(), 403, 'insufficient_scope')
  })
  test('a wrong parameter tells a stranger nothing: 401 comes first', async () => {
    isRefused(await caller(ask).send('GET', `${pieces}/me?limit=0`), 401, 'missing_authorization')
  })
})
