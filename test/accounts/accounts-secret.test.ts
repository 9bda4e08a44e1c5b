import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { accountSecrets } from '../../server/features/accounts/context.ts'
import { hashOf } from '../../server/platform/secret.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makeAccount } from '../../testkit/desk-browser.ts'
import { standfirst } from '../../testkit/program.ts'

/** AUTH_SECRET, as an operator meets it. */

const { url, admin } = await testDatabase()
const secret = 'one-that-only-this-site-has-0123456789'

const operator = (env: Record<string, string>, ...args: string[]) => standfirst({ DATABASE_URL: url, ...env }, ...args)

test('behind https nothing that could open the desk starts without one, and doctor says so in a sentence', async () => {
  const https = { BASE_URL: 'https://site.test' }
  for (const command of [['serve'], ['passkeys', 'reseal'], ['doctor']]) {
    const { code, said } = await operator(https, ...command)
    assert.equal(code, 1, command.join(' '))
    assert.match(said, /AUTH_SECRET is required in production and wherever BASE_URL is https\. Make one: openssl rand/)
  }
  const well = await operator({ ...https, AUTH_SECRET: secret, SECRETS_KEY: secret }, 'doctor')
  assert.equal(well.code, 0, well.said)
  assert.match(well.said, /✓ AUTH_SECRET is your own/)
  assert.match(well.said, /✓ SECRETS_KEY is your own/)
  assert.ok(!well.said.includes(secret))
})

test('doctor calls no secret your own that can be guessed', async () => {
  const weak = { AUTH_SECRET: 'a'.repeat(40), SECRETS_KEY: 'secret'.repeat(8), RECEIPT_KEY: '0123456789'.repeat(4) }
  const { said } = await operator({ BASE_URL: 'https://site.test', ...weak }, 'doctor')
  for (const name of Object.keys(weak)) assert.match(said, new RegExp(`! ${name} can be guessed`))
  assert.doesNotMatch(said, /is your own/)
})

test('on one’s own machine doctor says that everybody knows the one in use', async () => {
  const { code, said } = await operator({ BASE_URL: 'http://localhost:8080' }, 'doctor')
  assert.equal(code, 0, said)
  assert.match(said, /! AUTH_SECRET is not set.*openssl rand/)
})

test('after a new one, passkeys are sealed anew by one command, each for itself', async () => {
  const { id } = await makeAccount(admin)
  const credentials = [randomBytes(32), randomBytes(32)]
  for (const credential of credentials) {
    await admin.query(
      `insert into app.passkeys (account_id, credential_id, public_key, counter, name, seal_hash)
       values ($1, $2, '\\x01', 0, 'Passkey', $3)`,
      [id, credential, randomBytes(32)],
    )
  }
  const { code, said } = await operator({ AUTH_SECRET: secret }, 'passkeys', 'reseal')
  assert.equal(code, 0, said)
  assert.match(said, /^2 passkeys answer to this AUTH_SECRET/)
  for (const credential of credentials) {
    const { rows } = await admin.query('select seal_hash from app.passkeys where credential_id = $1', [credential])
    assert.deepEqual(rows, [{ seal_hash: hashOf(accountSecrets(secret).seal(credential)) }])
  }
})
