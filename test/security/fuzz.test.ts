import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { publishProfile, renameWriter } from '../../server/features/authors/writers.ts'
import { moreScopes, scopesOf } from '../../server/features/keys/schema.ts'
import { testSite } from '../../testkit/app.ts'
import { tableHashes } from '../../testkit/database.ts'
import { inTransaction, makeDraft, makeKey, makePiece, makeWriter } from '../../testkit/factories.ts'
import { assertDocumented, writeApiStatuses } from '../../testkit/http.ts'
import { listen } from '../../testkit/network.ts'
import { checkedInject, readContract } from '../../testkit/openapi.ts'
import { until } from '../../testkit/waiting.ts'
import {
  type AnyRequest,
  anyHeaders,
  anyQuery,
  anyRequest,
  anyText,
  categories,
  type Facts,
  mutate,
  sendable,
} from './fuzz-requests.ts'

/** Generated requests to the write API, most with a live key. */

const frames = ['lesson', 'origin', 'contrarian', 'before_after']
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('Tea', '', ' ', '\u0000', '\ud800', '\u200d', '\u202e', '😀'.repeat(200), 'x'.repeat(201)),
  fc.constantFrom('x'.repeat(401), 'https://a.test/', 'javascript:1', 'http://[', '__proto__'),
)
const address = fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.constant(null), text)
const tags = fc.array(text, { maxLength: 9 })

/** Often a valid piece, sometimes only part of one. */
const piece = fc
  .record(
    {
      headline: fc.oneof({ weight: 4, arbitrary: fc.constant('A headline') }, { weight: 1, arbitrary: text }),
      body_md: fc.oneof({ weight: 4, arbitrary: fc.constant('A body.') }, { weight: 1, arbitrary: text }),
    },
    { noNullPrototype: true },
  )
  .chain((least) =>
    fc
      .record(
        {
          sub: fc.oneof(text, fc.constant(null)),
          category: fc.oneof(fc.constantFrom(...categories), text),
          tags: fc.oneof(tags, fc.jsonValue({ maxDepth: 2 })),
          frame: fc.oneof(fc.constantFrom(...frames), text),
          style: fc.oneof(fc.constant('essay'), text),
          locale: fc.oneof(fc.constantFrom('en', 'pt-BR'), text),
          external_url: address,
          status: fc.constantFrom('approved', 'draft', 5),
          editor_status: fc.constant('approved'),
          id: fc.uuid(),
          writer_id: fc.uuid(),
        },
        { requiredKeys: [], noNullPrototype: true },
      )
      .map((more) => ({ ...least, ...more })),
  )

const body = fc.oneof(
  { weight: 6, arbitrary: piece.map((one) => JSON.stringify(one)) },
  {
    weight: 2,
    arbitrary: fc
      .dictionary(text, fc.jsonValue())
      .map((one) => JSON.stringify({ headline: 'A', body_md: 'B', ...one })),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: mutate(piece.map((one) => JSON.stringify(one))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', 'null', '[]', '['.repeat(5000), '{"__proto__":{"a":1}}', '\ufeff{}'),
  },
)

const oneLine = (value: string) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
const headerText = fc.string({ unit: 'binary-ascii', maxLength: 40 }).map(oneLine)

function headersOf(facts: Facts): fc.Arbitrary<Record<string, string>> {
  const { live, dead } = facts.keys
  return (
    fc
      .tuple(
        anyHeaders(facts),
        fc.record(
          {
            authorization: fc.oneof(
              { weight: 12, arbitrary: fc.constantFrom(`Bearer ${live}`, `bearer ${live}`) },
              { weight: 2, arbitrary: fc.constantFrom(`Bearer ${dead}`, 'Bearer', '', `Basic ${live}`) },
              { weight: 1, arbitrary: headerText },
            ),
            'content-type': fc.oneof(
              { weight: 8, arbitrary: fc.constant('application/json') },
              { weight: 1, arbitrary: headerText },
            ),
          },
          { noNullPrototype: true },
        ),
        fc.record(
          {
            'idempotency-key': fc.oneof(fc.constantFrom('a', '"a"', '""', 'x'.repeat(256)), fc.uuid(), headerText),
            'if-match': fc.oneof(fc.constantFrom('*', '"1"', '"2"', 'W/"1"', '""', '"1", "2"'), headerText),
          },
          { requiredKeys: [], noNullPrototype: true },
        ),
      )
      // Rarely, since Expect or an encoding in every other request would hide other cases.
      .map(([{ 'content-type': _type, authorization: _key, ...any }, ...more]) => Object.assign({}, any, ...more))
  )
}

function anyWrite(facts: Facts): fc.Arbitrary<AnyRequest> {
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...facts.ids) },
    { weight: 1, arbitrary: mutate(fc.constantFrom(...facts.ids)) },
    { weight: 1, arbitrary: fc.oneof(fc.uuid(), anyText) },
  )
  const one = id.map((each) => `/api/v1/pieces/${each}`)
  const target = fc.oneof(
    { weight: 5, arbitrary: fc.constant(['POST', '/api/v1/pieces'] as const) },
    { weight: 3, arbitrary: fc.constant(['GET', '/api/v1/pieces/me'] as const) },
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('GET', 'PATCH', 'PATCH', 'DELETE'), one) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('PUT', 'POST', 'OPTIONS', 'HEAD', 'TRACE', 'QUERY'), one) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('POST', 'GET', 'DELETE'), mutate(fc.constant('/api/v1/pieces/me'))),
    },
  )
  const query = fc.oneof(
    fc.constant(''),
    anyQuery(facts),
    fc.constantFrom('?status=draft', '?status=approved&limit=1', '?limit=51'),
  )
  return fc
    .tuple(target, query, headersOf(facts), body)
    .map(([[method, path], search, headers, sent]) => sendable(method, `${path}${search}`, headers, sent))
}

