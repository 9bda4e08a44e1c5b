import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { checkReceipt } from '../../server/features/pieces/receipts/check.ts'
import { testApp } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'
import { everyScope } from '../../testkit/write-api.ts'

/** Imported drafts are published with the dates they had, once their writer has confirmed the list. */

const { url, admin, app, subscribe } = await openWebhookSite()
const old = '2015-03-12T08:30:00.000Z'

type Desk = Subscriber['desk']

interface Given {
  readonly date?: string | null
  readonly headline?: string
  readonly body_md?: string
}

async function imported(desk: Desk, { date = old, headline = 'An old post', body_md = 'As it was.' }: Given = {}) {
  const id = randomUUID()
  const draft = { headline, body_md, category: 'life' }
  const answer = await desk.ask('PUT', `imports/${id}`, { draft, service: 'ghost', date, notes: ['A poll was left.'] })
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}
const confirm = (desk: Desk, ids: readonly string[], revision = 1) =>
  desk.ask('POST', 'imports/confirm', { pieces: ids.map((id) => ({ id, revision })) })
const publish = (desk: Desk, id: string) => desk.ask('POST', `imports/${id}/publish`)
async function published(desk: Desk, given: Given = {}): Promise<string> {
  const id = await imported(desk, given)
  await confirm(desk, [id])
  const answer = await publish(desk, id)
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}
const publicPiece = async (id: string) => (await app.inject(`/api/public/pieces/${id}`)).json().piece
const listed = async (desk: Desk) => (await desk.ask('GET', 'imports')).json()
const problemsOf = async (answer: Promise<{ json(): { pieces: { problem: string | null }[] } }>) =>
  (await answer).json().pieces.map(({ problem }) => problem)

const asPublisher = (change: string, id: string) =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query(change, [id])
  })

const one = await subscribe()

test('a confirmed import is public with its original date, and its webhook is called once', async () => {
  const id = await imported(one.desk, { headline: 'From long ago' })
  const { pieces } = await listed(one.desk)
  const found = pieces.find((piece: { id: string }) => piece.id === id)
  assert.deepEqual([found.date, found.notes, found.problem], [old, ['A poll was left.'], null])
  assert.equal(found.is_category_chosen, true)
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 404)
  assert.deepEqual(await problemsOf(confirm(one.desk, [id])), [null])
  assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 404)
  assert.equal((await publish(one.desk, id)).statusCode, 200)
  const piece = await publicPiece(id)
  assert.equal(piece.date_published, old)
  assert.ok(piece.date_modified > '2026')
  await one.until((newest) => newest.piece?.id === id && newest.state === 'delivered')
  assert.equal(one.received().filter(({ body }) => body.includes(id)).length, 1)
  assert.ok(!(await listed(one.desk)).pieces.some((other: { id: string }) => other.id === id))
})

test('its receipt tells the date its writer states and when it was published here, and verifies', async () => {
  const id = await published(one.desk)
  const signed = (await app.inject(`/p/${id}/receipt`)).json()
  const { receipt } = signed
  assert.deepEqual([receipt.act, receipt.first_published, receipt.scheduled], ['publish', old, undefined])
  assert.deepEqual([receipt.imported.service, receipt.imported.original], ['ghost', old])
  assert.ok(receipt.imported.here > '2026' && receipt.imported.here <= receipt.published)
  assert.equal(receipt.proof.of_this_revision, false)
  const keys = (await app.inject('/.well-known/standfirst-receipts.json')).json()
  const piece = (await app.inject(`/api/public/pieces/${id}`)).json()
  const verdict = checkReceipt({ signed, keys, piece, id })
  assert.deepEqual(verdict.broken, [])
  assert.ok(verdict.proven.some((sentence) => sentence.includes(old) && sentence.includes(receipt.imported.here)))
  assert.ok(!verdict.proven.some((sentence) => sentence.includes(`First published on ${old}`)))
  const page = await app.inject({ url: (piece.piece ?? piece).url.replace('https://site.test', ''), method: 'GET' })
  assert.ok(!/Updated/.test(page.body), 'a piece that only arrived was not updated')
})

test('old posts take their place in the past of lists, and a new piece stays the first', async () => {
  const writer = await makeWriter(admin)
  const desk = deskOf(app, writer)
  const fresh = await desk.begin({ headline: 'Today' })
  assert.equal((await desk.act('publish', fresh)).statusCode, 200)
  const ids: string[] = []
  for (let month = 1; month <= 3; month += 1)
    ids.push(await published(desk, { date: `2015-0${month}-01T00:00:00.000Z` }))
  const feed = (await app.inject(`/author/${writer.slug}/feed.json`)).json()
  assert.deepEqual(
    feed.items.map(({ id }: { id: string }) => id.slice(-36)),
    [fresh, ...ids.toReversed()],
  )
  const { author } = (await app.inject(`/api/public/authors/${writer.slug}`)).json()
  assert.ok(author.stats.last_published_at > '2026')
})

test('unpublishing and publishing again keeps the date, and no second date is ever taken', async () => {
  const id = await published(one.desk)
  assert.equal((await one.desk.act('unpublish', id)).statusCode, 200)
  await confirm(one.desk, [id])
  assert.equal((await publish(one.desk, id)).statusCode, 409)
  assert.equal((await one.desk.act('publish', id)).statusCode, 200)
  assert.equal((await publicPiece(id)).date_published, old)
  const { receipt } = (await app.inject(`/p/${id}/receipt`)).json()
  assert.equal(receipt.imported.original, old)
  const again = await one.desk.ask('PUT', `imports/${id}`, {
    draft: { headline: 'Else', body_md: 'Else.' },
    service: 'ghost',
    date: '2001-01-01T00:00:00Z',
    notes: [],
  })
  assert.equal(again.statusCode, 200)
  const { rows } = await admin.query('select original_at from app.imports where piece_id = $1', [id])
  assert.equal(rows[0].original_at.toISOString(), old)
})

