import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import fastify, { type FastifyRequest } from 'fastify'
import { manualTimers, until } from '../../../testkit/waiting.ts'
import { createAdmission, measurePressure, type Pressure, priorityOf, shed } from './admission.ts'
import { createDeadlines, signalOf } from './deadline.ts'
import { handleErrors } from './errors.ts'
import { checkEvery, closeSlowReaders, maxChecks, unsent } from './sockets.ts'

const headers = { open: { 'x-from': 'the site' }, closed: { 'x-from': 'the desk' } }

/** A server that answers only when the test says so. */
async function heldServer(times: number) {
  const refused: string[] = []
  const held: ServerResponse[] = []
  const admission = createAdmission({ times, headers, onRefused: (weight) => refused.push(weight) })
  const { ServerResponse } = admission
  const listener = admission.guard((request, response) => {
    request.resume()
    held.push(response)
  })
  const server = createServer({ ServerResponse }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const begin = async (path: string, init?: RequestInit) => {
    const before = held.length
    fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => {})
    await until(() => held.length > before)
  }
  const statusOf = async (path: string): Promise<number | 'held'> => {
    const before = held.length
    let status: number | undefined
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (answer) => {
        status = answer.status
      },
      () => {},
    )
    return until(() => status ?? (held.length > before && 'held'), `${path} is let in or refused`)
  }
  return { port, admission, held, refused, begin, statusOf }
}

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

describe('admission', () => {
  test('lets in what gives way last when there is no room any more for what gives way first', async () => {
    // 2 for searches, 3 for single pages, 6 for the desk.
    const { begin, statusOf, refused } = await heldServer(1 / 20)
    await begin('/search?q=tea')
    await begin('/p/1')
    // One beyond the limit, and no more.
    assert.equal(await statusOf('/search?q=tea'), 'held')
    assert.equal(await statusOf('/search?q=tea'), 503)
    assert.equal(await statusOf('/%73earch?q=tea'), 503)
    assert.equal(await statusOf('/'), 503)
    assert.equal(await statusOf('/p/2'), 'held')
    assert.equal(await statusOf('/author/ada/tea'), 503)
    assert.equal(await statusOf('/desk/api/pieces'), 'held')
    assert.equal(await statusOf('/favicon.svg'), 'held')
    assert.deepEqual(refused, ['search', 'search', 'list', 'single'])
  })

  test('has some places for what gives way first even when those who give way last take all others', async () => {
    const { admission, begin, statusOf } = await heldServer(1 / 8)
    while (admission.atOnce() < 17) await begin('/desk/api/pieces')
    assert.equal(await statusOf('/p/1'), 503)
    assert.equal(await statusOf('/search?q=tea'), 'held')
    assert.equal(await statusOf('/search?q=tea'), 503)
  })

  test('refuses with the body and the headers of the site, and says when to come back', async () => {
    const { begin, port } = await heldServer(1 / 200)
    await begin('/p/1')
    const answer = await fetch(`http://127.0.0.1:${port}/p/2`)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '2')
    assert.equal(answer.headers.get('x-from'), 'the site')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const body = (await answer.json()) as { request_id: string }
    assert.deepEqual(Object.keys(body), ['ok', 'reason', 'detail', 'request_id'])
    assert.equal(body.request_id, answer.headers.get('x-request-id'))
    const own = await fetch(`http://127.0.0.1:${port}/p/2`, { headers: { 'x-request-id': 'of-the-caller' } })
    assert.equal(((await own.json()) as { request_id: string }).request_id, 'of-the-caller')
    const atTheDesk = await fetch(`http://127.0.0.1:${port}/desk`)
    assert.equal(atTheDesk.headers.get('x-from'), 'the desk')
  })

  test('counts nobody who is answered, or gone', async () => {
    const { begin, admission, held, port } = await heldServer(1)
    await begin('/p/1')
    assert.equal(admission.atOnce(), 1)
    held.pop()!.end('here')
    await until(() => admission.atOnce() === 0)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: site\r\n\r\n')
    await until(() => admission.atOnce() === 1)
    socket.destroy()
    await until(() => admission.atOnce() === 0)
  })

  test('counts neither a body that is still to come nor an answer that is not read', async () => {
    const { admission, held, port } = await heldServer(1)
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /api/v1/pieces HTTP/1.1\r\nhost: site\r\ncontent-length: 4\r\n\r\nab')
    await until(() => held.length === 1)
    assert.equal(admission.atOnce(), 0)
    socket.write('cd')
    await until(() => admission.atOnce() === 1)
    const response = held.pop()!
    response.writeHead(200)
    response.write('the first of many')
    assert.equal(admission.atOnce(), 0)
    const closed = once(response, 'close')
    socket.destroy()
    await closed
    assert.equal(admission.atOnce(), 0)
  })
})

