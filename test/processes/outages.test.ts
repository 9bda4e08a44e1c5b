import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { captureLog } from '../../testkit/log.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** A process whose database is unreachable: nothing listens on its port. */

const { log, lines } = captureLog()
const app = await testApp('postgres://nobody@127.0.0.1:1/none', {}, log)

test('the API says that the database is away, not that there is too much to do, and when to come back', async () => {
  for (const url of ['/api/public/pieces/recent', '/api/public/pieces/search?q=tea', '/api/public/authors/ada']) {
    const answer = await app.inject(url)
    assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'database_away'], url)
    assert.equal(answer.headers['retry-after'], '2')
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('so do the write API, the desk and a tool', async () => {
  const key = { authorization: `Bearer pk_live_${'0'.repeat(64)}` }
  assert.equal((await app.inject({ url: '/api/v1/pieces/me', headers: key })).json().reason, 'database_away')
  const cookie = `__Host-desk=${'a'.repeat(43)}`
  assert.equal((await app.inject({ url: '/desk/api/account', headers: { cookie } })).json().reason, 'database_away')
  const payload = {
    jsonrpc: '2.0',
    id: 1,
    method: 'resources/read',
    params: { uri: 'https://site.test/llms-products.txt' },
  }
  const { error } = (await app.inject({ method: 'POST', url: '/api/mcp', payload })).json()
  assert.equal(error.data.reason, 'database_away')
})

test('a page says it to people', async () => {
  const { statusCode, body } = await app.inject({ url: '/author/ada', headers: { accept: 'text/html' } })
  assert.equal(statusCode, 503)
  assert.match(body, /<h1[^>]*>The site is unavailable right now<\/h1>/)
  assert.match(body, /Nothing is lost\. Try again in a few minutes\./)
  assert.doesNotMatch(body, /The site is busy/)
})

test('so does the log, and the process is not ready', async () => {
  assert.ok(lines.some((line) => line.includes('"event":"refused"') && line.includes('"reason":"database_away"')))
  const answer = await app.admin.inject('/readyz')
  assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'database_away'])
  const { body } = await app.admin.inject('/metrics')
  assert.match(body, /standfirst_database_failures_total\{pool="public",kind="away"\} [1-9]/)
})

/** A separate Redis that is stopped and continued: it accepts connections and answers nothing. */

const skip = spawnSync('redis-server', ['--version']).status === 0 ? false : 'no redis-server here'

test('a frozen Redis is waited for three times, then by nobody, and is used again once it answers', {
  skip,
}, async () => {
  const port = await freePort()
  const redis = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ])
  after(async () => {
    redis.kill('SIGKILL')
    if (redis.exitCode === null && redis.signalCode === null) await once(redis, 'exit')
  })
  const { url } = await testDatabase()
  const { log, lines } = captureLog()
  const app = await testApp(url, { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_READ: '1000000' }, log)
  const read = async () => (await app.inject('/api/public/pieces/recent')).statusCode
  const figure = async (name: string): Promise<number> => {
    const { body } = await app.admin.inject('/metrics')
    const line = body.split('\n').find((one) => one.startsWith(`${name} `))
    return Number(line?.slice(name.length + 1) ?? 0)
  }
  const answered = () => figure('standfirst_redis_seconds_count{outcome="answered"}')
  const failed = () => figure('standfirst_redis_seconds_count{outcome="failed"}')
  const skipped = () => figure('standfirst_redis_skipped_total')
  const counts = async () => {
    const before = await answered()
    assert.equal(await read(), 200)
    return (await answered()) > before
  }
  await until(counts, 'Redis counts')
  assert.equal(await figure('standfirst_redis_away'), 0)

  redis.kill('SIGSTOP')
  const [failedBefore, skippedBefore] = [await failed(), await skipped()]
  for (let times = 0; times < 40; times += 1) assert.equal(await read(), 200)
  assert.deepEqual([(await failed()) - failedBefore, (await skipped()) - skippedBefore], [3, 37])
  assert.equal(await figure('standfirst_redis_away'), 1)
  assert.ok(lines.some((line) => line.includes('"event":"redis_skipped"')))

  redis.kill('SIGCONT')
  await until(counts, 'Redis counts again')
  assert.equal(await figure('standfirst_redis_away'), 0)
  assert.ok(lines.some((line) => line.includes('"event":"redis_back"')))
})