describe('an import is not published with a date', () => {
  test('without a confirmation, with one of another session, and after an hour', async () => {
    const id = await imported(one.desk)
    assert.equal((await publish(one.desk, id)).statusCode, 412)
    await confirm(one.desk, [id])
    await asPublisher("update app.imports set confirmed_at = now() - interval '61 minutes' where piece_id = $1", id)
    assert.equal((await publish(one.desk, id)).statusCode, 412)
    await confirm(one.desk, [id])
    await asPublisher('update app.imports set session_id = gen_random_uuid() where piece_id = $1', id)
    assert.equal((await publish(one.desk, id)).statusCode, 412)
    assert.equal((await app.inject(`/api/public/pieces/${id}`)).statusCode, 404)
  })

  test('if it was changed before or after the confirmation', async () => {
    const id = await imported(one.desk)
    assert.deepEqual(await problemsOf(confirm(one.desk, [id], 2)), ['changed'])
    await confirm(one.desk, [id])
    await one.desk.ask('PATCH', `pieces/${id}`, { sub: 'Else.' }, { 'if-match': '*' })
    assert.equal((await publish(one.desk, id)).statusCode, 412)
    assert.deepEqual(await problemsOf(confirm(one.desk, [id], 2)), [null])
    assert.equal((await publish(one.desk, id)).statusCode, 200)
    assert.equal((await publicPiece(id)).date_published, old)
  })

  test('without a date that can be: none, before 1990 or in the future; and without a headline', async () => {
    for (const date of [null, '1989-12-31T23:59:59Z', new Date(Date.now() + 86_400_000).toISOString()]) {
      const id = await imported(one.desk, { date })
      assert.deepEqual(await problemsOf(confirm(one.desk, [id])), ['date'], String(date))
      assert.equal((await publish(one.desk, id)).statusCode, 409)
    }
    const id = await imported(one.desk, { headline: 'Untitled' })
    assert.deepEqual(await problemsOf(confirm(one.desk, [id])), ['headline'])
  })

  test('if it is another writer’s, was not imported, or is public already', async () => {
    const other = deskOf(app, await makeWriter(admin))
    const theirs = await imported(other)
    const own = await one.desk.begin()
    const live = await published(one.desk)
    assert.deepEqual(await problemsOf(confirm(one.desk, [theirs])), ['gone'])
    assert.deepEqual(await problemsOf(confirm(one.desk, [own])), ['gone'])
    assert.deepEqual(await problemsOf(confirm(one.desk, [live])), ['published'])
    await confirm(other, [theirs])
    assert.equal((await publish(one.desk, theirs)).statusCode, 404)
    assert.equal((await publish(one.desk, own)).statusCode, 409)
  })

  test('by a key, or without the proof that Publish asks for', async () => {
    const id = await imported(one.desk)
    const { key } = await makeKey(admin, one.writer, { scopes: everyScope })
    const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' }
    for (const path of [`imports/${id}/publish`, 'imports/confirm']) {
      const payload = { pieces: [{ id, revision: 1 }] }
      const answer = await app.inject({ method: 'POST', url: `/desk/api/${path}`, headers, payload })
      assert.match(answer.json().detail, /does not accept API keys/)
    }
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const late = await imported(desk)
    await admin.query("update app.sessions set authenticated_at = now() - interval '13 hours' where account_id = $1", [
      writer.accountId,
    ])
    assert.equal((await confirm(desk, [late])).json().reason, 'fresh_sign_in_required')
    assert.equal((await publish(desk, late)).statusCode, 412)
    const strict = deskOf(await testApp(url, { PUBLISH_PROOF: 'passkey' }), one.writer)
    assert.equal((await confirm(strict, [id])).statusCode, 403)
  })

  test('where the site reviews first, or a moderator has asked for a review', async () => {
    const id = await imported(one.desk)
    const reviewing = deskOf(await testApp(url, { REVIEW: 'required' }), one.writer)
    assert.equal((await listed(reviewing)).pieces.find((piece: { id: string }) => piece.id === id).problem, 'review')
    await confirm(reviewing, [id])
    assert.equal((await publish(reviewing, id)).statusCode, 409)
    const down = await published(one.desk)
    const moderators = deskOf(app, await makeModerator(admin))
    assert.equal((await moderators.act('take_down', down)).statusCode, 200)
    assert.deepEqual(await problemsOf(confirm(one.desk, [down])), ['published'])
  })
})

test('a new account publishes as many imports a day as other pieces, and the rest are left', async () => {
  const writer = await makeWriter(admin)
  await admin.query('update app.accounts set signed_up_at = now() where id = $1', [writer.accountId])
  const desk = deskOf(app, writer)
  const ids: string[] = []
  for (let number = 0; number < 5; number += 1) ids.push(await imported(desk))
  assert.equal((await listed(desk)).allowance, 3)
  await confirm(desk, ids)
  const answers: number[] = []
  for (const id of ids) answers.push((await publish(desk, id)).statusCode)
  assert.deepEqual(answers, [200, 200, 200, 409, 409])
  const { total, allowance } = await listed(desk)
  assert.deepEqual([total, allowance], [2, 0])
  assert.equal((await listed(one.desk)).allowance, null)
})