test('what an address weighs', () => {
  const of = (weight: string, ...urls: string[]) => {
    for (const url of urls) assert.equal(priorityOf(url), weight, url)
  }
  of('search', '/%64esk', '/search?q=tea', '/api/public/pieces/search?q=tea', '/shop', '/image/piece/1.png')
  of('tools', '/api/mcp')
  of('list', '/', '/?cursor=1', '/category/life', '/author/ada', '/author/ada/feed.xml', '/feed.json', '/llms.txt')
  of('single', '/author/ada/on-tea', '/p/1', '/api/public/pieces/1', '/shop/a-book', '/nowhere', '*', '')
  of('single', '/cover/1/life/0123456789ab/%C3%89t.svg')
  of('search', '/cover/1/%6cife/0123456789ab/T.svg')
  of('write', '/api/v1/pieces', '/api/v1/mcp')
  of('desk', '/desk', '/desk/', '/desk/api/pieces')
})

test('what pages are made of is never refused', () => {
  for (const url of [
    '/fonts/text.Ab-12_.woff2',
    '/style.0123456789.css',
    '/favicon.svg',
    '/favicon.ico?x=1',
    '/embed.js',
    '/embed/0123456789abcdef.css',
    '/desk/assets/index-Ab_1.js',
    '/developers/guides.css',
    '/developers/reference.css',
  ]) {
    assert.equal(priorityOf(url), undefined, url)
  }
  for (const url of ['/fonts/%2e.woff2', '/desk/assets/../api/x.js', '/author/ada/style.css', '/embed/ada/card']) {
    assert.notEqual(priorityOf(url), undefined, url)
  }
})

async function askAt(delay: number, { times = 1, inFlight = 2 } = {}): Promise<Record<string, number>> {
  const pressure: Pressure = { delay: () => delay, close: () => {} }
  const app = fastify()
  handleErrors(app)
  for (const weight of ['search', 'list', 'single'] as const) {
    app.get(`/${weight}`, { onRequest: shed(weight, pressure, () => inFlight, times) }, async () => 'here')
  }
  const statuses: Record<string, number> = {}
  for (const weight of ['search', 'list', 'single']) {
    const { statusCode, headers } = await app.inject(`/${weight}`)
    statuses[weight] = statusCode
    if (statusCode === 503) assert.equal(headers['retry-after'], '2')
  }
  return statuses
}

test('what is dear gives way first', async () => {
  assert.deepEqual(await askAt(0), { search: 200, list: 200, single: 200 })
  assert.deepEqual(await askAt(350), { search: 503, list: 200, single: 200 })
  assert.deepEqual(await askAt(450), { search: 503, list: 503, single: 200 })
  assert.deepEqual(await askAt(600), { search: 503, list: 503, single: 503 })
})

test('a process told to be patient refuses later, and one whose heap is full refuses all the same', async () => {
  assert.deepEqual(await askAt(700, { times: 2 }), { search: 503, list: 200, single: 200 })
  assert.deepEqual(await askAt(Number.POSITIVE_INFINITY, { times: 1000 }), { search: 503, list: 503, single: 503 })
})

test('who is alone is never refused', async () => {
  for (const delay of [10_000, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(await askAt(delay, { inFlight: 1 }), { search: 200, list: 200, single: 200 })
  }
})

test('a blocked event loop is noticed, and forgotten when it is over', async () => {
  const pressure = measurePressure()
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  await until(() => {
    Atomics.wait(nobody, 0, 0, 400)
    return pressure.delay() > 100
  }, 'it is noticed')
  await until(() => pressure.delay() < 100, 'it is forgotten')
  pressure.close()
})

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

test('whoever reads nothing for nine seconds is closed, and whoever reads slowly is not', async (t) => {
  assert.deepEqual([maxChecks, checkEvery], [9, 1_000])
  t.mock.timers.enable({ apis: ['setInterval'] })
  const much = Buffer.alloc(64 * 1024 * 1024)
  const server = createServer((_request, response) => void response.end(much))
  closeSlowReaders(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (): Promise<[client: Socket, atServer: Socket]> => {
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.write('GET / HTTP/1.1\r\nhost: site\r\n\r\n')
    return [client, (await accepted)[0] as Socket]
  }
  /** Until as much is sent as fits between them while nobody reads. */
  const full = async (socket: Socket): Promise<void> => {
    let before = -1
    await until(() => {
      const now = unsent(socket)
      const isFull = now > 0 && now === before
      before = now
      return isFull
    }, 'the server can write no more')
  }
  try {
    const [deaf, ofDeaf] = await open()
    deaf.pause()
    const [slow, ofSlow] = await open()
    slow.pause()
    await Promise.all([full(ofDeaf), full(ofSlow)])
    // The first check sees how much there is, nine more that it has not changed.
    for (let look = 0; look <= maxChecks; look += 1) {
      assert.ok(!ofDeaf.destroyed, `closed at look ${look}`)
      t.mock.timers.tick(checkEvery)
      const before = unsent(ofSlow)
      await new Promise<void>((resolve) => {
        const take = () => {
          if (unsent(ofSlow) >= before) return
          slow.off('data', take).pause()
          resolve()
        }
        slow.on('data', take).resume()
      })
    }
    assert.ok(ofDeaf.destroyed)
    assert.ok(unsent(ofSlow) > 0, 'there is still something to read')
    assert.ok(!ofSlow.destroyed)
    deaf.destroy()
    slow.destroy()
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
