import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Jobs, readPayload } from '../../server/features/jobs.ts'
import { sendReviewEmail } from '../../server/features/moderation/review.ts'
import type { Status } from '../../server/features/pieces/draft-schema.ts'
import { type Act, transitions } from '../../server/features/pieces/states.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { attempt } from '../../testkit/attacks.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'

/** Review: what needs a moderator, what they see, and which public changes need none. */

const { url, admin, app } = await testSite()
const strict = await testApp(url, { REVIEW: 'required' })
const writer = await makeWriter(admin, { slug: 'ada' })
const mine = deskOf(app, writer)
const moderators = deskOf(app, await makeModerator(admin))

const pieceIn = (status: Status) => makePieceByActs(status, mine, moderators)
const act = (name: Act, id: string, given?: object) =>
  (transitions[name].by === 'writer' ? mine : moderators).act(name, id, given)

async function statusOf(id: string): Promise<Status> {
  const { rows } = await admin.query('select editor_status from app.pieces where id = $1', [id])
  return rows[0].editor_status
}

const isPublic = async (id: string): Promise<boolean> =>
  (await app.inject(`/api/public/pieces/${id}`)).statusCode === 200

test('what was taken down or rejected goes through review from then on, Update included', async () => {
  for (const [status, back] of [
    ['approved', ['take_down', 'withdraw']],
    ['rejected', ['revise']],
  ] as const) {
    const id = await pieceIn(status)
    for (const step of back) assert.equal((await act(step, id)).statusCode, 200, step)
    assert.equal((await act('publish', id)).statusCode, 409)
    for (const step of ['submit', 'approve'] as const) assert.equal((await act(step, id)).statusCode, 200, step)
    assert.equal(await isPublic(id), true)
    assert.equal((await act('update', id)).statusCode, 409)
  }
})

test('where the site requires review, Publish submits', async () => {
  const desk = deskOf(strict, writer)
  const id = await desk.begin()
  const answer = await desk.act('publish', id)
  assert.deepEqual([answer.statusCode, answer.json().piece?.status], [200, 'pending'])
  assert.equal(await isPublic(id), false)
})

test('what is submitted is what its writer saw: Submit, Resubmit, and Publish where the site requires review', async () => {
  for (const [desk, name, from] of [
    [mine, 'submit', 'draft'],
    [mine, 'resubmit', 'changes_requested'],
    [deskOf(strict, writer), 'publish', 'draft'],
  ] as const) {
    const id = await pieceIn(from)
    const { nonce } = (await desk.ask('POST', `pieces/${id}/preview`)).json()
    await desk.ask('PATCH', `pieces/${id}`, { body_md: 'Nobody saw this.' }, { 'if-match': '*' })
    const refused = await desk.ask('POST', `pieces/${id}/${name}`, { nonce })
    assert.deepEqual([refused.statusCode, refused.json().reason], [412, 'precondition_failed'], name)
    assert.match(
      refused.json().detail,
      /^This piece has changed since you previewed it\. Preview it again, then \w+ it\.$/,
    )
    assert.equal((await desk.ask('POST', `pieces/${id}/${name}`)).statusCode, 400, 'without a word of what was seen')
    assert.equal(await statusOf(id), from)
    assert.equal((await desk.act(name, id)).statusCode, 200)
    assert.equal(await statusOf(id), 'pending')
  }
})

test('where the site requires review, nothing public is changed without it, however it got there', async () => {
  const desk = deskOf(strict, writer)
  const reviewed = await desk.begin({ headline: 'Reviewed' })
  await desk.act('submit', reviewed)
  assert.equal((await moderators.act('approve', reviewed)).statusCode, 200)
  for (const id of [reviewed, await pieceIn('approved')]) {
    const before = (await app.inject(`/api/public/pieces/${id}`)).body
    await desk.ask('PATCH', `pieces/${id}`, { body_md: 'Not reviewed.' }, { 'if-match': '*' })
    const answer = await desk.act('update', id)
    assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'illegal_transition'])
    assert.match(answer.json().detail, /Unpublish it, then submit it for review\./)
    assert.equal((await app.inject(`/api/public/pieces/${id}`)).body, before)
    assert.equal((await desk.ask('GET', `pieces/${id}`)).json().piece.review_required, true)
  }
})

test('what a moderator approved is changed in public by review alone, also by the database’s own word', async () => {
  const id = await pieceIn('pending')
  assert.equal((await act('approve', id)).statusCode, 200)
  assert.equal((await act('update', id)).statusCode, 409)
  const { nonce } = (await mine.ask('POST', `pieces/${id}/preview`)).json()
  const hashes = [writer.sessionToken, nonce].map((secret) => hashOf(secret).toString('hex'))
  const update = `select app.desk_update('${id}', '\\x${hashes[0]}', '\\x${hashes[1]}', null)`
  assert.equal(await attempt(url, 'svc_desk', update, {}), 'SF409')
})

