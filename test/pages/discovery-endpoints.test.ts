import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addresses, disallowed } from '../../server/http/discovery/endpoints.ts'
import { makeKey } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { routesOf } from '../authz-matrix/requests.ts'
import { exampleSite } from '../project/example-site.ts'

/** The list of public addresses is complete: every entry exists, and every public address is listed. */

const { app, admin, ada, pathOf } = exampleSite
const { key } = await makeKey(admin, ada)

describe('every address of the manifest', () => {
  for (const address of addresses.filter(({ method }) => method === undefined)) {
    test(`${address.path} is there`, async () => {
      const headers: Record<string, string> = address.section === 'drafting' ? { authorization: `Bearer ${key}` } : {}
      const answer = await injectRetrying503(app, { url: pathOf(address), headers })
      const expected = address.path === '/p/{id}' ? 301 : 200
      assert.equal(answer.statusCode, expected, answer.body.slice(0, 300))
    })
  }

  /** For anyone who has found a leaked key. */
  const keyless = '/api/v1/leaked-keys'
  for (const address of addresses.filter(({ method, path }) => method !== undefined && path !== keyless)) {
    test(`${address.method} ${address.path} asks for a key`, async () => {
      const answer = await injectRetrying503(app, { method: address.method!, url: pathOf(address) })
      assert.equal(answer.statusCode, 401)
    })
  }

  test('has a title and a sentence', () => {
    for (const { path, title, about } of addresses) {
      assert.ok(title.length > 2, path)
      assert.match(about, /^[A-Z/].*\.$/, path)
    }
  })

  test('is listed once for each method', () => {
    const names = addresses.map(({ method, path }) => `${method ?? 'GET'} ${path}`)
    assert.equal(new Set(names).size, names.length)
  })
})

/** Not listed: assets of pages, redirects, and addresses only the site's own users need. */
const exceptions = [
  '/developers/reference',
  '/favicon.ico',
  '/fonts/{}',
  '/media/{}',
  '/r/{}.gif',
  '/embed/{}',
  '/developers/embeds.js',
  '/developers/embeds.css',
  '/developers/guides.css',
  '/developers/pictures/performance.svg',
  '/developers/pictures/scale-engines.svg',
  '/developers/pictures/scale-limits.svg',
  '/developers/tools.js',
  '/developers/tools.css',
  '/developers/reference/js/scalar.js',
]

/** Parameter names differ between surfaces. */
const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}').replace(/:\w+(\|:\w+)*/g, '{}')

describe('the routes of the server', () => {
  const routes = routesOf(app)
    .filter(({ method }) => method === 'GET')
    .map((route) => shapeOf(route.url))

  test('are seen', () => {
    assert.ok(routes.length > 30)
    assert.ok(routes.includes('/api/public/pieces/{}'))
  })

  test('are all in the manifest, if a stranger may ask them', () => {
    const known = new Set([...addresses.map(({ path }) => shapeOf(path)), ...exceptions])
    const isPrivate = (path: string) => disallowed.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    // Addresses with a trailing slash redirect; content-addressed names are assets of pages.
    const isNoAddress = (path: string) => (path.length > 1 && path.endsWith('/')) || path === '/style.{}.css'
    assert.deepEqual(
      routes.filter((path) => !known.has(path) && !isPrivate(path) && !isNoAddress(path)),
      [],
    )
  })

  test('hold every exception', () => {
    assert.deepEqual(
      exceptions.filter((path) => !routes.includes(path)),
      [],
    )
  })
})
