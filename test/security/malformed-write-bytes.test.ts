import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertDocumented, type ExchangeOptions, type RawResponse, writeApiStatuses } from '../../testkit/http.ts'
import { listen } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { caller, countRows, exchangeRetrying503, malformedSite, minimalPiece, pieces } from '../../testkit/write-api.ts'

/** Those of the 40 malformed inputs that concern how a request to the write API is sent, over raw sockets where needed. */

const { admin, app, ask, key, writer, draft, theirs, create, edit, list, read, decent, both, malformed } =
  await malformedSite()
const { port } = await listen(app)

malformed(24, 'addresses that lead elsewhere than they seem', async () => {
  for (const external_url of [
    'javascript:alert(1)',
    'https://u:p@h.test',
    'https://exa mple.test',
    `https://h.test/${'a'.repeat(10_000)}`,
    'https://x\\@y.test',
  ]) {
    assert.deepEqual(await both({ ...minimalPiece, external_url }), [400, 400], external_url.slice(0, 30))
  }
  for (const hard of ['http://', 'https://a.'.repeat(9), 'http://[', 'http://%', 'a:']) {
    assert.deepEqual(await both({ ...minimalPiece, external_url: hard + 'a.0:%'.repeat(100_000) }), [400, 400], hard)
  }
})

malformed(25, 'CR and LF in tags, in ids and in queries split no header', async () => {
  const split = 'a\r\nX-Injected: yes\r\n\r\n'
  const created = await decent(create({ ...minimalPiece, headline: split, tags: [split], [split]: 1 }))
  for (const answer of [
    created,
    await decent(read(encodeURIComponent(split))),
    await decent(list(`?limit=1&x=${encodeURIComponent(split)}`)),
    await decent(list(`?cursor=${encodeURIComponent(split)}`)),
  ]) {
    assert.equal(answer.headers['x-injected'], undefined)
  }
})

describe('input 26: content types', () => {
  const invalid = { headline: 5 }
  for (const type of [
    'application/json\ta',
    'application/json garbage',
    'application/json,text/plain',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'text/json',
    'text/plain',
    'text/html',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    '*/*',
    ',',
    ';',
    '',
  ]) {
    malformed(26, `${JSON.stringify(type)} never lets an unchecked body in`, async () => {
      for (const status of await both(invalid, { 'content-type': type })) assert.ok(status >= 400, String(status))
      for (const status of await both(minimalPiece, { 'content-type': type }))
        assert.ok([415, 201, 412, 400].includes(status))
    })
  }
  malformed(26, 'text/plain, multipart and forms, which any web page may send, are 415', async () => {
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
      assert.deepEqual(await both(minimalPiece, { 'content-type': type }), [415, 415], type)
    }
  })
})

malformed(30, 'compressed bodies, bombs among them', async () => {
  for (const payload of [
    gzipSync(JSON.stringify(minimalPiece)),
    gzipSync(Buffer.alloc(10_000_000)),
    JSON.stringify(minimalPiece),
  ]) {
    for (const encoding of ['gzip', 'identity,gzip', 'br', 'nonsense']) {
      assert.deepEqual(await both(payload, { 'content-encoding': encoding }), [415, 415], encoding)
    }
  }
})

malformed(31, 'another writer with a live key of another reaches nothing of mine', async () => {
  for (const name of ['x-writer', 'x-user-id', 'x-forwarded-user', 'x-original-authorization']) {
    await decent(caller(ask).send('GET', `${pieces}/me`, undefined, { [name]: writer.id }))
  }
  assert.equal((await decent(edit(theirs, { headline: 'Mine' }, '*'))).statusCode, 404)
})

const mine = () => countRows(admin, 'app.pieces where writer_id = $1', [writer.id])
/** The number of pieces that `work` creates. */
async function made(work: () => Promise<unknown>): Promise<number> {
  const before = await mine()
  await work()
  return (await mine()) - before
}

