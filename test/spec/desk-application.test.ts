import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuild, spaPaths } from '../../server/http/desk-api/spa.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { captureLog } from '../../testkit/log.ts'

/** Serving the desk's application files. */

const { log, lines } = captureLog()
const { url, app } = await testSite({}, log)

test('each of its addresses answers the document, and an address it does not have is 404', async () => {
  for (const place of spaPaths) {
    const path = `/desk${place}`.replace(/\/$/, '').replace(':id', '00000000-0000-4000-8000-000000000000')
    const answer = await app.inject({ url: path, headers: { accept: 'text/html' } })
    assert.equal(answer.statusCode, 200, path)
    assert.match(answer.body, /<div id="desk">/, path)
  }
  for (const path of ['/desk/nowhere', '/desk/edit', '/desk/edit/pieces', '/desk/assets/main.js', '/desk/assets/']) {
    assert.equal((await app.inject({ url: path, headers: { accept: 'text/html' } })).statusCode, 404, path)
  }
})

test('all that the document names is there, with its type, and may be kept for ever', async () => {
  const { body } = await app.inject({ url: '/desk' })
  const named = [...body.matchAll(/(?:src|href)="(\/desk\/[^"]+)"/g)].map((match) => match[1]!)
  assert.ok(named.length >= 3, named.join(' '))
  for (const path of named) {
    const answer = await app.inject({ url: path })
    assert.equal(answer.statusCode, 200, path)
    assert.match(
      String(answer.headers['content-type']),
      path.endsWith('.js') ? /^text\/javascript/ : /^text\/css/,
      path,
    )
    assert.match(String(answer.headers['cache-control']), /immutable/, path)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', path)
  }
  assert.doesNotMatch(body, /<script(?![^>]* src=)/, 'no script stands in the document itself')
  assert.doesNotMatch(body, /style="|<style/)
})

test('files are found where they were built, and missed where they were not', () => {
  assert.equal(readBuild(new URL('file:///nowhere/')), undefined)
  assert.ok(readBuild()!.assets.size > 10)
})

test('what the policy refused is a line in the log, shortened; what is no report is not', async () => {
  const send = (payload: string, type = 'application/reports+json') =>
    app.inject({
      method: 'POST',
      url: '/desk/csp-reports',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      payload,
    })
  const body = { effectiveDirective: 'script-src-elem', blockedURL: `https://evil.test/${'x'.repeat(5000)}` }
  assert.equal((await send(JSON.stringify([{ type: 'csp-violation', body }, null, 7, {}]))).statusCode, 204)
  const reports = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'policy_violated')
  assert.equal(reports.length, 1)
  assert.equal(reports[0].directive, 'script-src-elem')
  assert.equal(reports[0].blocked.length, 200)
  assert.equal((await send('{}', 'application/json')).statusCode, 415)
  assert.equal((await send('[', 'application/reports+json')).statusCode, 400)
  assert.equal((await send('x'.repeat(20_000))).statusCode, 413)
})

test('the desk calls the tool server by the same name as the guide does', async () => {
  const site = await testApp(url, { SITE_NAME: 'Über Land’s Æther' })
  const { body } = await site.inject({ url: '/desk' })
  assert.match(body, /<meta name="site-slug" content="uber-lands-aether">/)
  const guide = await site.inject({ url: '/developers/tools.md' })
  assert.match(guide.body, /claude mcp add --transport http uber-lands-aether /)
})
