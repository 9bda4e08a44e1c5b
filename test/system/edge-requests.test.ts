import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { describe, test } from 'node:test'
import { missingPrograms } from '../../testkit/engines/engine.ts'
import { exchange } from '../../testkit/http.ts'
import { edgeOfSuite, fresh, kept } from './edge-stub.ts'

/** deploy/varnish/standfirst.vcl in a real Varnish: which requests reach the site, and which bypass the cache. */

describe('what the edge asks', { skip: missingPrograms('varnishd') }, () => {
  const suite = edgeOfSuite()
  const { get, purge, asked } = suite

  test('cookies and keys of strangers change nothing in public, and reach the desk', async () => {
    const path = fresh()
    await get(path, { cookie: '__Host-desk=abc; other=1', authorization: 'Bearer x' })
    const { headers } = suite.origin.asked.at(-1)!
    assert.deepEqual([headers.cookie, headers.authorization], [undefined, undefined])
    assert.equal((await get(path)).headers['x-cache'], 'hit')
    for (const place of ['/desk', '/desk/api/pieces', '/api/v1/pieces', '/r/1.gif']) {
      for (let time = 0; time < 2; time += 1) {
        assert.equal(
          (await get(place, { cookie: '__Host-desk=abc', authorization: 'Bearer x' })).headers['x-cache'],
          'pass',
        )
      }
      assert.equal(suite.origin.asked.at(-1)!.headers.cookie, '__Host-desk=abc')
      assert.equal(suite.origin.asked.at(-1)!.headers.authorization, 'Bearer x')
    }
  })

  test('whoever has just published reads past the cache', async () => {
    const path = fresh()
    await get(path)
    for (const cookie of ['__Host-wrote=1', 'a=b; wrote=1']) {
      assert.equal((await get(path, { cookie })).headers['x-cache'], 'pass')
      assert.equal(suite.origin.asked.at(-1)!.headers.cookie, cookie)
    }
    assert.equal((await get(path, { cookie: 'handwrote=1' })).headers['x-cache'], 'hit')
  })

  test('what every browser and program says of types is one of few questions', async () => {
    const chrome =
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'
    const questions: [string | undefined, string][] = [
      [undefined, '*/*'],
      ['*/*', '*/*'],
      ['image/avif,image/webp,*/*;q=0.8', '*/*'],
      ['application/json, text/plain, */*', '*/*'],
      ['application/json', '*/*'],
      [chrome, 'text/html'],
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
      ['text/html', 'text/html'],
      // JSON is the first of two equally acceptable types.
      ['text/html, */*', 'text/html, */*'],
      ['text/markdown, text/html;q=0.5', 'text/markdown, text/html;q=0.5'],
      ['application/json, text/event-stream', 'application/json, text/event-stream'],
      ['application/json;q=0.5, text/html', 'application/json;q=0.5, text/html'],
      ['text/*, text/html;q=0.1', 'text/*, text/html;q=0.1'],
    ]
    for (const [given, meant] of questions) {
      await get(fresh(), given === undefined ? {} : { accept: given })
      assert.equal(suite.origin.asked.at(-1)!.headers.accept, meant, given)
    }
  })

  test('pages come as Brotli, as gzip or plain, each to whom it is for; the API as gzip of our own', async () => {
    suite.origin.answer(({ headers }, response) => {
      const encoding = headers['accept-encoding']
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'cache-control': kept,
          'surrogate-key': 'piece-1',
          vary: 'Accept, Accept-Encoding',
          ...(encoding === 'br' ? { 'content-encoding': 'br' } : {}),
        })
        .end(encoding ?? 'plain')
    })
    const path = fresh()
    for (const [accepted, body] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip', 'gzip'],
      ['gzip, br', 'br'],
    ] as const)
      assert.equal((await get(path, { 'accept-encoding': accepted })).body, body, accepted)
    assert.equal(await asked(() => get(path, { 'accept-encoding': 'deflate, gzip, br' })), 0)
    assert.equal(JSON.parse((await purge('piece-1')).body).purged >= 2, true)

    const json = JSON.stringify({ text: 'tea '.repeat(1000) })
    suite.origin.answer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': kept, etag: '"x"' })
        .end(json)
    })
    const api = fresh('/api/public/pieces')
    const zipped = await get(api, { 'accept-encoding': 'gzip, br' })
    assert.deepEqual([zipped.headers['content-encoding'], zipped.body.length < 500], ['gzip', true])
    assert.equal((await get(api)).body, json)
    assert.equal((await get(api, { 'if-none-match': String(zipped.headers['etag']) })).status, 304)
  })

  test('one question in another order, or with the marks of a click, is the same', async () => {
    const path = fresh('/search')
    await get(`${path}?q=tea&cursor=1`)
    for (const same of ['?cursor=1&q=tea', '?fbclid=abc&cursor=1&q=tea&utm_campaign=x', '?q=tea&gclid=1&cursor=1&'])
      assert.equal((await get(path + same)).headers['x-cache'], 'hit', same)
    assert.equal(suite.origin.asked.at(-1)!.url, `${path}?cursor=1&q=tea`)
    await get(`${path}?q=tea&language=de&utm_campaign=x`)
    assert.equal(suite.origin.asked.at(-1)!.url, `${path}?language=de&q=tea`)
    assert.equal((await get(`${path}?q=tea&language=pt`)).headers['x-cache'], 'miss')
    await get(`${path}?utm_source=letter&utm_medium=mail`)
    assert.equal(suite.origin.asked.at(-1)!.url, `${path}?utm_source=letter`)
    await get(`${path}?fbclid=1`)
    assert.equal(suite.origin.asked.at(-1)!.url, path)
  })

  test('what is for operators is not for the outside, however it is spelled', async () => {
    const paths = ['/metrics', '/healthz', '/readyz', '/metrics?x=1', '/%6detrics', '/metric%73', '/%64esk/api/pieces']
    const before = suite.origin.asked.length
    for (const path of paths) {
      const answer = await get(path)
      assert.deepEqual([answer.status, JSON.parse(answer.body).reason], [404, 'not_found'], path)
    }
    for (const path of ['/metrics#x', '/#', '/author/ada#x', '/desk/api/pieces#x', 'http://site.test/metrics#x']) {
      const { status } = await exchange(
        suite.edge.port,
        `GET ${path} HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n`,
      )
      assert.equal(status, 400, path)
    }
    assert.equal(suite.origin.asked.length, before)
  })

  test('the site learns whose request it is, at the end of what it is told', async () => {
    await get(fresh(), { 'x-forwarded-for': '192.0.2.1' })
    assert.equal(suite.origin.asked.at(-1)!.headers['x-forwarded-for'], '192.0.2.1, 127.0.0.1')
  })

  test('HEAD is answered from what GET left, and the other way round', async () => {
    const path = fresh()
    const head = await get(path, {}, 'HEAD')
    assert.deepEqual([head.status, head.body], [200, ''])
    assert.equal((await get(path)).body, 'A piece.')
    assert.equal((await get(path)).headers['x-cache'], 'hit')
  })

  test('a stream arrives as it is written', async () => {
    let end = () => {}
    suite.origin.answer((request, response) => {
      request.resume()
      response
        .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
        .write('data: one\n\n')
      end = () => void response.end('data: two\n\n')
    })
    const heard = await new Promise<string[]>((resolve, reject) => {
      const parts: string[] = []
      const asking = send(`${suite.edge.base}/api/mcp`, { method: 'POST', agent: false }, (answer) => {
        answer.on('data', (part: Buffer) => {
          parts.push(String(part))
          // Only now is there a second part to send.
          if (parts.length === 1) end()
        })
        answer.on('end', () => resolve(parts))
      })
      asking.on('error', reject)
      asking.end('{}')
    })
    assert.deepEqual(heard, ['data: one\n\n', 'data: two\n\n'])
  })
})
