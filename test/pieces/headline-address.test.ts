import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'

/** What a piece must have before it is public: a headline, and an address that its writer may choose until then. */

const { admin, app } = await testSite({})
const writer = await makeWriter(admin)
const desk = deskOf(app, writer)

const slugOf = async (id: string) => (await desk.ask('POST', `pieces/${id}/preview`)).json().slug
const choose = (id: string, slug: string | null) => desk.ask('PUT', `pieces/${id}/slug`, { slug })
const chosen = async (id: string, slug: string | null) => {
  const answer = await choose(id, slug)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().slug
}
const urlOf = async (id: string) => new URL((await desk.ask('GET', `pieces/${id}`)).json().piece.url).pathname

test('a piece without a headline is neither published, submitted, resubmitted nor updated, and the answer names it', async () => {
  for (const headline of ['Untitled', 'untitled']) {
    const id = await desk.begin({ headline })
    for (const act of ['publish', 'submit'] as const) {
      const refused = await desk.act(act, id)
      assert.equal(refused.statusCode, 400, refused.body)
      const { reason, detail, errors } = refused.json()
      assert.equal(reason, 'validation_failed')
      assert.match(detail, /no headline. Add one/)
      assert.equal(errors[0].pointer, '/headline')
    }
    await desk.ask('PATCH', `pieces/${id}`, { headline: 'On tea' }, { 'if-match': '*' })
    assert.equal((await desk.act('publish', id)).statusCode, 200)
    await desk.ask('PATCH', `pieces/${id}`, { headline }, { 'if-match': '*' })
    assert.equal((await desk.act('update', id)).statusCode, 400)
  }
  const reviewed = await desk.begin()
  const moderator = deskOf(app, await makeModerator(admin))
  await desk.act('submit', reviewed)
  await moderator.act('request_changes', reviewed)
  await desk.ask('PATCH', `pieces/${reviewed}`, { headline: 'Untitled' }, { 'if-match': '*' })
  assert.equal((await desk.act('resubmit', reviewed)).statusCode, 400)
})

test('the database refuses it as well, so a moderator cannot approve what lost its headline', async () => {
  const id = await desk.begin()
  await desk.act('submit', id)
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query("update app.pieces set headline = 'Untitled' where id = $1", [id])
  })
  const refused = await deskOf(app, await makeModerator(admin)).act('approve', id)
  assert.equal(refused.statusCode, 400, refused.body)
  assert.match(refused.json().detail, /no headline/)
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 404)
})

test('a key may still draft a piece called Untitled, which waits for a headline', async () => {
  const { key } = await makeKey(admin, writer)
  const sent = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}` },
    payload: { headline: 'Untitled', body_md: 'Words.' },
  })
  assert.equal(sent.statusCode, 201, sent.body)
  assert.equal(await slugOf(sent.json().id), null)
  assert.equal((await desk.act('publish', sent.json().id)).statusCode, 400)
})

test('the address is made of the headline until its writer chooses one, in any script', async () => {
  const id = await desk.begin({ headline: 'A long look at kettles' })
  assert.equal(await slugOf(id), 'a-long-look-at-kettles')
  assert.equal(await chosen(id, ' Kettles, 2026! '), 'kettles-2026')
  await desk.ask('PATCH', `pieces/${id}`, { headline: 'Another headline' }, { 'if-match': '*' })
  assert.equal(await slugOf(id), 'kettles-2026', 'a later headline does not move it')
  assert.equal(await chosen(id, null), 'another-headline')
  assert.equal(await chosen(id, '关于 Ｔｅａ'), '关于-tea')
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  assert.equal(decodeURI(await urlOf(id)), `/author/${writer.slug}/关于-tea`)
  assert.equal((await app.inject(await urlOf(id))).statusCode, 200)
})

test('an address that another piece of the writer has ends in -2, and one without characters is refused', async () => {
  const [first, second] = [await desk.begin({ headline: 'On water' }), await desk.begin({ headline: 'On rain' })]
  assert.equal(await chosen(first, 'wet'), 'wet')
  const answer = await choose(second, 'wet')
  assert.deepEqual(answer.json(), { ok: true, slug: 'wet-2', asked: 'wet' })
  assert.equal(await chosen(second, 'wet'), 'wet-2', 'not one further each time')
  assert.equal(await chosen(first, 'wet'), 'wet')
  const refused = await choose(first, '!?')
  assert.equal(refused.statusCode, 400)
  assert.match(refused.json().detail, /at least one letter or digit/)
  assert.equal(await slugOf(first), 'wet')
})

test('the address of a piece is chosen by its writer only, and never after the first publication', async () => {
  const id = await desk.begin({ headline: 'On snow' })
  const otherDesk = deskOf(app, await makeWriter(admin))
  assert.equal((await otherDesk.ask('PUT', `pieces/${id}/slug`, { slug: 'mine' })).statusCode, 404)
  await desk.act('submit', id)
  assert.equal((await choose(id, 'while-in-review')).statusCode, 409)
  await desk.act('withdraw', id)
  await desk.act('publish', id)
  await desk.act('unpublish', id)
  const refused = await choose(id, 'snow')
  assert.equal(refused.statusCode, 409)
  assert.match(refused.json().detail, /address can’t be changed/)
  const byForce = inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query("update app.pieces set slug = 'snow' where id = $1", [id])
  })
  await assert.rejects(byForce, /stays after its first publication/)
  assert.equal(await slugOf(id), 'on-snow')
})
