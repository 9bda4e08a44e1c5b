import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, connect as netConnect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { testApp } from '../../testkit/app.ts'
import { startCli } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { freePort } from '../../testkit/network.ts'
import { until, waitForLockWait } from '../../testkit/waiting.ts'

/** Running it: starting, stopping, and what happens when the database is slow, frozen or gone. */

const { url, admin } = await testDatabase()
const writer = await makeWriter(admin)
const piece = await makePiece(admin, writer, { headline: 'On tea', body_md: 'We drank tea. '.repeat(10) })

async function start(env: Record<string, string>) {
  const adminPort = await freePort()
  const settings = { DATABASE_URL: url, PORT: '0', ADMIN_PORT: String(adminPort), SHUTDOWN_DELAY: '1' }
  const { child: server, ...started } = startCli({ ...settings, ...env }, 'serve', '--worker')
  const { address } = await started.says('listening')
  return { ...started, server, base: address, admin: `http://127.0.0.1:${adminPort}` }
}

/** Its shutdown delay passes while the other tests run. */
const first = await start({ SHUTDOWN_DELAY: '10' })

test('a stopped server says it is not ready, and answers what is open', async () => {
  const { server, base, admin, says } = first
  assert.equal((await fetch(`${admin}/readyz`)).status, 200)
  server.kill('SIGTERM')
  await says('stopping')
  const [ready, live] = await Promise.all([fetch(`${admin}/readyz`), fetch(`${base}/api/public/pieces/${piece}`)])
  assert.equal(ready.status, 503)
  assert.equal(live.status, 200)
})

test('every answer but the pixel’s is one line of log, with route, status and time, and without query, key or cookie', async () => {
  const { server, base, lines } = await start({ SHUTDOWN_DELAY: '0' })
  await fetch(`${base}/api/public/pieces/search?q=CANARY`, {
    headers: { authorization: 'Bearer CANARY', cookie: 'a=CANARY' },
  })
  await fetch(`${base}/r/${piece}.gif`)
  server.kill('SIGTERM')
  await once(server, 'exit')
  const answered = lines.filter(({ event }) => event === 'answered')
  assert.equal(answered.length, 1)
  assert.equal(answered[0]!['route'], '/api/public/pieces/search')
  assert.equal(answered[0]!['status'], 200)
  assert.equal(typeof answered[0]!['ms'], 'number')
  assert.doesNotMatch(JSON.stringify(lines), /CANARY/)
})

test('health and metrics are at a port of their own, and readers find nothing at their addresses', async () => {
  const app = await testApp(url)
  for (const path of ['/metrics', '/healthz', '/readyz', '/%6detrics', '/metrics?x=1', '/metrics#x']) {
    const { statusCode, body } = await app.inject(path)
    assert.deepEqual([statusCode, JSON.parse(body).reason], [404, 'not_found'], path)
  }
  for (const path of ['/metrics', '/healthz', '/readyz'])
    assert.equal((await app.admin.inject(path)).statusCode, 200, path)
  assert.equal((await app.admin.inject('/api/public/pieces/recent')).statusCode, 404)
})

test('metrics count answers by route, never by address', async () => {
  const app = await testApp(url)
  await app.inject(`/api/public/pieces/${piece}`)
  await app.inject('/made-up-by-a-stranger')
  const { body, headers } = await app.admin.inject('/metrics')
  assert.match(String(headers['content-type']), /text\/plain/)
  assert.match(
    body,
    /standfirst_request_seconds_count\{method="GET",route="\/api\/public\/pieces\/:id",status="200"\} 1/,
  )
  assert.doesNotMatch(body, /made-up/)
})

