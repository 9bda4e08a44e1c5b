import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Status, statuses } from '../../server/features/pieces/draft-schema.ts'
import { type Act, acts, transitions } from '../../server/features/pieces/states.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { allRows } from '../../testkit/attacks.ts'
import { type Desk, deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { inTransaction, makeWriter } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'

/** The state machine of a piece: every pair of states and every act, through the desk API. */

const { url, admin, app } = await testSite()
const strict = await testApp(url, { REVIEW: 'required' })
const writer = await makeWriter(admin, { slug: 'ada' })
const mine = deskOf(app, writer)
const moderators = deskOf(app, await makeModerator(admin))

const deskFor = (act: Act): Desk => (transitions[act].by === 'writer' ? mine : moderators)
const act = (name: Act, id: string, given?: object) => deskFor(name).act(name, id, given)

const pieceIn = (status: Status) => makePieceByActs(status, mine, moderators)

async function statusOf(id: string): Promise<Status> {
  const { rows } = await admin.query('select editor_status from app.pieces where id = $1', [id])
  return rows[0].editor_status
}

async function isPublic(id: string): Promise<boolean> {
  const { statusCode } = await app.inject(`/api/public/pieces/${id}`)
  assert.ok(statusCode === 200 || statusCode === 404)
  return statusCode === 200
}

/** As docs/adr lists them, written out independently of the table under test. */
const legal: Record<string, Act> = {
  'draft approved': 'publish',
  'draft pending': 'submit',
  'pending draft': 'withdraw',
  'pending approved': 'approve',
  'pending changes_requested': 'request_changes',
  'pending rejected': 'reject',
  'changes_requested pending': 'resubmit',
  'changes_requested draft': 'withdraw',
  'rejected draft': 'revise',
  'approved draft': 'unpublish',
  'approved changes_requested': 'take_down',
  'approved rejected': 'take_down',
}

const pairs = statuses.flatMap((from) => statuses.filter((to) => to !== from).map((to) => [from, to] as const))

test('there are twenty pairs of states, and twelve of them are a move', () => {
  assert.equal(pairs.length, 20)
  assert.equal(Object.keys(legal).length, 12)
})

for (const [from, to] of pairs) {
  const name = legal[`${from} ${to}`]
  if (name) {
    test(`${name} moves a ${from} piece to ${to}, is in the audit trail, and readers see it only if it is approved`, async () => {
      const id = await pieceIn(from)
      const answer = await act(name, id, name === 'take_down' ? { to } : undefined)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.equal(await statusOf(id), to)
      assert.equal(await isPublic(id), to === 'approved')
      const { rows } = await admin.query(
        'select act, from_status, to_status, revision, account_id, session_id from app.audit where piece_id = $1 order by id desc limit 1',
        [id],
      )
      assert.deepEqual([rows[0].act, rows[0].from_status, rows[0].to_status, rows[0].revision], [name, from, to, 1])
      assert.ok(rows[0].account_id && rows[0].session_id)
    })
  } else {
    test(`nothing moves a ${from} piece to ${to}: every act that leads there is refused and changes nothing`, async () => {
      const id = await pieceIn(from)
      for (const name of acts.filter((one) => (transitions[one].to as readonly Status[]).includes(to))) {
        const before = await rowsButNonces()
        const answer = await act(name, id, name === 'take_down' ? { to } : undefined)
        assert.deepEqual(
          [answer.statusCode, answer.json().reason],
          [409, 'illegal_transition'],
          `${name}: ${answer.body}`,
        )
        assert.deepEqual(await rowsButNonces(), before)
      }
    })
  }
}

/** All rows except nonces, ten-minute preview pages and last-seen times, which viewing a piece writes. */
async function rowsButNonces() {
  const {
    'app.publish_nonces': _nonces,
    'app.previews': _previews,
    'app.sessions': _sessions,
    ...rows
  } = await allRows(admin)
  return rows
}

for (const name of acts) {
  for (const from of statuses.filter((one) => !(transitions[name].from as readonly Status[]).includes(one))) {
    test(`${name} is refused for a ${from} piece, in the database too`, async () => {
      const id = await pieceIn(from)
      const answer = await act(name, id)
      assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'illegal_transition'], answer.body)
      assert.equal(await statusOf(id), from)
    })
  }
}

