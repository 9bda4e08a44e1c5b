import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import sharp from 'sharp'
import { categories } from '../../server/features/pieces/schema.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, uploaderOf } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'

/** Covers, portraits and drawings in Open Graph images. */

const folder = mediaFolder()
const { url, admin, app } = await testSite({ MEDIA_URL: folder.url })
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const [desk, pictures] = [deskOf(app, ada), uploaderOf(app, ada)]

/** Asks again when the server is busy, as its answer says. */
const image = (path: string, server = app) =>
  until(async () => {
    const answer = await server.inject(path)
    return answer.statusCode !== 503 && answer
  }, `${path} is answered by anything but 503`)

/** Blue at the left, orange at the right. */
const twoHalves = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#1040e0' } })
    .composite([
      { input: { create: { width: width / 2, height, channels: 3, background: '#f08020' } }, gravity: 'east' },
    ])
    .jpeg({ quality: 95 })
    .toBuffer()

type Colour = 'blue' | 'orange' | 'neither'
async function colourAt(png: Buffer, x: number, y: number): Promise<Colour> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height], [1200, 630])
  const at = 3 * (y * info.width + x)
  const near = (...colour: number[]) => colour.every((value, channel) => Math.abs(value - data[at + channel]!) < 40)
  return near(16, 64, 224) ? 'blue' : near(240, 128, 32) ? 'orange' : 'neither'
}

async function publishedWith(cover: object | undefined, headline = 'With a cover'): Promise<string> {
  const id = await desk.begin({ headline, body_md: 'The kettle is on.', ...(cover ? { cover } : {}) })
  await desk.act('publish', id)
  return id
}

test('a piece with a cover shows it, cropped around its focus, and one without is drawn', async () => {
  const hash = await pictures.upload(await twoHalves(1600, 900))
  const shown = async (x: number) => {
    const id = await publishedWith({ image: `/media/${hash}`, alt: '', focus: { x, y: 50 } })
    const { statusCode, rawPayload } = await image(`/image/piece/${id}.png`)
    assert.equal(statusCode, 200)
    return colourAt(rawPayload, 980, 300)
  }
  assert.deepEqual([await shown(10), await shown(90)], ['blue', 'orange'])
  const plain = await image(`/image/piece/${await publishedWith(undefined)}.png`)
  assert.equal(await colourAt(plain.rawPayload, 980, 300), 'neither')
})

test('the portrait is before the name, and is the picture of an author', async () => {
  const id = await publishedWith(undefined, 'By a face')
  const faceAt = async () => colourAt((await image(`/image/piece/${id}.png`)).rawPayload, 82, 544)
  const panelAt = async () => colourAt((await image('/image/author/ada.png')).rawPayload, 860, 300)
  assert.deepEqual([await faceAt(), await panelAt()], ['neither', 'neither'])
  await pictures.setPortrait(await twoHalves(512, 512))
  assert.deepEqual([await faceAt(), await panelAt()], ['blue', 'blue'])
})

test('a cover that the store has lost is drawn instead', async () => {
  const hash = await pictures.upload(await twoHalves(900, 600))
  const id = await publishedWith({ image: `/media/${hash}`, alt: '' })
  await rm(folder.path, { recursive: true })
  const { statusCode, rawPayload } = await image(
    `/image/piece/${id}.png`,
    await testApp(url, { MEDIA_URL: folder.url }),
  )
  assert.equal(statusCode, 200)
  assert.equal(await colourAt(rawPayload, 800, 300), 'neither')
})

test('the site and each of its sections have a picture of their own, and nothing else has', async () => {
  const tags = new Set<unknown>()
  for (const path of ['site', ...categories.map((category) => `section/${category}`)]) {
    const { statusCode, headers, rawPayload } = await image(`/image/${path}.png`)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'], path)
    assert.ok(rawPayload.length <= 100_000, `${path}: ${rawPayload.length} bytes`)
    tags.add(headers['etag'])
  }
  assert.equal(tags.size, categories.length + 1)
  for (const path of ['section/death', 'section/Life', 'sites']) {
    assert.equal((await image(`/image/${path}.png`)).statusCode, 404, path)
  }
})
