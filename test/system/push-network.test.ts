import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { folderOf, listeningSite, page, programOf } from '../../testkit/cli.ts'
import { lossyProxy, serve } from '../../testkit/network.ts'
import { freezeClock } from '../../testkit/waiting.ts'

/** `standfirst push` of a large folder: repeated, killed and resumed, it creates each draft once. */

/** `FILES=1000` is the long form. */
const files = Number(process.env['FILES'] ?? 60)
const inWords = files.toLocaleString('en')
const many = (count = files) =>
  folderOf(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at % 10}/piece-${at}.md`, page(`Number ${at}`)])),
  )

describe(`a folder of ${files} files`, () => {
  test('is pushed twice and makes as many drafts; the second time asks the site nothing', async () => {
    const site = await listeningSite()
    const { root } = many()
    const first = await site.standfirst('push', root)
    assert.equal(first.code, 0, first.error)
    assert.match(first.out, new RegExp(`\n${inWords} created, 0 updated, 0 unchanged, 0 failed\\.\nThey’re drafts\\. `))
    assert.equal(await site.count(), files)

    const before = site.asked.length
    const second = await site.standfirst('push', root)
    assert.equal(second.out, `0 created, 0 updated, ${inWords} unchanged, 0 failed.\n`)
    assert.equal(site.asked.length, before)
    assert.equal(await site.count(), files)
  })

  test('is pushed, killed again and again, and makes as many drafts', async () => {
    const site = await listeningSite()
    const { root } = many()
    const creates = () => site.asked.filter(({ method }) => method === 'POST').length
    for (const share of [0.001, 0.137, 0.138, 0.5, 0.777]) {
      const stop = Math.ceil(files * share)
      await site.killed(() => creates() >= stop, 'push', root)
      assert.ok((await site.count()) < files, 'it was not killed in time')
    }
    const last = await site.standfirst('push', root)
    assert.equal(last.code, 0, last.out)
    assert.match(last.out, /\n\d+ created, 0 updated, \d+ unchanged, 0 failed\./)
    assert.equal(await site.count(), files)
    const { rows } = await site.admin.query('select count(distinct headline) from app.pieces')
    assert.equal(Number(rows[0].count), files)
  })
})

test('a folder whose record was lost the same day is no second folder', async () => {
  const site = await listeningSite()
  const { root } = many(50)
  await site.standfirst('push', root)
  rmSync(join(root, '.standfirst.json'))
  const again = await site.standfirst('push', root)
  assert.equal(again.code, 0, again.out)
  assert.equal(await site.count(), 50)
  assert.match((await site.standfirst('push', root)).out, /^0 created, 0 updated, 50 unchanged/)
})

/** `standfirst push` over a lossy network, or to a server that limits it. */

/** Each lost answer is waited for; `LOSSY_FILES=20` is the long form. */
const lossyFiles = Number(process.env['LOSSY_FILES'] ?? 6)

test('over a network that loses answers, every change arrives, once', async () => {
  const own = await listeningSite()
  const proxy = await lossyProxy(Number(new URL(own.base).port))
  after(() => proxy.close())
  const names = Array.from({ length: lossyFiles }, (_, at) => `${at}.md`)
  const { root, write } = folderOf(Object.fromEntries(names.map((name) => [name, page(name)])))
  const lossy = programOf({ STANDFIRST_URL: `http://127.0.0.1:${proxy.port}`, STANDFIRST_KEY: own.key })
  /** A change and its repetition may both be lost; then the run ends, and the next goes on. */
  const pushed = async () => {
    for (let runs = 0; runs < 10; runs += 1) {
      const { code, out } = await lossy.standfirst('push', root)
      if (code === 0) return
      assert.match(out, /did not answer .+ Run the command again later: it continues where it stopped\.\n/)
    }
    assert.fail('ten runs were not enough')
  }
  await pushed()
  for (const name of names) write(name, page(name, 'Changed.\n'))
  await pushed()
  const { rows } = await own.admin.query('select revision, body_md from app.pieces')
  assert.deepEqual(
    rows.map(({ revision, body_md }) => [revision, body_md]),
    names.map(() => [2, 'Changed.\n']),
  )
})

test('a site that leads on is not followed with a key or a draft', async () => {
  const followed: string[] = []
  const elsewhere = await serve(({ url = '' }, response) => {
    followed.push(url)
    response.end()
  })
  const leading = await serve(({ url }, response) => {
    response.writeHead(308, { location: elsewhere.base + url }).end()
  })
  const { root } = folderOf({ 'a.md': page('Private') })
  const settings = {
    STANDFIRST_URL: leading.base,
    STANDFIRST_KEY: `pk_live_${'0'.repeat(64)}`,
  }
  const { code, out } = await programOf(settings).standfirst('push', root)
  assert.equal(code, 1)
  assert.match(out, /leads on to http:\/\/127\.0\.0\.1:\d+\/api\/v1\/pieces\. Use the address of the site there\.\n/)
  assert.deepEqual(followed, [])
})

test('a site that takes so many a minute is waited for, and one whose day is used up is left with a sentence', async () => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}.md`, page(`No. ${at}`)]))
  // The last second of a minute: after its refusal the next minute begins.
  const clock = freezeClock()
  const day = 86_400_000
  clock.advance(day - (Date.now() % day) + day / 2 - 1000)
  const slow = await listeningSite({ RATE_WRITE: '10' })
  slow.app.server.on('request', (_: IncomingMessage, response: ServerResponse) =>
    response.once('finish', () => response.statusCode === 429 && clock.advance(1000)),
  )
  const waited = await slow.standfirst('push', folderOf(files).root)
  assert.equal(waited.code, 0, waited.out)
  assert.match(waited.out, /\nWaiting \d+ s: .+\n[\s\S]+\n12 created/)
  assert.equal(await slow.count(), 12)

  const spent = await listeningSite({ DRAFTS_PER_DAY: '5' })
  const { root } = folderOf(files)
  const { code, out } = await spent.standfirst('push', root)
  assert.equal(code, 1)
  assert.match(out, /Run the command again after \d\d:\d\d( tomorrow)?: it continues where it stopped\.\n/)
  assert.match(out, /\n5 created, 0 updated, 0 unchanged, 0 failed\.\n7 files were not sent\.\n/)
  assert.equal(await spent.count(), 5)
})
