import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'

/** A writer puts their own pieces in an order; readers get those that are public, and nothing tells of the others. */

const { admin, app } = await testSite()
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const desk = deskOf(app, ada)
const berta = await makeWriter(admin, { slug: 'berta', name: 'Berta' })
const other = deskOf(app, berta)
const moderators = deskOf(app, await makeModerator(admin))

const pieceOf = async (id: string) => (await app.inject(`/api/public/pieces/${id}`)).json().piece
const placeOf = async (id: string) => {
  const { series } = await pieceOf(id)
  return series && [series.title, series.position, series.count]
}
const save = (by: typeof desk, id: string, given: object) =>
  by.ask('PUT', `series/${id}`, { title: 'Slow tea', description: null, pieces: [], revision: null, ...given })

async function published(by: typeof desk, headline: string): Promise<string> {
  const id = await by.begin({ headline, body_md: `About ${headline}.` })
  const answered = await by.act('publish', id)
  assert.equal(answered.statusCode, 200, answered.body)
  return id
}

/** Three public pieces with a draft after the first, as a series. */
async function madeSeries(title: string) {
  const [one, two, three] = [
    await published(desk, `${title} one`),
    await published(desk, `${title} two`),
    await published(desk, `${title} three`),
  ]
  const draft = await desk.begin({ headline: `${title} secret`, body_md: 'Not yet.' })
  const id = randomUUID()
  const saved = await save(desk, id, { title, description: 'In order.', pieces: [one, draft, two, three] })
  assert.equal(saved.statusCode, 200, saved.body)
  return { id, one, two, three, draft, series: saved.json().series }
}