/**
 * Thousands of generated requests over real connections: none is answered with a 500.
 * `FUZZ` is how many (100,000 is the long form); `FUZZ_SEED` repeats a run.
 */

const total = Number(process.env['FUZZ'] ?? 4_000)
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const clients = 16

const { admin, app } = await testSite()
const facts = await furnish()
const { port } = await listen(app)
const contract = await readContract(app)
const agent = new Agent({ keepAlive: true, maxSockets: clients })
after(() => agent.destroy())

interface Answer {
  readonly status: number
  readonly type: string
  readonly retryAfter: string | undefined
  readonly body: string
}

test(`${total} generated requests are all answered, with an error body where refused, and change nothing`, async () => {
  const before = await tableHashes(admin)
  await allAnswered('fuzz', total, anyRequest(facts))
  assert.deepEqual(await tableHashes(admin), before)
})

const writes = Math.ceil(total / 2)
test(`${writes} generated requests with a live key are all answered, and change nothing but its writer's drafts`, async () => {
  /** Tables a key may change: drafts, their revisions, deletion records, and when the key was used. */
  const touched = ['app.pieces', 'app.recent_revisions', 'app.idempotency', 'app.api_keys', 'app.audit']
  const untouchable = async () => {
    const all = Object.entries(await tableHashes(admin)).filter(([name]) => !touched.includes(name))
    const { rows } = await admin.query(
      "select p.* from app.pieces p join app.writers w on w.id = p.writer_id where w.slug <> 'ada' or editor_status <> 'draft' order by id",
    )
    const { rows: acts } = await admin.query("select * from app.audit where act <> 'delete' order by id")
    return [Object.fromEntries(all), rows, acts]
  }
  const before = await untouchable()
  const seen = await allAnswered('fuzz of writes', writes, anyWrite(facts))
  assert.deepEqual(await untouchable(), before)
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 412, 415]) {
    assert.ok(seen.has(status) || total < 4_000, `no ${status} in ${writes} requests`)
  }
})

