import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { freePort } from '../../testkit/free-port.ts'
import { keptLog } from '../../testkit/log.ts'
import { until } from '../../testkit/until.ts'

/** A Redis of this test's own, frozen and let go: it takes connections, and answers nothing. */

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
  const { log, lines } = keptLog()
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
