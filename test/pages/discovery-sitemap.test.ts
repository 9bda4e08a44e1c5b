import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type pg from 'pg'
import { statements as authorStatements } from '../../server/features/authors/sitemap.ts'
import { statements as pieceStatements } from '../../server/features/pieces/sitemap.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, type MadeWriter, makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'

/** /sitemap.xml and its parts, by sitemaps.org. */

const { url, admin } = await testDatabase()
const base = 'https://site.test'
const folder = await mkdtemp(join(tmpdir(), 'standfirst-sitemap-'))
after(() => rm(folder, { recursive: true }))

type App = Awaited<ReturnType<typeof testApp>>

/** A process caches the list of parts for minutes, so a new one is started to see the current parts. */
const newApp = () => testApp(url)

/** Parses with xmllint, which refuses XML that is not well-formed. */
async function read(app: App, path: string) {
  const { statusCode, headers, body } = await injectRetrying503(app, path)
  assert.equal(statusCode, 200, `${path} answered ${body.slice(0, 200)}`)
  assert.equal(headers['content-type'], 'application/xml; charset=utf-8')
  const file = join(folder, 'map.xml')
  await writeFile(file, body)
  await promisify(execFile)('xmllint', ['--noout', file])
  const entries = [
    ...body.matchAll(/<(?:url|sitemap)><loc>([^<]+)<\/loc>(?:<lastmod>([^<]+)<\/lastmod>)?<\/(?:url|sitemap)>/g),
  ]
  return { headers, body, entries: entries.map(([, loc = '', lastmod]) => ({ loc, lastmod })) }
}

/** Every address in the sitemap, with the part that contains it. */
async function wholeMap(app: App): Promise<Map<string, { part: string; lastmod: string | undefined }>> {
  const all = new Map<string, { part: string; lastmod: string | undefined }>()
  for (const part of (await read(app, '/sitemap.xml')).entries) {
    const { entries } = await read(app, part.loc.slice(base.length))
    assert.ok(entries.length > 0 && entries.length <= 50_000, `${part.loc} has ${entries.length} addresses`)
    for (const { loc, lastmod } of entries) {
      assert.ok(!all.has(loc), `${loc} is on the map twice`)
      all.set(loc, { part: part.loc.slice(`${base}/sitemap-`.length, -'.xml'.length), lastmod })
    }
  }
  return all
}

const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const silent = await makeWriter(admin, { slug: 'silent', name: 'Silent' })
await makeWriter(admin, { slug: 'unseen', shown: false })
const at = (time: string) => new Date(`${time}Z`)
await makePiece(admin, ada, { headline: 'First', publishedAt: at('2024-12-31T23:59:59.999') })
await makePiece(admin, ada, { headline: 'Second', publishedAt: at('2025-01-01T00:00') })
const third = await makePiece(admin, ada, { headline: 'Third', publishedAt: at('2026-03-01T10:00') })
await makePiece(admin, ada, {
  headline: 'Elsewhere',
  externalUrl: 'https://ada.example/x',
  publishedAt: at('2023-05-01T10:00'),
})
await makeDraft(admin, ada, { headline: 'A draft' })
const site = await newApp()

