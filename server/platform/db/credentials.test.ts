import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, secretToken } from '#platform/crypto.ts'
import { allRows, attempt, makeAttackSite, noRow, through } from '../../../testkit/attacks.ts'
import { makeModerator } from '../../../testkit/desk.ts'
import { inTransaction, makeDraft, makeKey, makePiece } from '../../../testkit/factories.ts'

/** Keys, sessions and revisions: what each role can reach by SQL with a valid, an expired and a forged credential. */

const site = await makeAttackSite()
const { url, admin, me, other, pieces, acting } = site
const theirKey = await makeKey(admin, other)
const myKey = await makeKey(admin, me)
const deadKeys = {
  revoked: await makeKey(admin, me, { revoked: true }),
  expired: await makeKey(admin, me, { expiresAt: new Date(Date.now() - 1000) }),
}
const noRight = '42501'
const moderator = await makeModerator(admin)
/** The hash of a secret, as the functions take it. */
const hash = (secret: string) => `'\\x${hashOf(secret).toString('hex')}'::bytea`
const mySession = hash(me.sessionToken)

/** A session of mine, unused for a day and a minute. */
async function idleSession(): Promise<string> {
  const { token, hash } = secretToken()
  await admin.query(
    `insert into app.sessions (account_id, token_hash, expires_at, last_seen_at)
     values ($1, $2, now() + interval '1 day', now() - interval '24 hours 1 minute')`,
    [me.accountId, hash],
  )
  return token
}
const idle = await idleSession()
const before = await allRows(admin)

const keyed = (hash: Buffer) => ({ 'app.key_hash': hash.toString('hex') })

const stateFor = (piece: string) => `select where app.status_for_review('${piece}', ${mySession}) is not null`

const refused: [string, string, string, string][] = [
  ['a key cannot read a body', 'svc_api', `select body_md from app.pieces`, noRight],
  ['a key cannot read a body from a saved revision', 'svc_api', 'select body_md from app.revisions', noRight],
  ['a key cannot list keys', 'svc_api', 'select key_hash from app.api_keys', noRight],
  [
    'a key cannot mint a key',
    'svc_api',
    `insert into app.api_keys (writer_id, name, key_hash, head, tail)
    values ('${me.id}', 'x', sha256('x'), 'pk_live_0000', '0000')`,
    noRight,
  ],
  ['a key cannot widen its scope', 'svc_api', "update app.api_keys set scopes = '{}'", noRight],
  ['a key cannot sign in', 'svc_api', 'select token_hash from app.sessions', noRight],
  ['a key cannot become its writer at the desk', 'svc_api', 'select app.session_writer()', noRight],
  [
    'a key reads no body of a public piece',
    'svc_api',
    `select 1 where app.draft_body('${pieces.live}') is not null`,
    noRow,
  ],
  [
    "a key reads no body of another's draft",
    'svc_api',
    `select 1 where app.draft_body('${pieces.theirs}') is not null`,
    noRow,
  ],
  ['a key cannot forget an answer that is young', 'svc_api', 'delete from app.idempotency', noRow],
  [
    "a key cannot write for another's retries",
    'svc_api',
    `insert into app.idempotency (writer_id, key, body_hash, piece_id, begun_at)
    values ('${other.id}', 'k', sha256('x'), gen_random_uuid(), now())`,
    noRight,
  ],
  ['the desk cannot read keys', 'svc_desk', 'select key_hash from app.api_keys', noRight],
  [
    'the desk cannot make a nonce by itself',
    'svc_desk',
    `insert into app.publish_nonces (nonce_hash, piece_id, revision, session_id, expires_at)
    values (sha256('x'), '${pieces.draft}', 1, '${me.sessionId}', now() + interval '1 hour')`,
    noRight,
  ],
  [
    "the desk gets no nonce for another's piece",
    'svc_desk',
    `select app.make_nonce('${pieces.theirs}', ${mySession}, 1, sha256('y'))`,
    'SF404',
  ],
  [
    "the desk reads no revision of another's",
    'svc_desk',
    `select from app.revisions where writer_id <> '${me.id}'`,
    noRow,
  ],
  ['the desk cannot rewrite history', 'svc_desk', "update app.recent_revisions set headline = 'x'", noRight],
  ['the desk cannot say who saved a piece', 'svc_desk', 'update app.pieces set saved_by_key = id', noRight],
  ['a key cannot say who saved a piece', 'svc_api', 'update app.pieces set saved_by_account = id', noRight],
  ["the desk reads no trail of another's", 'svc_desk', `select from app.audit where writer_id <> '${me.id}'`, noRow],
  [
    "the desk cannot revoke another's key",
    'svc_desk',
    `select app.revoke_key(${mySession}, '${theirKey.id}')`,
    'SF404',
  ],
  ['the public cannot act with a key', 'svc_public', 'select app.key_writer()', noRight],
  ['the worker cannot read pieces', 'svc_worker', 'select id from app.pieces', noRight],
  [
    'the worker cannot hide a piece',
    'svc_worker',
    `select app.desk_unpublish('${pieces.live}', ${mySession})`,
    noRight,
  ],
  ['a writer learns no state as a moderator would', 'svc_desk', stateFor(pieces.theirs), noRow],
]

