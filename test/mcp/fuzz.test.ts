import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '../../testkit/app.ts'
import { makeDraft, makeWriter } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { countRows, makePieceInState, minimalPiece, writeApiSite } from '../../testkit/write-api.ts'
import { anyMessage, hostile, judge, type Sent } from './fuzz-messages.ts'
import { base, furnish, type Json } from './site.ts'

/** Every message gets the answer that the rules require. `MESSAGES=50000` is the long form. */

const messages = Number(process.env['MESSAGES'] ?? 1000)
const { url, pieces, products, draft } = await furnish()
const app = await testApp(url)

const first = async (path: string): Promise<string> => (await app.inject(`${path}limit=1`)).json().next_cursor
const facts = {
  base,
  slugs: ['ada-okafor', 'bo', 'nobody'],
  ids: [...pieces.slice(0, 5), ...products.slice(0, 3), draft],
  cursors: [await first('/api/public/pieces/recent?'), await first('/api/public/authors/search?q=a&')],
}

const seen = new Map<string, number>()

async function isAnsweredWell(sent: Sent): Promise<void> {
  const answer = await injectRetrying503(app, {
    method: 'POST',
    url: '/api/mcp',
    headers: { 'content-type': 'application/json', ...sent.headers },
    payload: Buffer.from(sent.body.toWellFormed()),
  })
  const outcome = judge(sent, answer, isToolResultWell)
  seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
}

/** Neither an internal error nor an incomplete result. */
function isToolResultWell(result: Json): void {
  if (!result.content) return
  if (result.isError) {
    assert.deepEqual(Object.keys(result), ['content', 'isError'])
    assert.doesNotMatch(result.content[0].text, /could not answer now/)
    return
  }
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
  assert.equal(result.structuredContent.ok, true)
}

test(`${messages} messages, valid, broken and hostile, are answered as the rules say, and never by 5xx`, async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
  await fc.assert(fc.asyncProperty(anyMessage(facts), isAnsweredWell), { numRuns: messages, seed })
  const kinds = [...seen].sort(([a], [b]) => a.localeCompare(b)).map(([what, times]) => `${what} × ${times}`)
  console.log(`${messages} messages, seed ${seed}: ${kinds.join(', ')}`)
  assert.ok(seen.size >= 7)
  assert.equal((await app.admin.inject('/healthz')).statusCode, 200)
})

/**
 * Every message to /api/v1/mcp with a live key gets the answer that the rules require, and creates only drafts of its
 * writer. `AGENT_MESSAGES=50000` is the long form.
 */

const messagesWithKey = Number(process.env['AGENT_MESSAGES'] ?? 600)
const { admin, app: writeApp, key, writer, list } = await writeApiSite()
const other = await makeWriter(admin)
const theirs = await makeDraft(admin, other, { headline: 'Theirs' })
const shown = await makePieceInState(admin, writer, 'approved')
const mine = [
  await makeDraft(admin, writer),
  await makeDraft(admin, writer),
  await makePieceInState(admin, writer, 'pending'),
]
const before = (await admin.query('select * from pub.pieces')).rows

const line = fc.oneof(
  fc.constantFrom('Tea', 'On tea', ...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 210 }),
)
const word = (...words: string[]) => fc.constantFrom<unknown>(...words, '', null, 1)
const ids = fc.constantFrom(...mine, shown, theirs)
const revision = fc.integer({ min: 0, max: 6 })
const given = fc.record(
  {
    id: fc.oneof(ids, line),
    revision: fc.oneof(revision, line),
    headline: line,
    body_md: line,
    sub: fc.oneof(line, fc.constant(null)),
    category: word('life', 'civic', 'tea'),
    tags: fc.array(line, { maxLength: 9 }),
    frame: word('lesson', 'origin'),
    style: line,
    locale: line,
    external_url: fc.oneof(word('https://a.example/', 'javascript:alert(1)'), line),
    idempotency_key: fc.oneof(fc.integer({ min: 0, max: 60 }).map(String), line),
    limit: fc.integer({ min: -1, max: 60 }),
    status: word('draft', 'approved', 'pending'),
    cursor: line,
  },
  { requiredKeys: [] },
)
/** Arguments for one tool, more often than a mix of all. */
const of = (...members: readonly string[]) =>
  given.map((all) => Object.fromEntries(Object.entries(all).filter(([member]) => members.includes(member))))
