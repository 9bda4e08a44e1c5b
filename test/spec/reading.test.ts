import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter, publish, unpublish } from '../../testkit/factories.ts'
import { fetchRetrying503 } from '../../testkit/http.ts'

/** Section 1 and docs/adr for every public read: open to all origins, cacheable, revalidated by ETag. */

const { admin, app, ask } = await testSite()

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const id = await makePiece(admin, writer, { headline: 'On tea', publishedAt: new Date('2026-01-01') })
await makePiece(admin, writer, { headline: 'More tea', publishedAt: new Date('2026-01-02') })
const piece = `/api/public/pieces/${id}`
const reads = [
  '/api/public/authors/ada',
  '/api/public/authors/search?q=ada',
  piece,
  '/api/public/pieces/recent?limit=1',
  '/api/public/pieces/search?q=tea&limit=1',
]
const nameOf = (address: string) => address.replace(id, '{id}')

for (const address of reads) {
  describe(`GET ${nameOf(address)}`, () => {
    test('4 returns JSON with ok: true', async () => {
      const answer = await ask(address)
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['content-type']), /^application\/json(;|$)/)
      assert.equal(answer.json().ok, true)
    })

    test('may be kept by an edge for 30 seconds and by no browser unasked', async () => {
      assert.equal((await ask(address)).headers['cache-control'], 'public, max-age=0, s-maxage=30, must-revalidate')
    })

    test('carries no RateLimit headers, which a cache would hand to others', async () => {
      const names = Object.keys((await ask(address)).headers)
      assert.deepEqual(
        names.filter((name) => name.startsWith('ratelimit') || name === 'retry-after'),
        [],
      )
    })

    test('sets no cookie and does not vary', async () => {
      const { headers } = await ask(address)
      assert.equal(headers['set-cookie'], undefined)
      assert.equal(headers['vary'], undefined)
    })

    test('has a strong ETag, the same while nothing changes', async () => {
      const [one, two] = [await ask(address), await ask(address)]
      assert.match(String(one.headers['etag']), /^"[!#-~]+"$/)
      assert.equal(one.headers['etag'], two.headers['etag'])
    })

    for (const [what, known] of [
      ['its ETag', (etag: string) => etag],
      ['its ETag as a weak one', (etag: string) => `W/${etag}`],
      ['a list that holds it', (etag: string) => `"other", W/"another" ,${etag}, "third"`],
      ['a star', () => '*'],
    ] as const) {
      test(`answers 304 without a body to If-None-Match with ${what}`, async () => {
        const etag = String((await ask(address)).headers['etag'])
        const answer = await ask({ url: address, headers: { 'if-none-match': known(etag) } })
        assert.equal(answer.statusCode, 304)
        assert.equal(answer.body, '')
        assert.equal(answer.headers['etag'], etag)
        assert.equal(answer.headers['cache-control'], 'public, max-age=0, s-maxage=30, must-revalidate')
        assert.equal(answer.headers['access-control-allow-origin'], '*')
      })
    }

    test('answers 304 to HEAD too, for whoever has it', async () => {
      const { etag } = (await ask(address)).headers
      for (const known of [String(etag), '*']) {
        const answer = await ask({ method: 'HEAD', url: address, headers: { 'if-none-match': known } })
        assert.equal(answer.statusCode, 304)
        assert.equal(answer.headers['etag'], etag)
      }
    })

    for (const known of ['"other"', '"other", "another"', 'other', '"', '""', ',', '']) {
      test(`answers whole to If-None-Match: ${known}`, async () => {
        const answer = await ask({ url: address, headers: { 'if-none-match': known } })
        assert.equal(answer.statusCode, 200)
        assert.equal(answer.body, (await ask(address)).body)
      })
    }

    test('answers HEAD as it does GET, without the body', async () => {
      const [head, get] = [await ask({ method: 'HEAD', url: address }), await ask(address)]
      assert.equal(head.statusCode, 200)
      assert.equal(head.body, '')
      const own = { date: '', 'x-request-id': '' }
      assert.deepEqual({ ...head.headers, ...own }, { ...get.headers, ...own })
    })

    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const) {
      test(`answers ${method} with 405 and what is allowed instead`, async () => {
        const answer = await ask({ method: method as 'POST', url: address })
        assert.equal(answer.statusCode, 405)
        assert.deepEqual(listed(answer.headers['allow']), ['GET', 'HEAD', 'OPTIONS'])
        assert.equal(answer.json().reason, 'method_not_allowed')
        assert.equal(answer.headers['cache-control'], 'no-store')
      })
    }

    test('lets a page of any origin ask beforehand, and never with credentials', async () => {
      const { statusCode, headers } = await ask({
        method: 'OPTIONS',
        url: address,
        headers: {
          origin: 'https://elsewhere.test',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match, x-anything',
        },
      })
      assert.ok(statusCode === 204 || statusCode === 200)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.ok(listed(headers['access-control-allow-methods']).includes('GET'))
      assert.equal(headers['access-control-allow-headers'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
    })
  })
}

