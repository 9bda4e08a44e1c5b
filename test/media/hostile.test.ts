import assert from 'node:assert/strict'
import { type ChildProcess, spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { testSite } from '../../testkit/app.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'

/** Malicious files are refused with a message or made harmless; the site keeps answering. */

/** No process that decodes pictures may have it. */
const canary = 'a-secret-that-is-in-no-other-process'
process.env['CANARY_SECRET'] = canary
after(() => delete process.env['CANARY_SECRET'])
const folder = mediaFolder()
const { admin, app } = await testSite({ MEDIA_URL: folder.url })
const writer = await makeWriter(admin)
const { send, get, upload } = uploaderOf(app, writer)
const post = (bytes: Buffer, type = 'image/png') => send('POST', 'media', bytes, type)

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG that claims this size, with these bytes as pixels. */
function png(width: number, height: number, pixels: Buffer, more: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', head), ...more, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

test('a bomb is refused by what it says of itself, before it is unpacked', async () => {
  // The second has no pixel data: if it were decompressed it would be refused as damaged.
  for (const pixels of [deflateSync(Buffer.alloc(10_000_000)), Buffer.from('not deflated')]) {
    const answer = await post(png(50_000, 50_000, pixels))
    assert.deepEqual([answer.statusCode, answer.json().reason], [413, 'payload_too_large'])
    assert.match(answer.json().detail, /2,500 million pixels/)
  }
})

test('40 million pixels are taken, and one row more are not', async () => {
  const rows = (height: number) => deflateSync(Buffer.alloc(8_001 * height))
  assert.equal((await post(png(8_000, 5_000, rows(5_000)))).statusCode, 201)
  assert.equal((await post(png(8_000, 5_001, rows(5_001)))).statusCode, 413)
})

test('a picture that lies of its size, is cut off or is noise is damaged', async () => {
  const whole = await photograph(1)
  const noise = Buffer.alloc(50_000, 'noise')
  const damaged = {
    'says more than it has': png(800, 600, deflateSync(Buffer.alloc(1_000))),
    'a size of nothing': png(0, 0, deflateSync(Buffer.alloc(10))),
    'cut off': whole.subarray(0, whole.length / 2),
    'a head without a body': whole.subarray(0, 200),
    'a signature and noise': Buffer.concat([whole.subarray(0, 20), noise]),
    'a webp of noise': Buffer.concat([Buffer.from('RIFF\xff\xff\x00\x00WEBPVP8 ', 'latin1'), noise]),
    'an avif of noise': Buffer.concat([Buffer.from('\x00\x00\x00\x18ftypavif\x00\x00\x00\x00', 'latin1'), noise]),
    'a gif of noise': Buffer.concat([Buffer.from('GIF89a'), noise]),
  }
  for (const [name, bytes] of Object.entries(damaged)) {
    const answer = await post(bytes)
    assert.ok([400, 413].includes(answer.statusCode), `${name}: ${answer.statusCode} ${answer.body}`)
    assert.match(answer.json().detail, /(damaged|pixels|too long)/, name)
  }
})

test('what is no picture of ours is refused, whatever it says it is', async () => {
  const svg = Buffer.from(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  )
  const others = {
    svg,
    'svg that calls itself so': Buffer.concat([Buffer.from('<!-- GIF89a -->'), svg]),
    html: Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(64)),
    pdf: Buffer.from('%PDF-1.7 and so on and so on and so on'),
    tiff: await sharp(await photograph(2))
      .tiff()
      .toBuffer(),
    'an empty file of zeros': Buffer.alloc(1_000),
    'three bytes': Buffer.from([0xff, 0xd8, 0xff]),
  }
  for (const [name, bytes] of Object.entries(others)) {
    for (const type of ['image/png', 'image/svg+xml']) {
      const answer = await post(bytes, type)
      assert.deepEqual([answer.statusCode, answer.json().reason], [415, 'unsupported_media_type'], `${name} as ${type}`)
    }
  }
})

test('a picture that is also a page, an archive or a script is only a picture afterwards', async () => {
  const script = '<script>alert("POLYGLOT")</script>'
  const polyglot = Buffer.concat([await photograph(3), Buffer.from(`${script}PK\x03\x04POLYGLOT`)])
  const noted = png(8, 8, deflateSync(Buffer.alloc(72)), [chunk('tEXt', Buffer.from(`Comment\0${script}POLYGLOT`))])
  for (const bytes of [polyglot, noted]) {
    const answer = await post(bytes)
    assert.equal(answer.statusCode, 201)
    const { rawPayload, headers } = await get(`/desk/media/${answer.json().media.hash}`)
    assert.doesNotMatch(rawPayload.toString('latin1'), /POLYGLOT|script|PK\x03\x04/)
    assert.deepEqual([headers['content-type'], headers['x-content-type-options']], ['image/webp', 'nosniff'])
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    )
  }
})

