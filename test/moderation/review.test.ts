import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashOf } from '../../server/platform/crypto.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { attempt } from '../../testkit/attacks.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { type MadeWriter, makePiece, makeWriter } from '../../testkit/factories.ts'

/** What moderators see of a piece's history and of each other's acts, and how they verify identities. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const mine = deskOf(app, writer)
const moderator = await makeModerator(admin)
const moderators = deskOf(app, moderator)

const before = async (id: string) => (await moderators.ask('GET', `review/${id}/before`)).json().before
const identity = (slug: string, body: object) => moderators.ask('PUT', `review/writers/${slug}/identity`, body)
const seen = { verified: true, note: 'Seen on the telephone.' }

async function queued(name: string): Promise<Record<string, unknown>[]> {
  const { rows } = await admin.query('delete from jobs.job where name = $1 returning data', [name])
  return rows.map(({ data }) => data)
}

describe('the difference a moderator reads', () => {
  const save = async (id: string, body_md: string) => {
    const { etag } = (await mine.ask('GET', `pieces/${id}`)).headers
    assert.equal((await mine.ask('PATCH', `pieces/${id}`, { body_md }, { 'if-match': String(etag) })).statusCode, 200)
  }

  test('there is none for a piece nobody has read', async () => {
    assert.equal(await before(await makePieceByActs('pending', mine, moderators)), null)
  })

  test('what was sent back is what it is compared with, not what was saved in between', async () => {
    const id = await mine.begin({ headline: 'First', body_md: 'One.' })
    for (const act of ['submit'] as const) await mine.act(act, id)
    await moderators.act('request_changes', id)
    await save(id, 'Two, which nobody shall see.')
    await save(id, 'Three.')
    await mine.act('resubmit', id)
    assert.deepEqual(await before(id), { revision: 1, headline: 'First', sub: null, body_md: 'One.' })
  })

  test('resubmitted untouched, it is what it was', async () => {
    const id = await makePieceByActs('changes_requested', mine, moderators)
    await mine.act('resubmit', id)
    assert.equal((await before(id)).body_md, 'A body.')
  })

  test('what was taken down is what readers had, not what its writer had changed since', async () => {
    const id = await mine.begin({ headline: 'Public', body_md: 'As readers had it.' })
    await mine.act('publish', id)
    await save(id, 'Changed, not public.')
    assert.equal((await moderators.act('take_down', id)).statusCode, 200)
    await save(id, 'Mended.')
    await mine.act('resubmit', id)
    assert.equal((await before(id)).body_md, 'As readers had it.')
  })

  test('it is for moderators, of what waits, and not of their own', async () => {
    const pending = await makePieceByActs('pending', mine, moderators)
    assert.equal((await mine.ask('GET', `review/${pending}/before`)).statusCode, 403)
    const draft = await mine.begin()
    assert.equal((await moderators.ask('GET', `review/${draft}/before`)).statusCode, 404)
    assert.equal((await moderators.ask('GET', 'review/nonsense/before')).statusCode, 404)
    const own = await moderators.begin()
    await moderators.act('submit', own)
    assert.equal((await moderators.ask('GET', `review/${own}/before`)).statusCode, 403)
  })
})

const inManyScripts = [
  ['s-angstrom', 'Ångström Ek', 'ångström', 'ANGSTROM'],
  ['s-eluard', 'Élise Quéméner', 'élise q', 'Elise Quem'],
  ['s-strasse', 'Jo Straßer', 'STRAßER', 'strasser'],
  ['s-nunez', 'Núñez Ibáñez', 'NÚÑEZ', 'nunez ib'],
  ['s-zhanna', 'Жанна Ёлкина', 'ЖАННА', 'ёлк'],
  ['s-aoi', 'あおい', 'おい'],
  ['s-umar', 'عمر خالد', 'خالد'],
] as const

test('writers are found by a part of their name or address', async () => {
  await makePiece(admin, await makeWriter(admin, { slug: 'zed-the-first', name: 'Nobody' }))
  const found = async (q: string) => {
    const { writers } = (await moderators.ask('GET', `review/writers?q=${encodeURIComponent(q)}`)).json()
    return writers.map(({ slug }: { slug: string }) => slug)
  }
  assert.deepEqual(await found('okaf'), ['ada'])
  assert.deepEqual(await found('ZED-the'), ['zed-the-first'])
  assert.deepEqual(await found('%'), [])
  for (const [slug, name, ...terms] of inManyScripts) {
    await makeWriter(admin, { slug, name })
    for (const term of terms) assert.deepEqual(await found(term), [slug], term)
  }
  const all = (await moderators.ask('GET', 'review/writers')).json()
  assert.ok(all.count >= 3 && all.writers[0].pieces_count >= 1)
  assert.equal((await mine.ask('GET', 'review/writers?q=a')).statusCode, 403)
})

test('a verified identity is public at once, told by letter, purged and audited', async () => {
  await queued('mail')
  await queued('cache.purge')
  const answer = await identity('ada', { ...seen, name: 'Ada Okafor' })
  assert.deepEqual(answer.json(), { ok: true, slug: 'ada', identity_verified: true })
  const author = async () => (await app.inject('/api/public/authors/ada')).json().author
  assert.equal((await author()).identity_verified, true)
  const [letter, ...more] = await queued('mail')
  assert.deepEqual([letter?.['letter'], letter?.['to'], more], ['identity-verified', { account: writer.accountId }, []])
  assert.deepEqual(await queued('cache.purge'), [{ tags: ['author-ada', 'byline-ada', 'pieces', 'authors'] }])

  // Repeating it has no effect.
  assert.equal((await identity('ada', seen)).statusCode, 200)
  assert.deepEqual(await queued('mail'), [])

  assert.equal((await identity('ada', { verified: false, note: 'It was somebody else.' })).statusCode, 200)
  assert.equal((await author()).identity_verified, false)
  assert.deepEqual(
    (await queued('mail')).map(({ letter }) => letter),
    ['identity-withdrawn'],
  )
  const { rows } = await admin.query(
    'select act, account_id, note from app.writer_audit where writer_id = $1 order by id',
    [writer.id],
  )
  assert.deepEqual(rows, [
    { act: 'verify_identity', account_id: moderator.accountId, note: seen.note },
    { act: 'withdraw_identity', account_id: moderator.accountId, note: 'It was somebody else.' },
  ])
})

test('nobody verifies themselves, nor a name that has changed since it was seen, nor without a word', async () => {
  const own = await identity(moderator.slug, seen)
  assert.deepEqual([own.statusCode, own.json().reason], [403, 'forbidden'])
  assert.equal((await mine.ask('PUT', 'review/writers/ada/identity', seen)).statusCode, 403)
  assert.equal((await identity('ada', { ...seen, name: 'Ada Lovelace' })).statusCode, 412)
  assert.equal((await identity('nobody-at-all', seen)).statusCode, 404)
  assert.equal((await identity('ada', { verified: true, note: ' ' })).statusCode, 400)
  assert.equal((await app.inject('/api/public/authors/ada')).json().author.identity_verified, false)
})

test('a writer who is not public yet is verified without becoming it', async () => {
  const hidden = await makeWriter(admin, { shown: false })
  assert.equal((await identity(hidden.slug, seen)).statusCode, 200)
  assert.equal((await app.inject(`/api/public/authors/${hidden.slug}`)).statusCode, 404)
  assert.equal((await deskOf(app, hidden).ask('GET', 'profile')).json().profile.identity_verified, true)
})

test('moderators see what moderators did, page by page, and no headline that readers never had', async () => {
  const site = await testDatabase()
  const desk = await testApp(site.url)
  const author = await makeWriter(site.admin, { slug: 'bo', name: 'Bo' })
  const judge = await makeModerator(site.admin)
  const [bench, own] = [deskOf(desk, judge), deskOf(desk, author)]
  await makePieceByActs('changes_requested', own, bench)
  await makePieceByActs('rejected', own, bench)
  const approved = await makePieceByActs('pending', own, bench)
  await bench.act('approve', approved)
  await bench.ask('PUT', 'review/writers/bo/identity', seen)

  const pages: { at: string; act: string; piece: { headline: string } | null; moderator: string; note: string }[] = []
  let cursor = ''
  do {
    const page = (await bench.ask('GET', `review/deeds?limit=1${cursor}`)).json()
    pages.push(...page.deeds)
    cursor = page.next_cursor && `&cursor=${page.next_cursor}`
  } while (cursor)
  assert.deepEqual(
    pages.map(({ act, piece, note }) => [act, piece?.headline ?? null, note]),
    [
      ['verify_identity', null, seen.note],
      ['approve', 'A piece that is pending', null],
      ['reject', null, 'Not for this site.'],
      ['request_changes', null, 'Say what you saw.'],
    ],
  )
  assert.ok(pages.every(({ moderator: name }) => name === 'A Writer'))
  assert.equal((await own.ask('GET', 'review/deeds')).statusCode, 403)
  // The affected writer does not see it here, even if they are a moderator.
  await site.admin.query("update app.accounts set role = 'moderator' where id = $1", [author.accountId])
  assert.deepEqual((await own.ask('GET', 'review/deeds')).json().deeds, [])
})

test('a decision keeps the headline readers had, and not what its writer made of it since', async () => {
  const id = await mine.begin({ headline: 'As readers had it', body_md: 'One.' })
  await mine.act('publish', id)
  const { etag } = (await mine.ask('GET', `pieces/${id}`)).headers
  await mine.ask('PATCH', `pieces/${id}`, { headline: 'Not public yet' }, { 'if-match': String(etag) })
  const newest = async () => (await moderators.ask('GET', 'review/deeds?limit=1')).json().deeds[0]
  const untouched = await mine.begin({ headline: 'Untouched', body_md: 'One.' })
  await mine.act('publish', untouched)
  await moderators.act('take_down', untouched)
  assert.equal((await newest()).piece.headline, 'Untouched')
  await moderators.act('take_down', id)
  const had = { id, headline: 'As readers had it', is_public: false }
  assert.deepEqual([(await newest()).act, (await newest()).piece], ['take_down', had])
  await mine.act('resubmit', id)
  await moderators.act('reject', id)
  assert.deepEqual([(await newest()).act, (await newest()).piece], ['reject', had])
})

test('with SQL as the desk speaks it, no writer verifies and no moderator reads what is not before them', async () => {
  const hash = (one: MadeWriter) => `'\\x${hashOf(one.sessionToken).toString('hex')}'::bytea`
  const as = (role: string, sql: string) =>
    attempt(url, role, sql, { 'app.session_hash': hashOf(moderator.sessionToken).toString('hex') })
  const verifying = (one: MadeWriter, slug: string) =>
    `select app.desk_set_identity(${hash(one)}, '${slug}', null, true, 'x')`
  assert.equal(await as('svc_desk', verifying(writer, 'ada')), 'SF403')
  assert.equal(await as('svc_desk', verifying(moderator, moderator.slug)), 'SF403')
  for (const role of ['svc_api', 'svc_public', 'svc_worker']) {
    assert.equal(await as(role, verifying(moderator, 'ada')), '42501', role)
    assert.equal(await as(role, `select app.deeds_for_review(${hash(moderator)}, now(), 1, 1)`), '42501', role)
  }
  const draft = await mine.begin()
  assert.equal(await as('svc_desk', `select app.review_before('${draft}', ${hash(moderator)})`), 'SF404')
  assert.equal(await as('svc_desk', `select app.review_before('${draft}', ${hash(writer)})`), 'SF403')
  assert.equal(await as('svc_desk', 'select from app.writer_audit'), '42501')
})

/** A moderator's reading of a submitted or reported piece is not visible to its writer's servers. */