const listed = (value: unknown) =>
  String(value)
    .split(/\s*,\s*/)
    .sort()

describe('what an edge purges by', () => {
  const tags = async (address: string) => String((await ask(address)).headers['surrogate-key']).split(' ')

  test('a piece is named by its id and its author', async () => {
    assert.deepEqual(await tags(piece), [`piece-${id}`, 'byline-ada'])
    assert.deepEqual(
      await tags(piece.toUpperCase().replace('/API/PUBLIC/PIECES/', '/api/public/pieces/')),
      await tags(piece),
    )
  })
  test('an author is named by the slug', async () => {
    assert.deepEqual(await tags('/api/public/authors/ada'), ['author-ada', 'byline-ada'])
  })
  test('lists are named as lists', async () => {
    assert.deepEqual(await tags('/api/public/pieces/recent'), ['pieces'])
    assert.deepEqual(await tags('/api/public/pieces/search?q=tea'), ['pieces'])
    assert.deepEqual(await tags('/api/public/authors/search?q=ada'), ['authors'])
  })
  test('Cache-Tag says the same, by commas', async () => {
    for (const address of reads) {
      assert.deepEqual(String((await ask(address)).headers['cache-tag']).split(','), await tags(address))
    }
  })
  test('a refusal is never named, since it is never kept', async () => {
    const { headers } = await ask('/api/public/authors/nobody')
    assert.equal(headers['surrogate-key'], undefined)
    assert.equal(headers['cache-tag'], undefined)
  })
})

test('an unpublished piece is 404 and never 304, for its old ETag and for a star', async () => {
  const gone = await makePiece(admin, writer, { headline: 'Short-lived' })
  const address = `/api/public/pieces/${gone}`
  const etag = String((await ask(address)).headers['etag'])
  await unpublish(admin, writer, gone)
  for (const known of [etag, `W/${etag}`, '*', `"a", ${etag}`]) {
    assert.equal((await ask({ url: address, headers: { 'if-none-match': known } })).statusCode, 404)
  }
})

test('an ETag changes with what it stands for', async () => {
  const changing = await makePiece(admin, writer, { headline: 'First' })
  const address = `/api/public/pieces/${changing}`
  const before = (await ask(address)).headers['etag']
  await unpublish(admin, writer, changing)
  await admin.query('update app.pieces set headline = $2 where id = $1', [changing, 'Second'])
  await publish(admin, writer, changing)
  const after = await ask({ url: address, headers: { 'if-none-match': String(before) } })
  assert.equal(after.statusCode, 200)
  assert.notEqual(after.headers['etag'], before)
  await unpublish(admin, writer, changing)
})

describe('through a socket', () => {
  let base: string
  before(async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })

  const fetched = (address: string, init?: RequestInit) => fetchRetrying503(`${base}${address}`, init)

  for (const address of reads) {
    test(`a browser of another origin reads ${nameOf(address)}`, async () => {
      const answer = await fetched(address, { headers: { origin: 'https://elsewhere.test' } })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      const exposed = listed(answer.headers.get('access-control-expose-headers')?.toLowerCase())
      for (const name of ['etag', 'link', 'retry-after']) assert.ok(exposed.includes(name), name)
      assert.deepEqual(await answer.json(), (await ask(address)).json())
    })

    test(`${nameOf(address)} is 304 for whoever has it`, async () => {
      const etag = (await fetched(address)).headers.get('etag')!
      const answer = await fetched(address, { headers: { 'if-none-match': etag } })
      assert.equal(answer.status, 304)
      assert.equal(await answer.text(), '')
    })

    test(`HEAD of ${nameOf(address)} tells the length that GET has`, async () => {
      const head = await fetched(address, { method: 'HEAD' })
      const get = await (await fetched(address)).arrayBuffer()
      assert.equal(Number(head.headers.get('content-length')), get.byteLength)
    })
  }

  test('a page of another origin can read why it was refused', async () => {
    const answer = await fetched('/api/public/authors/nobody', { headers: { origin: 'https://elsewhere.test' } })
    assert.equal(answer.status, 404)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(((await answer.json()) as { reason: string }).reason, 'not_found')
  })
})
