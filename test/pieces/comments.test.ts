import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { policy } from '../../server/config/policy.ts'
import { notifyOfComments, sendCommentsEmail } from '../../server/features/comments/notify.ts'
import type { Thread, Threads } from '../../server/features/comments/schema.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'

/** Comments on a draft: by its writer, co-authors, moderators while it waits for review, and holders of a private link. */

const { url, admin, app } = await testSite()
const db = workerDatabase(url)
const ada = await makeWriter(admin, { name: 'Ada Okafor' })
const bob = await makeWriter(admin)
const cem = await makeWriter(admin, { name: 'Cem Yıldız', slug: 'cem' })
const [mo, mia] = [await makeModerator(admin), await makeModerator(admin)]
const [desk, other, coAuthor, moderator, another] = [ada, bob, cem, mo, mia].map((person) => deskOf(app, person)) as [
  Desk,
  Desk,
  Desk,
  Desk,
  Desk,
]

const body_md = 'Tea needs time.\n\nFour *minutes* are enough.\n\nThe last word belongs to the cup.'
const passage = { quote: 'needs', before: 'Tea ', after: ' time.', position: 4 }

const list = async (at: Desk, piece: string): Promise<Thread[]> => {
  const answer = await at.ask('GET', `pieces/${piece}/comments`)
  assert.equal(answer.statusCode, 200, answer.body)
  return (answer.json() as Threads).threads
}
const put = (at: Desk, piece: string, given: object = {}, id: string = randomUUID()) =>
  at.ask('PUT', `pieces/${piece}/comments/${id}`, { body: 'Why?', ...given })
async function add(at: Desk, piece: string, given: object = {}): Promise<string> {
  const id = randomUUID()
  const answer = await put(at, piece, given, id)
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}
const settle = (at: Desk, piece: string, id: string, resolved = true, outcome?: string) =>
  at.ask('POST', `pieces/${piece}/comments/${id}/settle`, { resolved, ...(outcome ? { outcome } : {}) })
const remove = (at: Desk, piece: string, id: string) => at.ask('DELETE', `pieces/${piece}/comments/${id}`)
const statusOf = async (answer: ReturnType<Desk['ask']>) => (await answer).statusCode

async function linkTo(piece: string): Promise<{ id: string; path: string }> {
  const { link } = (await desk.ask('POST', `pieces/${piece}/links`, { days: 7 })).json()
  return { id: link.id, path: new URL(link.url).pathname }
}
const form = (fields: Record<string, string>) => new URLSearchParams({ name: 'Grace', ...fields }).toString()
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `${path}/comments`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
    payload: form(fields),
  })
const page = async (path: string) => (await app.inject({ url: path, headers: { accept: 'text/html' } })).body