/** For a new piece in this state: the acts offered, and those that succeed. */
async function offeredAndDone(desk: Desk, status: Status): Promise<[Act[], Act[]]> {
  const offered = (await desk.ask('GET', `pieces/${await pieceIn(status)}`)).json().piece.acts
  const done: Act[] = []
  for (const name of acts.filter((one) => transitions[one].by === 'writer')) {
    const id = await pieceIn(status)
    const answer = await desk.act(name, id)
    const moved = await statusOf(id)
    if (answer.statusCode === 200 && (transitions[name].to as readonly Status[]).includes(moved)) done.push(name)
  }
  return [offered.sort(), done.sort()]
}

for (const status of statuses) {
  test(`the desk offers exactly the acts that work with a ${status} piece, whether or not the site requires review`, async () => {
    const [offered, done] = await offeredAndDone(mine, status)
    assert.deepEqual(offered, done)
    assert.deepEqual(
      offered,
      acts
        .filter(
          (one) => transitions[one].by === 'writer' && (transitions[one].from as readonly Status[]).includes(status),
        )
        .sort(),
    )
    const [offeredInReview, doneInReview] = await offeredAndDone(deskOf(strict, writer), status)
    assert.deepEqual(offeredInReview, doneInReview)
    assert.deepEqual(
      offeredInReview,
      offered.filter((one) => one !== 'publish' && one !== 'update'),
    )
  })
}

test('every act that is refused for the state of a piece says what can be done instead', async () => {
  for (const status of statuses) {
    const id = await pieceIn(status)
    for (const name of acts.filter((one) => !(transitions[one].from as readonly Status[]).includes(status))) {
      const { detail } = (await act(name, id)).json()
      assert.match(detail, /^You can’t .+ this piece.*\. .+\. Reload the page to see what you can do\.$/)
    }
    if (status === 'draft') continue
    const { detail } = (await mine.ask('DELETE', `pieces/${id}`)).json()
    assert.match(detail, /^You can’t delete this piece\. .+\. (Withdraw|Unpublish|Revise) it first\.$/)
  }
})

test('Update shows the new text, moves date_modified and leaves date_published, id and address alone', async () => {
  const id = await pieceIn('approved')
  const before = (await app.inject(`/api/public/pieces/${id}`)).json().piece
  const saved = await mine.ask('PATCH', `pieces/${id}`, { headline: 'Said better' }, { 'if-match': '"1"' })
  assert.equal(saved.statusCode, 200, saved.body)
  assert.equal(saved.json().piece.has_unpublished_changes, true)
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).json().piece.title, before.title, 'not before Update')

  const updated = await act('update', id)
  assert.equal(updated.statusCode, 200, updated.body)
  assert.equal(updated.json().piece.has_unpublished_changes, false)
  const after = (await app.inject(`/api/public/pieces/${id}`)).json().piece
  assert.equal(after.title, 'Said better')
  assert.deepEqual([after.id, after.url, after.date_published], [before.id, before.url, before.date_published])
  assert.ok(after.date_modified > before.date_modified)
})

test('republishing after Unpublish keeps the address and the date', async () => {
  const id = await pieceIn('approved')
  const before = (await app.inject(`/api/public/pieces/${id}`)).json().piece
  await act('unpublish', id)
  assert.equal(await isPublic(id), false)
  assert.equal((await act('publish', id)).statusCode, 200)
  const after = (await app.inject(`/api/public/pieces/${id}`)).json().piece
  assert.deepEqual([after.url, after.date_published], [before.url, before.date_published])
})

test('a writer cannot do what moderators do, and a moderator not what the writer does', async () => {
  const pending = await pieceIn('pending')
  for (const name of ['approve', 'request_changes', 'reject', 'take_down'] as const) {
    assert.equal((await mine.act(name, pending)).statusCode, 403, name)
  }
  for (const name of ['publish', 'submit', 'withdraw', 'resubmit', 'revise', 'update', 'unpublish'] as const) {
    assert.equal((await moderators.act(name, pending)).statusCode, 404, name)
  }
  assert.equal(await statusOf(pending), 'pending')
})

