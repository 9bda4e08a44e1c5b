import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makeDraft, makeKey, makeWriter } from '../../testkit/factories.ts'
import { captureLog } from '../../testkit/log.ts'
import { listen } from '../../testkit/network.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { caller, everyScope, exchangeRetrying503, minimalPiece, pieces } from '../../testkit/write-api.ts'

/** Neither a key nor a draft's text appears in any log line, answer or metric. */

const { log, lines } = captureLog()
// The lock timeout is five seconds: one test holds a lock until the server gives up.
const { admin, app } = await testSite({ TIMEOUT_FACTOR: '5' }, log)
const writer = await makeWriter(admin)
const live = await makeKey(admin, writer, { scopes: everyScope })
const revoked = await makeKey(admin, writer, { revoked: true })
const weak = await makeKey(admin, writer, { scopes: [] })
const draft = await makeDraft(admin, writer)
const { port } = await listen(app)

const canary = 'quagga-under-the-floorboards'
const body = { ...minimalPiece, body_md: canary, headline: canary }
const secrets = [live, revoked, weak].flatMap(({ key, hash }) => [
  key.slice(8, 40),
  key.slice(40),
  key.toUpperCase().slice(8, 40),
  hash.toString('hex'),
  hash.toString('base64').slice(0, 40),
])

/** Everything received. */
const answers: string[] = []
async function hear(answer: Promise<{ statusCode: number; headers: object; body: string }>): Promise<number> {
  const { statusCode, headers, body: text } = await answer
  answers.push(JSON.stringify(headers), text)
  return statusCode
}

async function useKeys(): Promise<void> {
  const seen = new Set<number>()
  for (const { key } of [live, revoked, weak]) {
    const who = caller((request) => injectRetrying503(app, request), key)
    const wrong = { ...body, tags: [key, key], style: key, external_url: key, [key]: 1 }
    for (const ask of [
      () => who.create(body, { 'idempotency-key': canary }),
      () => who.create({ ...body, sub: 'Another' }, { 'idempotency-key': canary }),
      () => who.create(wrong),
      () => who.create('{'),
      () => who.create('x'.repeat(1_400_000)),
      () => who.create(body, { 'content-type': key }),
      () => who.create(body, { 'idempotency-key': `${key}é` }),
      () => who.list(`?limit=0&key=${key}`),
      () => who.list(`?status=${key}`),
      () => who.list(`?cursor=${key}`),
      () => who.read(key),
      () => who.read(`${draft}%ff${key}`),
      () => who.read(draft),
      () => who.edit(draft, { sub: canary }, `"${key}"`),
      () => who.edit(draft, { sub: canary }, '"1"'),
      () => who.edit(draft, { sub: canary }),
      () => who.send('PUT', `${pieces}/${draft}?key=${key}`, body),
      () => who.send('GET', `/api/public/authors/search?q=${key}&limit=0`),
      () => who.send('GET', `/nowhere/${key}`),
      () => who.create(body, { authorization: `Basic ${key}` }),
      () => who.create(body, { authorization: `Bearer ${key}x` }),
    ]) {
      seen.add(await hear(ask()))
    }
  }
  for (const status of [201, 400, 401, 403, 404, 405, 412, 413, 415, 422, 428]) {
    assert.ok(seen.has(status), `no ${status} among ${[...seen]}`)
  }
}

async function useSockets(): Promise<void> {
  const bearer = `Authorization: Bearer ${live.key}\r\n`
  for (const bytes of [
    `GET ${pieces}/me HTTP/1.1\r\nHost: a\r\n${bearer}${bearer}\r\n`,
    `GET ${pieces}/me HTTP/1.1\r\nHost: a\r\n${bearer}X-Bad\r\n\r\n`,
    `GET ${pieces}/me?${live.key}\0 HTTP/1.1\r\nHost: a\r\n${bearer}\r\n`,
    `${live.key} / HTTP/1.1\r\nHost: a\r\n\r\n`,
    `POST ${pieces} HTTP/1.1\r\nHost: a\r\n${bearer}Content-Type: application/json\r\nContent-Length: 4\r\n\r\n{"${live.key}`,
    `GET ${pieces}/me HTTP/1.1\r\nHost: a\r\n${bearer}X-Long: ${'a'.repeat(17_000)}\r\n\r\n`,
  ]) {
    const { status, headers, body: text } = await exchangeRetrying503(port, bytes)
    assert.ok(status !== undefined && status >= 400)
    answers.push(JSON.stringify([...headers]), text)
  }
}

/** A database that does not answer: PostgreSQL's error is logged and must not contain the query's values. */
async function failInside(): Promise<void> {
  const status = await inTransaction(admin, async (client) => {
    await client.query('lock table app.pieces in access exclusive mode')
    return hear(caller((request) => app.inject(request), live.key).create(body))
  })
  assert.equal(status, 503)
}

describe('after every use and abuse of a key', () => {
  let metrics = ''
  before(async () => {
    await useKeys()
    await useSockets()
    await failInside()
    metrics = (await app.admin.inject('/metrics')).body
  })

  const isSilent = (texts: readonly string[], about: readonly string[]) => {
    for (const text of texts) {
      for (const secret of about) assert.ok(!text.includes(secret), `${secret} is in ${text.slice(0, 2000)}`)
    }
  }

  test('there is a line of log for each request, and for what failed inside', () => {
    assert.ok(lines.length > 60, `${lines.length} lines`)
    assert.ok(lines.some((line) => line.includes('"status":201')))
    assert.ok(lines.some((line) => line.includes('refused')))
  })
  test('no line of log holds a key or its hash', () => {
    isSilent(lines, secrets)
    isSilent(lines, ['Bearer', 'pk_live_'])
  })
  test('no line of log holds what was drafted', () => isSilent(lines, [canary]))
  test('no answer holds a key or its hash', () => isSilent(answers, secrets))
  test('no metric holds a key, its hash or what was drafted', () =>
    isSilent([metrics], [...secrets, 'pk_live_', canary]))
})
