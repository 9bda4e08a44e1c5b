import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { exchange } from '../../testkit/http.ts'
import { captureLog } from '../../testkit/log.ts'
import { listen } from '../../testkit/network.ts'

/** One id per request: in its answer, in every log line about it, and in the body of an error. */

const { url } = await testDatabase()
const { log, lines } = captureLog()
const app = await testApp(url, {}, log)
const { port } = await listen(app)

const made = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const json = { 'content-type': 'application/json' }

interface Line {
  readonly event: string
  readonly request?: string
  readonly trace?: string
}
const linesOf = (id: string): Line[] => lines.map((line) => JSON.parse(line)).filter(({ request }) => request === id)

describe('the id of a request', () => {
  for (const given of [
    randomUUID(),
    'a1b2c3d4',
    '7F000001:8296_7F00001E:1F90_4F7B0A69_0003:790E',
    'Zm9vYmFy/+==',
    'x'.repeat(128),
  ])
    test(`${given.slice(0, 40)} is kept`, async () => {
      const { headers } = await app.inject({ url: '/api/public/pieces/recent', headers: { 'x-request-id': given } })
      assert.equal(headers['x-request-id'], given)
      assert.deepEqual(
        linesOf(given).map(({ event }) => event),
        ['answered'],
      )
    })

  for (const given of [
    '',
    'short',
    'x'.repeat(129),
    'with a space',
    '<script>alert(1)</script>',
    'line\tbreak',
    '-begins-wrong',
    'ünïcödé-id',
  ])
    test(`${JSON.stringify(given.slice(0, 40))} is not kept, and another takes its place`, async () => {
      const { headers } = await app.inject({ url: '/api/public/pieces/recent', headers: { 'x-request-id': given } })
      assert.match(String(headers['x-request-id']), made)
    })

  test('two of them are none', async () => {
    const request = `GET / HTTP/1.1\r\nHost: a.test\r\nX-Request-Id: the-first-one\r\nX-Request-Id: the-second-one\r\nConnection: close\r\n\r\n`
    assert.match((await exchange(port, request)).headers.get('x-request-id')!, made)
  })

  test('each request has another', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await app.inject('/healthy')).headers['x-request-id']),
    )
    assert.equal(new Set(ids).size, 20)
  })

  test('a page of another origin may read it', async () => {
    const { headers } = await app.inject('/api/public/pieces/recent')
    assert.match(String(headers['access-control-expose-headers']), /\bX-Request-Id\b/)
  })
})

describe('an error says the id of its request', () => {
  for (const [what, request] of [
    ['what is not there', { url: '/api/public/pieces/none' }],
    ['a parameter that is wrong', { url: '/api/public/pieces/recent?limit=0' }],
    ['an address that cannot be decoded', { url: '/api/public/authors/%ff' }],
    ['a method that is not taken', { method: 'POST', url: '/api/public/pieces/recent' }],
    ['an address that is too long', { url: `/api/public/pieces/recent?q=${'a'.repeat(8192)}` }],
    ['a missing key', { url: '/api/v1/pieces/me' }],
    ['a body that is no JSON', { method: 'POST', url: '/desk/api/sign-in', headers: json, payload: '{' }],
    ['a format that oEmbed does not have', { url: '/oembed?url=x&format=xml' }],
  ] as const)
    test(what, async () => {
      const id = randomUUID()
      const headers = { ...('headers' in request ? request.headers : {}), 'x-request-id': id }
      const answer = await app.inject({ ...request, headers })
      assert.ok(answer.statusCode >= 400)
      assert.equal(answer.headers['x-request-id'], id)
      assert.equal(answer.json().request_id, id)
      assert.equal(answer.headers['cache-control'], 'no-store')
    })

  test('a refusal of the tool server, in the data of its error', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/mcp',
      headers: { 'content-type': 'text/csv' },
      payload: 'a',
    })
    assert.equal(answer.statusCode, 415)
    assert.equal(answer.json().error.data.request_id, answer.headers['x-request-id'])
  })

  test('what Node cannot read as a request, with an id made for it', async () => {
    const { status, headers, body } = await exchange(port, 'NONSENSE\r\n\r\n')
    assert.equal(status, 400)
    assert.match(headers.get('x-request-id')!, made)
    assert.equal(JSON.parse(body).request_id, headers.get('x-request-id'))
  })

  test('a page for people, which asks them to include it', async () => {
    const id = randomUUID()
    const { body } = await app.inject({ url: '/nowhere', headers: { accept: 'text/html', 'x-request-id': id } })
    assert.ok(body.includes(`include this code: <code>${id}</code>`), body)
  })
})

test('lines about a request that is part of a trace say so, and a traceparent that is none is ignored', async () => {
  for (const [traceparent, trace] of [
    [`00-${traceId}-00f067aa0ba902b7-01`, traceId],
    [`01-${traceId}-00f067aa0ba902b7-00-more`, traceId],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
    [`ff-${traceId}-00f067aa0ba902b7-01`, undefined],
    [`00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
    [traceId, undefined],
  ] as const) {
    const id = randomUUID()
    await app.inject({ url: '/api/public/authors/nobody', headers: { 'x-request-id': id, traceparent } })
    assert.deepEqual(
      linesOf(id).map((line) => line.trace),
      [trace],
      traceparent,
    )
  }
})

test('a line of log says which process wrote it, by its setting or by machine and number', () => {
  const said = (instance: string) => {
    const code = `import { createLog } from '${new URL('../../server/platform/observability/log.ts', import.meta.url)}'
      createLog('info', '${instance}').info({ event: 'answered' })`
    return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }))
      .instance
  }
  assert.equal(said('web-1'), 'web-1')
  assert.match(said(''), /^.+:\d+$/)
})
