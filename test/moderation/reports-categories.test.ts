import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyAddress } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { allRows } from '../../testkit/attacks.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import {
  listProduct,
  makePiece,
  makeProduct,
  makeProductDraft,
  makeWriter,
  withdrawProduct,
} from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'

/** Reports by category: extra fields for illegal content, order and filter of the queue, and listings. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const moderators = deskOf(app, await makeModerator(admin))

const illegal = { reason: 'illegal', note: 'It sells stolen goods.', place: 'The second paragraph.', good_faith: 'yes' }

const send = (path: string, form: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url: `/desk/report/${path}`,
    remoteAddress: anyAddress(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: new URLSearchParams(form).toString(),
  })

async function report(path: string, form: Record<string, string> = { reason: 'spam' }): Promise<void> {
  const { statusCode, body } = await send(path, form)
  assert.equal(statusCode, 303, body)
}

const queue = async (query = '') => (await moderators.ask('GET', `reports${query}`)).json()
const queued = async (query = ''): Promise<string[]> => (await queue(query)).items.map(({ id }: { id: string }) => id)

async function settleAll(): Promise<void> {
  for (const { kind, id } of (await queue()).items)
    await moderators.ask('POST', kind === 'piece' ? `reports/${id}/dismiss` : `reports/listings/${id}/dismiss`)
  assert.deepEqual(await queued(), [])
}

test('illegal content is reported with why, where, good faith, and a name and address if the reporter likes', async () => {
  const id = await makePiece(admin, writer)
  await report(id, { ...illegal, name: 'Kim Reader', email: 'kim@reader.test' })
  await report(id, illegal)
  const { items } = await queue()
  assert.equal(items[0].is_illegal, true)
  assert.deepEqual(
    items[0].newest.map(({ at: _, ...said }: { at: string }) => said),
    [
      { reason: 'illegal', note: illegal.note, place: illegal.place, name: null, email: null },
      { reason: 'illegal', note: illegal.note, place: illegal.place, name: 'Kim Reader', email: 'kim@reader.test' },
    ],
  )
  await settleAll()
  const kept = JSON.stringify(await admin.query('select * from app.reports').then(({ rows }) => rows))
  assert.doesNotMatch(kept, /Kim Reader|kim@reader/, 'name and address go with the answer')
})

test('a report of illegal content that lacks something comes back with all of what it lacks', async () => {
  const id = await makePiece(admin, writer)
  const { statusCode, body } = await send(id, { reason: 'illegal', name: 'Kim' })
  assert.equal(statusCode, 400)
  for (const words of [
    /Tell us why it is illegal/,
    /Tell us where exactly/,
    /Enter your email address too/,
    /Confirm that your/,
  ])
    assert.match(body, words)
  assert.match(body, /value="Kim"/)
  assert.deepEqual(await queued(), [])
})

test('what only illegal content asks for is not kept with another reason', async () => {
  const id = await makePiece(admin, writer)
  await report(id, { ...illegal, reason: 'spam', name: 'Kim', email: 'kim@reader.test' })
  const { items } = await queue()
  assert.deepEqual([items[0].newest[0].place, items[0].newest[0].name], [null, null])
  await settleAll()
})

test('the form explains every reason in a sentence and needs no script', async () => {
  const { body } = await app.inject(`/desk/report/${await makePiece(admin, writer)}`)
  const reasons = [...body.matchAll(/name="reason" id="reason-(\w+)"/g)].map(([, reason]) => reason)
  assert.deepEqual(reasons, [
    'spam',
    'harassment',
    'illegal',
    'copyright',
    'private_information',
    'impersonation',
    'danger',
    'other',
  ])
  for (const reason of reasons) assert.match(body, new RegExp(`id="${reason}-meaning">[A-Z][^<]+\\.<`))
  assert.doesNotMatch(body, /<script/)
})

test('illegal content comes first, however old, and pages keep that order', async () => {
  const ids: string[] = []
  for (const reason of ['spam', 'illegal', 'spam', 'illegal', 'spam']) {
    const id = await makePiece(admin, writer)
    await report(id, { ...illegal, reason })
    ids.push(id)
  }
  const [one, two, three, four, five] = ids as [string, string, string, string, string]
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await queue(`?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.items.map(({ id }: { id: string }) => id))
    cursor = page.next_cursor ?? ''
  } while (cursor)
  assert.deepEqual(seen, [four, two, five, three, one])
  await settleAll()
})

test('the queue shows what was reported for one category, with all that was said of it', async () => {
  const [spam, both] = [await makePiece(admin, writer), await makePiece(admin, writer)]
  await report(spam)
  await report(both)
  await report(both, { reason: 'private_information', note: 'My address is in it.' })
  assert.deepEqual(await queued('?category=private_information'), [both])
  assert.deepEqual((await queue('?category=private_information')).items[0].reports, 2)
  assert.deepEqual(await queued('?category=spam'), [both, spam])
  assert.deepEqual(await queued('?category=copyright'), [])
  assert.equal((await moderators.ask('GET', 'reports?category=boring')).statusCode, 400)
  await settleAll()
})

test('a listing is reported from its page, waits in the same queue and is dismissed there', async () => {
  const listing = await makeProduct(admin, writer, { name: 'A lamp' })
  const piece = await makePiece(admin, writer)
  assert.match(
    (await app.inject('/shop/a-lamp')).body,
    new RegExp(`<a href="https://site\\.test/desk/report/listing/${listing}" rel="nofollow">Report this listing</a>`),
  )
  const form = (await app.inject(`/desk/report/listing/${listing}`)).body
  assert.match(form, /<h1>Report this listing<\/h1>/)
  await report(piece)
  await report(`listing/${listing}`, { reason: 'copyright', note: 'Mine.', email: 'lee@reader.test' })
  const { items } = await queue()
  const { newest_at: _, newest, ...first } = items[0]
  assert.deepEqual(first, {
    kind: 'listing',
    id: listing,
    url: 'https://site.test/shop/a-lamp',
    headline: 'A lamp',
    writer: { slug: 'ada', name: 'Ada Okafor' },
    is_illegal: false,
    reports: 1,
    reporters: 1,
  })
  assert.equal(newest[0].note, 'Mine.')
  assert.equal((await deskOf(app, writer).ask('POST', `reports/listings/${listing}/dismiss`)).statusCode, 403)
  const dismissed = await moderators.ask('POST', `reports/listings/${listing}/dismiss`)
  assert.deepEqual([dismissed.statusCode, dismissed.json()], [200, { ok: true, id: listing, dismissed: 1 }])
  const { rows } = await admin.query("select data from jobs.job where data ->> 'email' = 'lee@reader.test'")
  assert.deepEqual(
    rows.map(({ data }) => data),
    [{ email: 'lee@reader.test', letter: 'listing-report-kept', params: { listing: 'a-lamp' } }],
  )
  assert.deepEqual(await queued(), [piece])
  await settleAll()
})

test('a listing that is not public cannot be reported, and its reports wait until it is again', async () => {
  const draft = await makeProductDraft(admin, writer)
  const listing = await makeProduct(admin, writer, { name: 'A chair' })
  await report(`listing/${listing}`)
  await withdrawProduct(admin, writer, listing)
  const never = '00000000-0000-4000-8000-000000000000'
  for (const id of [draft, listing, never, 'nonsense'])
    assert.equal((await send(`listing/${id}`, { reason: 'spam' })).statusCode, 404)
  assert.deepEqual(await queued(), [])
  await listProduct(admin, writer, listing)
  assert.deepEqual(await queued(), [listing])
  await settleAll()
})

test('a listing that has the id of a piece is reported and dismissed apart from it', async () => {
  const piece = await makePiece(admin, writer)
  const rival = await makeWriter(admin)
  await makeProduct(admin, rival, { id: piece, name: 'A double' })
  await report(piece)
  assert.equal((await moderators.ask('POST', `reports/listings/${piece}/dismiss`)).statusCode, 404)
  await report(`listing/${piece}`)
  await moderators.ask('POST', `reports/listings/${piece}/dismiss`)
  assert.deepEqual(
    (await queue()).items.map(({ kind, id }: { kind: string; id: string }) => [kind, id]),
    [['piece', piece]],
  )
  await settleAll()
})

test('moderators of their own shop do not judge the reports on it', async () => {
  const both = await makeModerator(admin)
  const listing = await makeProduct(admin, both, { name: 'My own' })
  await report(`listing/${listing}`)
  const theirs = deskOf(app, both)
  assert.deepEqual((await theirs.ask('GET', 'reports')).json().items, [])
  assert.equal((await theirs.ask('POST', `reports/listings/${listing}/dismiss`)).statusCode, 403)
  await settleAll()
})

test('the name of a reporter leaves with their account', async () => {
  const reader = await makeWriter(admin)
  await admin.query("update app.accounts set email = 'kim@leaving.test' where id = $1", [reader.accountId])
  await report(await makePiece(admin, writer), { ...illegal, name: 'Kim Leaving', email: 'Kim@leaving.test' })
  const { rows } = await admin.query('select name from app.writers where id = $1', [reader.id])
  const left = await deskOf(app, reader).ask('DELETE', 'account', { name: rows[0].name })
  assert.ok(left.statusCode < 300, left.body)
  await deleteNow(admin, url, reader.accountId)
  assert.doesNotMatch(JSON.stringify(await allRows(admin)), /Kim Leaving/)
})
