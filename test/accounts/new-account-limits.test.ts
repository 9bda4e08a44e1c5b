import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settings } from '../../server/config/config.ts'
import { testSite } from '../../testkit/app.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'

/** What a new account can publish. */

const { admin, app } = await testSite()

async function signedUp(age: string): Promise<{ desk: Desk; writer: MadeWriter }> {
  const writer = await makeWriter(admin)
  await admin.query('update app.accounts set signed_up_at = now() - $2::interval where id = $1', [
    writer.accountId,
    age,
  ])
  return { desk: deskOf(app, writer), writer }
}

const publishMany = async (desk: Desk, count: number) => {
  const drafts = await Promise.all(
    Array.from({ length: count }, (_, at) => desk.begin({ headline: `Offer ${at}`, body_md: 'Click here.' })),
  )
  const answers: Awaited<ReturnType<Desk['act']>>[] = []
  // An account may have two renderings at once.
  for (let at = 0; at < count; at += 2)
    answers.push(...(await Promise.all(drafts.slice(at, at + 2).map((id) => desk.act('publish', id)))))
  return answers
}

const publicOf = async ({ id }: MadeWriter) =>
  (await admin.query('select from pub.pieces where author_id = $1', [id])).rowCount

test('of sixty publications of a minute-old account three are public, and a sentence says why', async () => {
  const { desk, writer } = await signedUp('1 minute')
  const answers = await publishMany(desk, 60)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  assert.equal(answers.length - refused.length, 3)
  assert.equal(await publicOf(writer), 3)
  for (const answer of refused)
    assert.deepEqual(
      [answer.statusCode, answer.json().reason, answer.json().detail],
      [
        409,
        'limit_reached',
        'New accounts can publish 3 pieces in their first day, to keep spam out. Your draft is saved; publish it tomorrow.',
      ],
    )
})

test('in the first week it is ten a day, and then as many as anybody', async () => {
  const { desk, writer } = await signedUp('2 days')
  const first = await publishMany(desk, 11)
  assert.equal(first.filter(({ statusCode }) => statusCode === 200).length, 10)
  assert.match(first.find(({ statusCode }) => statusCode !== 200)!.json().detail, /10 pieces a day in their first week/)
  await admin.query("update app.accounts set signed_up_at = now() - interval '8 days' where id = $1", [
    writer.accountId,
  ])
  assert.ok((await publishMany(desk, 5)).every(({ statusCode }) => statusCode === 200))
})

test('what was published before can be taken back, updated and published again', async () => {
  const { desk } = await signedUp('1 minute')
  const ids = await Promise.all([1, 2, 3].map((at) => desk.begin({ headline: `Piece ${at}`, body_md: 'Text.' })))
  for (const id of ids) assert.equal((await desk.act('publish', id)).statusCode, 200)
  assert.equal((await desk.ask('POST', `pieces/${ids[0]}/unpublish`)).statusCode, 200)
  assert.equal((await desk.act('publish', ids[0]!)).statusCode, 200)
})

test('whom the operator added is not counted', async () => {
  const desk = deskOf(app, await makeWriter(admin))
  assert.ok((await publishMany(desk, 12)).every(({ statusCode }) => statusCode === 200))
})

test('the limits are three and ten', () => {
  assert.deepEqual([settings.FIRST_DAY_PIECES.fallback, settings.FIRST_WEEK_PIECES.fallback], ['3', '10'])
})
