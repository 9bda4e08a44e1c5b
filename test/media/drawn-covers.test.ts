import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { categories } from '../../server/features/pieces/schema.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'

/** Covers of pieces without a picture, requested as pages do. */

const { url, app } = await testSite()
const urls = urlsFor('https://site.test')
const id = '5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44'
const pathOf = (category: string | null, title: string, of = id) =>
  new URL(urls.drawnCover(category, of, title)).pathname

test('a cover is an SVG that browsers keep for a year, and that runs and loads nothing', async () => {
  const { statusCode, headers, body } = await app.inject(pathOf('life', 'The case for slow tea'))
  assert.deepEqual([statusCode, headers['content-type']], [200, 'image/svg+xml'])
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox; style-src 'unsafe-inline'",
  )
  assert.equal(headers['set-cookie'], undefined)
  assert.match(body, /^<svg [^>]*viewBox="0 0 600 400">/)
  assert.match(body, /prefers-color-scheme:dark/)
})

test('the address has version, category, the end of the id and the initials; both forms of an id lead to it', () => {
  assert.equal(pathOf('life', 'The case for slow tea'), '/cover/1/life/0b7f3c1e2a44/Ca.svg')
  assert.equal(pathOf(null, '☕️', `https://site.test/p/${id}`), '/cover/1/_/0b7f3c1e2a44/_.svg')
  assert.equal(pathOf('life', 'Élan'), '/cover/1/life/0b7f3c1e2a44/%C3%89l.svg')
})

test('every category has a cover of its own colours, and so has none', async () => {
  const bodies = await Promise.all(
    [...categories, null].map(async (category) => (await app.inject(pathOf(category, 'Tea'))).body),
  )
  assert.equal(new Set(bodies).size, categories.length + 1)
})

test('headlines of every script have their own drawing, also those that no font can draw', async () => {
  const bodies = new Set<string>()
  for (const title of [
    'Tea',
    'Чай',
    'Τσάι',
    '茶壶',
    'やかん',
    '주전자',
    'الغلاية',
    'קומקום',
    'केतली',
    'กาต้มน้ำ',
    'தேநீர்',
    '☕️',
  ]) {
    const { statusCode, body } = await injectRetrying503(app, pathOf('life', title))
    assert.equal(statusCode, 200, title)
    assert.equal((await sharp(Buffer.from(body)).metadata()).width, 600)
    assert.doesNotMatch(body, /<text|NaN|Infinity/)
    bodies.add(body)
  }
  // The last two have no character that can be drawn.
  assert.equal(bodies.size, 11)
})

test('only an address that the site itself would write has a cover', async () => {
  for (const path of [
    'x/life/0b7f3c1e2a44/Ca',
    '01/life/0b7f3c1e2a44/Ca',
    '1/death/0b7f3c1e2a44/Ca',
    '1/Life/0b7f3c1e2a44/Ca',
    '1/toString/0b7f3c1e2a44/Ca',
    '1/life/0B7F3C1E2A44/Ca',
    '1/life/0b7f3c1e2a4/Ca',
    '1/life/0b7f3c1e2a444/Ca',
    '1/life/0b7f3c1e2a44/ca',
    '1/life/0b7f3c1e2a44/Case',
    '1/life/0b7f3c1e2a44/',
    '1/life/0b7f3c1e2a44/%3C',
    '1/life/0b7f3c1e2a44/E%CC%81',
    `1/life/0b7f3c1e2a44/E${'%CC%81'.repeat(40)}`,
    '1/life/0b7f3c1e2a44/%E2%98%95',
    '1/life/0b7f3c1e2a44/%ff',
  ]) {
    const { statusCode, headers } = await app.inject(`/cover/${path}.svg`)
    assert.ok(statusCode === 404 || statusCode === 400, `${path}: ${statusCode}`)
    assert.equal(headers['cache-control'], 'no-store', path)
  }
})

test('another version, as during a rollout, gets this drawing, and nobody keeps it', async () => {
  const present = await app.inject(pathOf('life', 'Tea'))
  const { statusCode, headers, body } = await app.inject(pathOf('life', 'Tea').replace('/cover/1/', '/cover/2/'))
  assert.deepEqual([statusCode, headers['cache-control'], body], [200, 'no-store', present.body])
})

test('covers need no database, and a caller who has one gets 304', async () => {
  const alone = await testApp(url, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  const first = await alone.inject(pathOf('ideas', 'Tea'))
  assert.equal(first.statusCode, 200)
  const again = await alone.inject({
    url: pathOf('ideas', 'Tea'),
    headers: { 'if-none-match': String(first.headers['etag']) },
  })
  assert.equal(again.statusCode, 304)
})