test('a moderator does not review their own piece', async () => {
  const both = await makeModerator(admin)
  const desk = deskOf(app, both)
  const id = await desk.begin()
  await desk.act('submit', id)
  for (const name of ['approve', 'request_changes', 'reject'] as const) {
    const answer = await desk.act(name, id)
    assert.deepEqual([answer.statusCode, answer.json().reason], [403, 'forbidden'], `${name} ${answer.body}`)
  }
  assert.equal(await statusOf(id), 'pending')
})

test("a moderator reads what was put before them, and nobody's draft", async () => {
  const [pending, draft] = [await pieceIn('pending'), await pieceIn('draft')]
  const queue = (await moderators.ask('GET', 'review?limit=100')).json()
  const ids = queue.pieces.map(({ id }: { id: string }) => id)
  assert.ok(ids.includes(pending) && !ids.includes(draft))
  assert.equal((await moderators.ask('POST', `review/${pending}/show`)).json().piece.body_md, 'A body.')
  const hidden = await moderators.ask('POST', `review/${draft}/show`)
  assert.equal(hidden.statusCode, 409)
  assert.doesNotMatch(hidden.body, /A body|A piece that is/)
})

test('of a public piece a moderator reads what readers do, and nothing its writer has changed since', async () => {
  const id = await pieceIn('approved')
  await mine.ask('PATCH', `pieces/${id}`, { headline: 'Mine alone', body_md: 'Mine alone.' }, { 'if-match': '"1"' })
  const shown = await moderators.ask('POST', `review/${id}/show`)
  const { piece, nonce } = shown.json()
  assert.deepEqual(
    [
      shown.statusCode,
      piece.status,
      piece.headline,
      piece.html,
      piece.writer.slug,
      piece.body_md,
      piece.revision,
      nonce,
    ],
    [200, 'approved', 'A piece that is approved', '<p>A body.</p>\n', 'ada', null, null, null],
  )
  assert.doesNotMatch(shown.body, /Mine alone/)
})

test('what was sent back, rejected or taken down is its writer’s again, and a moderator reads none of it', async () => {
  const takenDown = await pieceIn('approved')
  await mine.ask('PATCH', `pieces/${takenDown}`, { body_md: 'Mine alone.' }, { 'if-match': '"1"' })
  await act('take_down', takenDown, { to: 'rejected' })
  for (const id of [takenDown, await pieceIn('rejected'), await pieceIn('changes_requested')]) {
    const answer = await moderators.ask('POST', `review/${id}/show`)
    assert.equal(answer.statusCode, 409)
    assert.doesNotMatch(answer.body, /Mine alone|A body|A piece that is/)
  }
})

test('the queue begins with what was submitted first, whenever it was written', async () => {
  const [writtenFirst, writtenLast] = [await mine.begin({ headline: 'Older' }), await mine.begin({ headline: 'Newer' })]
  for (const id of [writtenLast, writtenFirst]) await act('submit', id)
  const queue = async (query: string) => (await moderators.ask('GET', `review?${query}`)).json()
  const ids: string[] = []
  for (let page = await queue('limit=3'); ; page = await queue(`limit=3&cursor=${page.next_cursor}`)) {
    ids.push(...page.pieces.map(({ id }: { id: string }) => id))
    if (page.next_cursor === null) break
  }
  assert.deepEqual(ids.slice(-2), [writtenLast, writtenFirst])
  assert.equal(new Set(ids).size, ids.length)

  await moderators.act('request_changes', writtenLast)
  await act('resubmit', writtenLast)
  const { pieces } = await queue('limit=100')
  assert.equal(pieces.at(-1).id, writtenLast, 'sent back and resubmitted, it waits anew')
  assert.ok(pieces.at(-1).submitted_at >= pieces.at(-2).submitted_at)
})

test('the note of a moderator is with the piece while it waits, and its writer gets it by email', async () => {
  const id = await pieceIn('pending')
  await moderators.act('request_changes', id, { note: 'The kettle is not a clock.' })
  assert.equal((await mine.ask('GET', `pieces/${id}`)).json().piece.note, 'The kettle is not a clock.')
  const { rows } = await admin.query<{ data: Jobs['review.email'] }>(
    "select data from jobs.job where name = 'review.email' and data ->> 'piece' = $1",
    [id],
  )
  assert.deepEqual(rows[0]?.data, { piece: id, letter: 'changes-requested' })
  const sent: unknown[] = []
  await sendReviewEmail(
    workerDatabase(url),
    async (account, order) => void sent.push(account, order),
    readPayload('review.email', rows[0]!.data)!,
    '1',
  )
  const { headline } = (await mine.ask('GET', `pieces/${id}`)).json().piece
  assert.deepEqual(sent, [
    writer.accountId,
    { template: 'changes-requested', params: { piece: id, headline, note: 'The kettle is not a clock.' } },
  ])
  await act('withdraw', id)
  assert.equal((await mine.ask('GET', `pieces/${id}`)).json().piece.note, null)
})