describe('the map', () => {
  test('has the pages, the authors and the pieces that are public, each once', async () => {
    const map = await wholeMap(site)
    const pieces = [...map].filter(([, { part }]) => part.startsWith('pieces'))
    assert.deepEqual(pieces, [
      [`${base}/author/ada/first`, { part: 'pieces-2024', lastmod: '2024-12-31T23:59:59.999Z' }],
      [`${base}/author/ada/second`, { part: 'pieces-2025', lastmod: '2025-01-01T00:00:00.000Z' }],
      [`${base}/author/ada/third`, { part: 'pieces-2026', lastmod: '2026-03-01T10:00:00.000Z' }],
    ])
    const authors = [...map].filter(([, { part }]) => part === 'authors').map(([loc]) => loc)
    assert.deepEqual(authors.sort(), [`${base}/author/ada`, `${base}/author/silent`])
    const pages = [...map].filter(([, { part }]) => part === 'pages').map(([loc]) => loc)
    for (const path of ['/', '/category/society', '/about', '/developers', '/developers/reading'])
      assert.ok(pages.includes(base + path), path)
  })

  test('every page of it is there', async () => {
    for (const loc of (await wholeMap(site)).keys()) {
      assert.equal((await injectRetrying503(site, loc.slice(base.length))).statusCode, 200, loc)
    }
  })

  test('an author without pieces has no date, one with pieces that of the last', async () => {
    const map = await wholeMap(site)
    assert.equal(map.get(`${base}/author/silent`)?.lastmod, undefined)
    assert.equal(map.get(`${base}/author/ada`)?.lastmod, '2026-03-01T10:00:00.000Z')
  })

  test('a piece that is changed has its new date, in its part and in the list of parts', async () => {
    await asPublisher("update pub.pieces set modified_at = '2026-04-05T06:07:08Z' where id = $1", [third])
    const app = await newApp()
    const { entries } = await read(app, '/sitemap.xml')
    const changed = '2026-04-05T06:07:08.000Z'
    assert.equal(entries.find(({ loc }) => loc === `${base}/sitemap-pieces-2026.xml`)?.lastmod, changed)
    assert.equal((await wholeMap(app)).get(`${base}/author/ada/third`)?.lastmod, changed)
  })

  test('a piece that is unpublished is gone from its part with the next request', async () => {
    const app = await newApp()
    const gone = await makePiece(admin, ada, { headline: 'Gone', publishedAt: at('2022-02-02T10:00') })
    assert.equal((await read(app, '/sitemap-pieces-2022.xml')).entries.length, 1)
    await unpublish(admin, ada, gone)
    assert.equal((await injectRetrying503(app, '/sitemap-pieces-2022.xml')).statusCode, 404)
  })

  test('answers 304 while nothing changes, and is purged with every list', async () => {
    for (const path of ['/sitemap.xml', '/sitemap-authors.xml', '/sitemap-pieces-2024.xml']) {
      const { headers } = await read(site, path)
      assert.equal(headers['surrogate-key'], 'pieces products authors')
      const again = await injectRetrying503(site, { url: path, headers: { 'if-none-match': String(headers['etag']) } })
      assert.equal(again.statusCode, 304, path)
    }
  })

  test('a part that no time is called by is not there', async () => {
    const names = [
      'pieces',
      'pieces-',
      'pieces-2024-13',
      'pieces-2023-02-29',
      'pieces-2024-1',
      'pieces-2024-01-01T24',
      'x',
    ]
    for (const name of [...names, 'pieces-0000', 'pieces-9999', 'authors-g', 'authors-00000', 'pages-1', '%00', "'"]) {
      assert.equal((await injectRetrying503(site, `/sitemap-${name}.xml`)).statusCode, 404, name)
    }
  })

  test('a longer span can be asked for too, and a shorter one', async () => {
    for (const name of ['2024-12', '2024-12-31', '2024-12-31T23', '2024-12-31T23-59']) {
      const { entries } = await read(site, `/sitemap-pieces-${name}.xml`)
      assert.deepEqual(
        entries.map(({ loc }) => loc),
        [`${base}/author/ada/first`],
      )
    }
  })
})

async function asPublisher(text: string, values: unknown[] = []): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query(text, values)
  })
}

/** Inserts many pieces, `apart` from each other; ids are hashes, so every run has the same sample. */
async function importPieces(
  writer: MadeWriter,
  name: string,
  count: number,
  from: string,
  apart: string,
): Promise<void> {
  await asPublisher(
    `insert into pub.pieces (id, author_id, slug, headline, summary, category, tags, kind, locale, published_at,
                             modified_at, headline_folded, sub_folded)
     select md5($2 || n)::uuid, $1, $2 || '-' || n, 'x', 'x', 'life', '{}', 'essay', 'en',
            moment, moment, 'x', ''
       from generate_series(0, $3::integer - 1) n,
            date_trunc('milliseconds', $4::timestamptz + n * $5::interval) moment`,
    [writer.id, name, count, from, apart],
  )
}