const text = ['headline', 'body_md', 'sub', 'category', 'tags', 'frame', 'style', 'locale', 'external_url'] as const
const legal = fc.record({ headline: fc.constantFrom('Tea', 'Tee'), body_md: fc.constant('Slow.') })
const drafting = fc.tuple(of(...text, 'idempotency_key'), legal)
const factsOfKey = {
  base,
  slugs: ['ada'],
  ids: mine,
  cursors: [String((await list('?limit=1')).json().next_cursor)],
  tools: { names: ['create_draft', 'update_draft', 'get_draft', 'list_my_pieces', 'publish'], given },
}

/** Valid calls whose arguments may be invalid. */
const calls = fc
  .oneof(
    fc.record({
      name: fc.constant('create_draft'),
      arguments: drafting.map(([some, least]) => ({ ...some, ...least })),
    }),
    fc.record({
      name: fc.constant('create_draft'),
      arguments: of('idempotency_key').map((one) => ({ ...one, ...minimalPiece })),
    }),
    fc.record({ name: fc.constant('update_draft'), arguments: of('id', 'revision', ...text) }),
    fc.record({ name: fc.constant('update_draft'), arguments: fc.record({ id: ids, revision, sub: line }) }),
    fc.record({ name: fc.constant('get_draft'), arguments: fc.record({ id: ids }) }),
    fc.record({ name: fc.constant('list_my_pieces'), arguments: of('limit', 'status', 'cursor') }),
    fc.record({ name: fc.constant('list_my_pieces'), arguments: fc.record({ limit: fc.integer({ min: 1, max: 5 }) }) }),
  )
  .map(
    (params): Sent => ({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), headers: {} }),
  )

const heard = new Map<string, number>()
const note = (what: string) => void heard.set(what, (heard.get(what) ?? 0) + 1)

function isResultWell(result: Json): void {
  if (!result.content) return
  const said = JSON.parse(result.content[0].text)
  if (result.isError) {
    assert.deepEqual(Object.keys(result), ['content', 'isError'])
    assert.equal(said.ok, false)
    assert.doesNotMatch(said.reason, /internal|overloaded/)
    note(said.reason)
    return
  }
  assert.deepEqual(said, result.structuredContent)
  note(said.status ? 'created' : said.pieces ? 'listed' : 'read or changed')
}

test(`${messagesWithKey} messages with a key are answered as the rules say, and publish nothing`, async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
  const isAnsweredWell = async (sent: Sent): Promise<void> => {
    const answer = await injectRetrying503(writeApp, {
      method: 'POST',
      url: '/api/v1/mcp',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...sent.headers },
      payload: Buffer.from(sent.body.toWellFormed()),
    })
    assert.doesNotMatch(answer.body, /Theirs/)
    note(judge(sent, answer, isResultWell))
  }
  await fc.assert(fc.asyncProperty(fc.oneof(anyMessage(factsOfKey), calls), isAnsweredWell), {
    numRuns: messagesWithKey,
    seed,
  })
  const kinds = [...heard].sort(([a], [b]) => a.localeCompare(b)).map(([what, times]) => `${what} × ${times}`)
  console.log(`${messagesWithKey} messages, seed ${seed}: ${kinds.join(', ')}`)
  for (const what of ['created', 'listed', 'read or changed', 'not_found', 'validation_failed', 'precondition_failed'])
    assert.ok(heard.has(what), `nothing was ${what}`)
  assert.deepEqual((await admin.query('select * from pub.pieces')).rows, before)
  const made = "app.pieces where writer_id <> $1 or editor_status <> 'draft'"
  assert.equal(await countRows(admin, made, [writer.id]), 3, 'something is past being a draft, or is not its writer’s')
  assert.equal(await countRows(admin, 'app.revisions where piece_id = $1', [theirs]), 1)
})