const spy = deskOf(app, await makeWriter(admin, { avatarUrl: 'https://spy.example/portrait.png' }))
const body_md = 'See:\n\n![A cup](https://spy.example/cup.png)\n\nAnd [a link](https://spy.example/page).'

const loads = (html: string) => /<img[^>]*spy\.example/.test(html)

test('what a moderator is shown loads no picture of another server, and says where it lies', async () => {
  const id = await spy.begin({ headline: 'Tea', body_md })
  await spy.act('submit', id)
  const { piece, page } = (await moderators.ask('POST', `review/${id}/show`)).json()
  assert.ok(!loads(piece.html), piece.html)
  assert.match(piece.html, /Picture not loaded: https:\/\/spy\.example\/cup\.png/)
  const shown = await app.inject({ url: page, headers: { 'sec-fetch-dest': 'iframe' } })
  assert.equal(shown.statusCode, 200)
  assert.ok(!loads(shown.body))
  assert.match(shown.body, /Picture not loaded: https:\/\/spy\.example\/cup\.png/)
  assert.match(String(shown.headers['content-security-policy']), /img-src 'self';/)
})

test('the same of what is public', async () => {
  const id = await spy.begin({ headline: 'More tea', body_md })
  await spy.act('publish', id)
  const { piece } = (await moderators.ask('POST', `review/${id}/show`)).json()
  assert.ok(!loads(piece.html), piece.html)
})

