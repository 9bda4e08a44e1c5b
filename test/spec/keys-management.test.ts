import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { countRows } from '../../testkit/write-api.ts'

/** Section 5.4: a writer's keys, minted, listed and revoked at the desk. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin)
const desk = deskOf(app, writer)

const mint = (given: object) => desk.ask('POST', 'keys', { name: 'A key', ...given })
const inYears = (years: number) => new Date(Date.now() + years * 365 * 86_400_000).toISOString()

async function revokeAll(): Promise<void> {
  await admin.query('update app.api_keys set revoked_at = now() where writer_id = $1', [writer.id])
}

test('a key minted at the desk drafts at once, and not once it is revoked there', async () => {
  const minted = await mint({ expires_at: null })
  assert.equal(minted.statusCode, 201, minted.body)
  const { id, key } = minted.json()
  const mine = () => app.inject({ url: '/api/v1/pieces/me', headers: { authorization: `Bearer ${key}` } })
  assert.equal((await mine()).statusCode, 200)
  assert.equal((await desk.ask('DELETE', `keys/${id}`)).statusCode, 204)
  assert.equal((await mine()).statusCode, 403)
  const { keys } = (await desk.ask('GET', 'keys')).json()
  assert.ok(keys.find((one: { id: string }) => one.id === id).revoked_at)
})

describe('expires_at', () => {
  test('is a year from now where it is left out, and never only where that is said', async () => {
    const endOf = async (given: object) => {
      const { id } = (await mint(given)).json()
      const { keys } = (await desk.ask('GET', 'keys')).json()
      return keys.find((one: { id: string }) => one.id === id).expires_at
    }
    const days = (new Date(await endOf({})).getTime() - Date.now()) / 86_400_000
    assert.ok(days > 364.9 && days <= 365, String(days))
    assert.equal(await endOf({ expires_at: null }), null)
    await revokeAll()
  })

  for (const good of [inYears(1), inYears(99), inYears(1).replace('Z', '+15:00'), '2099-12-31T23:59:59+00:00']) {
    test(`may be ${good.slice(0, 4)}…${good.slice(-6)}`, async () => {
      const answer = await mint({ expires_at: good })
      assert.equal(answer.statusCode, 201, answer.body)
      const { keys } = (await desk.ask('GET', 'keys')).json()
      const { expires_at } = keys.find((one: { id: string }) => one.id === answer.json().id)
      assert.equal(new Date(expires_at).getTime(), new Date(good).getTime())
      await revokeAll()
    })
  }

  for (const bad of [
    '2001-01-01T00:00:00Z',
    new Date().toISOString(),
    inYears(101),
    '9999-12-31T23:59:59Z',
    '9999-12-31T23:59:59-23:59',
    '2030-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '2030-02-30T00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-01-01T00:00:00+24:00',
    '2030-01-01',
    'tomorrow',
    'infinity',
    'now()',
    '',
    '\u0000',
    '2030-01-01T00:00:00Z\u0000',
    1_900_000_000,
    {},
  ]) {
    test(`may not be ${JSON.stringify(bad)}, and what it may be is said`, async () => {
      const answer = await mint({ expires_at: bad })
      assert.equal(answer.statusCode, 400, answer.body)
      const [problem] = answer.json().errors
      assert.equal(problem.pointer, '/expires_at')
      assert.ok(problem.detail.length > 0)
    })
  }

  test('far away in another zone is a time like any other, or a sentence, and never an error of ours', async () => {
    for (const hour of ['+23:59', '-23:59', '+15:59', '+16:00', '-16:00']) {
      const answer = await mint({ expires_at: `2040-06-01T12:00:00${hour}` })
      assert.equal(answer.statusCode, 201, `${hour}: ${answer.body}`)
    }
    await revokeAll()
  })
})

test('scopes are those that were chosen, beside pieces:write, and no other is taken', async () => {
  const scopesOf = async (given: object) => {
    const { id } = (await mint(given)).json()
    const { keys } = (await desk.ask('GET', 'keys')).json()
    return keys.find((one: { id: string }) => one.id === id).scopes
  }
  assert.deepEqual(await scopesOf({}), ['pieces:write'])
  assert.deepEqual(await scopesOf({ scopes: ['drafts:delete', 'drafts:read', 'drafts:read'] }), [
    ...['pieces:write', 'drafts:read', 'drafts:delete'],
  ])
  for (const scopes of [['pieces:publish'], ['*'], [''], 'drafts:edit', [null], Array(9).fill('drafts:edit')]) {
    assert.equal((await mint({ scopes })).statusCode, 400, JSON.stringify(scopes))
  }
  await revokeAll()
})

test('a name that no text can hold is refused', async () => {
  for (const name of ['\u0000', 'a\u0000', '\ud800', '', ' ', '\u200b', 'x'.repeat(81), 5, null]) {
    assert.equal((await mint({ name })).statusCode, 400, JSON.stringify(name))
  }
})

test('a writer has 20 keys at most, and those that are dead do not count', async () => {
  await revokeAll()
  for (let count = 0; count < 25; count += 1) {
    await makeKey(admin, writer, { expiresAt: new Date(Date.now() - 1000) })
    const { id } = await makeKey(admin, writer)
    await admin.query("update app.api_keys set created_at = now() - interval '366 days' where id = $1", [id])
  }
  for (let count = 0; count < 19; count += 1) await makeKey(admin, writer)
  assert.equal((await mint({})).statusCode, 201, 'the twentieth')
  const refused = await mint({})
  assert.deepEqual([refused.statusCode, refused.json().reason], [409, 'limit_reached'])
  assert.match(refused.json().detail, /Revoke one/)
  await revokeAll()
})

test('of several at once no more than the twentieth is minted', async () => {
  await revokeAll()
  for (let count = 0; count < 18; count += 1) await makeKey(admin, writer)
  const answers = await Promise.all(Array.from({ length: 6 }, () => mint({})))
  assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 2)
  await revokeAll()
})

test("another's key is not there, and whoever writes nothing has none", async () => {
  const theirs = await makeKey(admin, await makeWriter(admin))
  for (const id of [theirs.id, '00000000-0000-4000-8000-000000000000', 'x', '%00']) {
    const answer = await desk.ask('DELETE', `keys/${id}`)
    assert.deepEqual([answer.statusCode, answer.json().reason], [404, 'not_found'])
    assert.match(answer.json().detail, /Reload the page to see your keys/)
  }
  const moderator = await makeModerator(admin)
  await admin.query('update app.writers set account_id = null where id = $1', [moderator.id])
  for (const [method, body] of [
    ['GET', undefined],
    ['POST', { name: 'Mine' }],
  ] as const) {
    assert.equal((await deskOf(app, moderator).ask(method, 'keys', body)).statusCode, 403, method)
  }
})

test('minting needs a sign-in of the last ten minutes', async () => {
  await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
    writer.sessionId,
  ])
  const answer = await mint({})
  assert.deepEqual([answer.statusCode, answer.json().reason], [403, 'fresh_sign_in_required'])
})

/** `standfirst key`, and its answers to an operator's mistakes. */

