import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { sweepMedia } from '../../server/features/media/uploads.ts'
import { folderStore } from '../../server/platform/media/store.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'

/** Pictures are private while their piece is not public. */

const folder = mediaFolder()
const { url, admin, app } = await testSite({ MEDIA_URL: folder.url })
const ada = await makeWriter(admin, { slug: 'ada' })
const bob = await makeWriter(admin, { slug: 'bob' })
const moderator = await makeModerator(admin)
const [desk, adas, bobs] = [deskOf(app, ada), uploaderOf(app, ada), uploaderOf(app, bob)]

const open = (path: string, headers = {}) => app.inject({ method: 'GET', url: path, headers })
const statusOf = async (hash: string) => (await open(`/media/${hash}`)).statusCode
let colours = 0
const upload = async (by = adas) => {
  colours += 1
  return by.upload(await photograph(colours))
}
const showing = (...hashes: string[]) => hashes.map((hash) => `![A field](/media/${hash})`).join('\n\n')

test('a picture is nobody else’s before its piece is public', async () => {
  const hash = await upload()
  await desk.begin({ body_md: showing(hash) })
  assert.equal(await statusOf(hash), 404)
  assert.equal((await open(`/desk/media/${hash}`)).statusCode, 401)
  assert.equal((await bobs.get(`/desk/media/${hash}`)).statusCode, 404)
  assert.equal((await uploaderOf(app, moderator).get(`/desk/media/${hash}`)).statusCode, 404)
})

test('publishing a piece shows its pictures, unpublishing hides them', async () => {
  const hash = await upload()
  const id = await desk.begin({ headline: 'With a picture', body_md: showing(hash) })
  await desk.act('publish', id)
  const shown = await open(`/media/${hash}`)
  assert.equal(shown.statusCode, 200)
  assert.equal(shown.headers['content-type'], 'image/webp')
  assert.equal(shown.headers['cache-control'], 'public, max-age=31536000, s-maxage=30, immutable')
  assert.equal(
    shown.headers['content-security-policy'],
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  )
  assert.equal(shown.headers['x-content-type-options'], 'nosniff')
  assert.equal(shown.headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(shown.headers['surrogate-key'], `piece-${id} product-${id} byline-ada`)
  const known = await open(`/media/${hash}`, { 'if-none-match': shown.headers.etag })
  assert.deepEqual([known.statusCode, known.headers['cache-control']], [304, shown.headers['cache-control']])
  const head = await app.inject({ method: 'HEAD', url: `/media/${hash}` })
  assert.deepEqual([head.statusCode, head.headers['content-length']], [200, String(shown.rawPayload.length)])

  await desk.act('unpublish', id)
  assert.equal(await statusOf(hash), 404)
  const late = await open(`/media/${hash}`, { 'if-none-match': shown.headers.etag })
  assert.deepEqual([late.statusCode, late.headers['cache-control']], [404, 'no-store'])
})

test('an update shows the new picture and hides the old one, and a save alone neither', async () => {
  const [before, after] = [await upload(), await upload()]
  const id = await desk.begin({ body_md: showing(before) })
  await desk.act('publish', id)
  await desk.ask('PATCH', `pieces/${id}`, { body_md: showing(after) }, { 'if-match': '*' })
  assert.deepEqual([await statusOf(before), await statusOf(after)], [200, 404])
  await desk.act('update', id)
  assert.deepEqual([await statusOf(before), await statusOf(after)], [404, 200])
})

test('a picture that two pieces show stays until both are gone', async () => {
  const hash = await upload()
  const ids = [await desk.begin({ body_md: showing(hash) }), await desk.begin({ body_md: showing(hash) })]
  for (const id of ids) await desk.act('publish', id)
  await desk.act('unpublish', ids[0]!)
  assert.equal(await statusOf(hash), 200)
  await desk.act('unpublish', ids[1]!)
  assert.equal(await statusOf(hash), 404)
})

test('nobody makes another writer’s picture public by naming it', async () => {
  const hash = await upload()
  await desk.begin({ body_md: showing(hash) })
  const theirs = deskOf(app, bob)
  const id = await theirs.begin({ body_md: `${showing(hash)}\n\n[look](/media/${hash})` })
  await theirs.act('publish', id)
  assert.equal(await statusOf(hash), 404)
  const { piece } = (await open(`/api/public/pieces/${id}`)).json()
  assert.doesNotMatch(piece.content_html, /<img/)
})

test('a moderator sees the pictures of what waits for them, and approving shows them', async () => {
  const hash = await upload()
  const id = await desk.begin({ body_md: showing(hash) })
  await desk.act('submit', id)
  const review = deskOf(app, moderator)
  const shown = (await review.ask('POST', `review/${id}/show`)).json()
  assert.match(shown.piece.html, new RegExp(`<img src="/desk/media/${hash}"`))
  assert.equal((await uploaderOf(app, moderator).get(`/desk/media/${hash}`)).statusCode, 200)
  assert.equal((await open(shown.page)).statusCode, 200)
  assert.equal(await statusOf(hash), 404)
  await review.act('approve', id)
  assert.equal(await statusOf(hash), 200)
  await review.act('take_down', id)
  assert.equal(await statusOf(hash), 404)
})

test('a moderator sees no picture that was taken out before the piece came to them', async () => {
  const hash = await upload()
  const id = await desk.begin({ body_md: showing(hash) })
  await desk.ask('PATCH', `pieces/${id}`, { body_md: 'Without it.' }, { 'if-match': '*' })
  await desk.act('submit', id)
  assert.equal((await uploaderOf(app, moderator).get(`/desk/media/${hash}`)).statusCode, 404)
  assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 200)
})

