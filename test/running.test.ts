import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, connect as netConnect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { testApp } from '../server/testing/app.ts'
import { testDatabase } from '../server/testing/database.ts'
import { makePiece, makeWriter } from '../server/testing/make.ts'
import { cli } from '../server/testing/program.ts'

/** Running it: starting, stopping, and what happens when the database is slow, frozen or gone. */

const { url, admin } = await testDatabase()
const writer = await makeWriter(admin)
const piece = await makePiece(admin, writer, { headline: 'On tea', body_md: 'We drank tea. '.repeat(10) })

async function start(env: Record<string, string>): Promise<{ server: ChildProcess; base: string; lines: string[] }> {
  const server = spawn(process.execPath, [cli, 'serve', '--worker'], {
    env: { ...process.env, DATABASE_URL: url, PORT: '0', SHUTDOWN_DELAY: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => server.kill('SIGKILL'))
  const lines: string[] = []
  let base = ''
  server.stdout!.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)))
  for (let tries = 0; !base && tries < 150; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    base = lines.map((line) => JSON.parse(line)).find((line) => line.event === 'listening')?.address ?? ''
  }
  assert.ok(base, 'the server did not start')
  return { server, base, lines }
}

test('a stopped server says it is not ready, answers what is open, and ends well', async () => {
  const { server, base, lines } = await start({})
  assert.equal((await fetch(`${base}/readyz`)).status, 200)
  server.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 300))
  const [ready, live] = await Promise.all([fetch(`${base}/readyz`), fetch(`${base}/api/public/pieces/${piece}`)])
  assert.equal(ready.status, 503)
  assert.equal(live.status, 200)
  const [code] = await once(server, 'exit')
  assert.equal(code, 0)
  const events = lines.map((line) => JSON.parse(line).event)
  assert.ok(events.includes('leaving') && events.includes('answered'))
})

test('every answer but the pixel’s is one line of log, with route, status and time, and without query, key or cookie', async () => {
  const { server, base, lines } = await start({ SHUTDOWN_DELAY: '0' })
  await fetch(`${base}/api/public/pieces/search?q=CANARY`, {
    headers: { authorization: 'Bearer CANARY', cookie: 'a=CANARY' },
  })
  await fetch(`${base}/r/${piece}.gif`)
  server.kill('SIGTERM')
  await once(server, 'exit')
  const answered = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'answered')
  assert.equal(answered.length, 1)
  assert.equal(answered[0].route, '/api/public/pieces/search')
  assert.equal(answered[0].status, 200)
  assert.equal(typeof answered[0].ms, 'number')
  assert.doesNotMatch(lines.join('\n'), /CANARY/)
})

test('metrics count answers by route, never by address', async () => {
  const app = await testApp(url)
  await app.inject(`/api/public/pieces/${piece}`)
  await app.inject('/made-up-by-a-stranger')
  const { body, headers } = await app.inject('/metrics')
  assert.match(String(headers['content-type']), /text\/plain/)
  assert.match(
    body,
    /standfirst_request_seconds_count\{method="GET",route="\/api\/public\/pieces\/:id",status="200"\} 1/,
  )
  assert.doesNotMatch(body, /made-up/)
})

/** A way to the database that can be frozen: packets go in and nothing comes out. */
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

test('a frozen database is answered with 503 and Retry-After within four seconds', async () => {
  const way = await freezer()
  const app = await testApp(way.url, { PATIENCE: '1' })
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
  way.freeze()
  const started = Date.now()
  const { statusCode, headers } = await app.inject(`/api/public/pieces/${piece}`)
  assert.equal(statusCode, 503)
  assert.equal(headers['retry-after'], '2')
  assert.ok(Date.now() - started < 4000)
})

test('a connection that breaks during a query is 503, and the process lives on', async () => {
  const way = await freezer()
  const app = await testApp(way.url)
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
  const locker = await admin.connect()
  await locker.query('begin')
  await locker.query('lock table pub.pieces in access exclusive mode')
  const asked = app.inject(`/api/public/pieces/${piece}`)
  await new Promise((resolve) => setTimeout(resolve, 200))
  way.cut()
  assert.equal((await asked).statusCode, 503)
  await locker.query('rollback')
  locker.release()
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
})

test('a database that is gone is 503 on reads and on /readyz, and /healthz still answers', async () => {
  const app = await testApp('postgres://nobody@127.0.0.1:1/none')
  const statuses = await Promise.all(
    ['/readyz', `/api/public/pieces/${piece}`, '/api/public/pieces/recent', '/healthz'].map(
      async (path) => (await app.inject(path)).statusCode,
    ),
  )
  assert.deepEqual(statuses, [503, 503, 503, 200])
})

test('when all connections are taken, further requests are refused in a second or so, not kept waiting', async () => {
  const app = await testApp(url, { PUBLIC_CONNECTIONS: '1', PATIENCE: '1' })
  const locker = await admin.connect()
  await locker.query('begin')
  await locker.query('lock table pub.pieces in access exclusive mode')
  const started = Date.now()
  const answers = await Promise.all(Array.from({ length: 70 }, () => app.inject(`/api/public/pieces/${piece}`)))
  const took = Date.now() - started
  await locker.query('rollback')
  locker.release()
  assert.ok(took < 5000, `${took} ms`)
  for (const { statusCode, headers } of answers) {
    assert.equal(statusCode, 503)
    assert.ok(headers['retry-after'])
  }
  assert.equal((await app.inject(`/api/public/pieces/${piece}`)).statusCode, 200)
})

test('a search that runs out of time answers what it has, says so, and is not cached', async () => {
  const app = await testApp(url, { SEARCH_BUDGET: '0' })
  const { statusCode, headers, body } = await app.inject('/api/public/pieces/search?q=tea')
  const answer = JSON.parse(body)
  assert.equal(statusCode, 200)
  assert.equal(answer.partial, true)
  assert.equal(answer.count, answer.results.length)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match((await app.inject('/metrics')).body, /standfirst_partial_searches_total 1/)
})

test('a whole answer does not say partial', async () => {
  const app = await testApp(url, { SEARCH_BUDGET: '5000' })
  assert.equal('partial' in JSON.parse((await app.inject('/api/public/pieces/search?q=tea')).body), false)
})

test('a statement that is cancelled makes a search partial, not an error', async () => {
  const app = await testApp(url)
  const locker = await admin.connect()
  await locker.query('begin')
  await locker.query('lock table pub.piece_texts in access exclusive mode')
  const { statusCode, body } = await app.inject('/api/public/pieces/search?q=tea')
  await locker.query('rollback')
  locker.release()
  assert.equal(statusCode, 200)
  const answer = JSON.parse(body)
  assert.equal(answer.partial, true)
  assert.deepEqual(
    answer.results.map((hit: { match_site: string }) => hit.match_site),
    ['headline'],
  )
})
