import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { proofOf } from '../../server/features/accounts/passwords.ts'
import {
  anyEmail,
  cheapScrypt,
  type DeskBrowser,
  goodPassword,
  makeAccount,
  openDesk,
  signIn,
} from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { attempt } from '../../testkit/attacks.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { type Act, acts, everybodys, playTakeover, type Site, type Story } from './takeover.ts'

/** The person who receives the account's emails can recover it, whatever an attacker has started. */

const runs = Number(process.env['TAKEOVERS'] ?? 30)

cheapScrypt()

async function openSite(): Promise<Site> {
  const { url, app, admin } = await testSite()
  return { app, admin, worker: workerDatabase(url) }
}

const attacker = (...names: string[]): Act[] =>
  names.map((name) => acts.find(({ who, act }) => who === 'attacker' && act === name) ?? assert.fail(name))

const stories: Readonly<Record<string, Story>> = {
  'a change of address waits to be confirmed': {
    attackerKnowsPassword: false,
    before: attacker('asks for their own address'),
    after: attacker('confirms their address'),
  },
  'the address was changed, and the password reset from the new one': {
    attackerKnowsPassword: true,
    before: attacker(
      'asks for their own address',
      'confirms their address',
      'sets a password',
      'asks for a reset to their address',
      'resets by a link they got',
      'asks for a reset to their address',
    ),
    after: attacker('resets by a link they got', 'signs in with a password'),
  },
  'a passkey, a key and a private link were made': {
    attackerKnowsPassword: false,
    before: attacker('adds a passkey', 'makes a key', 'makes a private link'),
    after: attacker('signs in with a passkey'),
  },
  'recovery codes were made': {
    attackerKnowsPassword: false,
    before: attacker('makes recovery codes'),
    after: attacker('signs in with a recovery code'),
  },
  'the account was to be deleted': {
    attackerKnowsPassword: true,
    before: attacker('asks for the account to be deleted'),
    after: attacker('signs in with a password', 'asks for the account to be deleted'),
  },
  'the stolen session was used a day later, and the piece deleted': {
    attackerKnowsPassword: false,
    before: attacker(
      'makes a key',
      'publishes a day later by the session they stole',
      'deletes the owner’s piece by a key they made',
      'deletes the owner’s piece',
    ),
    after: [],
  },
}

const site = await openSite()

describe('after the owner’s recovery nothing of the attacker works and the owner has what they had', () => {
  for (const [how, story] of Object.entries(stories)) test(`where ${how}`, () => playTakeover(site, story))

  test(`in ${runs} stories of any acts in any order`, () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          attackerKnowsPassword: fc.boolean(),
          before: fc.array(fc.constantFrom(...acts), { maxLength: 10 }),
          after: fc.array(fc.constantFrom(...acts), { maxLength: 4 }),
        }),
        (story) => playTakeover(site, story),
      ),
      { numRuns: runs },
    ))
})

describe('a fault that is planted is found', () => {
  const nothing = (head: string, value = '') =>
    `create or replace function app.${head} language sql as $$ select ${value} $$`
  const faults: Readonly<Record<string, readonly string[]>> = {
    'a reset that leaves what waits': [nothing('end_what_waits(p_account uuid) returns void')],
    'a reset that leaves sessions': [nothing('end_sessions(p_account uuid, p_but uuid) returns integer', '0')],
    'a reset that hides private links': [
      nothing(
        'private_links_of(p_account uuid) returns table (id uuid, headline text, created_at timestamptz, last_seen_at timestamptz)',
        'null::uuid, null, null::timestamptz, null::timestamptz where false',
      ),
    ],
    'a reset from the new address that uses up the undo of the old one': [
      `create function app.planted() returns trigger language plpgsql as $$
         begin
           update app.mail_tokens set used_at = now() where account_id = new.account_id and kind = 'recover';
           return null;
         end $$`,
      `create trigger planted after update of used_at on app.mail_tokens for each row
         when (new.kind = 'reset' and new.used_at is not null) execute function app.planted()`,
    ],
    'an old session that publishes': [
      nothing('demand_proof(p_session_hash bytea, p_policy text, p_nonce_hash bytea) returns void'),
    ],
    'a deletion without a trash': [
      `create function app.planted() returns trigger language plpgsql security definer as $$
       begin
         delete from app.pieces where id = new.id;
         return null;
       end $$`,
      `create trigger planted after update of deleted_at on app.pieces for each row
       when (new.deleted_at is not null) execute function app.planted()`,
    ],
    'a reset that leaves recovery codes': ['drop trigger drop_recovery_codes on app.accounts'],
    'a reset after which the account is deleted all the same': [
      `create function app.planted() returns trigger language plpgsql as $$
       begin
         return case when app.noted_session() is null then null else new end;
       end $$`,
      `create trigger planted before update of delete_at on app.accounts for each row
       when (new.delete_at is null) execute function app.planted()`,
    ],
  }
  const isFound = async (faulty: Site) => {
    const outcomes = await Promise.allSettled(Object.values(stories).map((story) => playTakeover(faulty, story)))
    assert.ok(outcomes.some(({ status }) => status === 'rejected'))
  }
  for (const [name, statements] of Object.entries(faults)) {
    test(name, async () => {
      const faulty = await openSite()
      for (const statement of statements) await faulty.admin.query(statement)
      await isFound(faulty)
    })
  }

  test('a password that everybody tries first is taken', async () => {
    const { app, admin, worker } = await openSite()
    const params = `scrypt$1$8$1$${randomBytes(16).toString('base64url')}`
    /** Accepts a strong one instead, and records what was sent. */
    const inject = async (request: InjectOptions) => {
      const sent = request.payload as { password?: string } | undefined
      if (sent?.password !== everybodys || !request.url?.toString().endsWith('/reset-password'))
        return app.inject(request)
      const answer = await app.inject({ ...request, payload: { ...sent, password: goodPassword } })
      if (answer.statusCode === 200)
        await admin.query('update app.accounts set password_params = $2, password_proof = $3 where email = $1', [
          answer.json().email,
          params,
          await proofOf(everybodys, params),
        ])
      return answer
    }
    await isFound({ app: Object.create(app, { inject: { value: inject } }), admin, worker })
  })
})

