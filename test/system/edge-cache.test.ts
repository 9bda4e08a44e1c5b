import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { startVarnish } from '../../testkit/engines/edge.ts'
import { missingPrograms } from '../../testkit/engines/engine.ts'
import { until } from '../../testkit/waiting.ts'
import { ask, edgeOfSuite, fresh, kept, piece, startOrigin, testVcl } from './edge-stub.ts'

/** deploy/varnish/standfirst.vcl in a real Varnish with a stub origin: what it caches, and for how long. */

describe('what the edge keeps', { skip: missingPrograms('varnishd') }, () => {
  const suite = edgeOfSuite()
  const { get, purge, asked, expire, hold } = suite

  test('an answer is asked for once, and says neither its tags nor who keeps it', async () => {
    const path = fresh()
    const first = await get(path)
    const second = await get(path)
    assert.deepEqual([first.headers['x-cache'], second.headers['x-cache']], ['miss', 'hit'])
    assert.equal(second.body, 'A piece.')
    assert.equal(second.headers['cache-control'], kept)
    assert.ok(Number(second.headers['age']) >= 0)
    for (const name of ['surrogate-key', 'cache-tag', 'xkey', 'via', 'x-varnish'])
      assert.equal(second.headers[name], undefined)
  })

  test('whoever gets a kept answer gets the id of their own request, and an error says the one in its header', async () => {
    const path = fresh()
    const made = /^\d+-\d+$/
    suite.origin.answer(({ headers }, response) => {
      response.setHeader('x-request-id', String(headers['x-request-id']))
      piece(response)
    })
    const first = await get(path, { 'x-request-id': 'of-the-first-reader' })
    assert.equal(first.headers['x-request-id'], 'of-the-first-reader')
    const hit = await get(path)
    assert.equal(hit.headers['x-cache'], 'hit')
    assert.match(String(hit.headers['x-request-id']), made)
    const bad = await get(fresh(), { 'x-request-id': '<b>no id</b>' })
    assert.match(String(bad.headers['x-request-id']), made)
    assert.equal(suite.origin.asked.at(-1)!.headers['x-request-id'], bad.headers['x-request-id'])
    const refused = await get('/metrics', { 'x-request-id': 'of-who-is-refused' })
    assert.equal(refused.headers['x-request-id'], 'of-who-is-refused')
    const { ok, request_id, reason } = JSON.parse(refused.body)
    assert.deepEqual([ok, request_id, reason], [false, 'of-who-is-refused', 'not_found'])
  })

  test('a purge takes what carries any of its tags, and nothing else', async () => {
    const [one, two, other] = [fresh(), fresh(), fresh()]
    suite.origin.answer(({ url }, response) =>
      piece(response, url === one ? 'piece-a author-x' : url === two ? 'piece-b author-y' : 'piece-ab author-z'),
    )
    for (const path of [one, two, other]) await get(path)
    const answer = await purge('nothing piece-a author-y')
    assert.deepEqual([answer.status, JSON.parse(answer.body)], [200, { ok: true, purged: 2 }])
    const now = await Promise.all([one, two, other].map(async (path) => (await get(path)).headers['x-cache']))
    assert.deepEqual(now, ['miss', 'miss', 'hit'])
  })

  test('a hundred tags of eighty characters are purged at once', async () => {
    const tags = Array.from({ length: 100 }, (_, at) => `piece-${at}-`.padEnd(80, 'x'))
    const path = fresh()
    suite.origin.answer((_request, response) => piece(response, tags[99]))
    await get(path)
    assert.equal(JSON.parse((await purge(tags.join(' '))).body).purged, 1)
    assert.equal((await get(path)).headers['x-cache'], 'miss')
  })

  test('nobody purges where readers come in, and nobody reads where purges do', async () => {
    const path = fresh()
    await get(path)
    assert.equal((await get('/', { xkey: 'piece-1' }, 'PURGE')).status, 405)
    assert.equal((await get(path)).headers['x-cache'], 'hit')
    assert.equal((await ask(`${suite.edge.purgeUrl}feed.json`)).status, 404)
  })

  test('fifty readers of one piece are one request to the site', async () => {
    const held = hold()
    const path = fresh()
    const waiting = suite.figure('MAIN.busy_sleep')
    const count = await asked(async () => {
      const reads = Promise.all(Array.from({ length: 50 }, () => get(path)))
      await until(() => suite.figure('MAIN.busy_sleep') - waiting + held.length >= 50, 'fifty are waiting')
      for (const response of held) piece(response)
      await reads
    })
    assert.equal(count, 1)
  })

  test('what may not be kept is answered side by side', async () => {
    const partial = (response: ServerResponse) =>
      void response.writeHead(200, { 'cache-control': 'no-store' }).end('Partial.')
    suite.origin.answer((_request, response) => partial(response))
    const path = fresh('/search')
    await get(path)
    const held = hold()
    const reads = Promise.all(Array.from({ length: 20 }, () => get(path)))
    await until(() => held.length === 20, 'all twenty are asked for before any is answered')
    for (const response of held) partial(response)
    assert.ok((await reads).every(({ status, body }) => status === 200 && body === 'Partial.'))
  })

  for (const status of [404, 503]) {
    test(`after ${status} a piece that is there is kept from its first answer on`, async () => {
      const path = fresh()
      suite.origin.answer(
        (_request, response) => void response.writeHead(status, { 'cache-control': 'no-store' }).end(),
      )
      assert.equal((await get(path)).status, status)
      assert.equal((await get(path)).status, status)
      suite.origin.answer((_request, response) => piece(response))
      assert.deepEqual([(await get(path)).status, (await get(path)).headers['x-cache']], [200, 'hit'])
    })
  }

  test('what took longer than a second to come is kept for a second', async () => {
    const path = fresh()
    const secondsKept = async (took: string) => {
      suite.origin.answer((_request, response) => piece(response.setHeader('x-took', took)))
      const { headers } = await get(path)
      assert.equal(headers['x-cache'], 'miss')
      const left = Number(headers['x-ttl'])
      await expire(path)
      return left
    }
    const late = await secondsKept('1.01')
    assert.ok(late <= 1, `${late} s`)
    const prompt = await secondsKept('0')
    assert.ok(prompt > 1 && prompt <= 30, `${prompt} s`)
    await get(path)
    assert.equal((await get(path)).headers['x-cache'], 'hit')
  })

  test('when its time is over a piece is asked about by its ETag, and given stale only where the site fails', async () => {
    const path = fresh()
    suite.origin.answer(({ headers }, response) => {
      const known = headers['if-none-match'] === '"v1"'
      response
        .writeHead(known ? 304 : 200, {
          'cache-control': 'public, s-maxage=30',
          etag: '"v1"',
          'surrogate-key': 'piece-9',
        })
        .end(known ? undefined : 'Once.')
    })
    await get(path)
    await expire(path)
    const renewed = await get(path)
    assert.deepEqual([renewed.status, renewed.body, renewed.headers['x-cache']], [200, 'Once.', 'miss'])
    assert.equal(suite.origin.asked.at(-1)!.headers['if-none-match'], '"v1"')
    await purge('piece-9')
    await get(path)
    assert.equal(suite.origin.asked.at(-1)!.headers['if-none-match'], undefined, 'the renewed one had its tags')
    await expire(path)
    suite.origin.answer((_request, response) => void response.writeHead(500).end('Why.'))
    const failed = await get(path)
    assert.deepEqual([failed.status, failed.headers['x-cache'], failed.body], [200, 'stale', 'Once.'])
    const unknown = await get(fresh())
    assert.deepEqual([unknown.status, unknown.body], [500, 'Why.'], 'what the site says of a failure arrives')
    suite.origin.answer((_request, response) => piece(response, 'piece-9', 'Anew.'))
    await until(async () => (await get(path)).body === 'Anew.', 'the site answers again')
    assert.notEqual((await get(path)).headers['x-cache'], 'stale')
  })

  test('while no server answers, what was public is shown as it was, and what was purged is not', async () => {
    const [own, kept, taken, late] = [fresh('/developers'), fresh(), fresh(), fresh('/api/public/pieces')]
    suite.origin.answer(({ url }, response) => {
      if (url === late) response.setHeader('x-took', '1.01')
      if (url === own) response.writeHead(200, { 'cache-control': 'public, max-age=30' }).end('As it was.')
      else piece(response, url === taken ? 'piece-taken' : 'piece-kept', 'As it was.')
    })
    for (const path of [own, kept, taken, late]) {
      await get(path)
      await expire(path)
    }
    assert.equal(JSON.parse((await purge('piece-taken')).body).purged, 1)
    await suite.origin.leave()
    try {
      const see = async () => {
        for (const path of [own, kept]) {
          const { status, body, headers } = await get(path)
          assert.deepEqual([status, body, headers['x-cache']], [200, 'As it was.', 'stale'], path)
          assert.ok(Number(headers['age']) >= 0)
        }
        assert.equal((await get(taken)).status, 503, 'purged')
        assert.equal((await get(late)).status, 503, 'a purge may have passed it')
        assert.equal((await get(fresh())).status, 503, 'never seen')
      }
      await see()
      await until(() => suite.health().every((health) => health === 'sick'), 'both servers are known to be gone')
      await see()
      await purge('piece-kept')
      assert.equal((await get(kept)).status, 503, 'purged while nobody answers')
    } finally {
      await suite.origin.comeBack()
    }
    suite.origin.answer((_request, response) => piece(response))
    await until(async () => (await get(kept)).status === 200, 'the site answers again')
  })

  test('where nothing may be stale, what was public is gone with the servers', async () => {
    const origin = await startOrigin()
    origin.answer((_request, response) => piece(response.setHeader('x-took', '0')))
    const edge = await startVarnish({ backends: [origin, origin], vcl: testVcl, staleFor: '0s' })
    try {
      const path = edge.base + fresh()
      await ask(path)
      assert.equal((await ask(path)).headers['x-cache'], 'hit')
      await ask(path, { 'x-expire': '1' })
      await origin.leave()
      assert.equal((await ask(path)).status, 503)
    } finally {
      await edge.stop()
    }
  })

  test('while no server answers people get a page and programs JSON, at the desk too, and nothing is asked twice', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
    // Varnish itself retries on a reused connection, so the origin closes every connection.
    suite.origin.answer((_request, response) => piece(response.setHeader('connection', 'close')))
    await suite.origin.leave()
    await suite.origin.comeBack()
    await until(async () => (await get(fresh())).status === 200, 'the site answers')
    suite.origin.answer((request) => void request.socket.destroy())
    assert.equal(await asked(() => get('/desk/api/pieces', browser, 'POST')), 1)
    await suite.origin.leave()
    try {
      for (const path of [fresh(), '/', '/desk', '/desk/edit/pieces/1', '/search?q=tea']) {
        const { status, headers, body } = await get(path, browser)
        assert.deepEqual(
          [status, headers['content-type'], headers['retry-after'], headers['cache-control']],
          [503, 'text/html; charset=utf-8', '2', 'no-store'],
          path,
        )
        assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'unsafe-inline'/)
        assert.match(body, /<h1>This site is temporarily unavailable<\/h1>\s*<p>Try again in a minute/)
        assert.doesNotMatch(body, /TITLE|ADVICE|LINK/)
      }
      const asksData: [string, Record<string, string>][] = [
        ...[fresh(), '/desk', '/api/public/pieces/recent'].map((path): [string, Record<string, string>] => [path, {}]),
        ...['/desk/api/pieces', '/api/v1/pieces/me', '/feed.json', '/r/1.gif'].map(
          (path): [string, Record<string, string>] => [path, browser],
        ),
        ['/desk', { accept: 'application/json' }],
      ]
      for (const [path, headers] of asksData) {
        const answer = await get(path, headers)
        assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '2'], path)
        assert.deepEqual(JSON.parse(answer.body), {
          ok: false,
          reason: 'overloaded',
          detail: 'The site is busy. Try again in a moment.',
          request_id: answer.headers['x-request-id'],
        })
      }
      assert.match((await get('/metrics', browser)).body, /<h1>Page not found<\/h1>/)
    } finally {
      await suite.origin.comeBack()
    }
    suite.origin.answer((_request, response) => piece(response))
    await until(async () => (await get(fresh())).status === 200, 'the site answers again')
  })

  test('a server that goes away takes no reader with it', async () => {
    const [one, other] = [await startOrigin(), await startOrigin()]
    for (const each of [one, other]) each.answer((_request, response) => piece(response))
    const both = await startVarnish({ backends: [one, other] })
    try {
      const read = () => Promise.all(Array.from({ length: 60 }, async () => (await ask(both.base + fresh())).status))
      assert.ok((await read()).every((status) => status === 200))
      assert.ok(one.asked.length > 5 && other.asked.length > 5, 'both are asked')
      await one.leave()
      assert.ok((await read()).every((status) => status === 200))
    } finally {
      await both.stop()
      await other.leave()
    }
  })
})
