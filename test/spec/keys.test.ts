import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeDraft, makeKey, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import {
  caller,
  countRows,
  exchangeRetrying503,
  type Headers,
  isRefused,
  minimalPiece,
  pieces,
  seen,
  writeApiSite,
} from '../../testkit/write-api.ts'

/** Section 5 and the 401 and 403 of section 7: authentication. */

const { admin, app, ask, writer, key, anotherCaller } = await writeApiSite()
const draft = await makeDraft(admin, writer)
const nobody = caller(ask)

/** Every address of the write API, with a request that would succeed. */
const routes = [
  ['POST', pieces, minimalPiece],
  ['GET', `${pieces}/me`, undefined],
  ['GET', `${pieces}/${draft}`, undefined],
  ['PATCH', `${pieces}/${draft}`, { sub: 'Changed' }],
  ['DELETE', `${pieces}/${draft}`, undefined],
  ['GET', '/api/v1/mcp', undefined],
  [
    'POST',
    '/api/v1/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_draft', arguments: minimalPiece } },
  ],
] as const

async function everywhere(headers: Headers, status: number, reason: string, challenge: RegExp): Promise<void> {
  const before = await countRows(admin, 'app.revisions')
  for (const [method, address, body] of routes) {
    const answer = await nobody.send(method, address, body, { 'if-match': '*', ...headers })
    isRefused(answer, status, reason)
    assert.match(String(answer.headers['www-authenticate']), challenge, `${method} ${address}`)
    assert.deepEqual([answer.headers['cache-control'], answer.headers['vary']], ['no-store', 'Authorization'])
  }
  assert.equal(await countRows(admin, 'app.revisions'), before, 'something was written')
  assert.equal(await countRows(admin, 'app.pieces where id = $1', [draft]), 1)
}
const plain = /^Bearer realm="api"$/
const unauthorised = (authorization: string | undefined, reason: string) =>
  everywhere(authorization === undefined ? {} : { authorization }, 401, reason, plain)
const forbidden = (token: string) =>
  everywhere({ authorization: `Bearer ${token}` }, 403, 'invalid_key', /^Bearer realm="api", error="invalid_token"$/)

describe('5.5 Authorization missing or malformed is 401, with WWW-Authenticate', () => {
  test('no header', () => unauthorised(undefined, 'missing_authorization'))
  for (const header of [
    `Basic ${Buffer.from(`ada:${key}`).toString('base64')}`,
    `Token ${key}`,
    `Digest ${key}`,
    'Bearer',
    'Bearer ',
    'bearer',
    `Bearer${key}`,
    `Bearer:${key}`,
    `XBearer ${key}`,
    key,
    'null',
  ]) {
    const named = header.replaceAll(key, '<key>').replace(/Basic .*/, 'Basic …')
    test(`"${named}"`, () => unauthorised(header, 'malformed_authorization'))
  }
  test('an empty header', async () => {
    for (const [method, address, body] of routes) {
      const answer = await nobody.send(method, address, body, { authorization: '' })
      assert.equal(answer.statusCode, 401)
    }
  })

  test('two headers, in any order and letter case, even where one or both hold a live key', async () => {
    const { port } = await listen(app)
    const good = `Authorization: Bearer ${key}`
    for (const headers of [
      [good, good],
      [good, 'authorization: Bearer nonsense'],
      ['AUTHORIZATION: Basic x', good],
      [good, 'Authorization:'],
    ]) {
      const bytes = `GET ${pieces}/me HTTP/1.1\r\nHost: site.test\r\n${headers.join('\r\n')}\r\n\r\n`
      const { status, body, headers: answered } = await exchangeRetrying503(port, bytes)
      assert.deepEqual([status, JSON.parse(body).reason], [401, 'malformed_authorization'], headers.join())
      assert.match(answered.get('www-authenticate')!, plain)
    }
    assert.equal(
      (await exchangeRetrying503(port, `GET ${pieces}/me HTTP/1.1\r\nHost: a\r\n${good}\r\n\r\n`)).status,
      200,
    )
  })
})

