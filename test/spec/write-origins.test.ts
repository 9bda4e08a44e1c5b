import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeDraft } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { caller, minimalPiece, pieces, writeApiSite } from '../../testkit/write-api.ts'

/** The write API allows neither other origins nor caches, whatever it answers. */

const { admin, app, key, writer } = await writeApiSite()
const draft = await makeDraft(admin, writer)
const agents = '/api/v1/mcp'
/** Bypasses the OpenAPI check, which knows only one spelling of an address. */
const ask: Parameters<typeof caller>[0] = (request) => injectRetrying503(app, request)
const [known, stranger, dead] = [caller(ask, key), caller(ask), caller(ask, 'pk_live_')]

function isClosed({ headers }: { headers: Readonly<Record<string, unknown>> }): void {
  const open = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
  assert.deepEqual(open, [])
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none'/)
}
const origin = { origin: 'https://elsewhere.test' }

describe('no answer opens the write API to other origins, nor to caches', () => {
  for (const [what, who] of [
    ['a live key', known],
    ['no key', stranger],
    ['a dead key', dead],
  ] as const) {
    test(`with ${what}`, async () => {
      for (const answer of [
        await who.create(minimalPiece, origin),
        await who.create('{', origin),
        await who.create('x'.repeat(1_400_000), origin),
        await who.create(minimalPiece, { ...origin, 'content-type': 'text/plain' }),
        await who.send('GET', `${pieces}/me`, undefined, origin),
        await who.send('GET', `${pieces}/me?limit=0`, undefined, origin),
        await who.send('HEAD', `${pieces}/me`, undefined, origin),
        await who.send('GET', `${pieces}/${draft}`, undefined, origin),
        await who.send('GET', `${pieces}/nothing`, undefined, origin),
        await who.send('PATCH', `${pieces}/${draft}`, {}, origin),
        await who.send('DELETE', `${pieces}/${draft}`, undefined, origin),
        await who.send('POST', agents, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, origin),
        await who.send('POST', agents, '{', origin),
        await who.send('POST', agents, 'x'.repeat(1_400_000), origin),
        await who.send('POST', agents, '{}', { ...origin, 'content-type': 'text/plain' }),
        await who.send('POST', agents, '{}', { origin: 'no origin' }),
      ]) {
        isClosed(answer)
        assert.equal(answer.headers['vary'], 'Authorization')
      }
    })
  }

  for (const address of [pieces, `${pieces}/me`, `${pieces}/${draft}`, agents]) {
    test(`the preflight of ${address.replace(draft, '{id}')} allows nothing`, async () => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const answer = await stranger.send('OPTIONS', address, undefined, {
          ...origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, content-type',
        })
        isClosed(answer)
        assert.equal(answer.statusCode, 204)
        assert.match(String(answer.headers['allow']), /OPTIONS/)
      }
    })
  }

  for (const address of [
    `${pieces}/me/more`,
    '/api/v1',
    '/api/v1/',
    '/api/v1/nowhere',
    `${pieces}?x`,
    `${pieces}/%C3%A9`,
  ]) {
    test(`nor does ${address}, where there is nothing`, async () => {
      for (const method of ['GET', 'PUT', 'OPTIONS'] as const)
        isClosed(await known.send(method, address, undefined, origin))
    })
  }

  for (const address of ['/%61pi/v1/pieces/me', '/api/%76%31/pieces/me', `/api/v1/%70ieces/${draft}`]) {
    test(`nor does ${address.replace(draft, '{id}')}, another spelling of an address`, async () => {
      const answer = await known.send('GET', address, undefined, origin)
      assert.equal(answer.statusCode, 200)
      isClosed(answer)
      isClosed(await stranger.send('GET', address, undefined, origin))
    })
  }

  test('nor does another spelling, by its preflight or a method it does not take', async () => {
    for (const method of ['OPTIONS', 'PUT'] as const) {
      isClosed(await stranger.send(method, '/%61pi/v1/pieces/me', undefined, origin))
    }
  })

  test('nor does an address that cannot be decoded', async () => {
    isClosed(await known.send('GET', `${pieces}/%ff`, undefined, origin))
  })
})

test('public reads stay open to every origin', async () => {
  const answer = await stranger.send('GET', '/api/public/pieces/recent', undefined, origin)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
})
