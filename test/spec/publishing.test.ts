import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { tableHashes } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { inTransaction, type MadeWriter, makeKey, makeWriter } from '../../testkit/factories.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'

/** Publishing: exactly the previewed text goes public, once, whatever happens concurrently. */

const { admin, app } = await testSite({ DESK_CONNECTIONS: '6' })
const writer = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, writer)

const rounds = 25

async function stateOf(id: string) {
  const { rows } = await admin.query(
    `select p.editor_status as status, p.revision, p.deleted_at is not null as deleted, s.id is not null as shown, s.headline,
            (select count(*)::integer from pub.piece_contents c where c.piece_id = $1) as contents,
            (select count(*)::integer from pub.piece_texts t where t.piece_id = $1) as texts
       from app.pieces p left join pub.pieces s on s.id = p.id where p.id = $1`,
    [id],
  )
  return rows[0]
}

/** The public schema pub holds exactly the approved pieces, complete, and the author's count matches. */
async function isSound(): Promise<void> {
  const { rows } = await admin.query(
    `select (select count(*) from app.pieces where editor_status = 'approved')::integer as approved,
            (select count(*) from pub.pieces)::integer as pieces,
            (select count(*) from pub.pieces p join app.pieces a using (id) where a.editor_status = 'approved')::integer as both,
            (select count(*) from pub.piece_contents)::integer as contents,
            (select count(*) from pub.piece_texts)::integer as texts,
            (select coalesce(sum(pieces_count), 0) from pub.authors)::integer as counted`,
  )
  const { approved, ...others } = rows[0]
  for (const [what, count] of Object.entries(others)) assert.equal(count, approved, what)
}

const nonceFor = async (id: string): Promise<string> => (await desk.ask('POST', `pieces/${id}/preview`)).json().nonce

test('two clicks on Publish publish once', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await desk.begin({ headline: `Twice ${round}` })
    const nonces = [await nonceFor(id), await nonceFor(id)]
    const answers = await Promise.all(nonces.map((nonce) => desk.ask('POST', `pieces/${id}/publish`, { nonce })))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409])
    const { rowCount } = await admin.query("select from app.audit where piece_id = $1 and act = 'publish'", [id])
    assert.equal(rowCount, 1)
  }
  await isSound()
})

test('one nonce publishes once', async () => {
  const id = await desk.begin()
  const nonce = await nonceFor(id)
  assert.equal((await desk.ask('POST', `pieces/${id}/publish`, { nonce })).statusCode, 200)
  await desk.act('unpublish', id)
  const again = await desk.ask('POST', `pieces/${id}/publish`, { nonce })
  assert.deepEqual([again.statusCode, again.json().reason], [412, 'precondition_failed'])
})

test('Publish and Unpublish at the same moment end in one of the two, whole', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await desk.begin({ headline: `To and fro ${round}` })
    await desk.act('publish', id)
    const answers = await Promise.all([desk.ask('POST', `pieces/${id}/unpublish`), desk.act('publish', id)])
    assert.equal(answers[0].statusCode, 200)
    const { status, shown } = await stateOf(id)
    assert.equal(status, answers[1].statusCode === 200 ? 'approved' : 'draft')
    assert.equal(shown, status === 'approved')
  }
  await isSound()
})

test('Publish and Delete at the same moment: one of them happens', async () => {
  const key = await makeKey(admin, writer, { scopes: ['pieces:write', 'drafts:delete'] })
  for (let round = 0; round < rounds; round += 1) {
    const id = await desk.begin({ headline: `Now or never ${round}` })
    const nonce = await nonceFor(id)
    const deletion =
      round % 2 === 0
        ? desk.ask('DELETE', `pieces/${id}`)
        : app.inject({
            method: 'DELETE',
            url: `/api/v1/pieces/${id}`,
            headers: { authorization: `Bearer ${key.key}`, 'if-match': '*' },
          })
    const [published, deleted] = await Promise.all([desk.ask('POST', `pieces/${id}/publish`, { nonce }), deletion])
    const after = await stateOf(id)
    if (published.statusCode === 200) {
      assert.ok([404, 409].includes(deleted.statusCode), `${deleted.statusCode} ${deleted.body}`)
      assert.deepEqual([after.status, after.shown], ['approved', true])
    } else {
      assert.ok([404, 409].includes(published.statusCode), published.body)
      assert.equal(deleted.statusCode, 204, deleted.body)
      assert.deepEqual([after.status, after.shown, after.deleted], ['draft', false, true])
    }
  }
  await isSound()
})

