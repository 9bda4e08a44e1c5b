import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { until } from '../../../testkit/waiting.ts'
import { createAdmission, priorityOf } from './admission.ts'

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
    '/developers/reference/js/scalar.js',
  ]) {
    assert.equal(priorityOf(url), undefined, url)
  }
  for (const url of ['/fonts/%2e.woff2', '/desk/assets/../api/x.js', '/author/ada/style.css', '/embed/ada/card']) {
    assert.notEqual(priorityOf(url), undefined, url)
  }
})