/** Ten recovery codes, each of which signs in once, for people who have lost every other credential. */

const { url, admin, app } = await testSite()

async function withCodes() {
  const email = anyEmail()
  const { id } = await makeAccount(admin, { email })
  const desk = await signIn(app, email)
  return { id, email, desk, codes: await make(desk) }
}
async function make(desk: DeskBrowser): Promise<string[]> {
  const answer = await desk.post('/account/recovery-codes')
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().codes
}
const give = (email: string, code: string, desk = openDesk(app)) => desk.post('/sign-in/recovery-code', { email, code })
const codesOf = async (desk: DeskBrowser) => (await desk.get('/account')).json().account.recovery_codes

describe('a code', () => {
  test('signs in once, ends every other session and what waits, and is counted and told', async () => {
    const { id, email, desk, codes } = await withCodes()
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    await desk.post('/account/email', { email: anyEmail() })
    const here = openDesk(app)
    assert.equal((await give(email, codes[3]!, here)).statusCode, 200)
    assert.equal((await desk.get('/account')).statusCode, 401)
    const { account } = (await here.get('/account')).json()
    assert.deepEqual([account.recovery_codes.left, account.email_change], [9, null])
    assert.equal((await give(email, codes[3]!)).statusCode, 401)
    const { rows } = await admin.query(
      `select data->>'letter' as letter from jobs.job where name = 'mail' and data->'to'->>'account' = $1 order by 1`,
      [id],
    )
    assert.deepEqual(
      rows.map(({ letter }) => letter).filter((letter) => /recovery/.test(letter)),
      ['recovery-code-used', 'recovery-codes-made'],
    )
    const { events } = (await here.get('/account/history')).json()
    const found = events.map(({ act, facts }: { act: string; facts: { by?: string } }) => `${act} ${facts.by ?? ''}`)
    assert.ok(found.includes('signed_in recovery_code') && found.includes('recovery_codes_made '), String(found))
  })

  test('opens a session in which a new password is set', async () => {
    const { email, codes } = await withCodes()
    const here = openDesk(app)
    await give(email, codes[0]!, here)
    const password = 'marble anchor thimble gravel'
    assert.equal((await here.send('PUT', '/account/password', { password })).statusCode, 200)
    await signIn(app, email, { password })
    assert.equal((await codesOf(here)).left, 9)
  })

  test('is taken as it is typed from paper', async () => {
    const { email, codes } = await withCodes()
    const typed = (codes[0] ?? '').toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    assert.equal((await give(email, ` ${typed} `)).statusCode, 200)
  })

  test('given by two at the same moment lets one in', async () => {
    const { email, codes } = await withCodes()
    const answers = await Promise.all([give(email, codes[0]!), give(email, codes[0]!)])
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  })

  test('of somebody else opens nothing', async () => {
    const [one, other] = [await withCodes(), await withCodes()]
    assert.equal((await give(one.email, other.codes[0]!)).statusCode, 401)
    assert.equal((await codesOf(other.desk)).left, 10)
  })

  test('opens nothing while the account is disabled', async () => {
    const { id, email, codes } = await withCodes()
    await admin.query('update app.accounts set disabled_at = now() where id = $1', [id])
    assert.equal((await give(email, codes[0]!)).statusCode, 401)
  })
})

describe('codes', () => {
  test('are made by a recent session alone, and replace those before', async () => {
    const { id, email, desk, codes } = await withCodes()
    await make(desk)
    assert.equal((await give(email, codes[0]!)).statusCode, 401)
    await admin.query(
      "update app.sessions set authenticated_at = now() - interval '11 minutes' where account_id = $1",
      [id],
    )
    const stale = await desk.post('/account/recovery-codes')
    assert.deepEqual([stale.statusCode, stale.json().reason], [403, 'fresh_sign_in_required'])
    assert.equal((await openDesk(app).post('/account/recovery-codes')).statusCode, 401)
  })

  test('are nowhere but on the screen: the database has hashes, and no role reads those', async () => {
    const { codes } = await withCodes()
    const { rows } = await admin.query('select c::text as row from app.recovery_codes c')
    const kept = rows.map(({ row }) => row).join('\n')
    for (const code of codes)
      for (const form of [code, code.replaceAll('-', '')])
        assert.ok(!kept.includes(form) && !kept.includes(Buffer.from(form).toString('hex')))
    for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker', 'svc_publisher'])
      assert.equal(await attempt(url, role, 'select from app.recovery_codes', {}), '42501', role)
  })

  test('are guessed no faster than passwords, and cost tries at either', async () => {
    const { email, codes } = await withCodes()
    const guess = async (place: DeskBrowser) => (await give(email, 'AAAA-AAAA-AAAA-AAAA', place)).statusCode
    const here = openDesk(app)
    assert.deepEqual([await guess(here), await guess(here)], [401, 429])
    for (let tries = 1; tries < 20; tries += 1) await guess(openDesk(app))
    assert.equal((await give(email, codes[0]!)).statusCode, 429)
    assert.equal((await openDesk(app).post('/sign-in', { email, password: goodPassword })).statusCode, 429)
  })
})