test('of what moves the first picture is kept', async () => {
  const frames = await Promise.all(
    ['#f00', '#0f0', '#00f'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  assert.equal((await sharp(moving).metadata()).pages, 3)
  const { media } = (await post(moving, 'image/gif')).json()
  assert.deepEqual([media.width, media.height], [40, 30])
  const { rawPayload } = await get(`/desk/media/${media.hash}`)
  assert.equal((await sharp(rawPayload).metadata()).pages ?? 1, 1)
  const [red = 0, green = 0] = await sharp(rawPayload).removeAlpha().raw().toBuffer()
  assert.ok(red > 200 && green < 60)
})

test('a body that is too large, empty, or no picture at all is refused before it is looked at', async () => {
  const large = await post(Buffer.alloc(20 * 1024 * 1024 + 1), 'image/jpeg')
  assert.deepEqual([large.statusCode, large.json().reason], [413, 'payload_too_large'])
  assert.equal((await post(Buffer.alloc(0), 'image/jpeg')).statusCode, 415)
  assert.equal((await post(Buffer.from('{}'), 'application/json')).statusCode, 415)
  assert.equal((await post(await photograph(4), 'application/octet-stream')).statusCode, 415)
  assert.equal((await post(await photograph(4), 'multipart/form-data; boundary=x')).statusCode, 415)
})

test('who is not signed in, comes from elsewhere or with a key uploads nothing', async () => {
  const { key } = await makeKey(admin, writer)
  const payload = await photograph(5)
  const cookie = `__Host-desk=${writer.sessionToken}`
  const tries: [number, Record<string, string>][] = [
    [401, { 'sec-fetch-site': 'same-origin' }],
    [403, { cookie, 'sec-fetch-site': 'cross-site' }],
    [400, { cookie, 'sec-fetch-site': 'same-origin', authorization: `Bearer ${key}` }],
  ]
  for (const [status, given] of tries) {
    const headers = { ...given, 'content-type': 'image/jpeg' }
    const answer = await app.inject({ method: 'POST', url: '/desk/api/media', headers, payload })
    assert.equal(answer.statusCode, status)
  }
})

test('many at once are read two at a time, and the server answers meanwhile', async () => {
  const large = await photograph(6, { width: 5_000, height: 4_000 })
  let underWay = 16
  const uploads = Array.from({ length: underWay }, () => post(large, 'image/jpeg').finally(() => (underWay -= 1)))
  let answered = 0
  for (; underWay > 0; answered += 1)
    assert.equal((await app.inject({ url: '/api/public/pieces/recent' })).statusCode, 200)
  const statuses = (await Promise.all(uploads)).map(({ statusCode }) => statusCode)
  assert.ok(
    statuses.every((status) => status === 201 || status === 503 || status === 408),
    statuses.join(),
  )
  assert.ok(statuses.includes(201) && statuses.includes(503), statuses.join())
  // If pictures were decoded on the event loop, at most one answer could come between two of them.
  assert.ok(answered > uploads.length, `${answered} answers`)
})

test('addresses that are no hash are not there, and reach no file', async () => {
  for (const name of ['..%2f..%2fetc%2fpasswd', 'a'.repeat(63), 'A'.repeat(64), '%00', `${'a'.repeat(64)}.webp`]) {
    assert.equal((await get(`/desk/media/${name}`)).statusCode, 404, name)
    assert.equal((await app.inject({ url: `/media/${name}` })).statusCode, 404, name)
  }
})

test('nothing that was refused is left in the store', async () => {
  const { rows } = await admin.query('select distinct hash from app.media order by 1')
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => name.length > 60)
  assert.deepEqual(
    files.map((name) => name.slice(-64)).sort(),
    rows.map(({ hash }) => hash),
  )
})

/** The process that decodes uploads holds nothing worth stealing, and its crash ends only one upload. */

/** Uploads a picture whose decoder is stopped right after its start. */
async function held() {
  const { promise, resolve } = Promise.withResolvers<number>()
  const hold = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess }
    child.once('spawn', () => {
      process.kill(child.pid!, 'SIGSTOP')
      resolve(child.pid!)
    })
  }
  subscribe('child_process', hold)
  const answer = send('POST', 'media', await photograph(6))
  const pid = await promise
  unsubscribe('child_process', hold)
  return { pid, answer }
}

