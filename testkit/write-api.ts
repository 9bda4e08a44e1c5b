import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { moreScopes, scopesOf } from '../server/features/keys/schema.ts'
import { testSite } from './app.ts'
import { tableHashes } from './database.ts'
import { inTransaction, type MadeWriter, makeDraft, makeKey, makeWriter, publish } from './factories.ts'
import {
  assertDocumented,
  type ExchangeOptions,
  exchange,
  type RawResponse,
  withoutId,
  writeApiStatuses,
} from './http.ts'
import type { Answer, Inject, Request } from './openapi.ts'
import { until } from './waiting.ts'

/** Helpers for tests of the write API. */

export const pieces = '/api/v1/pieces'

export const everyScope = scopesOf(moreScopes)

/** The smallest valid piece. */
export const minimalPiece = { headline: 'On tea', body_md: 'Some tea.' }

export type Headers = Readonly<Record<string, string>>

/** An API client with a key, or without. A body that is not text is sent as JSON. */
export function caller(ask: Inject, key?: string) {
  const credentials: Headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const send = (method: NonNullable<Request['method']>, url: string, body?: unknown, headers: Headers = {}) =>
    ask({
      method,
      url,
      headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: asPayload(body) }),
    })
  return {
    send,
    create: (body: unknown, headers?: Headers) => send('POST', pieces, body, headers),
    list: (query = '') => send('GET', `${pieces}/me${query}`),
    read: (id: string) => send('GET', `${pieces}/${id}`),
    edit: (id: string, changes: unknown, ifMatch?: string) =>
      send('PATCH', `${pieces}/${id}`, changes, ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    remove: (id: string, ifMatch?: string) =>
      send('DELETE', `${pieces}/${id}`, undefined, ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  }
}
export type Caller = ReturnType<typeof caller>

const asPayload = (body: unknown): string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

/** A site with one writer, who holds a key that reaches all their drafts; test/accounts/key-scopes.test.ts has those that do not. */
export async function writeApiSite(env: Record<string, string> = {}) {
  const { url, admin, app, ask } = await testSite(env)
  const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
  const { key, id: keyId } = await makeKey(admin, writer, { scopes: everyScope })
  const anotherCaller = async (other: MadeWriter) =>
    caller(ask, (await makeKey(admin, other, { scopes: everyScope })).key)
  return { url, admin, app, ask, writer, key, keyId, ...caller(ask, key), anotherCaller }
}

/** The id of a piece that was created. */
export function idOf(answer: Answer): string {
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().id
}

export const statuses = ['draft', 'pending', 'approved', 'rejected', 'changes_requested'] as const
export type Status = (typeof statuses)[number]

/** A piece that has come as far as this. */
export async function makePieceInState(admin: pg.Pool, writer: MadeWriter, status: Status): Promise<string> {
  const id = await makeDraft(admin, writer, { headline: `It is ${status}`, body_md: `The body of ${status}.` })
  if (status === 'approved') await publish(admin, writer, id)
  else await setStatus(admin, id, status)
  return id
}

async function setStatus(admin: pg.Pool, id: string, status: Status): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query('update app.pieces set editor_status = $2 where id = $1', [id, status])
  })
}

export interface Problem {
  readonly pointer: string
  readonly code: string
  readonly detail: string
  readonly limit?: number
  readonly actual?: number
}

/** What is wrong with a request that is refused with 400, each with words and the code that names it. */
export function problemsOf(answer: Answer): Problem[] {
  assert.equal(answer.statusCode, 400, answer.body.slice(0, 300))
  const { ok, reason, detail, errors } = answer.json()
  assert.deepEqual([ok, reason, typeof detail], [false, 'validation_failed', 'string'])
  for (const problem of errors as Problem[]) {
    assert.match(problem.code, /^[a-z]+(_[a-z]+)*$/)
    assert.ok(problem.detail.length > 0)
  }
  return errors
}

/** Answered with this status and code, in the one error body. */
export function isRefused(answer: Answer, status: number, reason: string): void {
  assert.equal(answer.statusCode, status, answer.body.slice(0, 300))
  const body = answer.json()
  assert.deepEqual([body.ok, body.reason], [false, reason])
  assert.ok(body.detail.length > 0)
}

/** Everything a client can see of an answer but the clock, what is left of its quota and the id of the request. */
export function seen({ statusCode, headers, body }: Answer) {
  const { date: _date, ratelimit: _left, 'x-request-id': _id, ...rest } = headers
  return { statusCode, headers: rest, body: withoutId(body) }
}

/** Over a socket, as it is; these tests share their process with the server, which may be too busy for a moment. */
export const exchangeRetrying503 = (
  port: number,
  bytes: string | Buffer,
  manners?: ExchangeOptions,
): Promise<RawResponse> =>
  until(async () => {
    const heard = await exchange(port, bytes, manners)
    return heard.status !== 503 && heard
  }, 'the server is not too busy to answer')

/** Counts rows: `from` is what follows the word. */
export async function countRows(admin: pg.Pool, from: string, values: unknown[] = []): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(`select count(*)::integer as count from ${from}`, values)
  return rows[0]!.count
}

/** A site for malformed inputs to the write API: a draft that no input may change, and one of another writer. */
export async function malformedSite() {
  const site = await writeApiSite()
  const { admin, writer, create, read, list, send } = site
  const draft = await makeDraft(admin, writer, { headline: 'Untouched' })
  const otherWriter = await makeWriter(admin)
  const theirs = await makeDraft(admin, otherWriter, { headline: 'Theirs' })

  const publicRows = async () =>
    Object.fromEntries(Object.entries(await tableHashes(admin)).filter(([name]) => name.startsWith('pub.')))

  /** Asserts a documented answer with the standard error body and no internals in it. */
  async function decent(asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked
    assertDocumented(answer.statusCode, answer.body, answer.body.slice(0, 200), writeApiStatuses)
    assert.doesNotMatch(answer.body, /node_modules|server\/|Error:|invalid byte|violates|svc_/)
    return answer
  }

  /**
   * Sends a body as POST and as PATCH and returns both statuses. The PATCH never matches: it gets no further than 412.
   */
  async function both(body: unknown, headers?: Headers): Promise<[number, number]> {
    const created = await decent(create(body, headers))
    const edited = await decent(send('PATCH', `${pieces}/${draft}`, body, { 'if-match': '"0"', ...headers }))
    return [created.statusCode, edited.statusCode]
  }

  /** One named input: it may only create drafts of its sender, and the next request is answered. */
  function malformed(number: number, what: string, work: () => Promise<void>): void {
    test(`input ${number}: ${what}`, async () => {
      const before = await publicRows()
      await work()
      assert.deepEqual(await publicRows(), before, 'something public changed')
      assert.equal(await countRows(admin, 'app.pieces where editor_status <> $1', ['draft']), 0)
      assert.equal((await read(draft)).headers['etag'], '"1"')
      assert.equal(await countRows(admin, 'app.pieces where writer_id = $1', [otherWriter.id]), 1)
      assert.equal((await list('?limit=1')).statusCode, 200)
      assert.equal(({} as Record<string, unknown>)['poison'], undefined)
    })
  }
  return { ...site, draft, otherWriter: otherWriter, theirs, decent, both, malformed: malformed }
}
