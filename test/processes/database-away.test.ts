import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { keptLog } from '../../testkit/log.ts'

/** A process whose database is nowhere: nobody listens at its port. */

const { log, lines } = keptLog()
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
  assert.match(body, /<h1[^>]*>The site is unavailable just now<\/h1>/)
  assert.match(body, /We cannot reach our database/)
  assert.doesNotMatch(body, /We are busy/)
})

test('so does the log, and the process is not ready', async () => {
  assert.ok(lines.some((line) => line.includes('"event":"refused"') && line.includes('"reason":"database_away"')))
  const answer = await app.admin.inject('/readyz')
  assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'database_away'])
  const { body } = await app.admin.inject('/metrics')
  assert.match(body, /standfirst_database_failures_total\{pool="public",kind="away"\} [1-9]/)
})