describe('while a picture is read', { skip: process.platform !== 'linux' && 'no /proc here' }, () => {
  test('the process that reads it has no environment, no file and no connection of ours, and is the first to go', async () => {
    const { pid, answer } = await held()
    assert.equal(readFileSync(`/proc/${pid}/environ`, 'latin1'), '')
    assert.match(readFileSync(`/proc/${pid}/cmdline`, 'latin1'), /--permission/)
    await until(() => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim() === '1000', 'it is the first to go')
    const open = readdirSync(`/proc/${pid}/fd`).map(
      (fd) => [Number(fd), readlinkSync(`/proc/${pid}/fd/${fd}`)] as const,
    )
    // It may have been stopped while it started, with a shared library or OpenSSL's settings of the system open.
    const isSystem = (target: string) =>
      /^\/dev\/|^(?:\/usr)?\/lib\/.*\.so(?:\.|$)|^\/etc\/ssl\/openssl\.cnf$/.test(target)
    const beside = open.filter(([fd, target]) => fd > 2 && /^(?:socket:|\/)/.test(target) && !isSystem(target))
    assert.deepEqual(beside, [])
    process.kill(pid, 'SIGCONT')
    assert.equal((await answer).statusCode, 201)
  })

  test('one that is killed fails its upload with a sentence, and the next is read', async () => {
    const { pid, answer } = await held()
    process.kill(pid, 'SIGKILL')
    const { statusCode, body } = await answer
    assert.deepEqual([statusCode, JSON.parse(body).reason], [400, 'validation_failed'])
    assert.match(JSON.parse(body).detail, /save a new copy, then upload that/)
    assert.equal((await app.inject('/api/public/pieces/recent')).statusCode, 200)
    assert.match(await upload(await photograph(7)), /^[0-9a-f]{64}$/)
  })
})

test('no upload brings libvips into this process', async () => {
  const asked = `
    import { createPictureReader } from './server/platform/images/image-intake.ts'
    import { readFileSync } from 'node:fs'
    const { width } = await createPictureReader()(Buffer.from(process.argv[1], 'base64'), 'page', 'me')
    console.log(width, /libvips/.test(readFileSync('/proc/self/maps', 'utf8')))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', asked, '--', (await photograph(8)).toString('base64')],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
  )
  assert.equal(stdout, '640 false\n', stderr)
})

test('JavaScript in it reads and writes no file of ours, and starts no process', () => {
  const tries = {
    'a file': "require('node:fs').readFileSync('/etc/passwd')",
    'the configuration': "require('node:fs').readFileSync('/proc/self/environ')",
    'a process': "require('node:child_process').execSync('true')",
    'a file to write': "require('node:fs').writeFileSync('/tmp/anything', '')",
  }
  const decoding = readFileSync(new URL('../../server/platform/images/decode.ts', import.meta.url), 'utf8')
  const flags = [...decoding.matchAll(/'(--(?:permission|allow-addons))'/g)].map(([, flag]) => flag!)
  assert.deepEqual(flags, ['--permission', '--allow-addons'])
  for (const [what, code] of Object.entries(tries)) {
    const { status, stderr } = spawnSync(process.execPath, [...flags, '--eval', code], { encoding: 'utf8', env: {} })
    assert.ok(status !== 0 && /ERR_ACCESS_DENIED/.test(stderr), `${what}: ${stderr}`)
  }
})
