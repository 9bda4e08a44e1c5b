import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt, everyRow, makeHouse, noRow, through } from '#testing/attacks.ts'
import { makeKey } from '#testing/make.ts'

/** Keys, sessions and revisions: what each role can reach by SQL, with a good credential, a dead one and a made-up one. */

const house = await makeHouse()
const { url, admin, me, other, pieces, acting } = house
const theirKey = await makeKey(admin, other)
const deadKeys = {
  revoked: await makeKey(admin, me, { revoked: true }),
  expired: await makeKey(admin, me, { expiresAt: new Date(Date.now() - 1000) }),
}
const noRight = '42501'
const before = await everyRow(admin)

const keyed = (hash: Buffer) => ({ 'app.key_hash': hash.toString('hex') })

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
    `insert into app.idempotency (writer_id, key, body_hash, answer, begun_at)
    values ('${other.id}', 'k', sha256('x'), '{}', now())`,
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
    `select app.make_nonce('${pieces.theirs}', '${me.sessionToken}', 1, sha256('y'))`,
    'SF404',
  ],
  [
    "the desk reads no revision of another's",
    'svc_desk',
    `select from app.revisions where writer_id <> '${me.id}'`,
    noRow,
  ],
  ['the desk cannot rewrite history', 'svc_desk', "update app.revisions set headline = 'x'", noRight],
  ["the desk reads no trail of another's", 'svc_desk', `select from app.audit where writer_id <> '${me.id}'`, noRow],
  [
    "the desk cannot revoke another's key",
    'svc_desk',
    `select app.revoke_key('${me.sessionToken}', '${theirKey.id}')`,
    'SF404',
  ],
  ['the public cannot act with a key', 'svc_public', 'select app.key_writer()', noRight],
  ['the worker cannot read pieces', 'svc_worker', 'select id from app.pieces', noRight],
  [
    'the worker cannot publish',
    'svc_worker',
    `select app.desk_unpublish('${pieces.live}', '${me.sessionToken}')`,
    noRight,
  ],
]

for (const [name, role, sql, outcome] of refused) {
  test(name, async () => assert.equal(await attempt(url, role, sql, acting), outcome))
}

const acts = [
  `desk_publish('${pieces.draft}', '${me.sessionToken}', '${house.nonces.good}', null)`,
  `desk_update('${pieces.live}', '${me.sessionToken}', '${house.nonces.ofLive}', null)`,
  ...['unpublish', 'submit', 'withdraw', 'resubmit', 'revise'].map(
    (act) => `desk_${act}('${pieces.live}', '${me.sessionToken}')`,
  ),
  `desk_approve('${pieces.live}', '${me.sessionToken}', 'x', null)`,
  `desk_request_changes('${pieces.live}', '${me.sessionToken}', 'x')`,
  `desk_reject('${pieces.live}', '${me.sessionToken}', 'x')`,
  `desk_take_down('${pieces.live}', '${me.sessionToken}', 'rejected', 'x')`,
]
for (const act of acts) {
  const name = act.split('(')[0]
  test(`${name} is the desk's alone, whatever session is shown`, async () => {
    for (const role of ['svc_api', 'svc_public', 'svc_worker'])
      assert.equal(await attempt(url, role, `select app.${act}`, acting), noRight, role)
  })
  test(`${name} demands a live session`, async () => {
    for (const token of [house.expired.token, house.revoked.token, 'made-up', ''])
      assert.equal(await attempt(url, 'svc_desk', `select app.${act.replace(me.sessionToken, token)}`, acting), 'SF401')
  })
}

for (const act of acts.filter((one) => /approve|request_changes|reject|take_down/.test(one))) {
  test(`a writer is no moderator: ${act.split('(')[0]}`, async () => {
    assert.equal(await attempt(url, 'svc_desk', `select app.${act}`, acting), 'SF403')
  })
}

const steps = [
  'live_session($$x$$)',
  'session_of(null)',
  'live_key(null)',
  'acting_session()',
  'show_piece(null, null)',
  'hide_piece(null)',
  'move_piece(null, null, null, null, null)',
  'use_nonce(null, null, null)',
  'demand_status(null, null, null)',
  'reviewed_piece(null, null)',
  'own_piece(null, null)',
]
for (const step of steps) {
  test(`nobody calls the step ${step.split('(')[0]}`, async () => {
    for (const role of ['svc_api', 'svc_desk', 'svc_public', 'svc_worker'])
      assert.equal(await attempt(url, role, `select app.${step}`, acting), noRight, role)
  })
}

test('after every attack, each row of both wings is what it was', async () => {
  assert.deepEqual(await everyRow(admin), before)
})

test('a live key drafts, and a dead one does not even by SQL', async () => {
  const draft = `insert into app.pieces (writer_id, headline, body_md) values ('${me.id}', 'h', 'b')`
  assert.equal(await attempt(url, 'svc_api', draft, acting), through)
  for (const [state, { hash }] of Object.entries(deadKeys))
    assert.equal(await attempt(url, 'svc_api', draft, keyed(hash)), noRight, state)
  assert.equal(await attempt(url, 'svc_api', draft, keyed(theirKey.hash)), noRight, "another's")
})

test('a key whose account is barred, or that lay unused for a year, is dead', async () => {
  const key = await makeKey(admin, house.barred)
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