test('a series is what its writer put in order, and drafts in it are neither shown nor counted', async () => {
  const { one, two, draft, series } = await madeSeries('Kettles')
  assert.deepEqual(
    series.pieces.map(({ headline }: { headline: string }) => headline),
    ['Kettles one', 'Kettles secret', 'Kettles two', 'Kettles three'],
  )
  assert.deepEqual(await placeOf(two), ['Kettles', 2, 3])
  assert.equal((await pieceOf(two)).series.url, 'https://site.test/author/ada/series/kettles')
  const numbered = await admin.query(
    'select position from pub.series_pieces m join pub.series s on s.id = m.series_id where slug = $1 order by 1',
    ['kettles'],
  )
  assert.deepEqual(
    numbered.rows.map(({ position }) => position),
    [1, 2, 3],
    'no gap tells of the draft',
  )

  const page = await app.inject('/author/ada/series/kettles')
  assert.equal(page.statusCode, 200)
  assert.match(page.body, /Kettles one[\s\S]*Kettles two[\s\S]*Kettles three/)
  assert.match(page.body, /3 parts/)
  assert.match(page.body, /"@type":"CreativeWorkSeries"/)
  const markdown = await app.inject('/author/ada/series/kettles.md')
  assert.match(markdown.body, /1\. \[Kettles one\][\s\S]*3\. \[Kettles three\]/)
  const feed = (await app.inject('/author/ada/series/kettles/feed.json')).json()
  assert.deepEqual(
    feed.items.map(({ title }: { title: string }) => title),
    ['Kettles three', 'Kettles two', 'Kettles one'],
  )
  assert.equal(feed.items[0].series, undefined, 'left out in feeds')
  const rss = await app.inject('/author/ada/series/kettles/feed.xml')
  assert.match(rss.body, /<title>Kettles three<\/title>/)
  for (const path of ['/author/ada', '/author/ada.md', '/llms.txt', '/sitemap-series.xml'])
    assert.match((await app.inject(path)).body, /\/author\/ada\/series\/kettles/, path)
  assert.match((await app.inject('/sitemap.xml')).body, /sitemap-series\.xml/)

  const middle = await app.inject('/author/ada/kettles-two')
  assert.match(middle.body, /Part 2 of 3 of <a href="https:\/\/site\.test\/author\/ada\/series\/kettles"/)
  assert.match(middle.body, /rel="prev"[\s\S]*Kettles one[\s\S]*rel="next"[\s\S]*Kettles three/)
  assert.match(middle.body, /"isPartOf":\{"@type":"CreativeWorkSeries"/)
  const twin = (await app.inject('/author/ada/kettles-two.md')).body
  assert.match(twin, /- Series: \[Kettles\]\(https:\/\/site\.test\/author\/ada\/series\/kettles\.md\), part 2 of 3/)
  assert.match(twin, /- Previous: \[Kettles one\]\(.*\.md\)\n- Next: \[Kettles three\]\(.*\.md\)/)
  assert.doesNotMatch((await app.inject('/author/ada/kettles-one')).body, /rel="prev"/)
  for (const { body } of [page, markdown, middle, rss]) assert.doesNotMatch(body, /secret/)

  assert.equal((await desk.act('publish', draft)).statusCode, 200)
  assert.deepEqual(
    [await placeOf(one), await placeOf(draft), await placeOf(two)],
    [
      ['Kettles', 1, 4],
      ['Kettles', 2, 4],
      ['Kettles', 3, 4],
    ],
  )
})

test('a piece that is no longer public leaves its series at once, and the last one takes the series along', async () => {
  const { one, two, three } = await madeSeries('Cups')
  await desk.ask('POST', `pieces/${one}/unpublish`)
  assert.deepEqual(await placeOf(two), ['Cups', 1, 2])
  assert.equal((await moderators.act('take_down', three)).statusCode, 200)
  assert.deepEqual(await placeOf(two), ['Cups', 1, 1])
  assert.doesNotMatch((await app.inject('/author/ada/series/cups')).body, /Cups (one|three)/)
  await desk.ask('POST', `pieces/${two}/unpublish`)
  assert.equal((await app.inject('/author/ada/series/cups')).statusCode, 404)
  assert.equal((await app.inject('/author/ada/series/cups/feed.json')).statusCode, 404)
  assert.doesNotMatch((await app.inject('/author/ada')).body, /series\/cups/)
  await desk.act('publish', two)
  assert.deepEqual(await placeOf(two), ['Cups', 1, 1], 'and it is there again with its piece')
})

test('a part in the trash keeps its place while the series is saved, and has it when it is restored', async () => {
  const { id, one, two, three, draft, series } = await madeSeries('Pots')
  assert.equal((await desk.ask('DELETE', `pieces/${draft}`, undefined, { 'if-match': '*' })).statusCode, 204)
  const headlines = ({ pieces }: { pieces: { headline: string }[] }) => pieces.map(({ headline }) => headline)
  const saved = await save(desk, id, { title: 'Pots', pieces: [three, two, one], revision: series.revision })
  assert.equal(saved.statusCode, 200, saved.body)
  assert.deepEqual(headlines(saved.json().series), ['Pots three', 'Pots two', 'Pots one'])
  const { revision } = saved.json().series
  assert.equal((await save(desk, id, { title: 'Pots', pieces: [three, one], revision })).statusCode, 200)
  assert.equal((await desk.ask('POST', `trash/${draft}/restore`)).statusCode, 204)
  const all: { id: string; pieces: { headline: string }[] }[] = (await desk.ask('GET', 'series')).json().series
  assert.deepEqual(headlines(all.find((found) => found.id === id)!), ['Pots three', 'Pots secret', 'Pots one'])
  assert.deepEqual(await placeOf(one), ['Pots', 2, 2])
  await desk.act('publish', draft)
  assert.deepEqual(await placeOf(draft), ['Pots', 2, 3])
})

test('a suspended writer has no series in public, and all of them again afterwards', async () => {
  const suspended = await makeWriter(admin, { slug: 'dora', name: 'Dora' })
  const hers = deskOf(app, suspended)
  const piece = await published(hers, 'Saucers')
  assert.equal((await save(hers, randomUUID(), { title: 'Plates', pieces: [piece] })).statusCode, 200)
  await moderators.ask('POST', 'review/writers/dora/suspend', { reason: 'Spam.' })
  const left = await admin.query('select from pub.series where author_id = $1', [suspended.id])
  assert.equal(left.rowCount, 0)
  await moderators.ask('POST', 'review/writers/dora/restore', { reason: 'A mistake.' })
  assert.deepEqual(await placeOf(piece), ['Plates', 1, 1])
})

test('a series has only its writer’s own pieces, each in one series and once', async () => {
  const { id, one, series } = await madeSeries('Leaves')
  const theirs = await published(other, 'Theirs')
  const before = await admin.query('select * from app.series_pieces order by piece_id')

  const refused = async (given: object, status: number, by = desk, at = id) => {
    const answer = await save(by, at, { title: 'Changed', revision: series.revision, ...given })
    assert.equal(answer.statusCode, status, answer.body)
  }
  await refused({ pieces: [one, theirs] }, 400)
  await refused({ pieces: [one, randomUUID()] }, 400)
  await refused({ pieces: [one, one] }, 400)
  await refused({ pieces: [`${one}' or true --`] }, 400)
  await refused({ pieces: [one], revision: null }, 409, desk, randomUUID())
  await refused({ pieces: Array.from({ length: 201 }, () => randomUUID()) }, 400)
  await refused({ title: ' ' }, 400)
  await refused({ pieces: [theirs], revision: 1 }, 404, other)
  await refused({ pieces: [theirs], revision: null }, 404, other)
  await refused({ pieces: [theirs], revision: 1 }, 404, other, randomUUID())
  assert.equal((await other.ask('DELETE', `series/${id}`)).statusCode, 404)
  assert.deepEqual((await other.ask('GET', 'series')).json().series, [])

  assert.deepEqual((await admin.query('select * from app.series_pieces order by piece_id')).rows, before.rows)
  assert.deepEqual(await placeOf(one), ['Leaves', 1, 3])
  assert.equal((await pieceOf(theirs)).series, undefined)
})

test('a stale page changes nothing, and a repeated first request makes one series', async () => {
  const piece = await published(desk, 'Spoons')
  const id = randomUUID()
  assert.equal((await save(desk, id, { title: 'Spoons', pieces: [piece] })).statusCode, 200)
  const again = await save(desk, id, { title: 'Spoons', pieces: [piece] })
  assert.deepEqual([again.statusCode, again.json().series.revision], [200, 1])
  assert.equal((await save(desk, id, { title: 'Spoons and forks', pieces: [piece], revision: 1 })).statusCode, 200)
  assert.equal((await save(desk, id, { title: 'Knives', pieces: [], revision: 1 })).statusCode, 412)
  assert.equal((await save(desk, id, { title: 'Knives', pieces: [] })).statusCode, 412)
  assert.deepEqual(await placeOf(piece), ['Spoons and forks', 1, 1])
  assert.equal((await app.inject('/author/ada/series/spoons')).statusCode, 200, 'the address stays')
  const twin = await save(desk, randomUUID(), { title: 'Spoons', pieces: [await published(desk, 'More spoons')] })
  assert.match(twin.json().series.url, /series\/spoons-2$/)
  assert.equal((await desk.ask('DELETE', `series/${id}`)).statusCode, 204)
  assert.equal((await pieceOf(piece)).series, undefined)
  assert.equal((await app.inject('/author/ada/series/spoons')).statusCode, 404)
})

test('neither a key nor a visitor nor an ended session reads or changes a series', async () => {
  const { id, one } = await madeSeries('Trays')
  const { key } = await makeKey(admin, ada, {
    scopes: ['pieces:write', 'drafts:read', 'drafts:edit', 'drafts:delete'],
  })
  const ended = await makeWriter(admin, { slug: 'ended' })
  await admin.query('update app.sessions set revoked_at = now() where id = $1', [ended.sessionId])
  const site = { 'sec-fetch-site': 'same-origin' }
  const body = { title: 'Stolen', description: null, pieces: [one], revision: 1 }
  for (const headers of [
    site,
    { ...site, authorization: `Bearer ${key}` },
    { ...site, cookie: `__Host-desk=${key}` },
    { ...site, cookie: `__Host-desk=${ended.sessionToken}` },
    { cookie: `__Host-desk=${ada.sessionToken}`, 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    const answers = [
      // A browser shows another site nothing of the answer.
      ...(headers['sec-fetch-site'] === 'cross-site'
        ? []
        : [await app.inject({ method: 'GET', url: '/desk/api/series', headers })]),
      await app.inject({ method: 'PUT', url: `/desk/api/series/${id}`, headers, payload: body }),
      await app.inject({ method: 'DELETE', url: `/desk/api/series/${id}`, headers }),
    ]
    for (const { statusCode } of answers) assert.ok([400, 401, 403].includes(statusCode), String(statusCode))
  }
  assert.deepEqual(await placeOf(one), ['Trays', 1, 3])
})

test('a former slug of the author and other spellings lead to the address of the series', async () => {
  const clara = await makeWriter(admin, { slug: 'clara', name: 'Clara' })
  const hers = deskOf(app, clara)
  const piece = await published(hers, 'Jam')
  await save(hers, randomUUID(), { title: 'Über Tee', pieces: [piece] })
  await hers.ask('PUT', 'profile/slug', { slug: 'clara-b' })
  for (const [path, to] of [
    ['/author/clara/series/uber-tee', '/author/clara-b/series/uber-tee'],
    ['/author/clara-b/series/UBER-tee', '/author/clara-b/series/uber-tee'],
    ['/author/clara/series/uber-tee.md', '/author/clara-b/series/uber-tee.md'],
    ['/author/clara/series/uber-tee/feed.xml', '/author/clara-b/series/uber-tee/feed.xml'],
  ]) {
    const answer = await app.inject(path!)
    assert.deepEqual([answer.statusCode, answer.headers.location], [301, `https://site.test${to}`], path)
  }
  const called = await published(hers, 'Series')
  assert.equal((await pieceOf(called)).url, 'https://site.test/author/clara-b/series')
  assert.equal((await app.inject('/author/clara-b/series')).statusCode, 200, 'a piece may be called so')
})

test('saving a series waits for a publication of its piece, and neither locks the other out', async () => {
  const piece = await desk.begin({ headline: 'Both at once', body_md: 'Now.' })
  const client = await admin.connect()
  try {
    await client.query('begin')
    await client.query('select from app.pieces where id = $1 for update', [piece])
    const saving = save(desk, randomUUID(), { title: 'Both', pieces: [piece] })
    await waitForLockWait(admin, 'app.pieces')
    await client.query('set local role svc_publisher')
    await client.query('select app.lock_writer($1)', [ada.id])
    await client.query('commit')
    assert.equal((await saving).statusCode, 200)
  } finally {
    client.release()
  }
})
