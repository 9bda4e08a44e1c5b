import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'
import type { Answer } from '../../testkit/openapi.ts'

/** Sections 2 (error body), 5.1 (no credentials) and 7 of the specification, and the one 404 of docs/adr. */

const { admin, ask } = await testSite()

const writer = await makeWriter(admin, { slug: 'ada' })
const other = await makeWriter(admin)
const published = await makePiece(admin, writer, { headline: 'Public' })

describe('2 error body', () => {
  const refusals = [
    ['404 of a piece', 'GET', `/api/public/pieces/${randomUUID()}`, 404, 'not_found'],
    ['404 of an author', 'GET', '/api/public/authors/nobody', 404, 'not_found'],
    ['404 of an address that leads nowhere', 'GET', '/api/public/nowhere', 404, 'not_found'],
    ['400 of a parameter', 'GET', '/api/public/pieces/recent?limit=0', 400, 'validation_failed'],
    ['400 of an address that cannot be decoded', 'GET', '/api/public/authors/%ff', 400, 'validation_failed'],
    ['405 of a method', 'POST', '/api/public/pieces/recent', 405, 'method_not_allowed'],
    ['414 of an address', 'GET', `/api/public/pieces/recent?q=${'a'.repeat(8192)}`, 414, 'uri_too_long'],
  ] as const

  for (const [what, method, address, status, reason] of refusals) {
    test(`7 the ${what} has ok: false and a string reason that is a stable code`, async () => {
      const answer = await ask({ method, url: address })
      assert.equal(answer.statusCode, status)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      const body = answer.json()
      assert.equal(body.ok, false)
      assert.equal(body.reason, reason)
      assert.match(body.reason, /^[a-z]+(_[a-z]+)*$/)
      assert.equal(typeof body.detail, 'string')
      assert.ok(body.detail.length > 0)
    })

    test(`the ${what} is never kept by a cache and is readable by every origin`, async () => {
      const { headers } = await ask({ method, url: address })
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['etag'], undefined)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })
  }

  test('every failed field has a pointer, a code and a sentence', async () => {
    const { errors } = (await ask('/api/public/pieces/search?limit=0')).json()
    assert.equal(errors.length, 2)
    for (const { pointer, code, detail } of errors) {
      assert.match(pointer, /^\/[a-z_]+$/)
      assert.match(code, /^[a-z]+(_[a-z]+)*$/)
      assert.ok(detail.length > 0)
    }
  })

  for (const [method, address, words] of [
    ['POST', '/api/public/pieces/recent', /^This address does not accept POST; it accepts GET\.$/],
    ['PUT', `/api/v1/pieces/${published}`, /; it accepts GET, PATCH and DELETE\.$/],
    [
      'GET',
      '/api/v1/pieces',
      /; it accepts POST\. For GET there is \/api\/v1\/pieces\/me \(your pieces\) and .+\{id\}/,
    ],
    ['POST', '/api/v1/pieces/me', /; it accepts GET\. For POST there is \/api\/v1\/pieces \(create a draft\)\.$/],
  ] as const) {
    test(`the 405 of ${method} ${address.replace(published, '{id}')} says what is taken, and what is near`, async () => {
      const answer = await ask({ method, url: address })
      assert.equal(answer.statusCode, 405)
      assert.match(answer.json().detail, words)
    })
  }

  test('errors is there only where a field failed', async () => {
    assert.ok(!('errors' in (await ask('/api/public/authors/nobody')).json()))
  })
})

describe('7 a piece that is not public', () => {
  /** Everything a client can see of an answer except the date and the request id. */
  const seen = ({ statusCode, headers, body }: Answer) => {
    const { date: _date, 'x-request-id': _id, ...rest } = headers
    return { statusCode, headers: rest, body: withoutId(body) }
  }
  const absent = async () => seen(await ask(`/api/public/pieces/${randomUUID()}`))

  test('an absent one is 404', async () => {
    assert.equal((await absent()).statusCode, 404)
  })

  for (const [what, make] of [
    ['a draft', () => makeDraft(admin, writer)],
    ["another writer's draft", () => makeDraft(admin, other)],
    [
      'a draft of a writer without a public profile',
      async () => makeDraft(admin, await makeWriter(admin, { shown: false })),
    ],
    ['a pending piece', () => withStatus('pending')],
    ['a rejected piece', () => withStatus('rejected')],
    ['a piece with changes requested', () => withStatus('changes_requested')],
    ['an unpublished piece', madeAndTakenBack],
    ['an id that is not a UUID', async () => 'not-a-uuid'],
    ['an empty UUID', async () => '00000000-0000-0000-0000-000000000000'],
    ['a UUID without its dashes', async () => published.replaceAll('-', '')],
    ['a UUID in braces', async () => `%7B${published}%7D`],
    ['a UUID as a URN', async () => `urn:uuid:${published}`],
    ['a UUID with something behind it', async () => `${published}%0A`],
    ['an id longer than any can be', async () => 'a'.repeat(500)],
  ] as const) {
    test(`${what} answers the same bytes and headers as an absent one`, async () => {
      assert.deepEqual(seen(await ask(`/api/public/pieces/${await make()}`)), await absent())
    })
  }

  async function withStatus(status: string): Promise<string> {
    const id = await makeDraft(admin, writer)
    await inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query('update app.pieces set editor_status = $2 where id = $1', [id, status])
    })
    return id
  }
  async function madeAndTakenBack(): Promise<string> {
    const id = await makePiece(admin, writer)
    await ask(`/api/public/pieces/${id}`)
    await unpublish(admin, writer, id)
    return id
  }
})

describe('5.1 public reads need no credentials', () => {
  for (const address of [
    '/api/public/authors/ada',
    '/api/public/authors/search?q=a',
    `/api/public/pieces/${published}`,
    '/api/public/pieces/recent',
    '/api/public/pieces/search?q=public',
  ]) {
    test(`${address.replace(published, '{id}')} answers the same with a key or a cookie as without`, async () => {
      const { body, statusCode } = await ask(address)
      assert.equal(statusCode, 200)
      const credentials: Record<string, string>[] = [
        { authorization: `Bearer pk_live_${'0'.repeat(64)}` },
        { authorization: 'nonsense' },
        { cookie: '__Host-desk=whatever' },
      ]
      for (const headers of credentials) {
        assert.equal((await ask({ url: address, headers })).body, body)
      }
    })
  }
})
