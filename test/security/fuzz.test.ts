import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { renameWriter, showAuthor } from '../../server/features/authors/writers.ts'
import { moreScopes, scopesOf } from '../../server/features/keys/schema.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, makeDraft, makeKey, makePiece, makeWriter } from '../../testkit/factories.ts'
import { checked, readContract } from '../../testkit/openapi-check.ts'
import { isDecent, ofTheWriteApi } from '../../testkit/raw-http.ts'
import { contentsOf } from '../../testkit/table-hashes.ts'
import { until } from '../../testkit/until.ts'
import { type AnyRequest, anyRequest, type Facts } from './fuzz-requests.ts'
import { anyWrite } from './fuzz-writes.ts'

/**
 * Thousands of generated requests, over real connections: none is answered with a failure of ours.
 * `FUZZ` is how many (100,000 is the long form); `FUZZ_SEED` repeats a run.
 */

const total = Number(process.env['FUZZ'] ?? 4_000)
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const clients = 16

const { url, admin } = await testDatabase()
const app = await testApp(url)
const facts = await furnish()
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
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
  const before = await contentsOf(admin)
  await allAnswered('fuzz', total, anyRequest(facts))
  assert.deepEqual(await contentsOf(admin), before)
})

const writes = Math.ceil(total / 2)
test(`${writes} generated requests with a live key are all answered, and change nothing but its writer's drafts`, async () => {
  /** What a key may touch: drafts, what is kept of them, who deleted them, and the note that it was used. */
  const touched = ['app.pieces', 'app.recent_revisions', 'app.idempotency', 'app.api_keys', 'app.audit']
  const untouchable = async () => {
    const all = Object.entries(await contentsOf(admin)).filter(([name]) => !touched.includes(name))
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

/** Sends so many, by several clients, and counts what they were answered. */
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
      // A page, or whoever asked for one beside the API is told so by one.
      const told = status >= 400 && String(asked.headers['accept']).includes('text/html')
      assert.ok(status === 200 || status === 304 || told, `${status}: ${body}`)
      return
    }
    if (asked.method !== 'HEAD') isDecent(status, body, '', asked.path.includes('public') ? [] : ofTheWriteApi)
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

  // What failed beside the last answer is told in a turn of its own.
  await new Promise(setImmediate)
  for (const event of ['warning', 'unhandledRejection', 'uncaughtException']) process.off(event, complain)
  assert.deepEqual(complaints, [])
  assert.equal((await app.admin.inject('/healthz')).statusCode, 200)
  const statuses = [...seen].sort(([a], [b]) => a - b).map(([status, times]) => `${status} × ${times}`)
  const sent = [...seen.values()].reduce((sum, times) => sum + times, 0)
  console.log(`${name}: ${sent} requests, seed ${seed}, all answered: ${statuses.join(', ')}`)
  return seen
}

/** The server may be too busy for a moment, since this process is its clients too; then it says when to come back. */
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
      // What cannot be read at all is refused with a body, for nobody knows that it began with HEAD.
      if (method === 'HEAD' && error.code === 'HPE_CLOSED_CONNECTION') resolve(unreadable)
      // The server closes after a request it could not read; a kept connection may be used just then.
      else if (outgoing.reusedSocket && !isRepeat) send(asked, true).then(resolve, reject)
      else reject(error)
    })
    outgoing.end(body)
  })
}

/** A search that had to stop early, on a machine that is busy, has no cursor. */
async function wholeList(address: string): ReturnType<ReturnType<typeof checked>> {
  for (;;) {
    const page = await checked(app)(address)
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
    await showAuthor(client, bo.id)
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
  // That a dead key was used is noted once an hour: now, so that no request below adds a row.
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
