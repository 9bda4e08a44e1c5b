import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { servedSite, testApp } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { type Account, type Sent, sendSigned, startAccountServer } from '../../testkit/fediverse-accounts.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { until } from '../../testkit/waiting.ts'

/** What other servers send to inboxes: who may, what it does, and what is refused before anything is fetched. */

const other = await startAccountServer()
const OUTBOUND_ALLOW = other.host
const { url, admin, base } = await servedSite({ OUTBOUND_ALLOW }, { host: 'localhost' })
// The browser's cookies are those of https.
const app = await testApp(url, { BASE_URL: base.replace('http:', 'https:') })
const ada = await makeWriter(admin, { slug: 'ada' })
const piece = await makePiece(admin, ada, { headline: 'On tea' })
const desk = deskOf(app, ada)
const moderator = deskOf(app, await makeModerator(admin))
const switched = await desk.ask('PUT', 'fediverse', { is_on: true })
assert.equal(switched.statusCode, 200, switched.body)
const found = await fetch(`${base}/.well-known/webfinger?resource=acct:ada@${new URL(base).host}`)
const { links } = (await found.json()) as { links: { href: string }[] }
const actor = links[0]!.href
const document = await fetch(actor, { headers: { accept: 'application/activity+json' } })
const { inbox, endpoints } = (await document.json()) as { inbox: string; endpoints: { sharedInbox: string } }
const shared = endpoints.sharedInbox
const object = actor.replace(/actors\/.*/, `pieces/${piece}`)