describe('5.5 a key that is not live is 403', () => {
  const other = (length: number) => `pk_live_${'0'.repeat(length)}`
  for (const [what, token] of [
    ['unknown', other(64)],
    ['one digit short', key.slice(0, -1)],
    ['one digit long', `${key}0`],
    ['of 63 digits', other(63)],
    ['of 65 digits', other(65)],
    ['of no digits', 'pk_live_'],
    ['of no shape', 'x'],
    ['in upper case', key.toUpperCase()],
    ['with upper-case digits', `pk_live_${key.slice(8).toUpperCase()}`],
    ['of another site', key.replace('pk_live_', 'sk_live_')],
    ['with its checksum changed', `${key.slice(0, -8)}00000000`],
    ['with another behind it', `${key} ${key}`],
    ['with a comma behind it', `${key},`],
    ['in quotation marks', `"${key}"`],
    ['in other clothes', encodeURIComponent(`${key}\n`)],
    ['beyond ASCII', `${key}\u00e9`],
    ['of 10,000 characters', 'p'.repeat(10_000)],
    ['that is a pattern', '%'],
    ['that is SQL', "' or 1=1 --"],
  ] as const) {
    test(what, () => forbidden(token))
  }

  test('revoked', async () => forbidden((await makeKey(admin, writer, { revoked: true })).key))
  test('expired', async () => forbidden((await makeKey(admin, writer, { expiresAt: new Date(Date.now() - 1) })).key))
  test('expired between two requests', async () => {
    const { key: dated, id } = await makeKey(admin, writer, { expiresAt: new Date(Date.now() + 3_600_000) })
    assert.equal((await caller(ask, dated).list()).statusCode, 200)
    await admin.query('update app.api_keys set expires_at = now() where id = $1', [id])
    await forbidden(dated)
  })
  test('of an account that was disabled', async () => {
    const barred = await makeWriter(admin)
    const { key: theirs } = await makeKey(admin, barred)
    assert.equal((await caller(ask, theirs).list()).statusCode, 200)
    await admin.query('update app.accounts set disabled_at = now() where id = $1', [barred.accountId])
    await forbidden(theirs)
  })
  test('unused for a year', async () => {
    const { key: old, id } = await makeKey(admin, writer)
    await admin.query("update app.api_keys set last_used_at = now() - interval '366 days' where id = $1", [id])
    await forbidden(old)
  })
  test('never used, and made more than a year ago', async () => {
    const { key: old, id } = await makeKey(admin, writer)
    await admin.query("update app.api_keys set created_at = now() - interval '366 days' where id = $1", [id])
    await forbidden(old)
  })
  test('of a writer who was deleted', async () => {
    const gone = await makeWriter(admin, { shown: false })
    const { key: theirs } = await makeKey(admin, gone)
    await admin.query('delete from app.writers where id = $1', [gone.id])
    await forbidden(theirs)
  })
  test('its hash, which is all that is stored', async () => {
    const { hash } = await makeKey(admin, writer)
    await forbidden(hash.toString('hex'))
    await forbidden(`pk_live_${hash.toString('hex')}`)
  })

  test('all answer the same, so that nobody learns which keys there were', async () => {
    const { key: revoked } = await makeKey(admin, writer, { revoked: true })
    const [one, two] = [await caller(ask, revoked).list(), await caller(ask, other(64)).list()]
    assert.deepEqual(seen(one), seen(two))
  })
})

describe('5.5 a live key without the scope pieces:write is 403', () => {
  test('everywhere, with the scope it lacks', async () => {
    const { key: weak } = await makeKey(admin, writer, { scopes: [] })
    const challenge = /^Bearer realm="api", error="insufficient_scope", scope="pieces:write"$/
    await everywhere({ authorization: `Bearer ${weak}` }, 403, 'insufficient_scope', challenge)
  })
})

