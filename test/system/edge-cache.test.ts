import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { lackOf } from '../../scale/engines/engine.ts'
import { startVarnish } from '../../scale/engines/varnish.ts'
import { ask, edgeOfSuite, fresh, kept, piece, startOrigin } from '../edge-stub.ts'
import { until } from '../until.ts'

/** deploy/varnish/standfirst.vcl in a real Varnish, before a server that answers as each test likes: what it keeps, and for how long. */

describe('what the edge keeps', { skip: lackOf('varnishd') }, () => {
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

  test('when its time is over a piece is asked about by its ETag, and never given stale', async () => {
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
    suite.origin.answer((_request, response) => void response.writeHead(500).end())
    assert.equal((await get(path)).status, 500)
  })

  test('while the house fails it is quoted on itself, and on nobody else', async () => {
    const [own, pieces] = [fresh('/developers'), fresh('/api/public/pieces')]
    suite.origin.answer(({ url }, response) => {
      const tags = url === pieces ? { 'surrogate-key': 'piece-1' } : undefined
      response.writeHead(200, { 'cache-control': 'public, max-age=30', ...tags }).end('As it was.')
    })
    for (const path of [own, pieces]) {
      await get(path)
      await expire(path)
    }
    suite.origin.answer((_request, response) => void response.writeHead(500, { 'cache-control': 'no-store' }).end())
    assert.deepEqual([(await get(own)).status, (await get(own)).body], [200, 'As it was.'])
    assert.equal((await get(pieces)).status, 500)
    const unknown = await get(fresh('/developers'))
    assert.deepEqual([unknown.status, JSON.parse(unknown.body).reason], [503, 'overloaded'])

    await suite.origin.leave()
    try {
      assert.equal((await get(own)).body, 'As it was.', 'before anybody has noticed')
      const gone = await get(pieces)
      assert.deepEqual(
        [gone.status, gone.headers['retry-after'], gone.headers['cache-control']],
        [503, '2', 'no-store'],
      )
      assert.deepEqual(JSON.parse(gone.body), {
        ok: false,
        reason: 'overloaded',
        detail: 'The service is busy. Try again in a moment.',
        request_id: gone.headers['x-request-id'],
      })
      await until(() => suite.health().every((health) => health === 'sick'), 'both servers are known to be gone')
      assert.equal((await get(own)).body, 'As it was.', 'when it is known')
      assert.equal((await get(pieces)).status, 503)
    } finally {
      await suite.origin.comeBack()
    }
    suite.origin.answer((_request, response) => piece(response))
    await until(async () => (await get(pieces)).status === 200, 'the site answers again')
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