const json = JSON.stringify(minimalPiece)
const host = 'Host: site.test\r\n'
const bearer = `Authorization: Bearer ${key}\r\n`
const typed = `${host}${bearer}Content-Type: application/json\r\n`
const post = (headers: string, body = json) => `POST ${pieces} HTTP/1.1\r\n${typed}${headers}\r\n${body}`
const lengthOf = (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n`

async function heard(bytes: string | Buffer, manners?: ExchangeOptions): Promise<RawResponse> {
  const answer = await exchangeRetrying503(port, bytes, manners)
  assertDocumented(answer.status, answer.body, JSON.stringify(bytes.toString('latin1').slice(0, 100)), writeApiStatuses)
  return answer
}

describe('input 27: lengths that lie', () => {
  for (const [what, bytes, pieces_] of [
    ['an honest one makes a piece', post(lengthOf(json)), 1],
    [
      'honest chunks make a piece',
      post('Transfer-Encoding: chunked\r\n', `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`),
      1,
    ],
    ['less than the body: what is left is no request', post('Content-Length: 2\r\n'), 0],
    ['two lengths', post(`${lengthOf(json)}Content-Length: 2\r\n`), 0],
    ['a length and chunks', post(`${lengthOf(json)}Transfer-Encoding: chunked\r\n`), 0],
    ['chunks of another name', post('Transfer-Encoding: xchunked\r\n'), 0],
    ['a chunk size that is no number', post('Transfer-Encoding: chunked\r\n', `zz\r\n${json}\r\n0\r\n\r\n`), 0],
    [
      'a chunk extension of 1 MB',
      post('Transfer-Encoding: chunked\r\n', `2;${'a'.repeat(1 << 20)}\r\n{}\r\n0\r\n\r\n`),
      0,
    ],
    [
      'a key on a folded line',
      `POST ${pieces} HTTP/1.1\r\n${host}Authorization: Bearer\r\n ${key}\r\n${lengthOf(json)}\r\n${json}`,
      0,
    ],
    ['bare line feeds', post(lengthOf(json)).replaceAll('\r\n', '\n'), 0],
    ['an expectation nobody knows', post(`${lengthOf(json)}Expect: miracles\r\n`), 1],
  ] as const) {
    malformed(27, what, async () => {
      assert.equal(await made(() => heard(bytes)), pieces_)
    })
  }

  malformed(27, 'more than the body, then the end: nothing is made', async () => {
    const count = await made(async () => {
      const socket = connect(port, '127.0.0.1')
      const begun = once(app.server, 'request')
      socket.write(post(`Content-Length: ${json.length + 5}\r\n`))
      const [request] = (await begun) as [IncomingMessage]
      socket.destroy()
      await until(() => request.socket.destroyed, 'the server knows that nothing more comes')
    })
    assert.equal(count, 0)
  })

  malformed(27, 'a request hidden in the body of another is not obeyed', async () => {
    const last = `OPTIONS ${pieces} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
    const hidden = `DELETE ${pieces}/${draft} HTTP/1.1\r\n${host}${bearer}If-Match: *\r\n\r\n`
    for (const bytes of [
      post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`),
      post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${hidden}`),
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${hidden}`),
      post(lengthOf(hidden), hidden),
    ]) {
      const { answers, status, closed } = await heard(bytes + last, { untilClosed: true })
      assert.ok(closed)
      // Either the connection was closed, or the next answer belongs to the following request.
      assert.equal(answers, status === 204 ? 2 : 1)
    }
  })

  malformed(27, 'a refusal before the body was read leaves no body to be read as the next request', async () => {
    const large = `${host}Content-Type: application/json\r\n${lengthOf('x'.repeat(500_000))}`
    const bytes = `POST ${pieces} HTTP/1.1\r\n${large}\r\n${'x'.repeat(500_000)}GET ${pieces}/me HTTP/1.1\r\n${host}${bearer}Connection: close\r\n\r\n`
    const { answers, status, closed } = await heard(bytes, { untilClosed: true })
    assert.ok(closed)
    assert.ok(answers === 1 || (answers === 2 && status === 200), `${answers} answers, the last ${status}`)
  })
})

describe('a body of 1,310,720 bytes', () => {
  const padded = (bytes: number) => json + ' '.repeat(bytes - json.length)
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

  malformed(11, 'is taken', async () => {
    const text = padded(1_310_720)
    assert.equal((await heard(post(lengthOf(text), text))).status, 201)
    assert.equal((await heard(post('Transfer-Encoding: chunked\r\n', chunked(text)))).status, 201)
  })
  malformed(11, 'and one more is 413, and makes nothing', async () => {
    const text = padded(1_310_721)
    const count = await made(async () => {
      for (const bytes of [post(lengthOf(text), text), post('Transfer-Encoding: chunked\r\n', chunked(text))]) {
        const { status, body } = await heard(bytes)
        assert.deepEqual([status, JSON.parse(body).reason], [413, 'payload_too_large'])
      }
      assert.equal((await decent(edit(draft, text, '"0"'))).statusCode, 413)
    })
    assert.equal(count, 0)
  })
})

describe('input 32: other methods', () => {
  for (const [address, allowed] of [
    [pieces, ['POST']],
    [`${pieces}/me`, ['GET', 'HEAD']],
    [`${pieces}/${draft}`, ['GET', 'HEAD', 'PATCH', 'DELETE']],
  ] as const) {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'].filter(
      (one) => !(allowed as readonly string[]).includes(one),
    )
    for (const method of others) {
      malformed(32, `${method} ${address.replace(draft, '{id}')} is 405 and Allow says what is`, async () => {
        const bytes = `${method} ${address} HTTP/1.1\r\n${typed}If-Match: *\r\nConnection: close\r\n${lengthOf(method === 'HEAD' ? '' : json)}\r\n${method === 'HEAD' ? '' : json}`
        const { status, headers } = await exchangeRetrying503(port, bytes, { untilClosed: true })
        assert.equal(status, 405)
        assert.deepEqual(headers.get('allow')?.split(', ').sort(), [...allowed, 'OPTIONS'].sort())
      })
    }
  }
  malformed(32, 'lower-case post, CONNECT and methods nobody knows make nothing', async () => {
    const count = await made(async () => {
      for (const method of ['post', 'Post', 'CONNECT', 'FOO', 'QUERY', 'PUBLISH', 'PURGE']) {
        assert.ok((await heard(post(lengthOf(json)).replace('POST', method))).status! >= 400, method)
      }
    })
    assert.equal(count, 0)
  })
  malformed(32, 'X-HTTP-Method-Override overrides nothing', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', '_method']) {
      const bytes = `GET ${pieces}/${draft} HTTP/1.1\r\n${typed}If-Match: *\r\n${name}: DELETE\r\n\r\n`
      assert.equal((await heard(bytes)).status, 200)
    }
  })
})

describe('input 33: addresses that are not ours', () => {
  malformed(33, 'climb, double their slashes or carry parameters, and make nothing', async () => {
    const count = await made(async () => {
      for (const address of [
        `//api/v1/pieces`,
        '/api/v1//pieces',
        '/api/public/../v1/pieces',
        '/api/v1/pieces/',
        '/api/v1/pieces;x=1',
        '/API/V1/PIECES',
        '/api/v1/pieces%2F',
        '/api%2Fv1/pieces',
        '/api/v2/pieces',
      ]) {
        const { status } = await heard(post(lengthOf(json)).replace(pieces, address))
        assert.ok(status === 404 || status === 405, `${address} answered ${status}`)
      }
    })
    assert.equal(count, 0)
  })
  malformed(33, 'another Host, forwarded ones and absolute addresses are in no answer', async () => {
    for (const bytes of [
      post(lengthOf(json)).replace(host, 'Host: evil.test\r\n'),
      post(`${lengthOf(json)}X-Forwarded-Host: evil.test\r\nForwarded: host=evil.test\r\nX-Original-URL: /desk\r\n`),
      post(lengthOf(json)).replace(pieces, `http://evil.test${pieces}`),
      `GET ${pieces}/me?limit=1 HTTP/1.1\r\nHost: evil.test\r\n${bearer}\r\n`,
    ]) {
      const { body, headers } = await heard(bytes)
      assert.doesNotMatch(`${body}${JSON.stringify([...headers])}`, /evil/)
    }
    assert.equal((await heard(post(lengthOf(json)).replace(host, ''))).status, 400)
  })
})
