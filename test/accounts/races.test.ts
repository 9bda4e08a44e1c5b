import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { hashOf, secretToken } from '../../server/platform/crypto.ts'
import { anyEmail, goodPassword, makeAccount, openDesk, signIn } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { until } from '../../testkit/waiting.ts'

/** Concurrent operations: whichever comes first, no ended session acts and no old password signs in. */

const { url, admin, app } = await testSite()

const bytes = (value: Buffer): string => `'\\x${value.toString('hex')}'::bytea`

/** A connection with an open transaction. */
async function begin(role: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  after(() => client.end())
  await client.query(`begin; set local role ${role}`)
  return client
}

/** Waits until this connection waits for a lock or has finished. */
async function untilBlocked(client: pg.Client, isOver: () => boolean = () => false): Promise<void> {
  const { processID } = client as pg.Client & { readonly processID: number }
  const waits = "select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'"
  await until(async () => isOver() || (await admin.query(waits, [processID])).rowCount, 'it waits for a lock')
}

/** The rows, or the SQLSTATE that refused; committed or rolled back. */
const outcome = (client: pg.Client, sql: string): Promise<unknown> =>
  client.query(sql).then(
    async ({ rows }) => {
      await client.query('commit')
      return rows[0]
    },
    async (error: pg.DatabaseError) => {
      await client.query('rollback')
      return error.code
    },
  )

/** Runs both as the desk's role: `first` blocks `second` until it commits. */
async function oneAfterTheOther(first: string, second: string): Promise<unknown> {
  const [one, two] = [await begin('svc_desk'), await begin('svc_desk')]
  await one.query(first)
  let isDone = false
  const waiting = outcome(two, second).then((answer) => {
    isDone = true
    return answer
  })
  await untilBlocked(two, () => isDone)
  assert.equal(isDone, false, 'the second waits')
  await one.query('commit')
  return waiting
}

async function mailTokenFor(account: string): Promise<Buffer> {
  const { hash } = secretToken()
  await admin.query(
    "insert into app.mail_tokens (token_hash, account_id, kind, expires_at) values ($1, $2, 'reset', now() + interval '1 hour')",
    [hash, account],
  )
  return hash
}

async function sessionOf(account: string): Promise<{ id: string; hash: Buffer }> {
  const { hash } = secretToken()
  const { rows } = await admin.query<{ id: string }>(
    "insert into app.sessions (account_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day') returning id",
    [account, hash],
  )
  return { id: rows[0]!.id, hash }
}

async function proofOf(account: string): Promise<Buffer> {
  const { rows } = await admin.query('select password_proof from app.accounts where id = $1', [account])
  return rows[0].password_proof
}

async function begun(email: string): Promise<string> {
  const { rows } = await admin.query("select attempt from app.begin_sign_in($1, 'somewhere', null)", [email])
  return rows[0].attempt
}

const resetting = (letter: Buffer) =>
  `select app.reset_password(${bytes(letter)}, 'params', ${bytes(randomBytes(32))}, '{}') as account`

describe('a password changed at the same moment as the old one signs in', () => {
  async function race() {
    const { id, email } = await makeAccount(admin)
    return {
      id,
      opening: `select app.open_session('${await begun(email)}', '${email}', ${bytes(await proofOf(id))},
        ${bytes(randomBytes(32))}, null, null, null) as account`,
      reset: resetting(await mailTokenFor(id)),
    }
  }
  const liveSessions = async (id: string) =>
    (await admin.query('select from app.sessions where account_id = $1 and revoked_at is null', [id])).rows.length

  test('ends the session that was opened', async () => {
    const { id, opening, reset } = await race()
    assert.deepEqual(await oneAfterTheOther(opening, reset), { account: id })
    assert.equal(await liveSessions(id), 0)
  })

  test('lets none be opened', async () => {
    const { id, opening, reset } = await race()
    assert.deepEqual(await oneAfterTheOther(reset, opening), { account: null })
    assert.equal(await liveSessions(id), 0)
  })

  test('does not wait for it while it is waited for', async () => {
    const { id, opening, reset } = await race()
    const [holding, one, two] = [await begin('svc_owner'), await begin('svc_desk'), await begin('svc_desk')]
    await holding.query('select from app.accounts where id = $1 for no key update', [id])
    const first = outcome(one, reset)
    await untilBlocked(one)
    const second = outcome(two, opening)
    await untilBlocked(two)
    await holding.query('commit')
    assert.deepEqual(await Promise.all([first, second]), [{ account: id }, { account: null }])
  })
})

