import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { accountSecrets } from '../../server/features/accounts/context.ts'
import { resealPasskeys } from '../../server/features/accounts/passkeys.ts'
import { proofOf } from '../../server/features/accounts/passwords.ts'
import { hashOf, secretToken } from '../../server/platform/crypto.ts'
import { goodPassword, makeAccount } from '../../testkit/accounts.ts'
import { attempt, noRight, noRow, through } from '../../testkit/attacks.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makeWriter } from '../../testkit/factories.ts'

/**
 * SQL attacks on accounts: with the desk's database role nobody can read a password, session or token, or open a session
 * without a proof, whatever the code does.
 */

const { url, admin } = await testDatabase()
const as = (role: string, sql: string) => attempt(url, role, sql, {})

const mine = await makeWriter(admin)
const victim = await makeAccount(admin)
const passwordless = await makeAccount(admin)
await admin.query('update app.accounts set password_params = null, password_proof = null where id = $1', [
  passwordless.id,
])
const { rows: secrets } = await admin.query('select password_params, password_proof from app.accounts where id = $1', [
  victim.id,
])
const proof: Buffer = secrets[0].password_proof

const credentialId = randomBytes(32)
const seal = accountSecrets('a-secret-that-no-database-has-seen').seal(credentialId)
await admin.query(
  `insert into app.passkeys (account_id, credential_id, public_key, counter, name, seal_hash)
   values ($1, $2, '\\x01', 5, 'Passkey', $3)`,
  [victim.id, credentialId, hashOf(seal)],
)
const letter = secretToken()
await admin.query(
  "insert into app.mail_tokens (token_hash, account_id, kind, expires_at) values ($1, $2, 'reset', now() + interval '1 hour')",
  [letter.hash, victim.id],
)

const spare = secretToken()
await admin.query(
  "insert into app.mail_tokens (token_hash, account_id, kind, expires_at) values ($1, $2, 'verify', now() + interval '1 hour')",
  [spare.hash, victim.id],
)

const bytes = (value: Buffer | null): string =>
  value === null ? 'null::bytea' : `'\\x${value.toString('hex')}'::bytea`
const begun = async (email: string): Promise<string> => {
  await admin.query('delete from app.sign_in_attempts')
  const { rows } = await admin.query("select attempt from app.begin_sign_in($1, 'somewhere', null)", [email])
  return rows[0].attempt
}
const opening = (attemptId: string | null, email: string, given: Buffer | null) =>
  `select from app.open_session(${attemptId === null ? 'null' : `'${attemptId}'`}, '${email}', ${bytes(given)},
     ${bytes(randomBytes(32))}, null, null, null) as account where account is not null`
const openingByPasskey = (credential: Buffer, given: Buffer | null, counter = 6) =>
  `select from app.open_session_by_passkey(${bytes(credential)}, ${bytes(given)}, ${counter},
     ${bytes(randomBytes(32))}, null, null, null) as account where account is not null`

const tables = ['accounts', 'sessions', 'passkeys', 'mail_tokens', 'sign_in_attempts', 'challenges']

describe('no service touches the tables of accounts', () => {
  for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']) {
    for (const table of tables) {
      test(`${role} and app.${table}`, async () => {
        for (const sql of [
          `select from app.${table}`,
          `insert into app.${table} default values`,
          `delete from app.${table}`,
          `truncate app.${table} cascade`,
        ]) {
          assert.equal(await as(role, sql), noRight, sql)
        }
      })
    }
  }

  for (const [column, value] of Object.entries({
    role: "'operator'",
    password_proof: "'\\x00'",
    password_params: 'null',
    email_verified_at: 'now()',
    disabled_at: 'null',
    email: "'mine@site.test'",
  })) {
    test(`the desk neither reads nor writes ${column} of an account`, async () => {
      assert.equal(await as('svc_desk', `select ${column} from app.accounts`), noRight)
      assert.equal(await as('svc_desk', `update app.accounts set ${column} = ${value}`), noRight)
    })
  }

  test('whoever publishes reads who is barred and who moderates, and nothing else of an account', async () => {
    assert.equal(await as('svc_publisher', 'select id, role, disabled_at from app.accounts'), through)
    for (const column of ['email', 'name', 'password_params', 'password_proof', 'email_verified_at']) {
      assert.equal(await as('svc_publisher', `select ${column} from app.accounts`), noRight, column)
    }
  })

  test('the desk cannot lengthen, revive or take over a session', async () => {
    for (const change of [
      "expires_at = 'infinity'",
      'revoked_at = null',
      `account_id = '${victim.id}'`,
      'authenticated_at = now()',
    ]) {
      assert.equal(await as('svc_desk', `update app.sessions set ${change}`), noRight)
    }
  })
})