test("another writer's piece is not there: the same bytes as one that never was", async () => {
  const other = deskOf(app, await makeWriter(admin))
  const id = await pieceIn('approved')
  const never = '00000000-0000-4000-8000-000000000000'
  for (const [method, path, payload] of [
    ['GET', 'pieces/:id'],
    ['GET', 'pieces/:id/history'],
    ['GET', 'pieces/:id/revisions/1'],
    ['DELETE', 'pieces/:id'],
    ['POST', 'pieces/:id/preview'],
    ['POST', 'pieces/:id/unpublish'],
    ['POST', 'pieces/:id/submit', { nonce: 'x'.repeat(43) }],
    ['POST', 'pieces/:id/publish', { nonce: 'x'.repeat(43) }],
  ] as const) {
    const theirs = await other.ask(method, path.replace(':id', id), payload)
    const nobodys = await other.ask(method, path.replace(':id', never), payload)
    assert.equal(theirs.statusCode, 404, path)
    assert.equal(withoutId(theirs.body), withoutId(nobodys.body))
  }
})

test('a piece that was made public without a trail, as a seeded site is, tells of changes too', async () => {
  const { rows } = await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    return client.query(
      `insert into app.pieces (writer_id, headline, body_md, editor_status, slug, first_published_at)
       values ($1, 'Seeded', 'A body.', 'approved', 'seeded', now()) returning id`,
      [writer.id],
    )
  })
  const changed = async () => (await mine.ask('GET', `pieces/${rows[0].id}`)).json().piece.has_unpublished_changes
  assert.equal(await changed(), false)
  await mine.ask('PATCH', `pieces/${rows[0].id}`, { sub: 'Since then' }, { 'if-match': '"1"' })
  assert.equal(await changed(), true)
})

test('while a moderator reads a piece, and after a refusal, its text stays as it was sent', async () => {
  for (const status of ['pending', 'rejected'] as const) {
    const id = await pieceIn(status)
    const answer = await mine.ask('PATCH', `pieces/${id}`, { headline: 'Changed' }, { 'if-match': '"1"' })
    assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'illegal_transition'])
  }
})

test('publishing, updating, unpublishing and taking down purge what showed the piece, in the same transaction', async () => {
  const id = await mine.begin()
  const purges = async () => {
    const { rows } = await admin.query("select data from jobs.job where name = 'cache.purge' and data::text like $1", [
      `%piece-${id}%`,
    ])
    return rows.map(({ data }) => data.tags)
  }
  for (const [count, name] of [
    [1, 'publish'],
    [2, 'unpublish'],
    [3, 'publish'],
    [4, 'take_down'],
  ] as const) {
    assert.equal((await act(name, id)).statusCode, 200)
    assert.equal((await purges()).length, count, name)
  }
  assert.deepEqual((await purges())[0], [`piece-${id}`, 'author-ada', 'pieces', 'authors'])
  await act('publish', id)
  assert.equal((await purges()).length, 4, 'a refused act purges nothing')
})

test('every save is a revision with its maker, and each can be read again', async () => {
  const id = await mine.begin({ body_md: 'First.' })
  await mine.ask('PATCH', `pieces/${id}`, { body_md: 'Second.' }, { 'if-match': '"1"' })
  await mine.ask('PATCH', `pieces/${id}`, { body_md: 'Second.' }, { 'if-match': '"2"' })
  const { revisions } = (await mine.ask('GET', `pieces/${id}/history`)).json()
  assert.deepEqual(
    revisions.map(({ revision, by }: { revision: number; by: object }) => [revision, by]),
    [
      [2, { kind: 'person', key: null }],
      [1, { kind: 'person', key: null }],
    ],
  )
  assert.equal((await mine.ask('GET', `pieces/${id}/revisions/1`)).json().revision.body_md, 'First.')
  assert.equal((await mine.ask('GET', `pieces/${id}/revisions/9`)).statusCode, 404)
})