describe('at the desk', () => {
  test('a writer comments on a passage, replies, resolves, opens again and deletes', async () => {
    const piece = await desk.begin({ body_md })
    const id = await add(desk, piece, { passage })
    await add(desk, piece, { body: 'Because.', thread: id })
    const [thread] = await list(desk, piece)
    assert.deepEqual(thread!.passage, passage)
    assert.deepEqual(
      [thread!.body, thread!.is_mine, thread!.made_by, thread!.name],
      ['Why?', true, 'writer', 'Ada Okafor'],
    )
    assert.deepEqual(
      thread!.replies.map(({ body }) => body),
      ['Because.'],
    )
    const resolved: Threads = (await settle(desk, piece, id)).json()
    assert.ok(resolved.threads[0]!.resolved_at)
    await settle(desk, piece, id, false)
    assert.equal((await list(desk, piece))[0]!.resolved_at, null)
    assert.equal(await statusOf(remove(desk, piece, thread!.replies[0]!.id)), 200)
    assert.deepEqual((await list(desk, piece))[0]!.replies, [])
    await remove(desk, piece, id)
    assert.deepEqual(await list(desk, piece), [])
  })

  test('the same comment sent twice is one', async () => {
    const piece = await desk.begin({ body_md })
    const id = await add(desk, piece)
    assert.equal(await statusOf(put(desk, piece, {}, id)), 200)
    assert.equal((await list(desk, piece)).length, 1)
  })

  test('a suggestion is accepted or dismissed; another comment is neither', async () => {
    const piece = await desk.begin({ body_md })
    const id = await add(desk, piece, { passage, replacement: 'takes', body: '' })
    assert.equal((await settle(desk, piece, id, true, 'accepted')).json().threads[0].outcome, 'accepted')
    const comment = await add(desk, piece, { passage })
    assert.equal(await statusOf(settle(desk, piece, comment, true, 'accepted')), 409)
    await settle(desk, piece, id, false)
    assert.equal((await list(desk, piece))[0]!.outcome, null)
  })

  test('what says nothing, has no passage or is too long is refused', async () => {
    const piece = await desk.begin({ body_md })
    const id = await add(desk, piece)
    for (const given of [
      { body: '  ' },
      { body: '', replacement: 'takes' },
      { body: 'x'.repeat(2001) },
      { body: 'x', passage: { ...passage, quote: 'x'.repeat(5001) } },
      { body: 'x', thread: id, passage },
      { body: 'a\u0000b' },
    ]) {
      assert.equal(await statusOf(put(desk, piece, given)), 400, JSON.stringify(given).slice(0, 60))
    }
  })

  test('a piece has at most so many comments', async () => {
    const piece = await desk.begin({ body_md })
    await admin.query(
      `insert into app.comments (id, piece_id, made_by, account_id, body, notified_at)
       select gen_random_uuid(), $1, 'writer', $2, 'x', '-infinity' from generate_series(1, $3)`,
      [piece, ada.accountId, policy.comments_per_piece],
    )
    const answer = await put(desk, piece)
    assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'limit_reached'])
  })

  test('a piece in the trash has no comments to see, and has them again when it is restored', async () => {
    const piece = await desk.begin({ body_md })
    const id = await add(desk, piece)
    await desk.ask('DELETE', `pieces/${piece}`)
    for (const answer of [desk.ask('GET', `pieces/${piece}/comments`), put(desk, piece), remove(desk, piece, id)])
      assert.equal(await statusOf(answer), 404)
    await desk.ask('POST', `trash/${piece}/restore`)
    assert.equal((await list(desk, piece)).length, 1)
  })
})