test('an edit at the moment of publishing is refused, or comes after, or publishing is: never is unseen text public', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const id = await desk.begin({ headline: 'As seen' })
    const nonce = await nonceFor(id)
    const [published, saved] = await Promise.all([
      desk.ask('POST', `pieces/${id}/publish`, { nonce }),
      desk.ask('PATCH', `pieces/${id}`, { headline: 'Not seen' }, { 'if-match': '"1"' }),
    ])
    assert.equal(saved.statusCode, 200, saved.body)
    const { status, headline } = await stateOf(id)
    if (published.statusCode === 200) assert.deepEqual([status, headline], ['approved', 'As seen'])
    else assert.deepEqual([published.statusCode, status, headline], [412, 'draft', null])
  }
  await isSound()
})

test('the nonce is for the revision that was shown, in the session it was shown in', async () => {
  const id = await desk.begin()
  const nonce = await nonceFor(id)
  const elsewhere = await makeWriter(admin)
  await admin.query('update app.sessions set account_id = $1 where id = $2', [writer.accountId, elsewhere.sessionId])
  const other = deskOf(app, elsewhere)
  assert.equal((await other.ask('POST', `pieces/${id}/publish`, { nonce })).statusCode, 412)
  await desk.ask('PATCH', `pieces/${id}`, { sub: 'Since then' }, { 'if-match': '"1"' })
  assert.equal((await desk.ask('POST', `pieces/${id}/publish`, { nonce })).statusCode, 412)
  for (const wrong of ['', 'guess', undefined]) {
    const answer = await desk.ask('POST', `pieces/${id}/publish`, wrong === undefined ? {} : { nonce: wrong })
    assert.ok([400, 412].includes(answer.statusCode))
  }
  assert.equal((await stateOf(id)).status, 'draft')
})

/** The reason given when this nonce is refused. */
async function refusalOf(path: string, nonce: string, by = desk): Promise<string> {
  const answer = await by.ask('POST', path, { nonce })
  assert.deepEqual([answer.statusCode, answer.json().reason], [412, 'precondition_failed'])
  return answer.json().detail
}

test('a nonce that does not serve says why, and what to do for the act that was meant', async () => {
  const id = await desk.begin()
  const publish = `pieces/${id}/publish`
  assert.equal(
    await refusalOf(publish, 'x'.repeat(43)),
    'You haven’t previewed this version. Preview it again, then publish it.',
  )
  const late = await nonceFor(id)
  await admin.query("update app.publish_nonces set expires_at = now() - interval '1 second' where piece_id = $1", [id])
  assert.equal(
    await refusalOf(publish, late),
    'Your preview is more than ten minutes old. Preview it again, then publish it.',
  )
  const used = await nonceFor(id)
  assert.equal((await desk.ask('POST', publish, { nonce: used })).statusCode, 200)
  assert.equal(
    await refusalOf(`pieces/${id}/update`, used),
    'This preview was already used. Preview it again, then update it.',
  )

  const moderators = deskOf(app, await makeModerator(admin))
  const pending = await desk.begin()
  await desk.act('submit', pending)
  const { nonce } = (await moderators.ask('POST', `review/${pending}/show`)).json()
  await desk.act('withdraw', pending)
  await desk.ask('PATCH', `pieces/${pending}`, { sub: 'Since then' }, { 'if-match': '*' })
  await desk.act('submit', pending)
  assert.equal(
    await refusalOf(`review/${pending}/approve`, nonce, moderators),
    'This piece has changed since you previewed it. Open it again, then approve it.',
  )
})

test('a nonce of any other form is refused unread', async () => {
  const id = await desk.begin()
  const [good, tail] = [await nonceFor(id), 'x'.repeat(42)]
  const odd = ['\u0000', `\u0000${tail}`, `\ud800${tail}`, `é${tail}`, `${good}\n`, ` ${good}`, 'x'.repeat(100_000), '']
  for (const path of ['publish', 'update', 'submit', 'resubmit']) {
    for (const nonce of [...odd, 5, null, [good], {}]) {
      const answer = await desk.ask('POST', `pieces/${id}/${path}`, { nonce })
      assert.ok(
        [400, 413].includes(answer.statusCode),
        `${path} ${JSON.stringify(nonce)?.slice(0, 60)}: ${answer.body}`,
      )
    }
  }
  assert.equal((await stateOf(id)).status, 'draft')
})