for (const [name, role, sql, outcome] of refused) {
  test(name, async () => assert.equal(await attempt(url, role, sql, acting), outcome))
}

/** Everything the desk does with a session, as SQL: on a piece of mine, with everything else valid. */
const actsIn = (session: string): Record<string, string> => ({
  desk_publish: `('${pieces.draft}', ${session}, ${hash(site.nonces.good)}, null)`,
  desk_update: `('${pieces.live}', ${session}, ${hash(site.nonces.ofLive)}, null)`,
  desk_unpublish: `('${pieces.live}', ${session})`,
  desk_submit: `('${pieces.draft}', ${session}, ${hash(site.nonces.good)})`,
  desk_withdraw: `('${pieces.live}', ${session})`,
  desk_resubmit: `('${pieces.live}', ${session}, ${hash(site.nonces.ofLive)})`,
  desk_revise: `('${pieces.live}', ${session})`,
  desk_approve: `('${pieces.live}', ${session}, ${hash('x')}, null)`,
  desk_request_changes: `('${pieces.live}', ${session}, 'x')`,
  desk_reject: `('${pieces.live}', ${session}, 'other', 'x')`,
  desk_take_down: `('${pieces.live}', ${session}, 'rejected', 'other', 'x')`,
  desk_withhold_product: `('${pieces.live}', ${session}, 'other', 'x')`,
  desk_decide_appeal: `('${pieces.live}', ${session}, 'reversed', 'x')`,
  desk_appeal: `('${pieces.live}', ${session}, 'x')`,
  decisions_about_me: `(${session}, null, null)`,
  decisions_for_review: `(${session}, true, null, now(), '${pieces.live}', 1)`,
  make_nonce: `('${pieces.draft}', ${session}, 1, sha256('z'))`,
  status_for_review: `('${pieces.live}', ${session})`,
  mint_key: `(${session}, 'A key', sha256('k'), 'pk_live_0000', '0000', '{pieces:write}', null)`,
  keys_of: `(${session})`,
  revoke_key: `(${session}, '${myKey.id}')`,
})
const deadSessions = {
  expired: site.expired.token,
  revoked: site.revoked.token,
  idle,
  "a disabled account's": site.barred.sessionToken,
  'made up': 'made-up',
  empty: '',
}
for (const [name, given] of Object.entries(actsIn(mySession))) {
  test(`${name} is the desk's alone, whatever session is shown`, async () => {
    for (const role of ['svc_api', 'svc_public', 'svc_worker'])
      assert.equal(await attempt(url, role, `select app.${name}${given}`, acting), noRight, role)
  })
  test(`${name} demands a live session`, async () => {
    for (const [what, token] of Object.entries(deadSessions)) {
      const call = `select app.${name}${actsIn(hash(token))[name]}`
      assert.equal(await attempt(url, 'svc_desk', call, acting), 'SF401', what)
    }
    const none = `select app.${name}${actsIn('null')[name]}`
    assert.equal(await attempt(url, 'svc_desk', none, acting), 'SF401', 'none')
  })
}

