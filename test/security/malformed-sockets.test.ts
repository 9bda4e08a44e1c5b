import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { testApp, testSite } from '../../testkit/app.ts'
import { tableHashes } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import {
  assertDocumented,
  besideDeafClient,
  besideIdleClients,
  type ExchangeOptions,
  exchange,
  slowRequests,
} from '../../testkit/http.ts'
import { listen } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** Those of the 40 malformed inputs that no HTTP client would send, written to the socket. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const id = await makePiece(admin, writer, { headline: 'On tea', body_md: 'Some tea.' })
const { port } = await listen(app)
/** As shipped, but with short timeouts; test/nightly/slow-clients.test.ts waits for the shipped ones. */
const hasty = await testApp(url)
const shipped = [hasty.server.headersTimeout, hasty.server.requestTimeout]
Object.assign(hasty.server, { headersTimeout: 200, requestTimeout: 300 })
const { port: hastyPort } = await listen(hasty)
const untouched = await tableHashes(admin)

const recent = '/api/public/pieces/recent'
const host = 'Host: site.test\r\n'
const get = (address: string, headers = host) => `GET ${address} HTTP/1.1\r\n${headers}\r\n`
const post = (headers: string, body = '') =>
  `POST ${recent} HTTP/1.1\r\n${host}Content-Type: application/json\r\n${headers}\r\n${body}`

async function decent(bytes: string | Buffer, manners?: ExchangeOptions, at = port) {
  const heard = await exchange(at, bytes, manners)
  assertDocumented(heard.status, heard.body, JSON.stringify(bytes.toString('latin1').slice(0, 100)))
  return heard
}

/** One numbered input: its answer is valid, public data is unchanged, and the next request is answered. */
function malformed(number: number, what: string, work: () => Promise<void>): void {
  test(`input ${number}: ${what}`, async () => {
    await work()
    assert.equal((await exchange(port, get('/api/public/authors/ada'))).status, 200)
    assert.deepEqual(await tableHashes(admin), untouched)
  })
}

malformed(9, 'bytes that are not UTF-8 in the address line', async () => {
  for (const bytes of ['\xff\xfe', '\xc0\xae', '\xed\xa0\x80', '\x80', '\xc3\xa9', '\x00', '\x01', ' ', '\t', '\x7f']) {
    for (const address of [`/api/public/authors/a${bytes}`, `/api/public/pieces/search?q=a${bytes}`]) {
      await decent(Buffer.from(get(address), 'latin1'))
    }
  }
})

malformed(25, 'CR and LF, bare and in headers', async () => {
  for (const bytes of [
    get(recent, `${host}X-A: b\rX-B: c\r\n`),
    get(recent, `${host}X-A: b\nX-B: c\r\n`),
    get(recent, `${host}X-A: b\0c\r\n`),
    get(recent, `${host}X-A\r\n`),
    get(recent, `${host}: nameless\r\n`),
    get(recent, `${host}X A: b\r\n`),
    get(recent, `${host}If-None-Match: "\xe9\xff"\r\n`),
    get(`${recent}?x=%0d%0aX-Injected:1`),
  ]) {
    const { headers } = await decent(Buffer.from(bytes, 'latin1'))
    assert.equal(headers.get('x-injected'), undefined)
  }
})

