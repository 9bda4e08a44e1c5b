import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../server/testing/app.ts'
import { testDatabase } from '../../server/testing/database.ts'
import { deskOf } from '../../server/testing/desk.ts'
import { makeKey, makeWriter } from '../../server/testing/make.ts'

/** Publishing: what was seen is what goes public, once, whatever happens at the same moment. */

const { url, admin } = await testDatabase()
const app = await testApp(url, { DESK_CONNECTIONS: '6' })
const writer = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, writer)

const rounds = 25

async function stateOf(id: string) {
  const { rows } = await admin.query(
    `select p.editor_status as status, p.revision, s.id is not null as shown, s.headline,
            (select count(*)::integer from pub.piece_contents c where c.piece_id = $1) as contents,
            (select count(*)::integer from pub.piece_texts t where t.piece_id = $1) as texts
       from app.pieces p left join pub.pieces s on s.id = p.id where p.id = $1`,
    [id],
  )
  return rows[0]
}

/** The public wing holds exactly the approved pieces, whole, and the author's count is theirs. */
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
  const key = await makeKey(admin, writer)
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
      assert.equal(after, undefined)
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

test('publishing needs a page of the house: a key, another site or no cookie are refused', async () => {
  const id = await desk.begin()
  const { key } = await makeKey(admin, writer)
  const nonce = await nonceFor(id)
  const cookie = `__Host-desk=${writer.sessionToken}`
  const tries: [string, Record<string, string>, number][] = [
    ['another site', { cookie, 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling of the house', { cookie, 'sec-fetch-site': 'same-site' }, 403],
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
    headers: { cookie, origin: 'https://house.test' },
    payload: { nonce },
  })
  assert.equal(older.statusCode, 200, 'a browser without Fetch Metadata says its origin')
})
