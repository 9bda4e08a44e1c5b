import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { browserAgent, countsOf, readPixel, waitForCountedReads } from '../../testkit/read-counts.ts'

/** Reads: what the pixel answers, which reads count, and what is stored. */

const { admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada' })
const marker = await makePiece(admin, writer, { headline: 'A marker' })
const piece = (headline: string) => makePiece(admin, writer, { headline })
const reads = async (id: string): Promise<number> => {
  await waitForCountedReads(app, admin, marker)
  return (await countsOf(admin))[id] ?? 0
}

test('the pixel is the same 43 bytes, kept by nobody, for a piece, a draft, a piece that never was and no id at all', async () => {
  const ids = [
    await piece('Public'),
    await makeDraft(admin, writer, { headline: 'Unfinished' }),
    randomUUID(),
    'no-id',
    "'; drop table--",
    'x'.repeat(2000),
  ]
  const answers = await Promise.all(ids.map((id) => readPixel(app, encodeURIComponent(id))))
  const [first] = answers
  for (const { statusCode, rawPayload, headers } of answers) {
    assert.equal(statusCode, 200)
    const own = { date: '', 'x-request-id': '' }
    assert.deepEqual({ ...headers, ...own }, { ...first!.headers, ...own })
    assert.deepEqual(rawPayload, first!.rawPayload)
  }
  assert.equal(first!.headers['content-type'], 'image/gif')
  assert.equal(first!.headers['cache-control'], 'no-store')
  assert.equal(first!.headers['set-cookie'], undefined)
  assert.equal(first!.rawPayload.length, 43)
  assert.equal(first!.rawPayload.subarray(0, 6).toString(), 'GIF89a')
})

test('a reader counts once a day for a piece, and once for each piece', async () => {
  const [one, other] = [await piece('One'), await piece('Other')]
  for (let time = 0; time < 3; time += 1) await readPixel(app, one)
  await readPixel(app, one.toUpperCase())
  assert.equal(await reads(one), 1)
  await readPixel(app, one)
  await readPixel(app, other)
  assert.equal(await reads(one), 1)
  assert.equal(await reads(other), 1)
})

test('another address or another browser is another reader; another address of one IPv6 network is not', async () => {
  const id = await piece('Readers')
  await readPixel(app, id, { from: '198.51.100.7' })
  await readPixel(app, id, { from: '198.51.100.8' })
  await readPixel(app, id, { from: '198.51.100.7', headers: { 'user-agent': `${browserAgent} Other/1` } })
  await readPixel(app, id, { from: '2001:db8:1:2::1' })
  await readPixel(app, id, { from: '2001:db8:1:2:ffff::2' })
  await readPixel(app, id, { from: '2001:db8:1:3::1' })
  assert.equal(await reads(id), 5)
})

const nobody: Record<string, { headers?: Record<string, string>; method?: 'HEAD' }> = {
  'a crawler': {
    headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  },
  'a link preview': { headers: { 'user-agent': 'facebookexternalhit/1.1' } },
  'a script': { headers: { 'user-agent': 'curl/8.14.1' } },
  'whoever does not say what they are': { headers: { 'user-agent': '' } },
  'a browser that fetches ahead': { headers: { 'sec-purpose': 'prefetch;prerender' } },
  'an older browser that fetches ahead': { headers: { purpose: 'prefetch' } },
  'a page of another site': { headers: { 'sec-fetch-site': 'cross-site' } },
  'a HEAD request': { method: 'HEAD' },
}

describe('answered and not counted', () => {
  const ids = new Map<string, string>()
  before(async () => {
    for (const [who, asked] of Object.entries(nobody)) {
      const id = await piece(`For ${who}`)
      ids.set(who, id)
      assert.equal((await readPixel(app, id, asked)).statusCode, 200)
    }
    await waitForCountedReads(app, admin, marker)
  })

  for (const who of Object.keys(nobody)) {
    test(`is ${who}`, async () => {
      assert.equal((await countsOf(admin))[ids.get(who)!], undefined)
    })
  }
})

test('a telephone whose maker is called like a robot counts', async () => {
  const id = await piece('Telephone')
  await readPixel(app, id, { headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 15; CUBOT NOTE 50) Mobile' } })
  assert.equal(await reads(id), 1)
})

test('reads of a draft, of an unpublished piece and of what never was leave nothing behind', async () => {
  const draft = await makeDraft(admin, writer, { headline: 'Unfinished' })
  const gone = await piece('Gone')
  await unpublish(admin, writer, gone)
  for (const id of [draft, gone, randomUUID()]) await readPixel(app, id, { from: '203.0.113.9' })
  await waitForCountedReads(app, admin, marker)
  const { rows } = await admin.query('select piece_id from app.piece_reads where piece_id = any ($1)', [[draft, gone]])
  assert.deepEqual(rows, [])
  // Once it is published the same reader counts: no mark was stored for them.
  const desk = deskOf(app, writer)
  assert.equal((await desk.act('publish', draft)).statusCode, 200)
  await readPixel(app, draft, { from: '203.0.113.9' })
  assert.equal(await reads(draft), 1)
})

test('hours, days and the sum of all tell the same of readers in different networks', async () => {
  const id = await piece('Counted')
  for (let reader = 0; reader < 25; reader += 1) await readPixel(app, id, { from: `10.1.${reader}.1` })
  assert.equal(await reads(id), 25)
  const { rows } = await admin.query(
    `select (select sum(reads)::integer from app.piece_reads_hourly where piece_id = $1) as hours,
            (select sum(reads)::integer from app.piece_reads_daily where piece_id = $1) as days`,
    [id],
  )
  assert.deepEqual(rows, [{ hours: 25, days: 25 }])
})

test('neither an address nor an agent is kept anywhere', async () => {
  const id = await piece('Private')
  const agent = `Mozilla/5.0 Canary-${randomUUID()}`
  await readPixel(app, id, { from: '203.0.113.77', headers: { 'user-agent': agent } })
  assert.equal(await reads(id), 1)
  const { rows: tables } = await admin.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('app', 'pub', 'jobs')",
  )
  for (const { name } of tables) {
    const { rows } = await admin.query(
      `select t::text as row from ${name} t where position('203.0.113.77' in t::text) > 0 or position($1 in t::text) > 0`,
      [agent],
    )
    assert.deepEqual(rows, [], name)
  }
})

test('the public page of a piece has the pixel, whole and not lazy, and its Markdown and its feeds have none', async () => {
  const id = await piece('With a pixel')
  const page = await app.inject({ url: '/author/ada/with-a-pixel', headers: { accept: 'text/html' } })
  assert.ok(page.body.includes(`<img src="https://site.test/r/${id}.gif" alt="" width="1" height="1">`))
  assert.equal(page.body.split('/r/').length, 2)
  for (const address of [
    '/author/ada/with-a-pixel.md',
    '/author/ada/feed.json',
    '/author/ada/feed.xml',
    '/author/ada',
    '/',
    `/api/public/pieces/${id}`,
  ]) {
    const { statusCode, body } = await app.inject(address)
    assert.equal(statusCode, 200, address)
    assert.ok(!body.includes('/r/'), `${address} has a pixel`)
  }
})

test('a preview of a draft has no pixel', async () => {
  const desk = deskOf(app, writer)
  const id = await desk.begin({ headline: 'Not yet' })
  const link = await desk.ask('POST', `pieces/${id}/links`, { days: 1 })
  assert.equal(link.statusCode, 201, link.body)
  const { pathname } = new URL(link.json().link.url)
  const preview = await app.inject(pathname)
  assert.equal(preview.statusCode, 200)
  assert.ok(!preview.body.includes('/r/'))
})

test('a piece takes its counts along when it is deleted for good', async () => {
  const id = await piece('Deleted later')
  await readPixel(app, id)
  assert.equal(await reads(id), 1)
  const desk = deskOf(app, writer)
  await desk.act('unpublish', id)
  const { headers } = await desk.ask('GET', `pieces/${id}`)
  const deleted = await desk.ask('DELETE', `pieces/${id}`, undefined, { 'if-match': String(headers['etag']) })
  assert.equal(deleted.statusCode, 204, deleted.body)
  assert.equal((await desk.ask('DELETE', `trash/${id}`)).statusCode, 204)
  for (const table of ['piece_reads', 'piece_reads_daily', 'piece_reads_hourly']) {
    const { rowCount } = await admin.query(`select from app.${table} where piece_id = $1`, [id])
    assert.equal(rowCount, 0, table)
  }
})