describe('a session that is ended while its act waits does nothing', () => {
  interface Scene {
    readonly id: string
    readonly email: string
    /** The acting session, and another session of the same person. */
    readonly acting: { readonly id: string; readonly hash: Buffer }
    readonly other: { readonly id: string; readonly hash: Buffer }
    readonly credential: Buffer
    readonly seal: Buffer
    readonly passkey: string
  }

  async function scene(): Promise<Scene> {
    const { id, email } = await makeAccount(admin)
    const [credential, seal] = [randomBytes(32), randomBytes(32)]
    const { rows } = await admin.query(
      `insert into app.passkeys (account_id, credential_id, public_key, counter, name, seal_hash)
       values ($1, $2, '\\x01', 0, 'Passkey', $3) returning id`,
      [id, credential, hashOf(seal)],
    )
    const [acting, other] = [await sessionOf(id), await sessionOf(id)]
    return { id, email, acting, other, credential, seal, passkey: rows[0].id }
  }

  const acts: Record<string, (given: Scene) => Promise<string> | string> = {
    'set a password': ({ acting }) => `app.set_password(${bytes(acting.hash)}, 'params', ${bytes(randomBytes(32))})`,
    'add a passkey': ({ acting }) =>
      `app.add_passkey(${bytes(acting.hash)}, ${bytes(randomBytes(16))}, '\\x01', 0, '{}', 'Mine', ${bytes(randomBytes(32))})`,
    'delete a passkey': ({ acting, passkey }) => `app.delete_passkey(${bytes(acting.hash)}, '${passkey}')`,
    'rename a passkey': ({ acting, passkey }) => `app.rename_passkey(${bytes(acting.hash)}, '${passkey}', 'Mine')`,
    'end another session': ({ acting, other }) => `app.end_session(${bytes(acting.hash)}, '${other.id}')`,
    'end all other sessions': ({ acting }) => `app.end_other_sessions(${bytes(acting.hash)})`,
    'turn emails about comments off': ({ acting }) => `app.set_comment_emails(${bytes(acting.hash)}, false)`,
    'turn letters off': ({ acting }) => `app.set_drafts_letter(${bytes(acting.hash)}, false)`,
    'go on under a new token, by password': async ({ acting, id, email }) =>
      `app.renew_session(${bytes(acting.hash)}, '${await begun(email)}', ${bytes(await proofOf(id))}, ${bytes(randomBytes(32))})`,
    'go on under a new token, by passkey': ({ acting, credential, seal }) =>
      `app.renew_session_by_passkey(${bytes(acting.hash)}, ${bytes(credential)}, ${bytes(seal)}, 1, ${bytes(randomBytes(32))}, null)`,
  }
  const endings: Record<string, (given: Scene) => Promise<string> | string> = {
    'signing out everywhere else': ({ other }) => `select app.end_other_sessions(${bytes(other.hash)})`,
    'ending that session': ({ other, acting }) => `select app.end_session(${bytes(other.hash)}, '${acting.id}')`,
    'signing out': ({ acting }) => `select app.sign_out(${bytes(acting.hash)})`,
    'a new password by letter': async ({ id }) => resetting(await mailTokenFor(id)),
  }
  for (const [what, act] of Object.entries(acts)) {
    test(`it does not ${what}`, async () => {
      for (const [how, ending] of Object.entries(endings)) {
        const given = await scene()
        const answer = await oneAfterTheOther(await ending(given), `select ${await act(given)}`)
        assert.equal(answer, 'SF401', how)
      }
    })
  }
})

test('a link that is opened twice at the same moment works once', async () => {
  const { id } = await makeAccount(admin)
  const letter = await mailTokenFor(id)
  assert.equal(await oneAfterTheOther(resetting(letter), resetting(letter)), 'SF410')
})

test('letters asked for at the same moment count each: ten an hour, however many workers write them', async () => {
  const email = anyEmail()
  const asking = () => `select app.letter_token('${email}', 'sign_up', ${bytes(randomBytes(32))}) as letter`
  for (let number = 0; number < 9; number += 1) {
    assert.deepEqual((await admin.query(asking())).rows, [{ letter: 'verify' }])
  }
  const [one, two] = [await begin('svc_worker'), await begin('svc_worker')]
  assert.deepEqual((await one.query(asking())).rows, [{ letter: 'verify' }])
  const second = outcome(two, asking())
  await untilBlocked(two)
  await one.query('commit')
  assert.deepEqual(await second, { letter: null })
})

test('whoever loses a deadlock, or meets a change at the same moment, is asked to come again', async () => {
  const { email } = await makeAccount(admin)
  for (const code of ['40P01', '40001']) {
    await admin.query(`
      create or replace function app.collide() returns trigger language plpgsql
        as $$ begin raise exception 'collided' using errcode = '${code}'; end $$;
      create or replace trigger collide before insert on app.sign_in_attempts execute function app.collide()`)
    const answer = await openDesk(app).post('/sign-in', { email, password: goodPassword })
    assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'overloaded'], code)
    assert.equal(answer.headers['retry-after'], '1')
    assert.match(answer.json().detail, /Try again/)
  }
  await admin.query('drop function app.collide() cascade')
  await signIn(app, email)
})