test('readers, feeds, programs and twins get the picture’s whole address, with its size', async () => {
  const hash = await upload()
  const id = await desk.begin({
    headline: 'Whole addresses',
    body_md: `${showing(hash)}\n\n[![B](/media/${hash})](/media/${hash})`,
  })
  await desk.act('publish', id)
  const address = `https://site.test/media/${hash}`
  const { piece } = (await open(`/api/public/pieces/${id}`)).json()
  assert.ok(
    piece.content_html.includes(
      `<img src="${address}" alt="A field" width="640" height="480" loading="lazy" decoding="async" />`,
    ),
    piece.content_html,
  )
  assert.ok(piece.content_html.includes(`<a href="${address}"`))
  const path = new URL(piece.url).pathname
  for (const where of [path, `${path}.md`, '/author/ada/feed.json', '/author/ada/feed.xml']) {
    const { body } = await open(where)
    assert.ok(body.includes(address), where)
    assert.doesNotMatch(body, /["'(]\/media\//, where)
  }
})

test('a draft by key shows its writer’s picture once they publish it', async () => {
  const hash = await upload()
  const { key } = await makeKey(admin, ada)
  const drafted = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}` },
    payload: { headline: 'By key', body_md: showing(hash) },
  })
  assert.equal(await statusOf(hash), 404)
  await desk.act('publish', drafted.json().id)
  assert.equal(await statusOf(hash), 200)
})

test('a picture that is nobody’s, or of another shape, is its description', async () => {
  const id = await desk.begin({
    body_md: `![one](/media/${'a'.repeat(64)}) ![two](/media/x) ![three](/desk/media/${'b'.repeat(64)})`,
  })
  const { html } = (await desk.ask('POST', `pieces/${id}/preview`)).json()
  assert.match(html, /<p>one /)
  assert.doesNotMatch(html, /<img/)
})

test('a portrait is square, public with the profile, and gone when taken away', async () => {
  const avatar_url = await adas.setPortrait(await photograph(4000, { width: 900, height: 300 }))
  const hash = avatar_url.slice(-64)
  const shown = await open(`/media/${hash}`)
  const { width, height } = await sharp(shown.rawPayload).metadata()
  assert.deepEqual(
    [width, height, shown.headers['surrogate-key']],
    [512, 512, `piece-${ada.id} product-${ada.id} byline-ada`],
  )
  assert.equal((await open('/api/public/authors/ada')).json().author.avatar_url, avatar_url)

  assert.equal((await desk.ask('DELETE', 'profile/avatar')).statusCode, 204)
  assert.equal(await statusOf(hash), 404)
  assert.equal((await open('/api/public/authors/ada')).json().author.avatar_url, null)
  const { rows } = await admin.query(
    "select data from jobs.job where name = 'cache.purge' order by created_on desc limit 1",
  )
  assert.deepEqual(rows[0].data.tags, ['author-ada', 'byline-ada', 'pieces', 'authors'])
})

test('the portrait of a profile that is not public is not either', async () => {
  const shy = await makeWriter(admin, { shown: false })
  const hash = (await uploaderOf(app, shy).setPortrait(await photograph(5000))).slice(-64)
  assert.equal(await statusOf(hash), 404)
  const theirs = deskOf(app, shy)
  await theirs.act('publish', await theirs.begin())
  assert.equal(await statusOf(hash), 200)
})

/** Which pictures are kept, and which are deleted with their bytes. */

const worker = workerDatabase(url)
const store = folderStore(folder.path)
const sweep = () => sweepMedia(worker, store)

const place = (hash: string) => join(folder.path, hash.slice(0, 2), hash.slice(2, 4), hash)
const age = (hash: string) =>
  admin.query("update app.media set created_at = now() - interval '8 days' where hash = $1", [hash])

test('what nothing has named for seven days is swept away with its bytes; what is named stays', async () => {
  const [unused, fresh, drafted, erased] = [await upload(), await upload(), await upload(), await upload()]
  await desk.begin({ body_md: showing(drafted) })
  const id = await desk.begin({ body_md: showing(erased) })
  await desk.ask('PATCH', `pieces/${id}`, { body_md: 'No picture now.' }, { 'if-match': '*' })
  for (const hash of [unused, drafted, erased]) await age(hash)
  await sweep()
  assert.deepEqual(
    [unused, fresh, drafted, erased].map((hash) => existsSync(place(hash))),
    [false, true, true, true],
  )
  assert.equal((await adas.get(`/desk/media/${unused}`)).statusCode, 404)

  await desk.ask('DELETE', `pieces/${id}`)
  await sweep()
  assert.equal(existsSync(place(erased)), true, 'a piece in the trash keeps its pictures')
  await desk.ask('DELETE', `trash/${id}`)
  await sweep()
  assert.equal(existsSync(place(erased)), false)
})

test('bytes stay while another writer has the same picture', async () => {
  const same = await photograph(6000)
  const hash = await adas.upload(same)
  assert.equal(await bobs.upload(same), hash)
  await admin.query("update app.media set created_at = now() - interval '8 days' where hash = $1 and writer_id = $2", [
    hash,
    ada.id,
  ])
  await sweep()
  assert.equal(existsSync(place(hash)), true)
  assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 404)
  assert.equal((await bobs.get(`/desk/media/${hash}`)).statusCode, 200)
})

test('a picture uploaded again while it is swept is there afterwards', async () => {
  const same = await photograph(7000)
  for (let round = 0; round < 5; round += 1) {
    const hash = await adas.upload(same)
    await age(hash)
    await Promise.all([sweep(), adas.upload(same)])
    await sweep()
    assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 200)
  }
})

test('a picture whose second upload the sweep waits for is kept', async () => {
  const hash = await upload()
  await age(hash)
  const uploading = await admin.connect()
  await uploading.query('begin')
  await uploading.query('update app.media set created_at = now() where hash = $1', [hash])
  const swept = sweep()
  await waitForLockWait(admin, 'app.media')
  await uploading.query('commit')
  uploading.release()
  await swept
  assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 200)
})

test('a text leaves no trace of pictures that are not there or are another’s', async () => {
  const [mine, theirs] = [await upload(), await bobs.upload(await photograph(8000))]
  const invented = Array.from({ length: 500 }, (_, at) => at.toString(16).padStart(64, '0'))
  const id = await desk.begin({ body_md: showing(mine, theirs, ...invented) })
  const { rows } = await admin.query('select hash from app.piece_media where piece_id = $1', [id])
  assert.deepEqual(rows, [{ hash: mine }])
})

test('what one request could not store, another that was promised it has all the same', async () => {
  const bytes = await photograph(9000)
  let hash = ''
  // A bucket that fails only after the same picture was uploaded again.
  const bucket = createServer(async (request, response) => {
    request.resume()
    hash = await adas.upload(bytes)
    response.writeHead(500).end()
  })
  bucket.listen(0, '127.0.0.1')
  await once(bucket, 'listening')
  const { port } = bucket.address() as AddressInfo
  const failing = await testApp(url, { MEDIA_URL: `s3://key:secret@127.0.0.1:${port}/pictures?region=here&tls=off` })
  const answer = await uploaderOf(failing, ada).send('POST', 'media', bytes)
  bucket.close()
  assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'overloaded'])
  assert.equal((await adas.get(`/desk/media/${hash}`)).statusCode, 200)
})

test('what could not be stored is swept away, and may be uploaded again before', async () => {
  const broken = await testApp(url, { MEDIA_URL: 'file:///etc/hostname' })
  const writer = await makeWriter(admin)
  const bytes = await photograph(9999)
  const kept = async () =>
    (await admin.query('select hash from app.media where writer_id = $1', [writer.id])).rows.map(({ hash }) => hash)
  const answer = await uploaderOf(broken, writer).send('POST', 'media', bytes)
  assert.deepEqual([answer.statusCode, answer.json().reason], [503, 'overloaded'])
  const [hash] = await kept()
  const own = uploaderOf(app, writer)
  assert.equal((await own.get(`/desk/media/${hash}`)).statusCode, 404)
  assert.equal(await own.upload(bytes), hash)
  assert.equal((await own.get(`/desk/media/${hash}`)).statusCode, 200)
  await age(hash)
  await sweep()
  assert.deepEqual(await kept(), [])
})