const moderators = ['desk_approve', 'desk_request_changes', 'desk_reject', 'desk_take_down', 'desk_withhold_product']
for (const name of [...moderators, 'desk_decide_appeal', 'decisions_for_review']) {
  test(`a writer is no moderator: ${name}`, async () => {
    assert.equal(await attempt(url, 'svc_desk', `select app.${name}${actsIn(mySession)[name]}`, acting), 'SF403')
  })
}

test('no function of ours takes a session or a nonce in clear: a server may log what statements are given', async () => {
  const { rows } = await admin.query(
    `select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'app'::regnamespace
        and exists (select from unnest(proargnames, proargtypes::regtype[]) as given (name, type)
                     where name ~ '(token|nonce|session|secret|key)$' and type = 'text'::regtype)
        and proname <> 'create_draft'`,
  )
  assert.deepEqual(rows, [])
})

const steps = [
  'signed_in(null)',
  'session_of(null)',
  'live_key(null)',
  'is_live_key(null)',
  'acting_session()',
  'locked_piece(null)',
  'writer_session(null, null)',
  'moderator_session(null, null)',
  'moderates(null)',
  'show_piece(null, null)',
  'hide_piece(null)',
  'move_piece(null, null, null, null, null)',
  'use_nonce(null, null, null, null)',
  'demand_status(null, null, null)',
]
for (const step of steps) {
  test(`nobody calls the step ${step.split('(')[0]}`, async () => {
    for (const role of ['svc_api', 'svc_desk', 'svc_public', 'svc_worker'])
      assert.equal(await attempt(url, role, `select app.${step}`, acting), noRight, role)
  })
}

test('after every attack, each row of both wings is what it was', async () => {
  assert.deepEqual(await allRows(admin), before)
})

test("of others' pieces a moderator's connection reads what waits, and nothing else in any state", async () => {
  const theirs: Record<string, string> = {
    draft: await makeDraft(admin, other),
    approved: await makePiece(admin, other),
  }
  for (const status of ['pending', 'rejected', 'changes_requested']) {
    theirs[status] = await makeDraft(admin, other)
    await inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query('update app.pieces set editor_status = $2 where id = $1', [theirs[status], status])
    })
  }
  const asModerator = { 'app.session_hash': hashOf(moderator.sessionToken).toString('hex') }
  for (const [status, id] of Object.entries(theirs)) {
    const seen = await attempt(url, 'svc_desk', `select from app.pieces where id = '${id}'`, asModerator)
    assert.equal(seen, status === 'pending' ? through : noRow, status)
  }
  const trail = `select from app.audit where piece_id = '${theirs['approved']}'`
  assert.equal(await attempt(url, 'svc_desk', trail, asModerator), noRow, 'the trail is its writer’s')
})

test('a live key drafts, and a dead one does not even by SQL', async () => {
  const draft = `insert into app.pieces (writer_id, headline, body_md) values ('${me.id}', 'h', 'b')`
  assert.equal(await attempt(url, 'svc_api', draft, acting), through)
  for (const [state, { hash }] of Object.entries(deadKeys))
    assert.equal(await attempt(url, 'svc_api', draft, keyed(hash)), noRight, state)
  assert.equal(await attempt(url, 'svc_api', draft, keyed(theirKey.hash)), noRight, "another's")
})

test('a key whose account is barred, or that lay unused for a year, is dead', async () => {
  const key = await makeKey(admin, site.barred)
  assert.equal(await attempt(url, 'svc_api', `select from app.key_holder('\\x${key.hash.toString('hex')}')`, {}), noRow)
  const old = await makeKey(admin, me)
  const holder = `select from app.key_holder('\\x${old.hash.toString('hex')}')`
  assert.equal(await attempt(url, 'svc_api', holder, {}), through)
  await admin.query(
    "update app.api_keys set created_at = now() - interval '2 years', last_used_at = now() - interval '366 days' where id = $1",
    [old.id],
  )
  assert.equal(await attempt(url, 'svc_api', holder, {}), noRow)
})