describe('a large site', () => {
  test('is divided by years, months, days, hours and minutes, none with more than 50,000', async () => {
    const closed = (await read(site, '/sitemap-pieces-2024.xml')).body
    // A day of 46,000: one hour with 30,000 in three minutes, another with 16,000; and a quiet day in its month.
    await importPieces(silent, 'burst', 30_000, '2025-06-15T09:00:00Z', '6 ms')
    await importPieces(silent, 'later', 16_000, '2025-06-15T10:00:00Z', '200 ms')
    await importPieces(silent, 'quiet', 10, '2025-06-20T00:00:00Z', '1 hour')

    const app = await newApp()
    const map = await wholeMap(app)
    const counts: Record<string, number> = {}
    for (const { part } of map.values()) counts[part] = (counts[part] ?? 0) + 1
    const { pages: _pages, authors: _authors, archive, ...ofPieces } = counts
    assert.equal(archive, 5)
    assert.deepEqual(ofPieces, {
      'pieces-2024': 1,
      'pieces-2025-01': 1,
      'pieces-2025-06-15T09-00': 10_000,
      'pieces-2025-06-15T09-01': 10_000,
      'pieces-2025-06-15T09-02': 10_000,
      'pieces-2025-06-15T10': 16_000,
      'pieces-2025-06-20': 10,
      'pieces-2026': 1,
    })
    // Pieces added to other parts change nothing here.
    assert.equal((await read(app, '/sitemap-pieces-2024.xml')).body, closed)
  })

  test('never gives more than 50,000 of a span that holds more', async () => {
    await importPieces(silent, 'more', 8_000, '2025-06-16T09:00:00Z', '1 ms')
    const { entries, body } = await read(site, '/sitemap-pieces-2025.xml')
    assert.equal(entries.length, 50_000)
    assert.ok(Buffer.byteLength(body) < 50 * 1024 * 1024)
  })

  test('has its authors in parts by the first digits of their ids', async () => {
    const all = (await read(site, '/sitemap-authors.xml')).entries.length
    let sum = 0
    for (const digit of '0123456789abcdef') {
      const { statusCode, body } = await injectRetrying503(site, `/sitemap-authors-${digit}.xml`)
      if (statusCode === 200) sum += body.match(/<url>/g)!.length
    }
    assert.equal(sum, all)
  })
})

describe('what the map asks the database', () => {
  async function planOf(
    client: pg.PoolClient,
    { name, text }: { name: string; text: string },
    values: string,
  ): Promise<string> {
    await client.query(`prepare ${name} as ${text}`)
    const { rows } = await client.query(`explain execute ${name}${values && `(${values})`}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  test('is answered by its own indexes, and parts by them alone', async () => {
    await admin.query('vacuum (analyze) pub.pieces, pub.authors')
    await inTransaction(admin, async (client) => {
      await client.query("set local role svc_public; set local plan_cache_mode = 'force_generic_plan'")
      const days = await planOf(client, pieceStatements.days, '')
      assert.match(days, /Index (Only )?Scan Backward using pieces_by_day/)
      assert.match(days, /Index Only Scan using pieces_sampled/)
      assert.doesNotMatch(days, /Seq Scan/)
      const minutes = await planOf(client, pieceStatements.minutes, "'2025-06-15', '2025-06-16'")
      assert.match(minutes, /Index Only Scan using pieces_on_map/)
      assert.doesNotMatch(minutes, /Seq Scan/)
      // For a handful of authors a sequential scan is faster than an index.
      await client.query('set local enable_seqscan = off')
      const span = "'2025-01-01', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2026-01-01', 5000"
      const page = await planOf(client, pieceStatements.page, span)
      assert.match(page, /Index Only Scan using pieces_on_map/)
      assert.match(page, /Index Only Scan using authors_on_map/)
      assert.doesNotMatch(page, /Sort/)
      const ids = "'00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 5000"
      assert.match(await planOf(client, authorStatements.page, ids), /Index Only Scan using authors_on_map/)
    })
  })
})