describe('the steps inside the acts are nobody’s to call', () => {
  const steps: Record<string, string> = {
    'start a session': `app.start_session('${victim.id}', ${bytes(randomBytes(32))}, null, null, null)`,
    'end sessions': `app.end_sessions('${victim.id}', null)`,
    'judge a proof': `app.account_proven(null, '${victim.email}', ${bytes(proof)})`,
    'judge a seal': `app.account_sealed(${bytes(credentialId)}, ${bytes(seal)}, 9, null)`,
    'keep a passkey': `app.keep_passkey('${victim.id}', '\\x02', '\\x03', 0, '{}', 'x', ${bytes(randomBytes(32))})`,
    'keep a password': `app.keep_password('${victim.id}', 'x', ${bytes(proof)})`,
    'welcome a writer': `app.welcome('${victim.id}', 'Name', 'slug', 'text')`,
    'look at a token': `app.live_token(${bytes(letter.hash)}, 'reset')`,
    'use up a token': `app.take_token(${bytes(letter.hash)}, 'reset')`,
    'hold up an account': `app.lock_account_of(${bytes(hashOf(mine.sessionToken))})`,
    'look at a session': `app.session_of(${bytes(randomBytes(32))})`,
    'sign in': `app.signed_in(${bytes(randomBytes(32))})`,
    'sign in freshly': `app.freshly_signed_in(${bytes(randomBytes(32))})`,
    'ask whom a challenge is for': "app.challenge_holder('sign_in', null)",
  }
  for (const [step, call] of Object.entries(steps)) {
    test(step, async () => {
      for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']) {
        assert.equal(await as(role, `select ${call}`), noRight, role)
      }
    })
  }

  test('the desk makes no letters, and the worker opens no sessions', async () => {
    const hash = bytes(randomBytes(32))
    assert.equal(await as('svc_desk', `select app.letter_token('${victim.email}', 'reset', ${hash})`), noRight)
    assert.equal(await as('svc_desk', `select app.letter_failed(${hash})`), noRight)
    assert.equal(await as('svc_desk', "select app.sweep_accounts('sessions')"), noRight)
    for (const role of ['svc_worker', 'svc_api', 'svc_public']) {
      assert.equal(await as(role, opening(await begun(victim.email), victim.email, proof)), noRight, role)
      assert.equal(await as(role, openingByPasskey(credentialId, seal)), noRight, role)
      assert.equal(await as(role, `select * from app.begin_sign_in('${victim.email}', 'x', null)`), noRight, role)
      assert.equal(
        await as(role, `select app.reset_password(${bytes(letter.hash)}, 'x', ${bytes(proof)}, '{}')`),
        noRight,
        role,
      )
    }
  })
})

describe('no session is opened', () => {
  const no = async (sql: string) => assert.equal(await as('svc_desk', sql), noRow, sql)

  test('without a proof, or with another', async () => {
    await no(opening(await begun(victim.email), victim.email, null))
    await no(opening(await begun(victim.email), victim.email, randomBytes(32)))
    await no(opening(await begun(victim.email), victim.email, Buffer.alloc(0)))
    await no(opening(await begun(victim.email), victim.email, hashOf(proof)))
  })

  test('for an account that has no password', async () => {
    await no(opening(await begun(passwordless.email), passwordless.email, null))
    await no(opening(await begun(passwordless.email), passwordless.email, hashOf('')))
  })

  test('with the right proof but a try that was not counted, was used, was another’s or is old', async () => {
    await no(opening(null, victim.email, proof))
    await no(opening('00000000-0000-4000-8000-000000000000', victim.email, proof))
    const used = await begun(victim.email)
    await no(opening(used, victim.email, randomBytes(32)))
    await no(opening(used, victim.email, proof))
    await no(opening(await begun(passwordless.email), victim.email, proof))
    const old = await begun(victim.email)
    await admin.query("update app.sign_in_attempts set at = now() - interval '61 seconds'")
    await no(opening(old, victim.email, proof))
  })

  test('with a passkey but no seal of the server, nor with a counter that stands still', async () => {
    await no(openingByPasskey(credentialId, null))
    await no(openingByPasskey(credentialId, randomBytes(32)))
    await no(openingByPasskey(credentialId, hashOf(seal)))
    await no(openingByPasskey(randomBytes(32), seal))
    await no(openingByPasskey(credentialId, seal, 5))
    await no(openingByPasskey(credentialId, seal, 0))
  })

  test('by showing one’s own session for another’s account', async () => {
    const mySession = bytes(hashOf(mine.sessionToken))
    await no(`select from app.renew_session(${mySession}, '${await begun(victim.email)}', ${bytes(proof)},
      ${bytes(randomBytes(32))}) as account where account is not null`)
    await no(`select from app.renew_session_by_passkey(${mySession}, ${bytes(credentialId)}, ${bytes(seal)}, 6,
      ${bytes(randomBytes(32))}, null) as account where account is not null`)
  })

  test('for an address that was not confirmed, or an account that is disabled', async () => {
    for (const change of ['email_verified_at = null', 'email_verified_at = now(), disabled_at = now()']) {
      await admin.query(`update app.accounts set ${change} where id = $1`, [victim.id])
      await no(opening(await begun(victim.email), victim.email, proof))
      await no(openingByPasskey(credentialId, seal))
    }
    await admin.query('update app.accounts set email_verified_at = now(), disabled_at = null where id = $1', [
      victim.id,
    ])
  })

  test('and none was', async () => {
    const { rows } = await admin.query('select from app.sessions where account_id = $1', [victim.id])
    assert.equal(rows.length, 0)
  })
})

