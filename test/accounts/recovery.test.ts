import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { proofOf } from '../../server/features/accounts/passwords.ts'
import { Database } from '../../server/platform/db/database.ts'
import { cheapScrypt, goodPassword } from '../../testkit/accounts.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type Act, acts, everybodys, playTakeover, type Site, type Story } from './takeover.ts'

/** The person who receives the account's emails can recover it, whatever an attacker has started. */

const runs = Number(process.env['TAKEOVERS'] ?? 30)

cheapScrypt()

async function openSite(): Promise<Site> {
  const { url, admin } = await testDatabase()
  const worker = new Database({ url, role: 'svc_worker', name: 'worker', connections: 1, statementTimeout: 60_000 })
  after(() => worker.close())
  return { app: await testApp(url), admin, worker }
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
