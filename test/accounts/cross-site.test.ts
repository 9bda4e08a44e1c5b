import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { spaPaths } from '../../server/http/desk-api/spa.ts'
import { testSite } from '../../testkit/app.ts'
import { allRows } from '../../testkit/attacks.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { type DeskRoute, readingRoutes, someId, unsafeRoutes } from '../desk-api/routes.ts'

/** Every desk route refuses requests from other sites and requests with an API key, and changes nothing. */

const { admin, app } = await testSite()
const { sessionToken } = await makeWriter(admin)
const cookie = `__Host-desk=${sessionToken}`
const ours = 'https://site.test'

const elsewhere: Record<string, Record<string, string>> = {
  'from another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
  'from another host of the same site': { 'sec-fetch-site': 'same-site', origin: 'https://blog.site.test' },
  'from nowhere, as a bookmark': { 'sec-fetch-site': 'none' },
  'from another site that says it is ours': { 'sec-fetch-site': 'cross-site', origin: ours },
  'with two words about where from': { 'sec-fetch-site': 'same-origin, cross-site' },
  'by an old browser, from another site': { origin: 'https://evil.test' },
  'by an old browser, from a longer name': { origin: `${ours}.evil.test` },
  'by an old browser, without https': { origin: 'http://site.test' },
  'by an old browser, from another port': { origin: `${ours}:8443` },
  'by an old browser, from a sandbox': { origin: 'null' },
  'by something that says nothing': {},
  'by something that gives our page as its referrer': { referer: `${ours}/desk` },
}

let unsafe: DeskRoute[] = []
let reading: DeskRoute[] = []
before(async () => {
  unsafe = (await unsafeRoutes(app)).filter(({ path }) => !isForPrograms(path))
  reading = await readingRoutes(app)
})

/**
 * Mail programs post there by themselves (RFC 8058): test/followers/follow-pages.test.ts. And feed readers, whose callback
 * must confirm what they ask for: test/websub/subscribing.test.ts. And servers of the fediverse, which sign what they send:
 * test/fediverse/inbox.test.ts.
 */
const isForPrograms = (path: string): boolean =>
  path === `/desk/following/stop/${someId}` || path === '/desk/websub' || path.startsWith('/desk/fediverse/')

const places = new Set(spaPaths.map((path) => `/desk${path}`.replace(/\/$/, '')))
const isDocument = (path: string): boolean => places.has(path.replace(/\/$/, '').replace(someId, ':id'))

test('the desk has routes, and the test sees them', () => {
  const seen = unsafe.map(({ method, path }) => `${method} ${path}`)
  for (const one of ['POST /desk/api/sign-in', 'PUT /desk/api/account/password', 'POST /desk/api/passkeys/options']) {
    assert.ok(seen.includes(one), one)
  }
  assert.ok(unsafe.length > 20 && reading.length > 3, `${unsafe.length} and ${reading.length}`)
})

describe('with a live session, what changes something is refused', () => {
  for (const [how, headers] of Object.entries(elsewhere)) {
    test(how, async () => {
      const rows = await allRows(admin)
      for (const { method, path } of unsafe) {
        const answer = await app.inject({ method, url: path, headers: { cookie, ...headers }, payload: {} })
        assert.deepEqual([answer.statusCode, answer.json().reason], [403, 'cross_site'], `${method} ${path}`)
        assert.equal(answer.headers['set-cookie'], undefined)
      }
      assert.deepEqual(await allRows(admin), rows)
    })
  }

  test('as a form, too', async () => {
    const headers = { cookie, 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }
    for (const { method, path } of unsafe) {
      const answer = await app.inject({ method, url: path, headers, payload: 'password=x' })
      assert.equal(answer.statusCode, 403, `${method} ${path}`)
    }
  })
})

test('our own pages are let in, in old browsers too', async () => {
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: ours }]) {
    for (const { method, path } of unsafe) {
      const answer = await app.inject({ method, url: path, headers, payload: {} })
      assert.notEqual(answer.json().reason, 'cross_site', `${method} ${path}`)
    }
  }
})

test('a key is refused by every route, with a session or without', async () => {
  const key = `pk_live_${'0'.repeat(64)}`
  for (const { method, path } of [...unsafe, ...reading]) {
    for (const authorization of [`Bearer ${key}`, 'Basic eDp5', '']) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin', authorization }
      const answer = await app.inject({ method, url: path, headers, ...(method === 'GET' ? {} : { payload: {} }) })
      assert.equal(answer.statusCode, 400, `${method} ${path}`)
      assert.match(answer.json().detail, /does not accept API keys/)
    }
  }
})

test('nothing of the desk is for other origins to read, and nobody keeps it', async () => {
  const more = [
    ...unsafe,
    ...reading,
    { method: 'GET', path: '/desk/api/no-such-thing' },
    { method: 'PUT', path: '/desk/api/sign-in' },
  ]
  const spelled = more.flatMap(({ method, path }) => [
    { method, path },
    { method: 'OPTIONS', path },
  ])
  for (const { method, path } of spelled) {
    const headers = { origin: 'https://evil.test', 'access-control-request-method': 'POST', cookie }
    const answer = await app.inject({ method: method as 'GET', url: path, headers })
    const named = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))
    assert.deepEqual(named, [], `${method} ${path}`)
    assert.equal(answer.headers['cache-control'], 'no-store', `${method} ${path}`)
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin', `${method} ${path}`)
  }
  const encoded = await app.inject({ url: '/%64esk/api/account', headers: { cookie } })
  assert.equal(encoded.headers['access-control-allow-origin'], undefined, 'however its address is spelled')
})

test('who is not signed in reads nothing', async () => {
  // Anyone may report a piece, follow something or load the application, which contains no personal data. Previews are for anyone with
  // a token.
  const isOpen = (path: string) =>
    /^\/desk\/(report|follow|following|forms\.css|assets|preview|service-worker)\b/.test(path) || isDocument(path)
  for (const { path } of reading.filter(({ path }) => !isOpen(path))) {
    const answer = await app.inject({ url: path })
    assert.deepEqual([answer.statusCode, answer.json().reason], [401, 'signed_out'], path)
  }
  for (const path of ['/desk/preview/x', `/desk/preview/${'x'.repeat(43)}/media/${'a'.repeat(64)}`]) {
    assert.equal((await app.inject({ url: path })).statusCode, 404, path)
  }
})

test('the document of the application is the same for everybody, but for its nonce', async () => {
  const documents = reading.filter(({ path }) => isDocument(path))
  assert.ok(documents.length >= spaPaths.length)
  const draw = async (url: string, headers = {}): Promise<string> => {
    const { statusCode, body } = await app.inject({ url, headers })
    // On a loaded machine the site may shed the request with 503: ask again.
    return statusCode === 503 ? draw(url, headers) : body.replaceAll(/nonce="[^"]+"/g, '')
  }
  const [first] = documents
  const document = await draw(first!.path)
  assert.match(document, /<div id="desk">/)
  for (const { path } of documents) {
    assert.equal(await draw(path), document, path)
    assert.equal(await draw(path, { cookie }), document, path)
  }
})
