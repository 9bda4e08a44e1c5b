import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { testApp, testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'

/** Uploads: resized, stripped of metadata, a few at a time, within the storage limit. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const ada = await makeWriter(admin, { slug: 'ada' })
const bob = await makeWriter(admin, { slug: 'bob' })
const [desk, adas] = [deskOf(app, ada), uploaderOf(app, ada)]

test('an upload answers with its hash, its address in Markdown and the size it now has', async () => {
  const answer = await adas.send('POST', 'media', await photograph(1000, { width: 3000, height: 1500 }))
  assert.equal(answer.statusCode, 201)
  const { media } = answer.json()
  assert.deepEqual([media.url, media.width, media.height], [`/media/${media.hash}`, 2000, 1000])
  const own = await adas.get(`/desk/media/${media.hash}`)
  assert.equal(own.headers['content-type'], 'image/webp')
  assert.equal(createHash('sha256').update(own.rawPayload).digest('hex'), media.hash)
  assert.equal(own.rawPayload.length, media.bytes)
  assert.match(String(own.headers['cache-control']), /no-store/)
})

test('nothing of a camera is left in a picture, and it stands upright', async () => {
  const taken = await sharp(await photograph(2000, { width: 600, height: 400 }))
    .withExif({ IFD0: { Make: 'SECRET-CAMERA' }, IFD3: { GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer()
  assert.ok((await sharp(taken).metadata()).exif)
  const { media } = (await adas.send('POST', 'media', taken)).json()
  assert.deepEqual([media.width, media.height], [400, 600])
  const { rawPayload } = await adas.get(`/desk/media/${media.hash}`)
  const { exif, icc, xmp, iptc, orientation } = await sharp(rawPayload).metadata()
  assert.deepEqual([exif, icc, xmp, iptc, orientation], Array(5).fill(undefined))
  assert.doesNotMatch(rawPayload.toString('latin1'), /SECRET|GPS|EXIF|ICCP/)
})

test('a drawing keeps every pixel where that takes hardly more room', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="#fff"/><rect x="20" y="20" width="91" height="51" fill="#123456"/></svg>`
  const drawn = await sharp(Buffer.from(svg)).png().toBuffer()
  const hash = await adas.upload(drawn)
  const { rawPayload } = await adas.get(`/desk/media/${hash}`)
  const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer()
  assert.ok((await pixels(rawPayload)).equals(await pixels(drawn)))
})

test('every kind we name is taken, whatever its header says of it', async () => {
  const picture = sharp(await photograph(3000))
  const kinds = {
    png: picture.clone().png(),
    webp: picture.clone().webp(),
    gif: picture.clone().gif(),
    avif: picture.clone().avif({ effort: 0 }),
  }
  for (const [kind, made] of Object.entries(kinds)) {
    const answer = await adas.send('POST', 'media', await made.toBuffer(), 'image/jpeg')
    assert.equal(answer.statusCode, 201, `${kind}: ${answer.body}`)
  }
})

test('500 MB of pictures are the most a writer has', async () => {
  const full = await makeWriter(admin)
  await admin.query(
    "insert into app.media (hash, writer_id, type, width, height, bytes) values ($1, $2, 'image/webp', 1, 1, 524287990)",
    ['c'.repeat(64), full.id],
  )
  const answer = await uploaderOf(app, full).send('POST', 'media', await photograph(8000))
  assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'limit_reached'])
  assert.match(answer.json().detail, /500 MB/)
})

test('a picture is for one’s own piece', async () => {
  const theirs = await deskOf(app, bob).begin()
  assert.equal((await adas.send('POST', `media?piece=${theirs}`, await photograph(9000))).statusCode, 404)
  const own = await desk.begin()
  assert.equal((await adas.send('POST', `media?piece=${own}`, await photograph(9000))).statusCode, 201)
})

test('a site without a place for pictures says so', async () => {
  const bare = await testApp(url, { NODE_ENV: 'production' })
  const answer = await uploaderOf(bare, ada).send('POST', 'media', await photograph(1))
  assert.equal(answer.statusCode, 409)
  assert.match(answer.json().detail, /isn’t set up to store pictures/)
})

describe('uploads are counted before they are read', () => {
  const begun: ClientRequest[] = []
  let port: number
  before(async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
  })
  after(() => {
    for (const request of begun) request.destroy()
  })

  /** Starts uploads that stay incomplete; returns the status of the first answer. */
  const begin = ({ sessionToken }: MadeWriter, count: number): Promise<number | undefined> => {
    const headers = {
      cookie: `__Host-desk=${sessionToken}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'image/jpeg',
      'content-length': 20_000_000,
    }
    const uploads = Array.from({ length: count }, () => {
      const upload = request({ port, host: '127.0.0.1', method: 'POST', path: '/desk/api/media', headers })
      upload.on('error', () => {}).write(Buffer.alloc(100))
      begun.push(upload)
      return new Promise<number | undefined>((resolve) => upload.on('response', (answer) => resolve(answer.statusCode)))
    })
    return Promise.race(uploads)
  }

  test('four of one person’s and eight of all are the most at once, and who leaves makes room', async () => {
    const [one, two, three] = [await makeWriter(admin), await makeWriter(admin), await makeWriter(admin)]
    const picture = await photograph(7)
    const upload = () => uploaderOf(app, three).send('POST', 'media', picture)
    assert.equal(await begin(one, 5), 503)
    assert.equal((await upload()).statusCode, 201)
    assert.equal(await begin(two, 5), 503)
    const refused = await upload()
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '2'])
    assert.match(refused.json().detail, /Too many pictures are being processed/)
    for (const upload of begun) upload.destroy()
    await until(async () => (await upload()).statusCode === 201, 'there is room again')
  })
})