const ada = await makeWriter(admin, { slug: 'ada' })
const key = (...args: string[]) => standfirst({ DATABASE_URL: url }, 'key', ...args)
const live = (id: string) => countRows(admin, 'app.api_keys where id = $1 and revoked_at is null', [id])

test('of two keys that begin alike neither is revoked by that beginning, and each is by its id or whole', async () => {
  const [one, two] = [await makeKey(admin, ada), await makeKey(admin, ada)]
  await admin.query("update app.api_keys set head = 'pk_live_beef' where id = any($1)", [[one.id, two.id]])
  const { code, error } = await key('revoke', 'pk_live_beef')
  assert.equal(code, 1)
  assert.match(error, /2 active keys match.+key list/)
  assert.deepEqual([await live(one.id), await live(two.id)], [1, 1])

  assert.equal((await key('revoke', one.id)).code, 0)
  assert.deepEqual([await live(one.id), await live(two.id)], [0, 1])
  assert.equal((await key('revoke', 'pk_live_beef')).code, 0, 'one is left that begins like that')
  assert.equal(await live(two.id), 0)

  const three = await makeKey(admin, ada)
  assert.equal((await key('revoke', three.key)).code, 0)
  assert.equal(await live(three.id), 0)
})

test('a key lives a year and reaches its own drafts, unless the operator says otherwise', async () => {
  const minted = async (...options: string[]) => {
    const { code, out, error } = await key('mint', 'ada', '--name', 'x', ...options)
    assert.equal(code, 0, error)
    const { rows } = await admin.query(
      `select scopes, round(extract(epoch from expires_at - created_at) / 86400)::integer as days
         from app.api_keys where key_hash = sha256(convert_to($1, 'UTF8'))`,
      [out.trim()],
    )
    return rows[0]
  }
  assert.deepEqual(await minted(), { scopes: ['pieces:write'], days: 365 })
  assert.deepEqual(await minted('--no-end', '--scope', 'drafts:delete', 'drafts:edit'), {
    scopes: ['pieces:write', 'drafts:edit', 'drafts:delete'],
    days: null,
  })
  const { code, error } = await key('mint', 'ada', '--name', 'x', '--scope', 'pieces:publish')
  assert.equal(code, 1)
  assert.match(error, /There is no scope “pieces:publish”\. Choose from drafts:read, drafts:edit or drafts:delete\./)
})

test('a key lives 1 to 36,500 days, and any other number is a sentence', async () => {
  const before = await countRows(admin, 'app.api_keys')
  for (const days of ['0', '36501', '999999999']) {
    const { code, out, error } = await key('mint', 'ada', '--name', 'x', '--days', days)
    assert.deepEqual([code, out], [1, ''], days)
    assert.match(error, /^A key can be valid for 1 to 36,500 days\. .*--no-end/)
  }
  assert.equal(await countRows(admin, 'app.api_keys'), before)
  for (const days of ['1', '36500']) assert.equal((await key('mint', 'ada', '--name', 'x', '--days', days)).code, 0)
})