test('its writer sees it as readers will', async () => {
  const id = await spy.begin({ headline: 'Mine', body_md })
  const { page } = (await spy.ask('POST', `pieces/${id}/preview`)).json()
  assert.ok(loads((await app.inject(page)).body))
})

/** REVIEW=first: a moderator reads the first pieces of a new writer. */

const reviewFirst = await testApp(url, { REVIEW: 'first', REVIEW_FIRST_PIECES: '2' })
const firstModerators = deskOf(reviewFirst, moderator)

async function newcomer(): Promise<Desk> {
  const writer = await makeWriter(admin)
  await admin.query("update app.accounts set signed_up_at = now() - interval '30 days' where id = $1", [
    writer.accountId,
  ])
  return deskOf(reviewFirst, writer)
}

const published = async (desk: Desk) => {
  const id = await desk.begin()
  const answer = await desk.act('publish', id)
  assert.equal(answer.statusCode, 200, answer.body)
  return { id, status: answer.json().piece.status as string }
}
const approve = async (id: string) => assert.equal((await firstModerators.act('approve', id)).statusCode, 200)

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
  assert.equal((await firstModerators.act('take_down', one.id)).statusCode, 200)
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
  assert.equal((await published(deskOf(reviewFirst, await makeWriter(admin)))).status, 'approved')
})
