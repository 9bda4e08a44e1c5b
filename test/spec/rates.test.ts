import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { checkedInject, type Inject } from '../../testkit/openapi.ts'
import { freezeClock, until } from '../../testkit/waiting.ts'

/** Rate limits, by docs/adr: per address and minute; an IPv6 /64 network is one address. */

const clock = freezeClock()
const { url } = await testDatabase()
const limits = { RATE_SEARCH: '3', RATE_READ: '5' }
const search = '/api/public/pieces/search?q=tea'
const read = '/api/public/pieces/recent'

/** A network no other test uses, so that counts begin at zero. */
const anyNetwork = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
const anyAddress = () => `${anyNetwork()}::1`

async function statuses(ask: Inject, address: string, from: readonly string[]): Promise<number[]> {
  const found: number[] = []
  for (const remoteAddress of from) found.push((await ask({ url: address, remoteAddress })).statusCode)
  return found
}
const times = (count: number, address: string) => Array<string>(count).fill(address)

describe('a process that counts for itself', async () => {
  const ask = checkedInject(await testApp(url, limits))

  test('searches past the limit are 429', async () => {
    assert.deepEqual(await statuses(ask, search, times(5, anyAddress())), [200, 200, 200, 429, 429])
  })

  test('a count ends with its minute, and not before', async () => {
    const address = anyAddress()
    const left = 60_000 - (Date.now() % 60_000)
    assert.deepEqual(await statuses(ask, search, times(4, address)), [200, 200, 200, 429])
    clock.advance(left - 1)
    assert.deepEqual(await statuses(ask, search, times(1, address)), [429])
    clock.advance(1)
    assert.deepEqual(await statuses(ask, search, times(4, address)), [200, 200, 200, 429])
  })

  test('the refusal says why, when to come back, and by which rule', async () => {
    const remoteAddress = anyAddress()
    await statuses(ask, search, times(3, remoteAddress))
    const answer = await ask({ url: search, remoteAddress })
    assert.equal(answer.statusCode, 429)
    assert.deepEqual([answer.json().ok, answer.json().reason], [false, 'rate_limited'])
    const seconds = Number(answer.headers['retry-after'])
    assert.equal(seconds, Math.ceil((60_000 - (Date.now() % 60_000)) / 1000))
    assert.match(String(answer.headers['ratelimit-policy']), /^"[a-z]+";q=3;w=60$/)
    assert.match(String(answer.headers['ratelimit']), new RegExp(`^"[a-z]+";r=0;t=${seconds}$`))
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  })

  test('an answer that a cache may keep tells nobody of the count', async () => {
    const { headers } = await ask({ url: search, remoteAddress: anyAddress() })
    assert.equal(headers['ratelimit'], undefined)
    assert.equal(headers['ratelimit-policy'], undefined)
  })

  test('author searches count with piece searches', async () => {
    const remoteAddress = anyAddress()
    await statuses(ask, search, times(3, remoteAddress))
    assert.equal((await ask({ url: '/api/public/authors/search?q=a', remoteAddress })).statusCode, 429)
  })

  test('reads have a limit of their own', async () => {
    const address = anyAddress()
    await statuses(ask, search, times(4, address))
    assert.deepEqual(await statuses(ask, read, times(6, address)), [200, 200, 200, 200, 200, 429])
  })

  test('one caller too many does not hinder another', async () => {
    await statuses(ask, search, times(4, anyAddress()))
    assert.deepEqual(await statuses(ask, search, [anyAddress(), '192.0.2.1', '192.0.2.2']), [200, 200, 200])
  })

  test('all addresses of an IPv6 /64 count as one, however they are written', async () => {
    const network = anyNetwork()
    const from = ['1:2:3:4', 'ffff:ffff:ffff:ffff', ':5', '0:0:0:9'].map((rest) => `${network}:${rest}`)
    assert.deepEqual(await statuses(ask, search, from), [200, 200, 200, 429])
  })

  test('the next /64 counts for itself', async () => {
    const start = `2001:db8:${randomBytes(2).toString('hex')}`
    await statuses(ask, search, times(4, `${start}:1::1`))
    assert.equal((await ask({ url: search, remoteAddress: `${start}:2::1` })).statusCode, 200)
  })

  test('an IPv4 address is the same caller when it comes over IPv6', async () => {
    const ip = `198.51.100.${randomBytes(1)[0]}`
    assert.deepEqual(await statuses(ask, search, [ip, `::ffff:${ip}`, ip, `::ffff:${ip}`]), [200, 200, 200, 429])
  })

  test('a caller cannot pass for another by X-Forwarded-For, which nobody vouches for', async () => {
    const remoteAddress = anyAddress()
    const found: number[] = []
    for (let number = 0; number < 4; number += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${number}` }
      found.push((await ask({ url: search, remoteAddress, headers })).statusCode)
    }
    assert.deepEqual(found, [200, 200, 200, 429])
  })

  test('behind a trusted proxy the caller is the one it names', async () => {
    const proxied = checkedInject(await testApp(url, { ...limits, TRUST_PROXY: '192.0.2.10' }))
    const from = async (caller: string) =>
      (await proxied({ url: search, remoteAddress: '192.0.2.10', headers: { 'x-forwarded-for': caller } })).statusCode
    assert.deepEqual([await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.1')], [200, 200, 200])
    assert.equal(await from('203.0.113.1'), 429)
    assert.equal(await from('203.0.113.2'), 200)
    assert.equal(await from('203.0.113.9, 203.0.113.1'), 429)
  })
})

describe('processes that share Redis', async () => {
  const REDIS_URL = 'redis://127.0.0.1:6379'
  const skip = (await listens(6379)) ? false : `no Redis at ${REDIS_URL}: shared limits are not tested`

  test('share one count', { skip }, async () => {
    const [one, two] = [await shared(), await shared()]
    // Each process counts alone until it is connected, so the first tries may be too early.
    const found = await until(async () => {
      const address = anyAddress()
      const answers = [
        ...(await statuses(one, search, times(2, address))),
        ...(await statuses(two, search, times(2, address))),
        ...(await statuses(one, search, times(1, address))),
      ]
      return answers[3] === 429 && answers
    }, 'two processes share a count')
    assert.deepEqual(found, [200, 200, 200, 429, 429])
  })

  const shared = async () => checkedInject(await testApp(url, { ...limits, REDIS_URL }))
})

describe('a process that has lost Redis', async () => {
  const ask = checkedInject(await testApp(url, { ...limits, REDIS_URL: 'redis://127.0.0.1:1' }))

  test('goes on answering, and counts for itself', async () => {
    assert.deepEqual(await statuses(ask, search, times(4, anyAddress())), [200, 200, 200, 429])
  })
})

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