describe('another person', () => {
  test('another writer neither sees nor makes comments, and cannot tell that there are any', async () => {
    const piece = await desk.begin({ body_md })
    const id = await add(desk, piece)
    const nowhere = (await other.ask('GET', `pieces/${randomUUID()}/comments`)).json()
    for (const answer of [
      await other.ask('GET', `pieces/${piece}/comments`),
      await put(other, piece),
      await put(other, piece, { thread: id }),
      await settle(other, piece, id),
      await remove(other, piece, id),
    ]) {
      assert.equal(answer.statusCode, 404)
      assert.equal(answer.json().detail, nowhere.detail)
    }
    assert.equal((await list(desk, piece)).length, 1)
  })

  test('a thread of another piece is not reached by way of one’s own', async () => {
    const [piece, theirs] = [await desk.begin({ body_md }), await other.begin({ body_md })]
    const id = await add(desk, piece)
    assert.equal(await statusOf(put(other, theirs, { thread: id })), 404)
    assert.equal(await statusOf(settle(other, theirs, id)), 404)
    assert.equal(await statusOf(remove(other, theirs, id)), 404)
    assert.equal(await statusOf(put(other, theirs, {}, id)), 404, 'its id is taken')
    assert.equal((await list(desk, piece))[0]!.resolved_at, null)
  })

  test('a key and a session without a cookie get nowhere', async () => {
    const piece = await desk.begin({ body_md })
    const { key } = await makeKey(admin, ada, {
      scopes: ['pieces:write', 'drafts:read', 'drafts:edit', 'drafts:delete'],
    })
    for (const headers of [{ authorization: `Bearer ${key}` }, {}]) {
      for (const path of [`/desk/api/pieces/${piece}/comments`, `/api/v1/pieces/${piece}/comments`]) {
        const { statusCode } = await app.inject({ url: path, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
        assert.ok([400, 401, 404].includes(statusCode), `${path}: ${statusCode}`)
      }
    }
    await add(desk, piece, { body: 'Only between us' })
    const answer = await app.inject({ url: `/api/v1/pieces/${piece}`, headers: { authorization: `Bearer ${key}` } })
    assert.equal(answer.statusCode, 200)
    assert.ok(!answer.body.includes('Only between us'))
  })
})

describe('a moderator', () => {
  async function submitted(): Promise<string> {
    const piece = await desk.begin({ body_md })
    assert.equal(await statusOf(desk.act('submit', piece)), 200)
    return piece
  }

  test('comments while a piece waits for review, and not before or after', async () => {
    const piece = await desk.begin({ body_md })
    assert.equal(await statusOf(put(moderator, piece)), 404)
    await desk.act('submit', piece)
    const id = await add(moderator, piece, { passage })
    assert.equal((await list(moderator, piece)).length, 1)
    await moderator.act('request_changes', piece)
    assert.equal(await statusOf(moderator.ask('GET', `pieces/${piece}/comments`)), 404)
    assert.equal(await statusOf(remove(moderator, piece, id)), 404)
    const [thread] = await list(desk, piece)
    assert.deepEqual(
      [thread!.made_by, thread!.name, thread!.may_settle, thread!.may_delete],
      ['moderator', null, true, false],
    )
  })

  test('sees the threads of the review only: not what the writer noted, nor what a private link brought', async () => {
    const piece = await submitted()
    const note = await add(desk, piece, { body: 'A note to myself' })
    const { path } = await linkTo(piece)
    assert.equal((await send(path, { comment: 'From a friend' })).statusCode, 303)
    const id = await add(moderator, piece, { body: 'From the review' })
    await add(desk, piece, { body: 'My answer', thread: id })
    const seen = await list(another, piece)
    assert.deepEqual(
      seen.map(({ body }) => body),
      ['From the review'],
    )
    assert.deepEqual(
      seen[0]!.replies.map(({ body }) => body),
      ['My answer'],
    )
    assert.equal(await statusOf(put(moderator, piece, { thread: note })), 404)
    assert.equal(await statusOf(settle(moderator, piece, note)), 404)
    assert.equal((await list(desk, piece)).length, 3)
  })

  test('resolves and deletes their own comments, not those of another moderator, and accepts nothing', async () => {
    const piece = await submitted()
    const id = await add(moderator, piece, { passage, replacement: 'takes' })
    assert.equal(await statusOf(settle(another, piece, id)), 403)
    assert.equal(await statusOf(remove(another, piece, id)), 404)
    assert.equal(await statusOf(settle(moderator, piece, id, true, 'accepted')), 403)
    assert.equal(await statusOf(settle(moderator, piece, id, true, 'dismissed')), 200)
    assert.equal(await statusOf(remove(moderator, piece, id)), 200)
  })
})

describe('a co-author', () => {
  const invite = (piece: string, ...authors: string[]) => desk.ask('PUT', `pieces/${piece}/co-authors`, { authors })
  const answer = (piece: string, agreed: boolean) => coAuthor.ask('POST', `co-authors/${piece}/answer`, { agreed })
  async function signed(): Promise<string> {
    await admin.query("update app.co_authors set invited_at = invited_at - interval '2 days'")
    const piece = await desk.begin({ body_md })
    assert.equal(await statusOf(invite(piece, 'cem')), 200)
    assert.equal(await statusOf(answer(piece, true)), 200)
    return piece
  }
  const read = (at: Desk, piece: string) => at.ask('GET', `co-authors/${piece}`)

  test('who agreed reads the draft as it is now, comments, suggests and replies under their name', async () => {
    const piece = await signed()
    await desk.ask('PATCH', `pieces/${piece}`, { body_md: `${body_md} Drink.` }, { 'if-match': '*' })
    const found = (await read(coAuthor, piece)).json().piece
    assert.deepEqual([found.body_md, found.revision, found.writer.name], [`${body_md} Drink.`, 2, 'Ada Okafor'])
    const note = await add(desk, piece, { body: 'Is this enough?' })
    await add(coAuthor, piece, { body: 'It is.', thread: note })
    await add(coAuthor, piece, { passage, replacement: 'takes', body: '' })
    const [first, second] = await list(desk, piece)
    assert.deepEqual(
      [first!.replies[0]!.made_by, first!.replies[0]!.name, first!.replies[0]!.body],
      ['co_author', 'Cem Yıldız', 'It is.'],
    )
    assert.deepEqual([second!.replacement, second!.name, second!.may_settle], ['takes', 'Cem Yıldız', true])
    assert.equal((await settle(desk, piece, second!.id, true, 'accepted')).json().threads[1].outcome, 'accepted')
  })

  test('resolves and deletes what they said, not what the writer said, and accepts nothing', async () => {
    const piece = await signed()
    const note = await add(desk, piece)
    const id = await add(coAuthor, piece, { passage, replacement: 'takes' })
    assert.equal(await statusOf(settle(coAuthor, piece, note)), 403)
    assert.equal(await statusOf(remove(coAuthor, piece, note)), 404)
    assert.equal(await statusOf(settle(coAuthor, piece, id, true, 'accepted')), 403)
    assert.equal(await statusOf(settle(coAuthor, piece, id)), 200)
    assert.equal(await statusOf(remove(coAuthor, piece, id)), 200)
  })

  test('sees neither the threads of the review nor what came through a private link', async () => {
    const piece = await signed()
    const { path } = await linkTo(piece)
    await send(path, { comment: 'From a friend' })
    await desk.act('submit', piece)
    const review = await add(moderator, piece, { body: 'From the review' })
    const own = await add(coAuthor, piece, { body: 'From a co-author' })
    const bodies = async (at: Desk) => (await list(at, piece)).map(({ body }) => body)
    assert.deepEqual(await bodies(coAuthor), ['From a co-author'])
    assert.deepEqual(await bodies(moderator), ['From the review'])
    assert.equal(await statusOf(put(coAuthor, piece, { thread: review })), 404)
    assert.equal(await statusOf(put(moderator, piece, { thread: own })), 404)
    assert.equal((await bodies(desk)).length, 3)
  })

  const outside = async (piece: string) => {
    for (const asked of [read(coAuthor, piece), coAuthor.ask('GET', `pieces/${piece}/comments`), put(coAuthor, piece)])
      assert.equal(await statusOf(asked), 404)
  }

  test('who is invited and has not agreed reads the page, and neither the comments nor the Markdown', async () => {
    const piece = await desk.begin({ body_md })
    await invite(piece, 'cem')
    assert.equal(await statusOf(coAuthor.ask('POST', `co-authors/${piece}/preview`, { revision: 1 })), 200)
    await outside(piece)
  })

  test('who withdraws, is removed or is suspended is out at once, and what they said stays', async () => {
    const suspend = (sql: string) => inTransaction(admin, (client) => client.query(sql, [cem.id]))
    const piece = await signed()
    const id = await add(coAuthor, piece, { body: 'Kept' })
    await answer(piece, false)
    await outside(piece)
    await answer(piece, true)
    assert.equal((await list(coAuthor, piece)).length, 1)
    await suspend("select app.suspend_writer($1, null, 'Spam.')")
    await outside(piece)
    await suspend('select app.restore_writer($1, null, null)')
    await invite(piece)
    await outside(piece)
    for (const asked of [settle(coAuthor, piece, id), remove(coAuthor, piece, id)])
      assert.equal(await statusOf(asked), 404)
    const [thread] = await list(desk, piece)
    assert.deepEqual([thread!.body, thread!.name], ['Kept', 'Cem Yıldız'])
  })
})

describe('a private link', () => {
  test('its holder comments and suggests without an account, and the writer answers', async () => {
    const piece = await desk.begin({ body_md })
    const { path } = await linkTo(piece)
    const answer = await send(path, { words: 'four minutes', comment: 'Too long', replacement: 'Three minutes' })
    assert.equal(answer.statusCode, 400, 'letters matter')
    assert.match(answer.body, /aren’t in the passage/)
    assert.match(answer.body, /Too long/, 'what was typed is still there')
    const sent = await send(path, { words: 'Four minutes', comment: 'Too long', replacement: 'Three minutes' })
    assert.equal(sent.statusCode, 303)
    assert.equal(new URL(String(sent.headers.location)).pathname, path)
    const [thread] = await list(desk, piece)
    assert.equal(thread!.passage!.quote, 'Four *minutes')
    assert.deepEqual(
      [thread!.made_by, thread!.name, thread!.replacement, thread!.is_mine, thread!.may_delete],
      ['guest', 'Grace', 'Three minutes', false, true],
    )
    await add(desk, piece, { body: 'Really?', thread: thread!.id })
    const shown = await page(path)
    for (const words of ['Grace', 'Too long', 'Three minutes', 'Really?', 'Ada Okafor'])
      assert.ok(shown.includes(words), words)
    assert.equal((await send(path, { thread: thread!.id, comment: 'Yes.' })).statusCode, 303)
    assert.equal((await list(desk, piece))[0]!.replies.length, 2)
    await remove(desk, piece, thread!.id)
    assert.deepEqual(await list(desk, piece), [], 'the writer may delete what a guest said')
  })

  test('a paragraph is chosen from the list', async () => {
    const piece = await desk.begin({ body_md })
    const { path } = await linkTo(piece)
    const key = /<option value="([0-9a-f]{16})">The last word/.exec(await page(path))![1]!
    assert.equal((await send(path, { passage: key, comment: 'Nice' })).statusCode, 303)
    assert.equal((await list(desk, piece))[0]!.passage!.quote, 'The last word belongs to the cup.')
    await desk.ask('PATCH', `pieces/${piece}`, { body_md: 'Another.' }, { 'if-match': '*' })
    const late = await send(path, { passage: key, comment: 'Nice again' })
    assert.equal(late.statusCode, 400)
    assert.match(late.body, /has changed this passage/)
  })

  test('shows only what was said by it: not the writer’s notes, the review, or another link', async () => {
    const piece = await desk.begin({ body_md })
    await add(desk, piece, { body: 'A note to myself' })
    const [one, two] = [await linkTo(piece), await linkTo(piece)]
    await send(one.path, { comment: 'By the first link' })
    const [, thread] = await list(desk, piece)
    const shown = await page(two.path)
    assert.ok(!shown.includes('A note to myself') && !shown.includes('By the first link'))
    assert.equal((await send(two.path, { thread: thread!.id, comment: 'Hello' })).statusCode, 404)
  })

  test('a link that was revoked ends commenting, and what was said stays with the writer', async () => {
    const piece = await desk.begin({ body_md })
    const { id, path } = await linkTo(piece)
    await send(path, { comment: 'Kept' })
    await desk.ask('DELETE', `pieces/${piece}/links/${id}`)
    assert.equal((await send(path, { comment: 'Too late' })).statusCode, 404)
    assert.deepEqual(
      (await list(desk, piece)).map(({ body }) => body),
      ['Kept'],
    )
  })

  test('a page of the desk, which is not a link, takes no comments', async () => {
    const piece = await desk.begin({ body_md })
    const { page: path } = (await desk.ask('POST', `pieces/${piece}/preview`)).json()
    assert.ok(!(await page(path)).includes('<form method="post"'))
    assert.equal((await send(path, { comment: 'Hello' })).statusCode, 404)
  })

  test('text is escaped, another site cannot send the form, and bots fill in a field that nobody sees', async () => {
    const piece = await desk.begin({ body_md })
    const { path } = await linkTo(piece)
    const bad = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    assert.equal((await send(path, { name: 'Eve <b>', comment: bad })).statusCode, 303)
    const shown = await page(path)
    assert.ok(!shown.includes('<script>alert') && !shown.includes('<img src=x') && shown.includes('Eve &lt;b&gt;'))
    assert.equal((await send(path, { comment: 'Hello' }, { 'sec-fetch-site': 'cross-site' })).statusCode, 403)
    assert.equal((await send(path, { comment: 'Buy', website: 'https://spam.example' })).statusCode, 303)
    assert.equal((await list(desk, piece)).length, 1)
    const { headers } = await app.inject({ url: path, headers: { accept: 'text/html' } })
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /script-src 'none'/)
    assert.match(policy, /form-action 'self'/)
    assert.match(policy, /; sandbox allow-forms allow-same-origin$/)
  })

  test('says what is missing, and keeps what was typed', async () => {
    const piece = await desk.begin({ body_md })
    const { path } = await linkTo(piece)
    const answer = await send(path, { name: ' ', comment: '', replacement: 'Instead' })
    assert.equal(answer.statusCode, 400)
    assert.match(answer.body, /Enter a name/)
    assert.match(answer.body, /Choose the passage that your replacement is for/)
    assert.match(answer.body, /Instead<\/textarea>/)
    assert.equal((await send(path, { name: 'x'.repeat(61), comment: 'y'.repeat(2001) })).statusCode, 400)
    assert.deepEqual(await list(desk, piece), [])
  })

  test('the same sent twice is one, and a link has at most so many comments', async () => {
    const piece = await desk.begin({ body_md })
    const { id, path } = await linkTo(piece)
    await send(path, { comment: 'Once' })
    await send(path, { comment: 'Once' })
    assert.equal((await list(desk, piece)).length, 1)
    await admin.query(
      `insert into app.comments (id, piece_id, made_by, preview_id, guest_name, body)
       select gen_random_uuid(), $1, 'guest', $2, 'Bot', 'x' || n from generate_series(2, $3) n`,
      [piece, id, policy.comments_per_link],
    )
    const answer = await send(path, { comment: 'One more' })
    assert.equal(answer.statusCode, 409)
    assert.match(answer.body, /too many comments/)
  })
})

describe('emails', () => {
  const notices = async (): Promise<object[]> => {
    await notifyOfComments(db)
    const { rows } = await admin.query("delete from jobs.job where name = 'comments.email' returning data")
    return rows.map(({ data }) => data)
  }
  const anHourLater = () =>
    admin.query(
      "update app.comments set notified_at = notified_at - interval '61 minutes' where notified_at > '-infinity'",
    )
  const emailOf = async (piece: string, account: string) => {
    const sent: unknown[] = []
    await sendCommentsEmail(db, async (_, order) => void sent.push(order), { piece, account }, 'one')
    return sent
  }

  test('the writer is told of comments by others once an hour at most, and never of their own', async () => {
    await notices()
    const piece = await desk.begin({ headline: 'On tea', body_md })
    await add(desk, piece)
    assert.deepEqual(await notices(), [])
    const { path } = await linkTo(piece)
    await send(path, { comment: 'One' })
    await send(path, { comment: 'Two', name: 'Lin' })
    assert.deepEqual(await notices(), [{ piece, account: ada.accountId }])
    assert.deepEqual(await emailOf(piece, ada.accountId), [
      {
        template: 'comments',
        params: { piece, headline: 'On tea', reader: 'writer', count: 2, names: ['Grace', 'Lin'] },
      },
    ])
    await send(path, { comment: 'Three' })
    assert.deepEqual(await notices(), [], 'within the hour')
    await anHourLater()
    assert.equal((await notices()).length, 1)
    const third = (await list(desk, piece)).find(({ body }) => body === 'Three')!
    await settle(desk, piece, third.id)
    assert.deepEqual(await emailOf(piece, ada.accountId), [], 'resolved meanwhile')
  })

  test('who has switched them off gets none, also if it was ordered before', async () => {
    await notices()
    const piece = await desk.begin({ body_md })
    const { path } = await linkTo(piece)
    await send(path, { comment: 'Hello' })
    assert.equal((await notices()).length, 1)
    await desk.ask('PATCH', 'account', { comment_emails: false })
    assert.deepEqual(await emailOf(piece, ada.accountId), [])
    await desk.ask('PATCH', 'account', { comment_emails: true })
    assert.equal((await emailOf(piece, ada.accountId)).length, 1)
  })

  test('a moderator is told of a reply while the piece waits for review, and is not named', async () => {
    await notices()
    const piece = await desk.begin({ headline: 'On cups', body_md })
    await desk.act('submit', piece)
    const id = await add(moderator, piece)
    assert.deepEqual(await notices(), [{ piece, account: ada.accountId }])
    assert.deepEqual(await emailOf(piece, ada.accountId), [
      { template: 'comments', params: { piece, headline: 'On cups', reader: 'writer', count: 1, names: [] } },
    ])
    await anHourLater()
    await add(desk, piece, { thread: id, body: 'Because.' })
    assert.deepEqual(await notices(), [{ piece, account: mo.accountId }])
    assert.deepEqual(await emailOf(piece, mo.accountId), [
      {
        template: 'comments',
        params: { piece, headline: 'On cups', reader: 'moderator', count: 1, names: ['Ada Okafor'] },
      },
    ])
    await moderator.act('request_changes', piece)
    assert.deepEqual(await emailOf(piece, mo.accountId), [], 'not after the decision')
  })

  test('a co-author is told of replies where they spoke, while they sign the piece, and the writer of what they say', async () => {
    await notices()
    await admin.query("update app.co_authors set invited_at = invited_at - interval '2 days'")
    const piece = await desk.begin({ headline: 'On milk', body_md })
    await desk.ask('PUT', `pieces/${piece}/co-authors`, { authors: ['cem'] })
    await coAuthor.ask('POST', `co-authors/${piece}/answer`, { agreed: true })
    const id = await add(desk, piece, { body: 'First or last?' })
    assert.deepEqual(await notices(), [], 'nobody has spoken but the writer')
    await add(coAuthor, piece, { thread: id, body: 'Last.' })
    assert.deepEqual(await notices(), [{ piece, account: ada.accountId }])
    assert.deepEqual(await emailOf(piece, ada.accountId), [
      {
        template: 'comments',
        params: { piece, headline: 'On milk', reader: 'writer', count: 1, names: ['Cem Yıldız'] },
      },
    ])
    await anHourLater()
    await add(desk, piece, { thread: id, body: 'Why?' })
    assert.deepEqual(await notices(), [{ piece, account: cem.accountId }])
    assert.deepEqual(await emailOf(piece, cem.accountId), [
      {
        template: 'comments',
        params: { piece, headline: 'On milk', reader: 'co_author', count: 1, names: ['Ada Okafor'] },
      },
    ])
    await coAuthor.ask('POST', `co-authors/${piece}/answer`, { agreed: false })
    assert.deepEqual(await emailOf(piece, cem.accountId), [], 'not after they have withdrawn')
  })
})