describe('input 27: lengths that lie', () => {
  for (const [what, bytes] of [
    ['more body than Content-Length', post('Content-Length: 2\r\n', '{}garbage')],
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}')],
    ['a negative length', post('Content-Length: -2\r\n', '{}')],
    ['a length in hexadecimal', post('Content-Length: 0x2\r\n', '{}')],
    ['a length and chunks', post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    ['chunks of another name', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n')],
    ['chunks twice', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n')],
    ['a chunk size that is no number', post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n')],
    [
      'a chunk extension of 1 MB',
      post('Transfer-Encoding: chunked\r\n', `2;${'a'.repeat(1 << 20)}\r\n{}\r\n0\r\n\r\n`),
    ],
    ['a folded header', get(recent, `${host}X-A: b\r\n c\r\n`)],
    ['bare line feeds', `GET ${recent} HTTP/1.1\nHost: site.test\n\n`],
    ['an expectation nobody knows', get(recent, `${host}Expect: miracles\r\n`)],
  ] as const) {
    malformed(27, what, async () => {
      await decent(bytes)
    })
  }

  malformed(27, 'a request hidden in the body of another is not answered', async () => {
    const hidden = get('/api/public/authors/ada')
    const last = get('/api/nowhere', `${host}Connection: close\r\n`)
    for (const bytes of [
      post(`Content-Length: 6\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${hidden}`),
      post(`Transfer-Encoding: xchunked\r\n`, `0\r\n\r\n${hidden}`),
      post(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n`, `0\r\n\r\n${hidden}`),
      post(`Content-Length: ${hidden.length}\r\n`, hidden),
    ]) {
      const { answers, body, closed } = await decent(bytes + last, { untilClosed: true })
      assert.ok(closed)
      // Either the connection was closed, or the next answer belongs to the following request.
      const isLast = JSON.parse(body).reason === 'not_found'
      assert.equal(answers, isLast ? 2 : 1)
    }
  })

  malformed(27, 'Expect: 100-continue and then silence holds nobody up', async () => {
    const silent = connect(port, '127.0.0.1')
    silent.write(post('Content-Length: 2\r\nExpect: 100-continue\r\n'))
    await once(silent, 'data')
    await decent(get(recent))
    silent.destroy()
  })
})

describe('input 28: clients that take their time', { concurrency: true }, () => {
  const slow = (what: string, bytes: string, drip: string) =>
    test(`input 28: ${what} that comes byte by byte is closed with 408 when its time is over`, async () => {
      const manners = { slowly: { bytes: drip, every: 20 }, untilClosed: true }
      const heard = await decent(bytes, manners, hastyPort)
      assert.ok(heard.closed, 'still open')
      assert.equal(heard.answers, 1, 'one request, one answer')
      assert.equal(heard.status, 408)
    })
  for (const request of slowRequests) slow(...request)

  test('input 28: a header may take 8 s and a request 10 s', () => {
    assert.deepEqual(shipped, [8_000, 10_000])
  })

  test('input 28: a client that never reads holds nobody up', () => besideDeafClient(port, othersAreAnswered))

  test('input 28: hundreds of idle connections hold nobody up', () => besideIdleClients(port, othersAreAnswered))

  test('input 28: a connection that is closed in the middle of a request is forgotten', async () => {
    for (const bytes of [
      'G',
      `GET ${recent}`,
      get(recent).slice(0, -2),
      post('Content-Length: 100\r\n', '{'),
      get(recent),
    ]) {
      const hasty = connect(port, '127.0.0.1').on('error', () => {})
      hasty.write(bytes, () => hasty.resetAndDestroy())
      await once(hasty, 'close')
    }
    await othersAreAnswered()
  })

  malformed(28, 'the preface of HTTP/2 and of TLS', async () => {
    assert.equal((await decent('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).status, 400)
    assert.equal((await decent(Buffer.from('16030100c8010000c40303', 'hex'))).status, 400)
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
    assert.equal((await decent(get(recent, host + upgrade))).status, 200)
  })

  async function othersAreAnswered(): Promise<void> {
    for (let number = 0; number < 10; number += 1) {
      assert.equal((await exchange(port, get(`/api/public/pieces/${id}`))).status, 200)
    }
  }
})

describe('input 29: too much of everything', () => {
  for (const [what, bytes, status] of [
    ['headers of 16 KiB and 1 byte', get(recent, `${host}X-A: ${'a'.repeat(16_384)}\r\n`), 431],
    ['an address of 8 KiB and 1 byte', get(`${recent}?${'a'.repeat(8193 - recent.length - 1)}`), 414],
    ['an address of 8 KiB', get(`${recent}?${'a'.repeat(8192 - recent.length - 1)}`), 200],
    ['an address of 20 KiB', get(`${recent}?${'a'.repeat(20_000)}`), 431],
    ['1,000 query keys', get(`${recent}?${Array.from({ length: 1000 }, (_, key) => `a${key}=1`).join('&')}`), 200],
    ['2,000 times the same key', get(`${recent}?${'a=1&'.repeat(2000)}`), 200],
    ['nested query keys', get(`${recent}?a${'[b]'.repeat(500)}=1`), 200],
    ['30 headers', get(recent, host + manyHeaders(30)), 200],
  ] as const) {
    malformed(29, `${what} answers ${status}`, async () => {
      assert.equal((await decent(bytes)).status, status)
    })
  }
  malformed(29, '65 headers, and 300', async () => {
    for (const count of [65, 300]) await decent(get(recent, host + manyHeaders(count)))
  })
})

function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, number) => `X-${number}: 1\r\n`).join('')
}

describe('input 32: other methods', () => {
  const addresses = ['/api/public/authors/ada', `/api/public/pieces/${id}`, recent, '/api/public/pieces/search?q=tea']
  const methods = [
    'TRACE',
    'PUT',
    'PATCH',
    'DELETE',
    'POST',
    'PROPFIND',
    'SEARCH',
    'PURGE',
    'post',
    'get',
    'FOO',
    'QUERY',
  ]
  for (const method of methods) {
    malformed(32, `${method} is refused`, async () => {
      for (const address of addresses) {
        const { status } = await decent(`${method} ${address} HTTP/1.1\r\n${host}\r\n`)
        assert.ok(status! >= 400, `${method} ${address} answered ${status}`)
      }
    })
  }

  malformed(32, 'a CONNECT that is reset, or never closed, costs nobody anything', async () => {
    const stages: ((rude: Socket) => Promise<unknown>)[] = [
      async () => {},
      () => once(app.server, 'connect'),
      (rude) => once(rude, 'data'),
    ]
    for (const reach of stages) {
      const rude = connect(port, '127.0.0.1')
      await once(rude, 'connect')
      const reached = reach(rude)
      rude.write(`CONNECT site.test:443 HTTP/1.1\r\n${host}\r\n`)
      await reached
      rude.resetAndDestroy()
    }
    const silent = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(silent, 'connect')
    silent.write(`CONNECT site.test:443 HTTP/1.1\r\n${host}\r\n`)
    silent.on('error', () => {}).resume()
    const open = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
    await until(async () => (await open()) === 0, 'no socket is open any more')
    silent.destroy()
    await decent(get(recent))
  })

  malformed(32, 'CONNECT is refused with the error body too', async () => {
    assert.ok((await decent(`CONNECT site.test:443 HTTP/1.1\r\n${host}\r\n`)).status! >= 400)
  })
  malformed(32, 'OPTIONS without Origin tells what is allowed', async () => {
    for (const address of addresses) {
      const { status, headers } = await decent(`OPTIONS ${address} HTTP/1.1\r\n${host}\r\n`)
      assert.equal(status, 204)
      assert.match(headers.get('allow')!, /GET/)
    }
    await decent(`OPTIONS * HTTP/1.1\r\n${host}\r\n`)
  })
  malformed(32, 'HEAD has no body, and neither has its refusal', async () => {
    for (const address of [...addresses, '/api/public/authors/nobody', `${recent}?limit=0`, '/nowhere']) {
      const bytes = `HEAD ${address} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
      const { status, body, closed } = await exchange(port, bytes, { untilClosed: true })
      assert.deepEqual([body, closed], ['', true], address)
      assert.ok(status, address)
    }
  })
  malformed(32, 'X-HTTP-Method-Override overrides nothing', async () => {
    const answer = await decent(get(recent, `${host}X-HTTP-Method-Override: PUT\r\n`))
    assert.equal(answer.body, (await decent(get(recent))).body)
  })
})

describe('input 33: hosts and addresses that are not ours', () => {
  malformed(33, 'a missing Host is 400 with the error body', async () => {
    assert.equal((await decent(`GET ${recent} HTTP/1.1\r\n\r\n`)).status, 400)
  })
  malformed(33, 'an answer never repeats a Host or a forwarded one', async () => {
    const honest = (await decent(get(`${recent}?limit=1`))).body
    for (const headers of [
      'Host: evil.test\r\n',
      'Host: evil.test\r\nHost: site.test\r\n',
      `${host}X-Forwarded-Host: evil.test\r\nForwarded: host=evil.test\r\nX-Forwarded-Proto: javascript\r\n`,
      `${host}X-Forwarded-For: 1.1.1.1, evil.test, ::1, ${'9.9.9.9, '.repeat(500)}\r\nX-Original-URL: /desk\r\n`,
      'Host: \r\n',
      'Host: evil.test:99999\r\n',
    ]) {
      const { status, body } = await decent(get(`${recent}?limit=1`, headers))
      if (status === 200) assert.equal(body, honest, headers)
      assert.doesNotMatch(body, /evil/)
    }
  })
  malformed(33, 'an absolute address is answered as ours or refused', async () => {
    const { headers, body } = await decent(get(`http://evil.test${recent}?limit=1`))
    assert.doesNotMatch(`${body}${headers.get('link')}`, /evil/)
  })
  malformed(33, 'addresses that climb, double their slashes or carry parameters lead nowhere else', async () => {
    for (const [address, status] of [
      ['//api//public/pieces/recent', 404],
      ['/api/public/../v1', 404],
      ['/api/public/authors/../../../etc/passwd', 404],
      ['/api/public/%2e%2e/v1', 404],
      [`${recent}/`, 404],
      [`${recent};x=1`, 404],
      ['/api/public/pieces/%2Frecent', 404],
      [`/api/public/pieces/x%2F${id}`, 404],
      ['/api/public/authors/ada%2F', 404],
      ['/api/public/authors/ada%3Fx', 404],
      ['/API/PUBLIC/pieces/recent', 404],
      ['*', 404],
    ] as const) {
      assert.equal((await decent(get(address))).status, status, address)
    }
  })
  malformed(33, 'HTTP of other versions', async () => {
    for (const line of [
      `GET ${recent} HTTP/1.9`,
      `GET ${recent} HTTP/3`,
      `GET ${recent} HTTP/`,
      `GET  ${recent}  HTTP/1.1`,
    ]) {
      await decent(`${line}\r\n${host}\r\n`)
    }
    assert.equal((await decent(`GET ${recent} HTTP/1.0\r\n\r\n`)).status, 200)
  })
})
