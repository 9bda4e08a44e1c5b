import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../testkit/database.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { standfirst } from '../../testkit/program.ts'
import { rowsOf } from '../../testkit/write-api.ts'

/** `standfirst key`, where an operator errs. */

const { url, admin } = await testDatabase()
const writer = await makeWriter(admin, { slug: 'ada' })
const key = (...args: string[]) => standfirst({ DATABASE_URL: url }, 'key', ...args)
const live = (id: string) => rowsOf(admin, 'app.api_keys where id = $1 and revoked_at is null', [id])

test('of two keys that begin alike neither is revoked by that beginning, and each is by its id or whole', async () => {
  const [one, two] = [await makeKey(admin, writer), await makeKey(admin, writer)]
  await admin.query("update app.api_keys set head = 'pk_live_beef' where id = any($1)", [[one.id, two.id]])
  const { code, error } = await key('revoke', 'pk_live_beef')
  assert.equal(code, 1)
  assert.match(error, /2 live keys begin like that.+key list/)
  assert.deepEqual([await live(one.id), await live(two.id)], [1, 1])

  assert.equal((await key('revoke', one.id)).code, 0)
  assert.deepEqual([await live(one.id), await live(two.id)], [0, 1])
  assert.equal((await key('revoke', 'pk_live_beef')).code, 0, 'one is left that begins like that')
  assert.equal(await live(two.id), 0)

  const three = await makeKey(admin, writer)
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
  assert.match(error, /No scope is called "pieces:publish"\. There are drafts:read, drafts:edit, drafts:delete\./)
})

test('a key lives 1 to 36,500 days, and any other number is a sentence', async () => {
  const before = await rowsOf(admin, 'app.api_keys')
  for (const days of ['0', '36501', '999999999']) {
    const { code, out, error } = await key('mint', 'ada', '--name', 'x', '--days', days)
    assert.deepEqual([code, out], [1, ''], days)
    assert.match(error, /^A key lives 1 to 36500 days\. Say --no-end/)
  }
  assert.equal(await rowsOf(admin, 'app.api_keys'), before)
  for (const days of ['1', '36500']) assert.equal((await key('mint', 'ada', '--name', 'x', '--days', days)).code, 0)
})
