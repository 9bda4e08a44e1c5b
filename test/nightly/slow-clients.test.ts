import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { assertDocumented, exchange } from '../../testkit/http.ts'
import { listen } from '../../testkit/network.ts'

/** Slow clients against the shipped limits; test/security/malformed-sockets.test.ts tests that limits exist. */

const { admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const id = await makePiece(admin, writer, { headline: 'On tea', body_md: 'Some tea.' })
const { port } = await listen(app)

const recent = '/api/public/pieces/recent'
const host = 'Host: site.test\r\n'
const get = (address: string) => `GET ${address} HTTP/1.1\r\n${host}\r\n`
const post = (headers: string, body: string) =>
  `POST ${recent} HTTP/1.1\r\n${host}Content-Type: application/json\r\n${headers}\r\n${body}`

async function timed(bytes: string, manners?: Parameters<typeof exchange>[2]) {
  const began = performance.now()
  const heard = await exchange(port, bytes, manners)
  return { ...heard, milliseconds: performance.now() - began }
}

async function othersAreAnswered(): Promise<void> {
  for (let number = 0; number < 10; number += 1) {
    const { status, milliseconds } = await timed(get(`/api/public/pieces/${id}`))
    assert.equal(status, 200)
    assert.ok(milliseconds < 2000, `${milliseconds} ms`)
  }
}

describe('clients that take their time', { concurrency: true }, () => {
  const longest = 15_000

  const slow = (what: string, bytes: string, drip: string) =>
    test(`${what} of one byte a second is closed with 408 within 15 s`, async () => {
      const heard = await timed(bytes, { slowly: { bytes: drip, every: 1000 }, untilClosed: true })
      assertDocumented(heard.status, heard.body, what)
      assert.ok(heard.closed && heard.milliseconds < longest, `open for ${heard.milliseconds} ms`)
      assert.equal(heard.answers, 1, 'one request, one answer')
      assert.equal(heard.status, 408)
    })
  slow('a header', `GET ${recent} HTTP/1.1\r\n${host}X-Slow: `, 'a')
  slow('an address', 'GET /api/public/pieces/', 'a')
  slow('a body', post('Content-Length: 1000\r\n', '{'), ' ')
  slow('a body in chunks', post('Transfer-Encoding: chunked\r\n', '3e8\r\n{'), ' ')

  test('beside a client that never reads others are answered within two seconds', async () => {
    const deaf = connect(port, '127.0.0.1').pause()
    deaf.on('error', () => {})
    deaf.write(get('/api/openapi.json').repeat(300))
    try {
      await othersAreAnswered()
    } finally {
      deaf.destroy()
    }
  })

  test('beside hundreds of idle connections others are answered within two seconds', async () => {
    const idle: Socket[] = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    try {
      await Promise.all(idle.map((socket) => once(socket, 'connect')))
      await othersAreAnswered()
    } finally {
      for (const socket of idle) socket.destroy()
    }
  })
})