/** A proxy to the database that can be frozen: it accepts packets and forwards none. */
async function freezer(): Promise<{ url: string; freeze(): void; cut(): void }> {
  const target = new URL(url)
  const databasePort = Number(target.port || 5432)
  const sockets: Socket[] = []
  const proxy = createServer((client) => {
    const database = netConnect(databasePort, target.hostname)
    sockets.push(client, database)
    client.pipe(database)
    database.pipe(client)
    for (const socket of [client, database]) socket.on('error', () => {})
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  target.port = String((proxy.address() as { port: number }).port)
  const freeze = () => {
    for (const socket of sockets) socket.unpipe().pause()
  }
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return { url: target.href, freeze, cut }
}

/** Nobody else may use the table until the returned function is called. */
async function lockTable(name: string): Promise<() => Promise<void>> {
  const locker = await admin.connect()
  await locker.query(`begin; lock table ${name} in access exclusive mode`)
  return async () => {
    await locker.query('rollback')
    locker.release()
  }
}

/** With the lowest LOAD_FACTOR a server sheds load while its machine stalls: ask again. */
const answers = (app: FastifyInstance) =>
  until(async () => (await app.inject(`/api/public/pieces/${piece}`)).statusCode === 200, 'the piece is answered')

test('a frozen database is answered with 503 and Retry-After', async () => {
  const way = await freezer()
  const app = await testApp(way.url, { LOAD_FACTOR: '1', TIMEOUT_FACTOR: '1' })
  await answers(app)
  way.freeze()
  // It stays frozen, so an answer can only come from a timeout.
  const { statusCode, headers } = await app.inject(`/api/public/pieces/${piece}`)
  assert.equal(statusCode, 503)
  assert.equal(headers['retry-after'], '2')
})

test('a connection that breaks during a query is 503, and the process lives on', async () => {
  const way = await freezer()
  const app = await testApp(way.url)
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
  const unlock = await lockTable('pub.pieces')
  const asked = app.inject(`/api/public/pieces/${piece}`)
  await waitForLockWait(admin, 'pub.pieces')
  way.cut()
  assert.equal((await asked).statusCode, 503)
  await unlock()
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
})

test('a database that is gone is 503 on reads and on /readyz, and /healthz still answers', async () => {
  const app = await testApp('postgres://nobody@127.0.0.1:1/none')
  const statuses = await Promise.all(
    [
      app.admin.inject('/readyz'),
      app.inject(`/api/public/pieces/${piece}`),
      app.inject('/api/public/pieces/recent'),
      app.admin.inject('/healthz'),
    ].map(async (answer) => (await answer).statusCode),
  )
  assert.deepEqual(statuses, [503, 503, 503, 200])
})

test('when all connections are taken, further requests are refused, not kept waiting', async () => {
  const app = await testApp(url, { PUBLIC_CONNECTIONS: '1', LOAD_FACTOR: '1', TIMEOUT_FACTOR: '1' })
  const unlock = await lockTable('pub.pieces')
  // The table stays locked until all are answered, so none can have waited for it.
  const refused = await Promise.all(Array.from({ length: 70 }, () => app.inject(`/api/public/pieces/${piece}`)))
  await unlock()
  for (const { statusCode, headers } of refused) {
    assert.equal(statusCode, 503)
    assert.ok(headers['retry-after'])
  }
  await answers(app)
})

test('a search that runs out of time answers what it has, says so, and is not cached', async () => {
  const app = await testApp(url, { SEARCH_BUDGET: '0' })
  const { statusCode, headers, body } = await app.inject('/api/public/pieces/search?q=tea')
  const answer = JSON.parse(body)
  assert.equal(statusCode, 200)
  assert.equal(answer.partial, true)
  assert.equal(answer.count, answer.results.length)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match((await app.admin.inject('/metrics')).body, /standfirst_partial_searches_total 1/)
})

test('a whole answer does not say partial', async () => {
  const app = await testApp(url, { SEARCH_BUDGET: '5000' })
  assert.equal('partial' in JSON.parse((await app.inject('/api/public/pieces/search?q=tea')).body), false)
})

test('a statement that is cancelled makes a search partial, not an error', async () => {
  const app = await testApp(url, { TIMEOUT_FACTOR: '1' })
  const unlock = await lockTable('pub.piece_texts')
  const { statusCode, body } = await app.inject('/api/public/pieces/search?q=tea')
  await unlock()
  assert.equal(statusCode, 200)
  const answer = JSON.parse(body)
  assert.equal(answer.partial, true)
  assert.deepEqual(
    answer.results.map((hit: { match_site: string }) => hit.match_site),
    ['headline'],
  )
})

test('a stopped server ends well once its delay is over', async () => {
  const { server, lines } = first
  assert.equal(server.exitCode ?? (await once(server, 'exit'))[0], 0)
  for (const event of ['answered', 'stopped']) assert.ok(lines.some((line) => line.event === event))
})