const activity = (account: Account, type: string, of: unknown) => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${other.base}/activities/${randomUUID()}`,
  type,
  actor: account.id,
  object: of,
})
const send = async (account: Account, given: object | string, sent: Sent = {}, to = inbox) =>
  (await sendSigned(account, to, given, sent)).status
const followersOf = async (): Promise<string[]> => {
  const { rows } = await admin.query('select follower from app.fediverse_followers order by followed_at')
  const count = (await admin.query('select followers from app.fediverse_actors')).rows[0].followers
  assert.equal(count, rows.length)
  return rows.map(({ follower }) => follower)
}
const isFollowing = async ({ id }: Account) => (await followersOf()).includes(id)
const reactions = async (account: Account): Promise<string[]> => {
  const { rows } = await admin.query(
    "select kind from app.fediverse_reactions where piece_id = $1 and actor = sha256(convert_to($2, 'UTF8')) order by kind",
    [piece, account.id],
  )
  return rows.map(({ kind }) => kind)
}

for (const kind of ['draft-cavage', 'rfc9421'] as const) {
  test(`a Follow signed by ${kind} is kept, whichever inbox it comes to, and Undo ends it`, async () => {
    for (const to of [inbox, shared]) {
      const bo = other.account()
      const follow = activity(bo, 'Follow', actor)
      assert.equal(await send(bo, follow, { kind }, to), 202)
      assert.ok(await isFollowing(bo))
      const { rows } = await admin.query('select * from app.fediverse_followers where follower = $1', [bo.id])
      assert.deepEqual(
        [rows[0].inbox, rows[0].shared_inbox, rows[0].server],
        [`${bo.id}/inbox`, `${other.base}/inbox`, other.host],
      )
      assert.equal(await send(bo, activity(bo, 'Undo', follow), { kind }, to), 202)
      assert.equal(await isFollowing(bo), false)
    }
  })
}

test('RFC 9421 may also cover host and path apart', async () => {
  const bo = other.account()
  const covers = ['@method', '@authority', '@path', 'content-digest']
  assert.equal(await send(bo, activity(bo, 'Follow', actor), { kind: 'rfc9421', covers }), 202)
  assert.ok(await isFollowing(bo))
})

test('a follower is sent an Accept of their Follow, once the worker comes to it', async () => {
  const bo = other.account('bo')
  const follow = activity(bo, 'Follow', actor)
  assert.equal(await send(bo, follow), 202)
  const worker = await testWorker(url, { BASE_URL: base, OUTBOUND_ALLOW, TIMEOUT_FACTOR: '60' })
  try {
    const accept = await until(() => other.received.find(({ path }) => path === '/bo/inbox'), 'an Accept')
    assert.equal(accept.activity['type'], 'Accept')
    assert.equal(accept.activity['actor'], actor)
    assert.match(String(accept.activity['id']), /\/fediverse\/activities\/[0-9a-f-]{36}$/)
    const { id, type, actor: follower } = accept.activity['object'] as Record<string, string>
    assert.deepEqual([id, type, follower], [follow.id, 'Follow', bo.id])
  } finally {
    await worker.stop()
  }
})

test('an account is asked for by a signed request, since some servers answer no other', async () => {
  const bo = other.account()
  await send(bo, activity(bo, 'Follow', actor))
  const { headers } = other.asked.at(-1)!
  assert.ok(String(headers['signature']).startsWith(`keyId="${actor}#main-key",algorithm="rsa-sha256"`))
  assert.equal(headers['accept'], 'application/activity+json')
})

const hour = 3_600_000
const refused: Readonly<Record<string, (bo: Account, eve: Account) => Sent>> = {
  'with another body than was signed': () => ({ body: `{"type":"Follow","x":1}` }),
  'with a digest of another body': () => ({ headers: { digest: `SHA-256=${'A'.repeat(43)}=` } }),
  'whose digest is not signed': () => ({ covers: ['(request-target)', 'host', 'date'] }),
  'whose host is not signed': () => ({ covers: ['(request-target)', 'date', 'digest'] }),
  'whose date is not signed': () => ({ covers: ['(request-target)', 'host', 'digest'] }),
  'whose path is not signed': () => ({ covers: ['host', 'date', 'digest'] }),
  'signed for another path': () => ({ signedFor: `${base}/elsewhere` }),
  'signed for another host': () => ({ signedFor: 'https://another.test/desk/fediverse/inbox' }),
  'signed two hours ago': () => ({ at: new Date(Date.now() - 2 * hour) }),
  'signed two hours ahead': () => ({ at: new Date(Date.now() + 2 * hour) }),
  'signed by another account of that server': (_, eve) => ({ key: eve.key, keyId: eve.keyId }),
  'signed with another key than the account shows': (_, eve) => ({ key: eve.key }),
  'whose key is on another server': () => ({ keyId: 'https://another.test/bo#main-key' }),
  'whose key has no address': () => ({ keyId: 'main-key' }),
  'whose signature is nonsense': () => ({ headers: { signature: 'nonsense' } }),
  'whose date is nonsense': () => ({ headers: { date: 'nonsense' } }),
  'with RFC 9421, with another body than was signed': () => ({ kind: 'rfc9421', body: '{"type":"Follow","x":1}' }),
  'with RFC 9421, whose body is not signed': () => ({ kind: 'rfc9421', covers: ['@method', '@target-uri'] }),
  'with RFC 9421, whose address is not signed': () => ({ kind: 'rfc9421', covers: ['@method', 'content-digest'] }),
  'with RFC 9421, signed for another host': () => ({
    kind: 'rfc9421',
    signedFor: 'https://another.test/desk/fediverse/inbox',
  }),
  'with RFC 9421, two hours ago': () => ({ kind: 'rfc9421', at: new Date(Date.now() - 2 * hour) }),
  'with RFC 9421, by another account': (_, eve) => ({ kind: 'rfc9421', key: eve.key, keyId: eve.keyId }),
}
for (const [what, sent] of Object.entries(refused)) {
  test(`a Follow is refused ${what}`, async () => {
    const [bo, eve] = [other.account(), other.account()]
    const given = sent(bo, eve)
    // A changed body is otherwise the same activity.
    const follow = activity(bo, 'Follow', actor)
    const body = given.body && JSON.stringify({ ...follow, x: 1 })
    assert.equal(await send(bo, follow, body ? { ...given, body } : given), 401)
    assert.equal(await isFollowing(bo), false)
  })
}

test('without a signature nothing is fetched', async () => {
  const before = other.asked.length
  const bo = other.account()
  const answer = await fetch(inbox, {
    method: 'POST',
    headers: { 'content-type': 'application/activity+json' },
    body: JSON.stringify(activity(bo, 'Follow', actor)),
  })
  assert.equal(answer.status, 401)
  assert.equal(other.asked.length, before)
})

test('one server cannot speak for another', async () => {
  const bo = other.account()
  const follow = activity(bo, 'Follow', actor)
  assert.equal(await send(bo, { ...follow, actor: 'https://another.test/bo' }), 401)
  assert.equal(await send(bo, { ...follow, id: 'https://another.test/activities/1' }), 401)
  const note = { type: 'Note', id: 'https://another.test/notes/1', inReplyTo: object }
  assert.equal(await send(bo, activity(bo, 'Create', note)), 401)
})

test('an account counts only as its own server shows it at its address', async () => {
  const redirect = (bo: Account) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location: bo.id }).end()
  const page = (_: unknown, response: ServerResponse) => void response.writeHead(200).end('<html>')
  const answers: Readonly<Record<string, (bo: Account) => Partial<Account>>> = {
    'another id': (bo) => ({ changed: { id: `${bo.id}x` } }),
    'a key of another': (bo) => ({
      changed: { publicKey: { id: bo.keyId, owner: `${bo.id}x`, publicKeyPem: '' } },
    }),
    'no inbox': () => ({ changed: { inbox: null } }),
    'an inbox on another server': () => ({ changed: { inbox: 'https://another.test/inbox' } }),
    'a redirect': (bo) => ({ answer: redirect(bo) }),
    'too much': () => ({ changed: { summary: 'x'.repeat(70_000) } }),
    'no JSON': () => ({ answer: page }),
  }
  for (const [what, change] of Object.entries(answers)) {
    const bo = other.account()
    Object.assign(bo, change(bo))
    assert.equal(await send(bo, activity(bo, 'Follow', actor)), 401, what)
    assert.equal(await isFollowing(bo), false, what)
  }
})

test('a shared inbox on another server is not used', async () => {
  const bo = other.account()
  bo.changed = { endpoints: { sharedInbox: 'https://another.test/inbox' } }
  assert.equal(await send(bo, activity(bo, 'Follow', actor)), 202)
  const { rows } = await admin.query('select shared_inbox from app.fediverse_followers where follower = $1', [bo.id])
  assert.equal(rows[0].shared_inbox, null)
})

test('an account is fetched once for many activities, and again when it signs with a new key', async () => {
  const bo = other.account()
  const asked = () => other.asked.filter(({ path }) => bo.id.endsWith(path)).length
  assert.equal(await send(bo, activity(bo, 'Follow', actor)), 202)
  assert.equal(await send(bo, activity(bo, 'Like', object)), 202)
  assert.equal(asked(), 1)
  bo.renewKey()
  assert.equal(await send(bo, activity(bo, 'Announce', object)), 202)
  assert.equal(asked(), 2)
  assert.deepEqual(await reactions(bo), ['like', 'share'])
})

test('what is sent again has no effect: a Follow from before its Undo does not come back', async () => {
  const bo = other.account()
  const follow = activity(bo, 'Follow', actor)
  assert.equal(await send(bo, follow), 202)
  assert.equal(await send(bo, activity(bo, 'Undo', follow)), 202)
  for (const kind of ['draft-cavage', 'rfc9421'] as const) assert.equal(await send(bo, follow, { kind }), 202)
  assert.equal(await isFollowing(bo), false)
})

test('likes, shares and replies count once for each account, until they are taken back', async () => {
  const bo = other.account()
  const [like, share] = [activity(bo, 'Like', object), activity(bo, 'Announce', object)]
  const note = { type: 'Note', id: `${bo.id}/notes/1`, inReplyTo: object, content: '<p>Well said.</p>' }
  for (const one of [like, share, activity(bo, 'Create', note), activity(bo, 'Like', object)])
    assert.equal(await send(bo, one, {}, shared), 202)
  assert.deepEqual(await reactions(bo), ['like', 'reply', 'share'])
  const eve = other.account()
  assert.equal(await send(eve, activity(eve, 'Like', object)), 202)
  // Nobody takes back what another has done.
  assert.equal(await send(eve, activity(eve, 'Undo', share)), 202)
  assert.equal(await send(eve, activity(eve, 'Undo', share.id)), 202)
  assert.deepEqual(await reactions(bo), ['like', 'reply', 'share'])
  assert.equal(await send(bo, activity(bo, 'Undo', like)), 202)
  assert.equal(await send(bo, activity(bo, 'Undo', share.id)), 202)
  assert.equal(await send(bo, activity(bo, 'Delete', { type: 'Tombstone', id: note.id })), 202)
  assert.deepEqual([await reactions(bo), await reactions(eve)], [[], ['like']])
})

test('an account that its server says is deleted is forgotten, and no other is asked for', async () => {
  const bo = other.account()
  await send(bo, activity(bo, 'Follow', actor))
  await send(bo, activity(bo, 'Like', object))
  bo.answer = (_, response) => response.writeHead(410).end()
  assert.equal(await send(bo, activity(bo, 'Delete', bo.id)), 202)
  assert.deepEqual([await isFollowing(bo), await reactions(bo)], [false, []])

  const before = other.asked.length
  const unknown = other.account()
  assert.equal(await send(unknown, activity(unknown, 'Delete', unknown.id)), 202)
  assert.equal(other.asked.length, before)
})

test('what concerns nobody here is dropped without a look at who sent it', async () => {
  const before = other.asked.length
  const bo = other.account()
  const given = [
    activity(bo, 'Follow', 'https://another.test/ada'),
    activity(bo, 'Follow', `${actor}0`),
    activity(bo, 'Create', { type: 'Note', id: `${bo.id}/notes/1`, content: 'Hello' }),
    activity(bo, 'Move', bo.id),
    activity(bo, 'Update', bo.id),
    activity(bo, 'Like', 'https://another.test/1'),
    { type: 'Follow' },
    { ...activity(bo, 'Follow', actor), id: 5 },
  ]
  for (const one of given) assert.equal(await send(bo, one), 202, JSON.stringify(one))
  assert.equal(other.asked.length, before)
})

test('what is no activity is refused, and so is one that is too long', async () => {
  const bo = other.account()
  for (const text of ['', 'x', '[]', '"x"', 'null']) assert.equal(await send(bo, text), 400, text)
  assert.equal(await send(bo, { ...activity(bo, 'Follow', actor), x: 'x'.repeat(131_072) }), 413)
  assert.equal(await send(bo, 'a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }), 415)
})

test('a blocked server is refused before anything is fetched, and its followers and reactions are gone', async () => {
  const bo = other.account()
  await send(bo, activity(bo, 'Follow', actor))
  await send(bo, activity(bo, 'Like', object))
  await admin.query(
    `insert into app.fediverse_followers (actor_id, key, follower, inbox, server)
     select id, sha256(f::bytea), 'https://' || f, 'https://' || f, f
       from app.fediverse_actors, unnest(array['a.social.test', 'social.test:8443', 'antisocial.test']) f`,
  )
  assert.equal((await desk.ask('PUT', 'fediverse/servers/social.test', {})).statusCode, 403)
  for (const host of ['127.0.0.1', 'Social.Test']) {
    const answer = await moderator.ask('PUT', `fediverse/servers/${host}`, { reason: 'Spam.' })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  assert.deepEqual(await followersOf(), ['https://antisocial.test'])
  assert.deepEqual(await reactions(bo), [])
  const before = other.asked.length
  const eve = other.account()
  assert.equal(await send(eve, activity(eve, 'Follow', actor)), 403)
  assert.equal(await send(bo, activity(bo, 'Follow', actor)), 403)
  assert.equal(other.asked.length, before)
  const { blocked } = (await moderator.ask('GET', 'fediverse/site')).json()
  assert.deepEqual(
    blocked.map(({ host, reason }: { host: string; reason: string }) => [host, reason]),
    [
      ['social.test', 'Spam.'],
      ['127.0.0.1', 'Spam.'],
    ],
  )
  for (const bad of ['https%3A%2F%2Fx.test', 'a..b', 'localhost', '-'])
    assert.equal((await moderator.ask('PUT', `fediverse/servers/${bad}`, {})).statusCode, 400, bad)
  assert.equal((await moderator.ask('DELETE', 'fediverse/servers/127.0.0.1')).statusCode, 200)
  assert.equal(await send(bo, activity(bo, 'Follow', actor)), 202)
  assert.ok(await isFollowing(bo))
})

test('a server and a network have their limits for a day', async () => {
  const bo = other.account()
  await send(bo, activity(bo, 'Follow', actor))
  await admin.query('update app.fediverse_server_days set count = 50000')
  const before = other.asked.length
  assert.equal(await send(bo, activity(bo, 'Like', object)), 429)
  assert.deepEqual(await reactions(bo), [])
  await admin.query('update app.fediverse_server_days set count = 1')
  const { rows } = await admin.query('update app.follow_requests set count = 20000 returning count')
  assert.equal(rows.length, 1)
  assert.equal(await send(bo, activity(bo, 'Like', object)), 429)
  assert.equal(other.asked.length, before)
  await admin.query('update app.follow_requests set count = 1')
  assert.equal(await send(bo, activity(bo, 'Like', object)), 202)
})

test('who is switched off cannot be followed', async () => {
  await desk.ask('PUT', 'fediverse', { is_on: false })
  const bo = other.account()
  assert.equal(await send(bo, activity(bo, 'Follow', actor)), 202)
  assert.equal(await isFollowing(bo), false)
  await desk.ask('PUT', 'fediverse', { is_on: true })
})
