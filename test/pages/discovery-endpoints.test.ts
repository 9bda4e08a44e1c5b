import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addresses, closed } from '../../server/http/discovery/endpoints.ts'
import { makeKey } from '../../testkit/factories.ts'
import { unhurried } from '../../testkit/openapi-check.ts'
import { routesOf } from '../authz-matrix/routes.ts'
import { exampleSite } from '../project/example-site.ts'

/** One list of all public addresses: what it names is there, and what is there it names. */

const { app, admin, ada, pathOf } = exampleSite
const { key } = await makeKey(admin, ada)

describe('every address of the manifest', () => {
  for (const address of addresses.filter(({ method }) => method === undefined)) {
    test(`${address.path} is there`, async () => {
      const headers: Record<string, string> = address.section === 'drafting' ? { authorization: `Bearer ${key}` } : {}
      const answer = await unhurried(app, { url: pathOf(address), headers })
      const expected = address.path === '/p/{id}' ? 301 : 200
      assert.equal(answer.statusCode, expected, answer.body.slice(0, 300))
    })
  }

  /** For who has found a key of another. */
  const keyless = '/api/v1/leaked-keys'
  for (const address of addresses.filter(({ method, path }) => method !== undefined && path !== keyless)) {
    test(`${address.method} ${address.path} asks for a key`, async () => {
      const answer = await unhurried(app, { method: address.method!, url: pathOf(address) })
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

/** What is no address to ask for: parts of pages, a way to another, and what only the site's own people use. */
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

/** Names of parameters are each door's own. */
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
    const isPrivate = (path: string) => closed.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    // An address with a slash at its end leads to the one without; a name made of bytes is part of a page.
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
