import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { sweepMedia } from '../../server/features/media/uploads.ts'
import { makeMediaVariants } from '../../server/features/media/variants.ts'
import { variantKeys } from '../../server/platform/images/variants.ts'
import { folderStore, type MediaStore } from '../../server/platform/media/store.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/** Smaller copies of public pictures: as public as the picture, and gone with it. */

const folder = mediaFolder()
const { url, admin, app } = await testSite({ MEDIA_URL: folder.url })
const ada = await makeWriter(admin, { slug: 'ada' })
const bob = await makeWriter(admin, { slug: 'bob' })
const [desk, adas] = [deskOf(app, ada), uploaderOf(app, ada)]
const store = folderStore(folder.path)
const db = workerDatabase(url)

const open = (path: string, headers = {}) => app.inject({ method: 'GET', url: path, headers })
const work = (using: MediaStore | undefined = store, signal = new AbortController().signal) =>
  makeMediaVariants(db, using, signal)
let colours = 0
const upload = async (width = 700, by = adas) => {
  colours += 1
  return by.upload(await photograph(colours, { width, height: Math.round(width / 1.5) }))
}
const covered = (hash: string) => ({ cover: { image: `/media/${hash}`, alt: 'A field' } })
async function publish(hash: string, by = desk) {
  const id = await by.begin({ headline: 'Covered', body_md: 'Text.', ...covered(hash) })
  await by.act('publish', id)
  return id
}
const isStored = (key: string) => existsSync(join(folder.path, key.slice(0, 2), key.slice(2, 4), key))

test('a public picture gets narrower copies in AVIF and WebP, and until then the picture itself is sent, cached briefly', async () => {
  const hash = await upload(700)
  const id = await publish(hash)
  const early = await open(`/media/${hash}/320.avif`)
  assert.equal(early.statusCode, 200)
  assert.equal(early.headers['content-type'], 'image/webp')
  assert.equal(early.headers['cache-control'], 'public, max-age=0, s-maxage=30, must-revalidate')
  assert.equal(early.headers.etag, `"${hash}"`)

  await work()
  for (const [name, type, format] of [
    ['320.avif', 'image/avif', 'heif'],
    ['640.webp', 'image/webp', 'webp'],
  ] as const) {
    const made = await open(`/media/${hash}/${name}`)
    assert.deepEqual([made.statusCode, made.headers['content-type']], [200, type])
    assert.equal(made.headers['cache-control'], 'public, max-age=31536000, s-maxage=30, immutable')
    assert.equal(made.headers['surrogate-key'], `piece-${id} product-${id} byline-ada`)
    assert.equal(made.headers['x-content-type-options'], 'nosniff')
    const read = await sharp(made.rawPayload).metadata()
    assert.deepEqual([read.format, read.width], [format, Number.parseInt(name, 10)])
    const known = await open(`/media/${hash}/${name}`, { 'if-none-match': made.headers.etag })
    assert.equal(known.statusCode, 304)
  }
  // Not narrower than the picture.
  assert.equal((await open(`/media/${hash}/960.avif`)).headers.etag, `"${hash}"`)
  assert.deepEqual(
    variantKeys(hash).filter(isStored),
    ['160.avif', '160.webp', '320.avif', '320.webp', '640.avif', '640.webp'].map((name) => `${hash}.${name}`),
  )
})

test('there are no other widths, formats or names', async () => {
  const hash = await upload()
  await publish(hash)
  for (const name of ['321.avif', '320.png', '320', '0320.avif', '320.avif.webp', '..', '%2e%2e', '320.AVIF', '.webp'])
    assert.equal((await open(`/media/${hash}/${name}`)).statusCode, 404, name)
})

test('copies of what is not public are nobody’s, whatever the caller already has', async () => {
  const hash = await upload()
  assert.equal((await open(`/media/${hash}/320.webp`)).statusCode, 404)
  const id = await publish(hash)
  await work()
  const shown = await open(`/media/${hash}/320.webp`)
  await desk.act('unpublish', id)
  const late = await open(`/media/${hash}/320.webp`, { 'if-none-match': shown.headers.etag })
  assert.deepEqual([late.statusCode, late.headers['cache-control']], [404, 'no-store'])
  await desk.act('publish', id)
  await work({ ...store, put: () => Promise.reject(new Error('made twice')) })
  assert.equal((await open(`/media/${hash}/320.webp`)).headers['content-type'], 'image/webp')
})

test('portraits have small copies', async () => {
  await publish(await upload())
  const { pathname } = new URL(await adas.setPortrait(await photograph(77, { width: 800, height: 800 })))
  await work()
  assert.equal((await sharp((await open(`${pathname}/160.webp`)).rawPayload).metadata()).width, 160)
  const { body } = await open('/')
  assert.ok(body.includes(`<img class="avatar" src="https://site.test${pathname}/160.webp" alt="" width="28"`), body)
  assert.ok((await open('/author/ada')).body.includes(`srcset="https://site.test${pathname}/320.webp 2x"`))
})

