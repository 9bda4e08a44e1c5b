import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { folderOf, listeningSite, page, programOf } from '../../testkit/cli.ts'
import { lossyProxy } from '../../testkit/network.ts'
import { freezeClock } from '../../testkit/waiting.ts'

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
      assert.match(out, /did not answer .+ Run this again later: it goes on where it stopped\.\n/)
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
  const elsewhere = createServer(({ url = '' }, response) => {
    followed.push(url)
    response.end()
  }).listen(0, '127.0.0.1')
  const leading = createServer(({ url }, response) => {
    response.writeHead(308, { location: `http://127.0.0.1:${portOf(elsewhere)}${url}` }).end()
  }).listen(0, '127.0.0.1')
  after(() => [elsewhere, leading].map((server) => server.close()))
  await Promise.all([elsewhere, leading].map((server) => once(server, 'listening')))
  const portOf = (server: Server) => (server.address() as AddressInfo).port
  const { root } = folderOf({ 'a.md': page('Private') })
  const settings = {
    STANDFIRST_URL: `http://127.0.0.1:${portOf(leading)}`,
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
  assert.match(waited.out, /\nWaiting \d+ s: .+\n[\s\S]+\n12 made/)
  assert.equal(await slow.count(), 12)

  const spent = await listeningSite({ DRAFTS_PER_DAY: '5' })
  const { root } = folderOf(files)
  const { code, out } = await spent.standfirst('push', root)
  assert.equal(code, 1)
  assert.match(out, /Run this again after \d\d:\d\d( tomorrow)?: it goes on where it stopped\.\n/)
  assert.match(out, /\n5 made, 0 changed, 0 unchanged, 0 could not, 7 not reached\.\n/)
  assert.equal(await spent.count(), 5)
})