test('the first twenty pieces of one headline are numbered, and the ten-thousandth is published no slower', async () => {
  const other = await makeWriter(admin)
  const [theirs, slugs] = [deskOf(app, other), [] as string[]]
  const publishNext = async () => {
    const id = await theirs.begin({ headline: 'On tea' })
    const answer = await theirs.act('publish', id)
    assert.equal(answer.statusCode, 200, answer.body)
    slugs.push(answer.json().piece.url.split('/').at(-1))
  }
  for (let count = 1; count <= 3; count += 1) await publishNext()
  assert.deepEqual(slugs, ['on-tea', 'on-tea-2', 'on-tea-3'])

  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query(
      `insert into app.pieces (writer_id, headline, body_md, slug)
       select $1, 'On tea', 'A body.', 'on-tea-' || number from generate_series(4, 10000) number`,
      [other.id],
    )
  })
  await publishNext()
  assert.match(slugs.at(-1)!, /^on-tea-[0-9a-f]{8}$/)
})

test('a person who has saved 10,000 times within a day is stopped, and goes on a day later; a key is not counted', async () => {
  const other = await makeWriter(admin)
  const theirs = deskOf(app, other)
  const id = await theirs.begin()
  const saves = (from: number, to: number) =>
    admin.query(
      `insert into app.recent_revisions (piece_id, revision, writer_id, saved_at, account_id, headline, body_md, category,
                                       tags, frame, style, locale, fields)
       select $1, -number, $2, now(), $3, 'h', 'b', 'life', '{}', 'lesson', 'essay', 'en', '{}'
         from generate_series($4::integer, $5) number`,
      [id, other.id, other.accountId, from, to],
    )
  const save = (sub: string) => theirs.ask('PATCH', `pieces/${id}`, { sub }, { 'if-match': '*' })
  await saves(1, 9_998)
  assert.equal((await save('The last one')).statusCode, 200)
  const stopped = [await save('One too many'), await theirs.ask('POST', 'pieces', { headline: 'New', body_md: 'Too.' })]
  for (const answer of stopped) {
    assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'limit_reached'], answer.body)
    assert.match(answer.json().detail, /10,000 times a day.+save again in an hour/)
  }
  assert.equal((await theirs.ask('GET', `pieces/${id}`)).json().piece.sub, 'The last one')

  const { key } = await makeKey(admin, other)
  const drafted = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}` },
    payload: { headline: 'By key', body_md: 'A body.' },
  })
  assert.equal(drafted.statusCode, 201)
  await admin.query("update app.recent_revisions set saved_at = saved_at - interval '1 day' where piece_id = $1", [id])
  assert.equal((await save('A day later')).statusCode, 200)
})

test('publishing needs a page of the site: a key, another site or no cookie are refused', async () => {
  const id = await desk.begin()
  const { key } = await makeKey(admin, writer)
  const nonce = await nonceFor(id)
  const cookie = `__Host-desk=${writer.sessionToken}`
  const tries: [string, Record<string, string>, number][] = [
    ['another site', { cookie, 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling of the site', { cookie, 'sec-fetch-site': 'same-site' }, 403],
    ['no word of where from', { cookie }, 403],
    ['another origin', { cookie, origin: 'https://elsewhere.test' }, 403],
    ['no cookie', { 'sec-fetch-site': 'same-origin' }, 401],
    ['a key', { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' }, 400],
    ['a key and the cookie', { cookie, authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' }, 400],
  ]
  for (const [name, headers, status] of tries) {
    const answer = await app.inject({
      method: 'POST',
      url: `/desk/api/pieces/${id}/publish`,
      headers,
      payload: { nonce },
    })
    assert.equal(answer.statusCode, status, `${name}: ${answer.body}`)
  }
  assert.equal((await stateOf(id)).status, 'draft')
  const older = await app.inject({
    method: 'POST',
    url: `/desk/api/pieces/${id}/publish`,
    headers: { cookie, origin: 'https://site.test' },
    payload: { nonce },
  })
  assert.equal(older.statusCode, 200, 'a browser without Fetch Metadata says its origin')
})

/** A session that ends while its request waits for a lock does nothing: it is checked last. */

const moderator = await makeModerator(admin)
const moderators = deskOf(app, moderator)

type Answer = Awaited<ReturnType<Desk['ask']>>

interface Act {
  readonly by: MadeWriter
  /** The lock another transaction holds meanwhile. */
  readonly row: string
  /** Prepares everything except the act itself. */
  prepare(): Promise<{ id: string; act: () => Promise<Answer> }>
}

const nonceOf = async (by: Desk, path: string) => (await by.ask('POST', path)).json().nonce as string

const ofPiece = (
  status: Parameters<typeof makePieceByActs>[0],
  act: (id: string) => Promise<() => Promise<Answer>>,
): Act => ({
  by: writer,
  row: 'app.pieces',
  prepare: async () => {
    const id = await makePieceByActs(status, desk, moderators)
    return { id, act: await act(id) }
  },
})
const moderated = (status: Parameters<typeof makePieceByActs>[0], path: string, given: object): Act => ({
  ...ofPiece(status, async (id) => () => moderators.ask('POST', `review/${id}/${path}`, given)),
  by: moderator,
})
const seen = (status: Parameters<typeof makePieceByActs>[0], path: string): Act =>
  ofPiece(status, async (id) => {
    const nonce = await nonceFor(id)
    return () => desk.ask('POST', `pieces/${id}/${path}`, { nonce })
  })
const plain = (status: Parameters<typeof makePieceByActs>[0], path: string): Act =>
  ofPiece(status, async (id) => () => desk.ask('POST', `pieces/${id}/${path}`))

const ofWriter = (act: () => Promise<() => Promise<Answer>>): Act => ({
  by: writer,
  row: 'app.writers',
  prepare: async () => ({ id: writer.id, act: await act() }),
})

const everyAct: Record<string, Act> = {
  Publish: seen('draft', 'publish'),
  Update: seen('approved', 'update'),
  Submit: seen('draft', 'submit'),
  Resubmit: seen('changes_requested', 'resubmit'),
  Unpublish: plain('approved', 'unpublish'),
  Withdraw: plain('pending', 'withdraw'),
  Revise: plain('rejected', 'revise'),
  Preview: plain('draft', 'preview'),
  Approve: {
    ...ofPiece('pending', async (id) => {
      const nonce = await nonceOf(moderators, `review/${id}/show`)
      return () => moderators.ask('POST', `review/${id}/approve`, { nonce })
    }),
    by: moderator,
  },
  'Request changes': moderated('pending', 'request-changes', { note: 'Say what you saw.' }),
  Reject: moderated('pending', 'reject', { reason: 'Not here.' }),
  'Take down': moderated('approved', 'take-down', { reason: 'Not yours.', to: 'rejected' }),
  Save: ofPiece('draft', async (id) => () => desk.ask('PATCH', `pieces/${id}`, { sub: 'Late' }, { 'if-match': '*' })),
  Delete: ofPiece('draft', async (id) => () => desk.ask('DELETE', `pieces/${id}`)),
  Begin: ofWriter(async () => () => desk.ask('POST', 'pieces', { headline: 'Late', body_md: 'Late.' })),
  'Mint a key': ofWriter(async () => () => desk.ask('POST', 'keys', { name: 'Late' })),
  'Revoke a key': {
    by: writer,
    row: 'app.api_keys',
    prepare: async () => {
      const { id } = await makeKey(admin, writer)
      return { id, act: () => desk.ask('DELETE', `keys/${id}`) }
    },
  },
}

const setEnded = (ended: boolean, { sessionId }: MadeWriter) =>
  admin.query('update app.sessions set revoked_at = case when $2 then now() end where id = $1', [sessionId, ended])

/** All rows, except last-seen times and the record that the session ended. */
async function rows() {
  const {
    'app.sessions': _sessions,
    'app.security_events': _events,
    'app.security_heads': _heads,
    ...rest
  } = await tableHashes(admin)
  const { rows: events } = await admin.query(
    "select * from app.security_events where act <> 'sessions_ended' order by at, number",
  )
  return { rest, events }
}

for (const [name, { by, row, prepare }] of Object.entries(everyAct)) {
  test(`${name} that waited while its session ended is 401, and nothing of it is done`, async () => {
    const { id, act } = await prepare()
    const before = await rows()
    try {
      const { answer } = await inTransaction(admin, async (client) => {
        await client.query(`select from ${row} where id = $1 for update`, [id])
        const held = act()
        await waitForLockWait(admin, row)
        await setEnded(true, by)
        return { answer: held }
      })
      const { statusCode, body } = await answer
      assert.deepEqual([statusCode, statusCode === 401 && JSON.parse(body).reason], [401, 'signed_out'], body)
      assert.deepEqual(await rows(), before)
    } finally {
      await setEnded(false, by)
    }
  })
}
