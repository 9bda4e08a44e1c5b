import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { createSealer } from '#platform/crypto.ts'
import { Database } from '#platform/db/database.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { testDatabase } from '../../../testkit/database.ts'
import { startDispatcher } from './dispatcher.ts'
import { nextWait, parseRetryAfter, retryDelays } from './retry-policy.ts'
import { signatures } from './sign.ts'

/** The test vector in docs/webhooks.md; `standardwebhooks` 1.1.1 agrees with it. */
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const id = 'msg_0193f1c2a0007000a000000000000001'
const seconds = 1767225600
const body = Buffer.from('{"id":"https://example.test/p/1","title":"Grüße 😀"}')

test('the published vector is what the site signs, in both spellings', () => {
  assert.deepEqual(signatures([secret], id, seconds, body), {
    'webhook-signature': 'v1,4fM9JEdtMgqce2uBpQ/geeO46hTUrDPZaC8i4zSG7DE=',
    'x-service-signature':
      't=1767225600,id=msg_0193f1c2a0007000a000000000000001,v1=e1f33d24476d320a9c7b6b81a50fe079e3b8ea14d4ac33d9682f22e33486ec31',
  })
})

test('while two secrets live, both sign, the newest first', () => {
  const newest = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const [first, second] = [newest, secret].map((one) => signatures([one], id, seconds, body))
  const both = signatures([newest, secret], id, seconds, body)
  assert.equal(both['webhook-signature'], `${first!['webhook-signature']} ${second!['webhook-signature']}`)
  assert.equal(
    both['x-service-signature'],
    `${first!['x-service-signature']},${second!['x-service-signature'].split(',')[2]}`,
  )
})

test('what is no secret signs nothing, and the error does not show it', () => {
  for (const wrong of ['', 'whsec_', secret.slice(6), `${secret}=`, 'whsec_c2hvcnQ=', ` ${secret}`]) {
    assert.throws(() => signatures([wrong], id, seconds, body), { message: 'no secret of a webhook' })
  }
})

const hour = 3600

test('ten attempts, within 75 hours and 35 minutes of waiting and some chance', () => {
  const waits = Array.from({ length: 10 }, (_, index) => nextWait(index + 1, undefined, () => 0))
  assert.deepEqual(waits, [...retryDelays, null])
  assert.equal(
    waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0),
    75 * hour + 35 * 60 + 5,
  )
})

test('chance only ever adds: two seconds at least, a tenth, a quarter of an hour at most', () => {
  assert.equal(
    nextWait(1, undefined, () => 1),
    7,
  )
  assert.equal(
    nextWait(3, undefined, () => 1),
    1980,
  )
  assert.equal(
    nextWait(9, undefined, () => 1),
    86_400 + 900,
  )
})

test('a server can ask for more time, up to a day, and never for less', () => {
  assert.equal(
    nextWait(1, 60, () => 0),
    60,
  )
  assert.equal(
    nextWait(2, 60, () => 0),
    300,
  )
  assert.equal(
    nextWait(1, 1e9, () => 0),
    86_400,
  )
})

test('Retry-After is a number of seconds or a date; what is neither is no wish', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  assert.equal(parseRetryAfter('120', now), 120)
  assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:10:00 GMT', now), 600)
  for (const odd of [
    '-1',
    '1e9',
    '1.5',
    '',
    ' 5',
    'soon',
    'Wed, 31 Dec 2025 00:00:00 GMT',
    '2026-01-02',
    '99999999999',
  ])
    assert.equal(parseRetryAfter(odd, now), undefined, odd)
  assert.equal(parseRetryAfter(undefined), undefined)
})

const { url } = await testDatabase()

/** The URL of a proxy to the database that refuses the first connections. */
async function refusingProxy(count: number): Promise<string> {
  const { hostname, port } = new URL(url)
  let came = 0
  const server = createServer((socket) => {
    came += 1
    socket.on('error', () => {})
    if (came <= count) return socket.destroy()
    const onward = connect(Number(port || 5432), hostname)
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => onward.destroy()).pipe(onward)
    return onward.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const proxy = new URL(url)
  proxy.hostname = '127.0.0.1'
  proxy.port = String((server.address() as AddressInfo).port)
  return proxy.href
}

async function troublesAfter(refused: number): Promise<number> {
  const proxy = await refusingProxy(refused)
  const db = new Database({
    name: 'dispatcher',
    url: proxy,
    role: 'svc_worker',
    connections: 1,
    statementTimeout: 5000,
  })
  const context = {
    outbound: createOutbound({ ownHosts: [], allow: new Set() }),
    sealer: createSealer(['x'.repeat(44)]),
    userAgent: 'test',
  }
  let troubles = 0
  const claimed = Promise.withResolvers<void>()
  const dispatcher = startDispatcher(db, context, {
    onAttempt: () => {},
    onTrouble: () => (troubles += 1),
    // Called with every successful claim.
    onClock: () => claimed.resolve(),
  })
  await claimed.promise
  await dispatcher.stop()
  await db.close()
  return troubles
}

test('one claim that fails is nobody’s trouble, and the second in a row is', async () => {
  assert.deepEqual(await Promise.all([troublesAfter(1), troublesAfter(3)]), [0, 2])
})