test('lists and the page name them with sizes that fit, and previews do not', async () => {
  const hash = await upload(1000)
  const id = await publish(hash)
  const { piece } = (await open(`/api/public/pieces/${id}`)).json()
  const page = (await open(new URL(piece.url).pathname)).body
  const at = `https://site.test/media/${hash}`
  assert.ok(
    page.includes(
      `<source type="image/avif" srcset="${at}/160.avif 160w, ${at}/320.avif 320w, ${at}/640.avif 640w, ${at}/960.avif 960w" sizes="(min-width: 64rem) 54rem, 100vw"><img src="${at}" srcset="${at}/160.webp 160w, ${at}/320.webp 320w, ${at}/640.webp 640w, ${at}/960.webp 960w, ${at} 1000w" sizes="(min-width: 64rem) 54rem, 100vw" alt="A field" width="1000" height="667"`,
    ),
    page,
  )
  const list = (await open('/author/ada')).body
  assert.ok(list.includes(`${at}/640.avif 640w" sizes="(min-width: 48rem) 9rem, 6rem">`), list)
  const { link } = (await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
  const preview = (await open(new URL(link.url).pathname)).body
  const [, address] = /<figure class="piece-cover">\s*<img src="https:\/\/site\.test([^"]+)" alt="A field"/.exec(
    preview,
  )!
  assert.equal((await open(address!)).statusCode, 200)
})

test('a panorama asks for as many pixels as its height in the list needs', async () => {
  colours += 1
  const hash = await adas.upload(await photograph(colours, { width: 1800, height: 400 }))
  await publish(hash)
  assert.ok((await open('/author/ada')).body.includes('sizes="(min-width: 48rem) 27rem, 18rem"'))
})

test('authors take turns, however many pictures one of them shows', async () => {
  await work()
  const many = [await upload(200), await upload(200), await upload(200)]
  for (const hash of many) await publish(hash)
  const theirs = deskOf(app, bob)
  const other = await upload(200, uploaderOf(app, bob))
  await publish(other, theirs)
  const order: string[] = []
  await work({
    ...store,
    get: (key) => {
      order.push(key)
      return store.get(key)
    },
  })
  assert.equal(order.length, 4)
  assert.ok(order.indexOf(other) <= 1, `${order.indexOf(other)}`)
})

test('a picture that cannot be read is tried three times and holds up no other', async () => {
  const [broken, whole] = [await upload(200), await upload(200)]
  for (const hash of [broken, whole]) await publish(hash)
  let tries = 0
  const failing: MediaStore = {
    ...store,
    async get(key) {
      if (key !== broken) return store.get(key)
      tries += 1
      throw new Error('disk')
    },
  }
  await assert.rejects(work(failing), AggregateError)
  await work(failing)
  assert.equal(tries, 3)
  assert.ok(isStored(`${whole}.160.avif`))
  assert.equal((await open(`/media/${broken}/160.webp`)).headers.etag, `"${broken}"`)
})

test('a picture that was interrupted, by a stop or a crash, is no failed one', async () => {
  const hash = await upload(200)
  await publish(hash)
  for (let time = 0; time < 4; time += 1) {
    const stopping = new AbortController()
    const stopped: MediaStore = {
      ...store,
      async get() {
        stopping.abort()
        throw stopping.signal.reason
      },
    }
    await work(stopped, stopping.signal)
    const [taken] = await db.run<{ hash: string }>({ text: 'select hash from app.take_media_to_size(null)' })
    assert.equal(taken?.hash, hash)
  }
  await work()
  assert.ok(isStored(`${hash}.160.avif`))
})

test('the sweep deletes the copies with the picture, also those that are being made', async () => {
  const [made, during] = [await upload(200), await upload(200)]
  const ids = [await publish(made), await publish(during)]
  await work({
    ...store,
    async get(key) {
      if (key === during) {
        for (const id of ids) {
          await desk.act('unpublish', id)
          await desk.ask('PATCH', `pieces/${id}`, { cover: null }, { 'if-match': '*' })
        }
        await admin.query(`delete from app.piece_media where hash = any($1)`, [[made, during]])
        await admin.query(`update app.media set created_at = now() - interval '8 days' where hash = any($1)`, [
          [made, during],
        ])
        const original = await store.get(key)
        await sweepMedia(db, store)
        return original
      }
      return store.get(key)
    },
  })
  assert.deepEqual([made, during].flatMap((hash) => [hash, ...variantKeys(hash)]).filter(isStored), [])
  const { rows } = await admin.query('select from app.media_variants where hash = any($1)', [[made, during]])
  assert.equal(rows.length, 0)
})
