import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import fastify, { type FastifyRequest } from 'fastify'
import { manualTimers, until } from '../../../testkit/waiting.ts'
import { createDeadlines, signalOf } from './deadline.ts'
import { handleErrors } from './errors.ts'

/** test/security/deadlines.test.ts tests this with the whole server. */

const timers = manualTimers()
const app = fastify()
createDeadlines(1, timers.start).watch(app)
handleErrors(app)
const asked: FastifyRequest[] = []
app.post('/', (request) => {
  asked.push(request)
  return new Promise((_resolve, reject) => {
    signalOf(request).addEventListener('abort', () => reject(signalOf(request).reason))
  })
})
app.post('/deaf', (request) => {
  asked.push(request)
  return new Promise(() => {})
})
await app.listen({ host: '127.0.0.1', port: 0 })
after(() => app.close())
const { port } = app.server.address() as AddressInfo

async function begin(path: string) {
  asked.length = 0
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: site\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
  )
  const request = await until(() => asked[0], 'the handler has begun')
  return { socket, request, signal: signalOf(request) }
}

test('work for a client that has gone is cancelled, and reading a body to its end is not going', async () => {
  const { socket, request, signal } = await begin('/')
  await until(() => request.raw.destroyed, 'the body has been read, and its stream closed')
  assert.equal(signal.aborted, false)
  socket.destroy()
  await until(() => signal.aborted)
  assert.deepEqual(timers.waiting(), [])
})

for (const path of ['/', '/deaf']) {
  test(`work that is out of time is cancelled and answered once, at ${path}`, async () => {
    const { socket, signal } = await begin(path)
    let heard = ''
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text
    })
    timers.pass()
    await once(socket, 'close')
    assert.equal(signal.aborted, true)
    assert.match(heard, /^HTTP\/1\.1 503 [\s\S]+retry-after: 2\r\n[\s\S]+"ok":false,"reason":"overloaded"/)
    assert.equal(heard.match(/HTTP\/1\.1/g)?.length, 1)
  })
}
