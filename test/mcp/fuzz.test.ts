import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { testApp } from '../../testkit/app.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { anyMessage, judge, type Sent } from './fuzz-messages.ts'
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
