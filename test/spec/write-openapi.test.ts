import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, checkedInject, type Operation } from '../../testkit/openapi.ts'
import { caller, idOf, minimalPiece, pieces, writeApiSite } from '../../testkit/write-api.ts'

/** Sections 4.3 to 9: the write API in the OpenAPI document. */

const { app, key, create } = await writeApiSite()

interface Described extends Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}
const document = (await app.inject('/api/openapi.json')).json()
const at = (method: string, path: string): Described => document.paths[path]?.[method.toLowerCase()]

describe('the document', () => {
  for (const [method, path, statuses] of [
    ['POST', pieces, [201, 400, 401, 403, 409, 413, 415, 422, 429]],
    ['GET', `${pieces}/me`, [200, 400, 401, 403, 429]],
    ['GET', `${pieces}/{id}`, [200, 401, 403, 404, 429]],
    ['PATCH', `${pieces}/{id}`, [200, 400, 401, 403, 404, 409, 412, 413, 415, 428, 429]],
    ['DELETE', `${pieces}/{id}`, [204, 401, 403, 404, 409, 412, 428, 429]],
  ] as const) {
    test(`${method} ${path} needs a key, and names its answers`, () => {
      const { security, responses } = at(method, path)
      assert.deepEqual(security, [{ key: [] }])
      for (const status of statuses) assert.ok(responses[String(status)], `${status} is not described`)
    })
  }

  test('5.2 the key is a Bearer token, and public reads need none', () => {
    const { type, scheme } = document.components.securitySchemes.key
    assert.deepEqual([type, scheme], ['http', 'bearer'])
    assert.deepEqual(document.security, [])
    for (const [path, verbs] of Object.entries<Record<string, Described>>(document.paths)) {
      if (!path.startsWith('/api/public/')) continue
      for (const { security = [] } of Object.values(verbs)) assert.deepEqual(security, [], path)
    }
  })

  test('8 tells the limits of every field, and what is required', () => {
    const { required, properties } = document.components.schemas.CreatePieceBody
    assert.deepEqual(required, ['headline', 'body_md'])
    const { headline, sub, body_md, tags } = properties
    assert.deepEqual([headline.maxLength, sub.maxLength, body_md.maxLength], [200, 400, 100_000])
    assert.deepEqual([tags.maxItems, tags.items.maxLength], [8, 32])
    const defaults = ['category', 'frame', 'style', 'locale'].map((field) => properties[field].default)
    assert.deepEqual(defaults, ['building', 'lesson', 'essay', 'en'])
  })

  test('names the headers a caller may send', () => {
    const headersOf = (method: string, path: string) =>
      (at(method, path).parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase())
    assert.deepEqual(headersOf('POST', pieces), ['idempotency-key'])
    for (const method of ['PATCH', 'DELETE']) assert.deepEqual(headersOf(method, `${pieces}/{id}`), ['if-match'])
  })
})

describe('the check that every answer of these suites passes', () => {
  /** What the check reports for a manipulated answer. */
  async function planted(truth: Answer, change: Partial<Answer> & { json?: () => unknown }): Promise<string> {
    const lie = { ...truth, headers: truth.headers, json: () => truth.json(), ...change } as Answer
    const liar = checkedInject({
      inject: async (request) => (request === '/api/openapi.json' ? app.inject(request) : lie),
    })
    try {
      await caller(liar, key).create(minimalPiece)
      return 'nothing'
    } catch (error) {
      return (error as Error).message
    }
  }
  const changed = (truth: Answer, part: object) => planted(truth, { json: () => ({ ...truth.json(), ...part }) })

  test('holds the answers of the write API against it', async () => {
    const truth = await create(minimalPiece)
    idOf(truth)
    assert.equal(await planted(truth, {}), 'nothing')
    assert.match(await changed(truth, { status: 'approved' }), /status/)
    assert.match(await changed(truth, { id: 'tea' }), /format.*uuid/)
    assert.match(await changed(truth, { edit_url: undefined }), /required.*edit_url/)
    assert.match(await changed(truth, { body_md: minimalPiece.body_md }), /additional.*body_md/)
    assert.match(await planted(truth, { statusCode: 202 }), /202.*does not document/)
    assert.match(await planted(truth, { statusCode: 500 }), /500.*does not document/)
  })
})