describe('5.2 a live key gets in', () => {
  for (const [what, header] of [
    ['Bearer', `Bearer ${key}`],
    ['bearer in lower case', `bearer ${key}`],
    ['BEARER in upper case', `BEARER ${key}`],
    ['two spaces between', `Bearer  ${key}`],
    ['a space behind it', `Bearer ${key} `],
  ] as const) {
    test(what, async () => {
      assert.equal((await nobody.send('GET', `${pieces}/me`, undefined, { authorization: header })).statusCode, 200)
      assert.equal((await nobody.send('POST', pieces, minimalPiece, { authorization: header })).statusCode, 201)
    })
  }
  test('until it expires', async () => {
    const { key: dated } = await makeKey(admin, writer, { expiresAt: new Date(Date.now() + 3_600_000) })
    assert.equal((await caller(ask, dated).list()).statusCode, 200)
  })
  test('though unused for 364 days; and its use is noted', async () => {
    const { key: old, id } = await makeKey(admin, writer)
    await admin.query("update app.api_keys set last_used_at = now() - interval '364 days' where id = $1", [id])
    assert.equal((await caller(ask, old).list()).statusCode, 200)
    assert.equal(
      await countRows(admin, "app.api_keys where id = $1 and last_used_at > now() - interval '1 minute'", [id]),
      1,
    )
  })
  test('beside other keys of the same writer, of which one was revoked', async () => {
    await makeKey(admin, writer, { revoked: true })
    assert.equal((await (await anotherCaller(writer)).create(minimalPiece)).statusCode, 201)
  })
})

describe('nothing else is a key', () => {
  for (const [what, address, headers] of [
    [
      'a key in the query',
      `${pieces}/me?key=${key}&api_key=${key}&access_token=${key}&authorization=Bearer%20${key}`,
      {},
    ],
    ['a key in a cookie', `${pieces}/me`, { cookie: `key=${key}; authorization=Bearer ${key}` }],
    [
      'the cookie of a live session',
      `${pieces}/me`,
      { cookie: `__Host-desk=${writer.sessionToken}; desk=${writer.sessionToken}` },
    ],
    [
      'a key in other headers',
      `${pieces}/me`,
      { 'x-api-key': key, 'proxy-authorization': `Bearer ${key}`, 'x-authorization': `Bearer ${key}` },
    ],
  ] as const) {
    test(`${what}: 401`, async () => {
      isRefused(await nobody.send('GET', address, undefined, headers), 401, 'missing_authorization')
    })
  }
  test('the token of a live session: 403', () => forbidden(writer.sessionToken))
  test('a key in the body: 401', async () => {
    isRefused(
      await nobody.create({ ...minimalPiece, key, authorization: `Bearer ${key}` }),
      401,
      'missing_authorization',
    )
  })
  test('a cookie beside a live key changes nothing', async () => {
    const answer = await caller(ask, key).send('GET', `${pieces}/me`, undefined, { cookie: '__Host-desk=nonsense' })
    assert.equal(answer.statusCode, 200)
  })
})

describe('a stranger learns nothing before the key is known', () => {
  for (const [what, method, address, body] of [
    ['of a wrong body', 'POST', pieces, { headline: 5 }],
    ['of a body that is no JSON', 'POST', pieces, '{'],
    ['of a body that is too large', 'POST', pieces, 'x'.repeat(1_400_000)],
    ['of a piece that is not there', 'GET', `${pieces}/nothing`, undefined],
    ['of a missing If-Match', 'PATCH', `${pieces}/${draft}`, {}],
  ] as const) {
    test(`${what}: 401 and 403 come first`, async () => {
      isRefused(await nobody.send(method, address, body), 401, 'missing_authorization')
      isRefused(await caller(ask, 'pk_live_').send(method, address, body), 403, 'invalid_key')
    })
  }
})
