import assert from 'node:assert/strict'
import { type ChildProcess, spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { testSite } from '../../testkit/app.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, uploaderOf } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'

/** HEIC, as iPhones take it: read like any other photograph, and refused by the same limits. */

const { admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const { send, get } = uploaderOf(app, await makeWriter(admin))
const sent = (method: 'POST' | 'PUT', path: string, bytes: Buffer, type = 'image/heic') =>
  until(async () => {
    const answer = await send(method, path, bytes, type)
    // A busy machine had no time for it.
    return ![408, 503].includes(answer.statusCode) && !answer.body.includes('takes too long') && answer
  }, `${path} answers about a picture`)
const post = (bytes: Buffer, type?: string) => sent('POST', 'media', bytes, type)

const file = (name: string) => readFileSync(new URL(`../../testkit/heic/${name}`, import.meta.url))
/**
 * 240 × 160 of Display P3: red and green above blue and white, to be turned a quarter clockwise by `irot`, with EXIF
 * that says the same and a place. By heif-enc of Debian 12.
 */
const turned = file('turned.heic')
/** 9,000 × 9,000 of grey. */
const large = gunzipSync(file('large.heic.gz'))

/** As if it were of this size. */
function claiming(bytes: Buffer, width: number, height: number): Buffer {
  const claim = Buffer.from(bytes)
  const at = claim.indexOf('ispe') + 8
  claim.writeUInt32BE(width, at)
  claim.writeUInt32BE(height, at + 4)
  return claim
}

test('a HEIC photograph is stored upright, in its colours and without its metadata, whatever it says it is', async () => {
  for (const type of ['image/heic', 'image/heif', 'image/jpeg']) {
    const { statusCode, body } = await post(turned, type)
    assert.equal(statusCode, 201, body)
    const { media } = JSON.parse(body)
    assert.deepEqual([media.width, media.height], [160, 240])
    const { rawPayload, headers } = await get(`/desk/media/${media.hash}`)
    assert.equal(headers['content-type'], 'image/webp')
    assert.doesNotMatch(rawPayload.toString('latin1'), /SECRET|EXIF|ICCP/)
    const pixels = await sharp(rawPayload).removeAlpha().raw().toBuffer()
    const expected = {
      '40,60': [32, 32, 224],
      '120,60': [224, 32, 32],
      '40,180': [255, 255, 255],
      '120,180': [32, 192, 32],
    }
    for (const [place, colour] of Object.entries(expected)) {
      const [x = 0, y = 0] = place.split(',').map(Number)
      const found = [...pixels.subarray(3 * (y * 160 + x), 3 * (y * 160 + x) + 3)]
      assert.ok(
        found.every((value, at) => Math.abs(value - colour[at]!) < 14),
        `${place}: ${found}`,
      )
    }
  }
})

test('a portrait may be HEIC, too', async () => {
  const { statusCode, body } = await sent('PUT', 'profile/avatar', turned)
  assert.equal(statusCode, 200, body)
})

test('one that is too large is refused by what it says, and one that lies when its pixels are known', async () => {
  const honest = await post(large)
  assert.deepEqual([honest.statusCode, honest.json().reason], [413, 'payload_too_large'])
  assert.match(honest.json().detail, /81 million pixels/)
  assert.match((await post(claiming(turned, 50_000, 50_000))).json().detail, /2,500 million pixels/)
  const lying = await post(claiming(large, 100, 100))
  assert.deepEqual([lying.statusCode, lying.json().reason], [413, 'payload_too_large'])
})

test('one that is damaged is refused with a sentence that says what to do', async () => {
  const damaged: Record<string, Buffer> = {
    'says more than it has': claiming(turned, 5_000, 5_000),
    'says nothing': claiming(turned, 0, 0),
    'a head alone': Buffer.from('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic', 'latin1'),
    'a head and noise': Buffer.concat([turned.subarray(0, 28), Buffer.alloc(50_000, 'noise')]),
    'another codec': Buffer.from(turned.toString('latin1').replace('hvc1', 'xyz1'), 'latin1'),
  }
  for (let share = 1; share < 8; share += 1)
    damaged[`cut off after ${share}/8`] = turned.subarray(0, (turned.length * share) / 8)
  for (const [name, bytes] of Object.entries(damaged)) {
    const { statusCode, body } = await post(bytes)
    assert.equal(statusCode, 400, `${name}: ${body}`)
    assert.match(JSON.parse(body).detail, /save a new copy, then upload that/, name)
  }
})

test('whichever byte of it is wrong, it is read or refused, and the process that read it is gone', async () => {
  const children: ChildProcess[] = []
  const note = (message: unknown) => children.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  for (let at = 8; at < turned.length; at += Math.ceil(turned.length / 16)) {
    const wrong = Buffer.from(turned)
    wrong[at] = wrong[at]! ^ 0xff
    const { statusCode } = await post(wrong)
    assert.ok([201, 400, 413, 415].includes(statusCode), `byte ${at}: ${statusCode}`)
  }
  unsubscribe('child_process', note)
  assert.ok(children.length > 0)
  await until(() => children.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null), 'all ended')
})

test('libheif is loaded by the process that decodes, where no code is made from text', () => {
  const asked = `
    import { readFileSync } from 'node:fs'
    import { pixelsOf } from './server/platform/images/heic.ts'
    const { width, height } = pixelsOf(readFileSync('testkit/heic/turned.heic'), 40_000_000)
    console.log(width, height)`
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', asked]
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const { stdout, stderr } = spawnSync(process.execPath, flags, { cwd, encoding: 'utf8' })
  assert.equal(stdout, '160 240\n', stderr)
})
