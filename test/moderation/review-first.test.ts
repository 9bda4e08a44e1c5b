import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'

/** REVIEW=first: a moderator reads the first pieces of a new writer. */

const { url, admin } = await testDatabase()
const app = await testApp(url, { REVIEW: 'first', REVIEW_FIRST_PIECES: '2' })
const moderators = deskOf(app, await makeModerator(admin))

async function newcomer(): Promise<Desk> {
  const writer = await makeWriter(admin)
  await admin.query("update app.accounts set signed_up_at = now() - interval '30 days' where id = $1", [
    writer.accountId,
  ])
  return deskOf(app, writer)
}

const published = async (desk: Desk) => {
  const id = await desk.begin()
  const answer = await desk.act('publish', id)
  assert.equal(answer.statusCode, 200, answer.body)
  return { id, status: answer.json().piece.status as string }
}
const approve = async (id: string) => assert.equal((await moderators.act('approve', id)).statusCode, 200)

test('Publish submits the first pieces of a new writer, until two were approved', async () => {
  const desk = await newcomer()
  const [one, two, three] = [await published(desk), await published(desk), await published(desk)]
  assert.deepEqual([one.status, two.status, three.status], ['pending', 'pending', 'pending'])
  await approve(one.id)
  assert.equal((await published(desk)).status, 'pending')
  await approve(two.id)
  assert.equal((await published(desk)).status, 'approved')
})

test('a piece that was taken down does not count', async () => {
  const desk = await newcomer()
  const [one, two] = [await published(desk), await published(desk)]
  await approve(one.id)
  await approve(two.id)
  assert.equal((await moderators.act('take_down', one.id)).statusCode, 200)
  assert.equal((await published(desk)).status, 'pending')
})

test('a new writer sees that their pieces are reviewed, and cannot update one past the moderators', async () => {
  const desk = await newcomer()
  const { id } = await published(desk)
  assert.equal((await desk.ask('GET', `pieces/${id}`)).json().piece.review_required, true)
  await approve(id)
  assert.equal((await desk.act('update', id)).statusCode, 409)
})

test('whom the operator added publishes at once', async () => {
  assert.equal((await published(deskOf(app, await makeWriter(admin)))).status, 'approved')
})
