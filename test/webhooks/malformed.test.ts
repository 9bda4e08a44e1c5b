import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Attempt, Delivery } from '../../server/features/webhooks/schema.ts'
import { usualLimits } from '../../server/platform/outbound/outbound.ts'
import type { Behaviour } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** Misbehaving receivers: wrong, slow, flooding or disconnecting. Each harms only itself, and the log leaks nothing. */

const { receiver, subscribe, deliver } = await openWebhookSite({ works: false })

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
const raw =
  (speak: (socket: Socket) => void): Behaviour =>
  (request) =>
    speak(request.socket)

/** Writes repeatedly until the other end closes; `sent` is the number of bytes. */
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
/** Until the other end closes. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 50)
  socket.on('close', () => clearInterval(timer)).on('error', () => {})
}
const bytes = Buffer.from('00ff00fec328e2828cf09f9800eda080', 'hex')

const servers: Record<string, Behaviour> = {
  'ten gigabytes': raw((socket) => {
    socket.write(`${ok}Content-Length: 10000000000\r\n\r\n`)
    flood(socket, 'a'.repeat(65_536))
  }),
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
    socket.write(`${ok}Content-Length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy())
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

/** Servers that never finish an answer. */
const dawdlers: Record<string, Behaviour> = {
  'a body that drips': raw((socket) => {
    socket.write(`${ok}Content-Length: 1000000\r\n\r\n`)
    drip(socket, 'a')
  }),
  'headers that drip': raw((socket) => {
    socket.write(ok)
    drip(socket, 'x')
  }),
  'nothing at all': () => {},
  'success after we have given up': (request, response) =>
    void request.socket.once('close', () => response.end('Noted.')),
}

interface DeliveryResult {
  readonly delivery: Delivery
  readonly attempt: Attempt
}
const met: Record<string, DeliveryResult> = {}
const held: ServerResponse[] = []
let isHeldStill = false

type Named = readonly [name: string, behaviour: Behaviour, one: Subscriber]
const named = (behaviours: Record<string, Behaviour>): Promise<Named[]> =>
  Promise.all(
    Object.entries(behaviours).map(async ([name, behaviour]) => [name, behaviour, await subscribe()] as const),
  )

/** Publishes to each. */
async function publishTo(all: readonly Named[]): Promise<void> {
  for (const [, behaviour, one] of all) {
    one.behave(behaviour)
    await one.publish()
  }
}

/** Waits until each was tried. */
const meetAll = (all: readonly Named[]) =>
  Promise.all(
    all.map(async ([name, , one]) => {
      const isTried = ({ last, event }: Delivery) => last !== null && event !== 'webhook.ping'
      const delivery = await until(async () => (await one.log()).find(isTried), name)
      const attempts = await one.attempts(delivery.id)
      met[name] = { delivery, attempt: attempts.at(-1)! }
    }),
  )

before(async () => {
  // Without a time limit, so that a busy machine does not make a server look slow.
  const patient = deliver({ dns: 300_000, connect: 300_000, whole: 300_000 })
  const [prompt, late, holding, good] = [
    await named(servers),
    await named(dawdlers),
    await subscribe((_request, response) => void held.push(response)),
    await subscribe(),
  ]
  await holding.publish()
  await until(() => held.length > 0, 'one server holds its request')
  await publishTo(prompt)
  await good.publish()
  await good.until(({ state }) => state === 'delivered')
  isHeldStill = !held[0]!.writableEnded
  for (const response of held) response.end()
  await meetAll(prompt)
  await patient.stop()
  // With a limit of one second for servers that would never answer.
  deliver({ whole: 1_000 })
  await publishTo(late)
  await meetAll(late)
})

const problemOf = (name: string) => met[name]!.attempt.problem

test('a server that floods is read up to a limit, and its 200 counts', () => {
  const { delivery, attempt } = met['ten gigabytes']!
  assert.deepEqual([delivery.state, attempt.status, attempt.answer], ['delivered', 200, 'a'.repeat(1_024)])
  assert.ok(sent < 50e6, `${sent} bytes were written before the connection was gone`)
})

test('a server that dawdles is given up after the limit, fifteen seconds, however well it begins or would have ended', () => {
  assert.equal(usualLimits.whole, 15_000)
  for (const name of Object.keys(dawdlers)) {
    const { delivery, attempt } = met[name]!
    assert.deepEqual([delivery.state, attempt.problem, attempt.status], ['pending', 'timeout', null], name)
    assert.match(attempt.detail!, /Respond first, then do the work/)
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

test('a good server is served while another holds its request', () => {
  assert.ok(isHeldStill)
})
