import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'

/** What pages of the desk rely on when answers are lost and people change places. */

const { url, admin } = await testDatabase()
const app = await testApp(url)
const [ada, bo] = [await makeWriter(admin), await makeWriter(admin)]
const [adas, bos] = [deskOf(app, ada), deskOf(app, bo)]
const text = { headline: 'On tea', body_md: 'Four minutes.' }

test('a piece begun twice under the id its page chose is one piece, and stays as it was first', async () => {
  const id = randomUUID()
  const first = await adas.ask('POST', `pieces?id=${id}`, text)
  const again = await adas.ask('POST', `pieces?id=${id}`, { ...text, headline: 'On coffee' })
  assert.deepEqual([first.statusCode, again.statusCode], [201, 201])
  assert.equal(first.json().piece.id, id)
  assert.equal(again.body, first.body)
  assert.equal(again.headers['etag'], first.headers['etag'])
})

test('an id that is another writer’s piece begins nothing, and tells nothing of it', async () => {
  const id = randomUUID()
  await adas.ask('POST', `pieces?id=${id}`, text)
  const taken = await bos.ask('POST', `pieces?id=${id}`, { headline: 'Mine', body_md: 'Mine.' })
  assert.equal(taken.statusCode, 404)
  assert.doesNotMatch(taken.body, /tea/)
  const { rows } = await admin.query('select headline from app.pieces where id = $1', [id])
  assert.deepEqual(rows, [{ headline: 'On tea' }])
})

test('what is no id of ours is refused', async () => {
  for (const id of ['1', 'urn:uuid:x', randomUUID().toUpperCase(), '00000000-0000-0000-0000-000000000000'])
    assert.equal((await adas.ask('POST', `pieces?id=${id}`, text)).statusCode, 400, id)
})

test('a page that one writer opened does nothing for another who has signed in since', async () => {
  const before = (await bos.ask('GET', 'pieces')).json().count
  const refused = await bos.ask('POST', 'pieces', text, { 'x-writer': ada.id })
  assert.deepEqual([refused.statusCode, refused.json().reason], [401, 'signed_out'])
  assert.equal((await bos.ask('GET', 'pieces')).json().count, before)
  assert.equal((await bos.ask('POST', 'pieces', text, { 'x-writer': bo.id })).statusCode, 201)
})