describe('nothing is done', () => {
  const refused: Record<string, [string, string]> = {
    'with the id of a session in place of its token': [
      'SF401',
      `select * from app.sessions_of(convert_to('${mine.sessionId}', 'UTF8'))`,
    ],
    'with no session': ['SF401', 'select * from app.passkeys_of(null)'],
    'to the password of a stale session': [
      'SF428',
      `select app.set_password(${bytes(hashOf(mine.sessionToken))}, 'x', ${bytes(randomBytes(32))})`,
    ],
    'to the passkeys of a stale session': [
      'SF428',
      `select app.delete_passkey(${bytes(hashOf(mine.sessionToken))}, '${mine.id}')`,
    ],
    'with a link that never was': [
      'SF410',
      `select app.reset_password(${bytes(randomBytes(32))}, 'x', ${bytes(randomBytes(32))}, '{}')`,
    ],
    'with a link that is for something else': [
      'SF410',
      `select app.verify_email(${bytes(letter.hash)}, 'x', ${bytes(randomBytes(32))}, 'X', 'x', 'x')`,
    ],
    'to an address that is confirmed, with a link to confirm it': [
      'SF410',
      `select app.verify_email(${bytes(spare.hash)}, 'x', ${bytes(randomBytes(32))}, 'X', 'x', 'x')`,
    ],
  }
  for (const [how, [outcome, sql]] of Object.entries(refused)) {
    test(how, async () => {
      await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
        mine.sessionId,
      ])
      assert.equal(await as('svc_desk', sql), outcome)
    })
  }
})

describe('what was refused goes through', () => {
  test('with the password’s own proof, once', async () => {
    const params = secrets[0].password_params
    const derived = await proofOf(goodPassword, params)
    const counted = await begun(victim.email)
    assert.equal(await as('svc_desk', opening(counted, victim.email, derived)), through)
    assert.equal(await as('svc_desk', opening(counted, victim.email, derived)), noRow)
  })

  test('with the server’s seal and a counter that moved on, once', async () => {
    assert.equal(await as('svc_desk', openingByPasskey(credentialId, seal, 6)), through)
    assert.equal(await as('svc_desk', openingByPasskey(credentialId, seal, 6)), noRow)
  })

  test('with the seal of a new secret, once the owner has sealed the passkeys anew', async () => {
    const changed = accountSecrets('a-new-secret-after-the-old-one-was-lost')
    assert.equal(await as('svc_desk', openingByPasskey(credentialId, changed.seal(credentialId), 7)), noRow)
    const owner = await admin.connect()
    try {
      assert.equal(await resealPasskeys(owner, changed), 1)
    } finally {
      owner.release()
    }
    assert.equal(await as('svc_desk', openingByPasskey(credentialId, seal, 7)), noRow)
    assert.equal(await as('svc_desk', openingByPasskey(credentialId, changed.seal(credentialId), 7)), through)
  })

  for (const [wall, sql] of [
    ['grant select on app.accounts to svc_desk', 'select password_proof from app.accounts'],
    [
      'grant execute on function app.start_session to svc_desk',
      `select app.start_session('${victim.id}', ${bytes(randomBytes(32))}, null, null, null)`,
    ],
  ] as const) {
    test(`with its wall down, which shows that the list can fail: ${wall}`, async () => {
      assert.equal(await as('svc_desk', sql), noRight)
      await admin.query(wall)
      // A step runs with its caller's rights, so the second layer of defence still applies.
      assert.equal(await as('svc_desk', sql), wall.includes('function') ? noRight : through)
    })
  }
})
