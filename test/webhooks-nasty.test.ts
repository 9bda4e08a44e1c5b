import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Attempt, Delivery } from '../server/features/webhooks/schema.ts'
import type { Behaviour } from '../server/testing/receiver.ts'
import { slowness } from './machine.ts'
import { eventually, openWebhookHouse } from './webhook-house.ts'

/** Servers that lie, dawdle, flood and hang up. Each harms itself alone, and the log can be shown to anybody. */

const { receiver, subscribe } = await openWebhookHouse()
/** How much longer than usual everything takes here. */
const slow = slowness()

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
const raw =
  (speak: (socket: Socket) => void): Behaviour =>
  (request) =>
    speak(request.socket)

/** Again and again, until the other end has had enough; `sent` tells how much that was. */
let sent = 0
function flood(socket: Socket, chunk: string): void {
  const more = () => {
    while (!socket.destroyed) {
      sent += chunk.length
      if (!socket.write(chunk)) return
    }
  }
  socket.on('drain', more).on('error', () => {})
  more()
}
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 1_000)
  socket.on('close', () => clearInterval(timer)).on('error', () => {})
}
const bytes = Buffer.from('00ff00fec328e2828cf09f9800eda080', 'hex')

const servers: Record<string, Behaviour> = {
  'ten gigabytes': raw((socket) => {
    socket.write(`${ok}Content-Length: 10000000000\r\n\r\n`)
    flood(socket, 'a'.repeat(65_536))
  }),
  'a body of one byte a second': raw((socket) => {
    socket.write(`${ok}Content-Length: 1000\r\n\r\n`)
    drip(socket, 'a')
  }),
  'headers of one byte a second': raw((socket) => {
    socket.write(ok)
    drip(socket, 'x')
  }),
  'nothing at all': () => {},
  'success after 15.1 seconds': (_request, response) => void setTimeout(() => response.end('Noted.'), 15_100),
  'a bomb of gzip': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2 ** 24))),
  'a thousand early hints': raw((socket) =>
    socket.end(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)}${ok}Content-Length: 5\r\n\r\nhello`),
  ),
  'early hints without end': raw((socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')),
  'headers without end': raw((socket) => {
    socket.write(ok)
    flood(socket, 'x-more: yes\r\n')
  }),
  'a reset after the headers': raw((socket) => {
    socket.write(`${ok}Content-Length: 100\r\n\r\nhalf`, () => setTimeout(() => socket.resetAndDestroy(), 20))
  }),
  'half a body': raw((socket) => socket.end(`${ok}Content-Length: 100\r\n\r\nhalf`)),
  'a receiver put down': raw((socket) => socket.destroy()),
  'another protocol': raw((socket) => socket.end('220 mail.example ESMTP\r\n')),
  'an upgrade': raw((socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n'),
  ),
  'a redirect': (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end('Moved.'),
  'a redirect that keeps the method': (_request, response) => response.writeHead(308, { location: '/elsewhere' }).end(),
  'bytes that are no text': (_request, response) => response.writeHead(500).end(Buffer.concat(Array(200).fill(bytes))),
  'a letter cut in half': (_request, response) => response.writeHead(500).end(`${'a'.repeat(1_023)}€`),
  'a long content type': (_request, response) =>
    response.writeHead(500, { 'content-type': `text/plain; a="${'é'.repeat(3_000)}"` }).end(),
  'a status nobody knows': raw((socket) => socket.end('HTTP/1.1 999 Hm\r\nContent-Length: 0\r\n\r\n')),
}

interface Met {
  readonly delivery: Delivery
  readonly attempt: Attempt
}
const met: Record<string, Met> = {}
let promptly = 0

before(async () => {
  const names = Object.keys(servers)
  const all = await Promise.all(names.map(() => subscribe()))
  const good = await subscribe()
  for (const [place, one] of all.entries()) {
    one.behave(servers[names[place]!]!)
    await one.publish()
  }
  await eventually('all are asked', async () => (all.every((one) => one.told().length > 0) ? true : undefined))
  const start = performance.now()
  await good.publish()
  await eventually('the good one is asked', async () => (good.told().length > 0 ? true : undefined))
  promptly = performance.now() - start
  await Promise.all(
    all.map(async (one, place) => {
      const name = names[place]!
      const isTried = ({ last, event }: Delivery) => last !== null && event !== 'webhook.ping'
      const delivery = await eventually(name, async () => (await one.log()).find(isTried))
      const attempts = await one.attempts(delivery.id)
      met[name] = { delivery, attempt: attempts.at(-1)! }
    }),
  )
})

const problemOf = (name: string) => met[name]!.attempt.problem

test('a server that floods is read up to a limit, and its 200 counts', () => {
  const { delivery, attempt } = met['ten gigabytes']!
  assert.deepEqual([delivery.state, attempt.status, attempt.answer], ['delivered', 200, 'a'.repeat(1_024)])
  assert.ok(sent < 50e6, `${sent} bytes were written before the connection was gone`)
})

test('a server that dawdles is given up after fifteen seconds, however well it begins or would have ended', () => {
  const dawdlers = ['a body of one byte a second', 'headers of one byte a second', 'nothing at all']
  for (const name of [...dawdlers, 'success after 15.1 seconds']) {
    const { delivery, attempt } = met[name]!
    assert.deepEqual([delivery.state, attempt.problem, attempt.status], ['pending', 'timeout', null], name)
    assert.ok(attempt.ms! >= 14_900 && attempt.ms! < 15_000 + 2_000 * slow, `${name}: ${attempt.ms} ms`)
    assert.match(attempt.detail!, /Answer first, then do the work/)
  }
})

test('a compressed answer is not unpacked', () => {
  const { delivery, attempt } = met['a bomb of gzip']!
  assert.equal(delivery.state, 'delivered')
  assert.ok(attempt.answer!.startsWith('\u001f'))
})

test('early hints are read past, and not without end', () => {
  const { delivery, attempt } = met['a thousand early hints']!
  assert.deepEqual([delivery.state, attempt.answer], ['delivered', 'hello'])
  for (const name of ['early hints without end', 'headers without end'])
    assert.equal(problemOf(name), 'too_many_headers', name)
})

test('an answer that breaks off is none, and what is not HTTP is called so', () => {
  for (const name of ['a reset after the headers', 'half a body', 'a receiver put down'])
    assert.equal(problemOf(name), 'reset', name)
  for (const name of ['another protocol', 'an upgrade']) assert.equal(problemOf(name), 'protocol', name)
  assert.deepEqual([met['a status nobody knows']!.attempt.status, problemOf('a status nobody knows')], [999, 'status'])
})

test('a redirect is a failure, and nobody goes there', () => {
  for (const [name, status] of [
    ['a redirect', 302],
    ['a redirect that keeps the method', 308],
  ] as const) {
    const { attempt, delivery } = met[name]!
    assert.deepEqual([attempt.status, attempt.problem, delivery.state], [status, 'status', 'pending'])
  }
  assert.ok(!receiver.delivered.some(({ path }) => path === '/elsewhere'))
})

test('the log keeps 1 KiB of an answer at the most, as text that anything can show', () => {
  for (const [name, { attempt }] of Object.entries(met)) {
    const { answer, answer_type } = attempt
    assert.ok((answer?.length ?? 0) <= 1_024 && (answer_type?.length ?? 0) <= 200, name)
    assert.ok((answer ?? '').isWellFormed() && !answer?.includes('\0'), name)
  }
  assert.match(met['bytes that are no text']!.attempt.answer!, /^\ufffd{2}/)
  assert.equal(met['a letter cut in half']!.attempt.answer, `${'a'.repeat(1_023)}\ufffd`)
  assert.equal(met['a long content type']!.attempt.answer_type!.length, 200)
})

test('a good server is asked at once meanwhile', (t) => {
  t.diagnostic(`${Math.round(promptly)} ms`)
  assert.ok(promptly < 1_000 * slow, `${promptly} ms`)
})
