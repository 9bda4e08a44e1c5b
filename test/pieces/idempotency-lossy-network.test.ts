import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { lossyProxy } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { countRows, minimalPiece, pieces, writeApiSite } from '../../testkit/write-api.ts'

/**
 * Creates pieces over a network that loses answers, by concurrent clients that repeat each request until they get an
 * answer. `CREATES` is how many pieces; 10,000 is the long form.
 */

const creates = Number(process.env['CREATES'] ?? 150)
const atOnce = 8

const { admin, app, key } = await writeApiSite()
await app.listen({ host: '127.0.0.1', port: 0 })
const proxy = await lossyProxy((app.server.address() as AddressInfo).port)
const agent = new Agent({ keepAlive: true })
after(async () => {
  agent.destroy()
  await proxy.close()
})

interface Heard {
  readonly status: number
  readonly isReplay: boolean
  readonly body: string
}

/** Sends one request; returns undefined if the answer was lost or incomplete. */
function send(idempotencyKey: string, json: string): Promise<Heard | undefined> {
  return new Promise((resolve) => {
    const outgoing = httpRequest({
      host: '127.0.0.1',
      port: proxy.port,
      agent,
      method: 'POST',
      path: pieces,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(json),
        'idempotency-key': idempotencyKey,
      },
    })
    outgoing.on('error', () => resolve(undefined))
    outgoing.on('response', (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        body += text
      })
      answer.on('error', () => resolve(undefined))
      answer.on('close', () => {
        const isReplay = answer.headers['idempotent-replayed'] === 'true'
        resolve(answer.complete ? { status: answer.statusCode!, isReplay, body } : undefined)
      })
    })
    outgoing.end(json)
  })
}

const counts = { requests: 0, lost: 0, replays: 0, conflicts: 0, busy: 0 }

/** Repeats a request until it gets a 201, and returns that body. */
const insist = (idempotencyKey: string, json: string): Promise<string> =>
  // Sooner than Retry-After says: an impatient client is the harder case.
  until(async () => {
    counts.requests += 1
    const heard = await send(idempotencyKey, json)
    if (heard?.status === 201) {
      counts.replays += Number(heard.isReplay)
      return heard.body
    }
    if (heard === undefined) counts.lost += 1
    else if (heard.status === 409) counts.conflicts += 1
    else if (heard.status === 503) counts.busy += 1
    else assert.fail(`${heard.status} ${heard.body}`)
    return false
  }, 'the create is answered with 201')

test(`${creates} creates, each repeated by 2 to 5 clients at once over a network that loses answers, make ${creates} pieces`, async () => {
  const acknowledged = new Map<string, string>()
  let next = 0
  const worker = async () => {
    while (next < creates) {
      const headline = `Number ${next++}`
      const [idempotencyKey, json] = [randomUUID(), JSON.stringify({ ...minimalPiece, headline })]
      const clients = 2 + Math.floor(Math.random() * 4)
      const bodies = await Promise.all(Array.from({ length: clients }, () => insist(idempotencyKey, json)))
      assert.equal(new Set(bodies).size, 1, `${headline} was answered in ${new Set(bodies).size} ways`)
      acknowledged.set(headline, JSON.parse(bodies[0]!).id)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))

  const { rows } = await admin.query<{ id: string; headline: string }>('select id, headline from app.pieces')
  assert.equal(rows.length, creates, 'exactly so many pieces')
  assert.equal(new Set(rows.map(({ headline }) => headline)).size, creates, 'each of them once')
  for (const { id, headline } of rows) assert.equal(acknowledged.get(headline), id, headline)
  assert.equal(new Set(acknowledged.values()).size, creates)
  assert.equal(await countRows(admin, 'app.revisions'), creates)
  assert.equal(await countRows(admin, 'app.idempotency'), creates)
  assert.ok(counts.lost > creates / 10, `only ${counts.lost} answers were lost`)
  const { arrives: _arrived, ...dropped } = proxy.outcomes
  console.log(
    `idempotency: ${rows.length} pieces from ${counts.requests} requests; ` +
      `${counts.lost} answers lost (${JSON.stringify(dropped)}), ${counts.replays} replays, ` +
      `${counts.conflicts} × 409, ${counts.busy} × 503`,
  )
})
