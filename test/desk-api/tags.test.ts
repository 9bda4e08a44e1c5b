import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'

/** Tags that complete what a writer types. */

const { admin, app } = await testSite()
const [ada, bo] = [deskOf(app, await makeWriter(admin)), deskOf(app, await makeWriter(admin))]

async function suggested(desk: Desk, q: string): Promise<string[]> {
  const answer = await desk.ask('GET', `tags?q=${encodeURIComponent(q)}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().tags
}

async function publish(desk: Desk, tags: readonly string[]): Promise<string> {
  const id = await desk.begin({ tags })
  const answer = await desk.act('publish', id)
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}

test('a writer’s own tags and those of public pieces complete a word, those that begin with it first', async () => {
  await ada.begin({ tags: ['Steam', 'Tea houses'] })
  await publish(bo, ['tea', 'Teapots'])
  await publish(bo, ['tea'])
  await admin.query('select app.count_topics()')
  assert.deepEqual(await suggested(ada, 'TEA'), ['Tea houses', 'tea', 'Teapots', 'Steam'])
  assert.deepEqual(await suggested(ada, 'houses'), ['Tea houses'])
  assert.deepEqual(await suggested(ada, '%'), [])
  for (const q of ['', 'x'.repeat(201)]) assert.equal((await ada.ask('GET', `tags?q=${q}`)).statusCode, 400)
})

test('tags of other writers’ drafts, and of pieces that are no longer public, are not suggested', async () => {
  await bo.begin({ tags: ['secret plan'] })
  const id = await publish(bo, ['secret garden'])
  await admin.query('select app.count_topics()')
  assert.deepEqual(await suggested(ada, 'secret'), ['secret garden'])
  assert.deepEqual((await suggested(bo, 'secret')).sort(), ['secret garden', 'secret plan'])
  assert.equal((await bo.act('unpublish', id)).statusCode, 200)
  assert.deepEqual(await suggested(ada, 'secret'), [])
})

test('each tag is suggested once, as the writer spells it, and eight at most', async () => {
  await publish(bo, ['Railways'])
  await admin.query('select app.count_topics()')
  await ada.begin({ tags: ['railways'] })
  assert.deepEqual(await suggested(ada, 'railw'), ['railways'])
  await ada.begin({ tags: Array.from({ length: 8 }, (_, at) => `Zoo ${at}`) })
  await ada.begin({ tags: ['Zoo 9'] })
  assert.equal((await suggested(ada, 'zoo')).length, 8)
})

test('a session that has ended is suggested nothing', async () => {
  const gone = await makeWriter(admin)
  await admin.query('update app.sessions set revoked_at = now() where id = $1', [gone.sessionId])
  assert.equal((await deskOf(app, gone).ask('GET', 'tags?q=tea')).statusCode, 401)
})