/** Sends this many requests by several clients and counts the statuses. */
async function allAnswered(
  name: string,
  count: number,
  anyOne: fc.Arbitrary<AnyRequest>,
): Promise<Map<number, number>> {
  const complaints: unknown[] = []
  const complain = (what: unknown) => complaints.push(what)
  for (const event of ['warning', 'unhandledRejection', 'uncaughtException']) process.on(event, complain)
  const seen = new Map<number, number>()
  let stopped = false

  const isAnsweredWell = async (asked: AnyRequest) => {
    if (stopped) return
    const { status, type, body } = await patiently(asked)
    seen.set(status, (seen.get(status) ?? 0) + 1)
    assert.ok(status < 500, `${status}: ${body}`)
    if (type?.startsWith('text/html')) {
      // Pages, and errors outside the API for clients that accept HTML.
      const isErrorPage = status >= 400 && String(asked.headers['accept']).includes('text/html')
      assert.ok(status === 200 || status === 304 || isErrorPage, `${status}: ${body}`)
      return
    }
    if (asked.method !== 'HEAD')
      assertDocumented(status, body, '', asked.path.includes('public') ? [] : writeApiStatuses)
    if (type)
      contract.check(asked.method, asked.path, {
        statusCode: status,
        headers: { 'content-type': type },
        body,
        json: () => JSON.parse(body),
      })
    assert.deepEqual(complaints, [])
  }
  const outcomes = await Promise.allSettled(
    Array.from({ length: clients }, async (_, client) => {
      const numRuns = Math.ceil(count / clients)
      try {
        await fc.assert(fc.asyncProperty(anyOne, isAnsweredWell), { seed: seed + client, numRuns })
      } catch (failure) {
        stopped = true
        throw failure
      }
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason

  // A failure after the last answer is reported in a later tick.
  await new Promise(setImmediate)
  for (const event of ['warning', 'unhandledRejection', 'uncaughtException']) process.off(event, complain)
  assert.deepEqual(complaints, [])
  assert.equal((await app.admin.inject('/healthz')).statusCode, 200)
  const statuses = [...seen].sort(([a], [b]) => a - b).map(([status, times]) => `${status} × ${times}`)
  const sent = [...seen.values()].reduce((sum, times) => sum + times, 0)
  console.log(`${name}: ${sent} requests, seed ${seed}, all answered: ${statuses.join(', ')}`)
  return seen
}

/** The server shares this process with its clients and may shed a request with Retry-After. */
const patiently = (asked: AnyRequest): Promise<Answer> =>
  until(async () => {
    const answer = await send(asked)
    return (answer.status !== 503 || !answer.retryAfter) && answer
  }, 'the server is not too busy to answer')

const unreadable: Answer = { status: 400, type: '', retryAfter: undefined, body: '' }

function send(asked: AnyRequest, isRepeat = false): Promise<Answer> {
  const { method, path, headers, body } = asked
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers })
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const type = String(answer.headers['content-type'])
        const retryAfter = answer.headers['retry-after']
        resolve({ status: answer.statusCode!, type, retryAfter, body: Buffer.concat(chunks).toString('utf8') })
      })
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // An unparsable request is refused with a body, since its method HEAD is not known.
      if (method === 'HEAD' && error.code === 'HPE_CLOSED_CONNECTION') resolve(unreadable)
      // The server closes after an unparsable request; a keep-alive connection may be reused at that moment.
      else if (outgoing.reusedSocket && !isRepeat) send(asked, true).then(resolve, reject)
      else reject(error)
    })
    outgoing.end(body)
  })
}

/** On a busy machine a search may stop early and have no cursor. */
async function wholeList(address: string): ReturnType<ReturnType<typeof checkedInject>> {
  for (;;) {
    const page = await checkedInject(app)(address)
    if (!page.json().partial) return page
  }
}

async function furnish(): Promise<Facts> {
  const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', bio: 'Writes of tea.', verified: true })
  const bo = await makeWriter(admin, { slug: 'bo-before', name: '100% Bo', niche: 'tea' })
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_owner')
    await renameWriter(client, 'bo-before', 'bo')
    await client.query('reset role')
    await publishProfile(client, bo.id)
  })
  const ids: string[] = [await makeDraft(admin, ada, { headline: 'Tea, unfinished' })]
  for (const [number, headline] of ['On tea', '茶の道', 'C:\\tea', '97% tea', 'snake_case', 'A headline'].entries()) {
    const sub = number % 2 ? 'About tea' : null
    ids.push(await makePiece(admin, number % 3 ? ada : bo, { headline, sub, body_md: 'Of tea 茶.', tags: ['tea'] }))
  }
  const lists = ['/api/public/authors/search?q=tea', '/api/public/pieces/recent?', '/api/public/pieces/search?q=tea']
  const pages = await Promise.all(lists.map((address) => wholeList(`${address}&limit=1`)))
  const etags = pages.map((page) => String(page.headers['etag']))
  const scopes = scopesOf(moreScopes)
  const [live, dead] = [await makeKey(admin, ada, { scopes }), await makeKey(admin, ada, { revoked: true })]
  // Use of a revoked key is recorded once an hour: now, so that no request below adds a row.
  await app.inject({ url: '/api/v1/pieces/me', headers: { authorization: `Bearer ${dead.key}` } })
  for (let number = 0; number < 40; number += 1) ids.push(await makeDraft(admin, number % 4 ? ada : bo))
  return {
    slugs: ['ada', 'bo', 'bo-before'],
    ids,
    cursors: pages.map((page) => page.json().next_cursor),
    etags,
    keys: { live: live.key, dead: dead.key },
  }
}
