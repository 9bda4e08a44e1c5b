import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { testSite } from '../../testkit/app.ts'
import { tableHashes } from '../../testkit/database.ts'
import { makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { assertDocumented, withoutId } from '../../testkit/http.ts'
import type { Request } from '../../testkit/openapi.ts'

/**
 * Those of the 40 malformed inputs that are values sent to public reads, by their numbers.
 * Those that no HTTP client would send are in malformed-sockets.test.ts.
 */

const { admin, ask } = await testSite()

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada', bio: 'Writes 100% of it.' })
const id = await makePiece(admin, writer, { headline: 'On tea', body_md: 'Some tea.' })
const author = '/api/public/authors/ada'
const lists = ['/api/public/authors/search?q=a&', '/api/public/pieces/recent?', '/api/public/pieces/search?q=a&']
const searches = ['/api/public/authors/search', '/api/public/pieces/search']
const bodied = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Sends a request and checks that the answer is documented, has the error body if refused, and leaks no internals. */
async function decent(request: Request | string) {
  const answer = await ask(request)
  const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
  assertDocumented(answer.statusCode, answer.body, `${method} ${String(url).slice(0, 150)}`)
  if (answer.statusCode >= 400) assert.doesNotMatch(answer.body, /node_modules|select |server\/|Error:|invalid byte/i)
  return answer
}
const statusOf = async (request: Request | string) => (await decent(request)).statusCode

/** Every path and parameter of the five reads, filled with one value. */
const everywhere = (value: string) => [
  `/api/public/authors/${value}`,
  `/api/public/authors/ada${value}`,
  `/api/public/pieces/${value}`,
  `/api/public/pieces/${id}${value}`,
  ...searches.flatMap((address) => [`${address}?q=${value}`, `${address}?q=a${value}b`]),
  ...lists.flatMap((address) => [
    `${address}limit=${value}`,
    `${address}cursor=${value}`,
    `${address}category=${value}`,
    `${address}${value}=1`,
  ]),
]

function malformed(number: number, what: string, work: () => Promise<void>): void {
  test(`input ${number}: ${what}`, async () => {
    const before = await tableHashes(admin)
    await work()
    assert.deepEqual(await tableHashes(admin), before)
    assert.equal((await ask(author)).statusCode, 200)
    assert.equal((await ask('/api/public/pieces/search?q=tea')).json().count, 1)
  })
}

async function sendBodies(bodies: readonly (string | Buffer)[], type = 'application/json'): Promise<void> {
  for (const method of bodied) {
    for (const payload of bodies) {
      await decent({ method, url: '/api/public/pieces/recent', payload, headers: { 'content-type': type } })
    }
  }
}

malformed(2, '__proto__ and constructor.prototype, in a body and in a query, reach nothing', async () => {
  const poison = [
    '{"__proto__":{"poison":1}}',
    '{"\\u005f_proto__":{"poison":1}}',
    '{"constructor":{"prototype":{"poison":1}}}',
  ]
  await sendBodies(poison)
  for (const address of lists) {
    assert.equal(await statusOf(`${address}__proto__=1&constructor=2&__proto__[poison]=1&prototype.poison=1`), 200)
  }
  assert.equal(({} as Record<string, unknown>)['poison'], undefined)
})

malformed(3, 'duplicate keys in a body', () =>
  sendBodies([`{"headline":"ok","headline":"${'x'.repeat(201)}"}`, '{"limit":1,"limit":101}']),
)

malformed(4, 'JSON 32, 33, 30,000 and 200,000 deep', () =>
  sendBodies([32, 33, 30_000, 200_000].map((depth) => '['.repeat(depth) + ']'.repeat(depth))),
)

malformed(5, 'numbers that are not plain digits', async () => {
  for (const address of lists) {
    for (const limit of [
      '1e999',
      '-0',
      '9007199254740993',
      '1e1',
      '0x10',
      '%2B5',
      '%205',
      '5%00',
      'Infinity',
      '%D9%A5',
    ]) {
      assert.equal(await statusOf(`${address}limit=${limit}`), 400, limit)
    }
  }
})

malformed(6, 'limits beyond their bounds, repeated and in brackets', async () => {
  for (const address of lists) {
    for (const limit of ['0', '-1', '101', '99999999999999999999']) {
      assert.equal(await statusOf(`${address}limit=${limit}`), 400, limit)
    }
    assert.equal(await statusOf(`${address}limit=5&limit=6`), 400)
    await decent(`${address}limit[]=5`)
    await decent(`${address}limit[]=5&limit=6`)
  }
  assert.equal(await statusOf('/api/public/authors/search?q=a&limit=51'), 400)
})

malformed(7, 'NUL in every path, parameter, cursor and body', async () => {
  for (const address of everywhere('%00')) await decent(address)
  assert.equal(await statusOf('/api/public/authors/%00'), 404)
  assert.equal(await statusOf('/api/public/pieces/%00'), 404)
  for (const parts of [
    ['authors', true, 1, 'a\u0000'],
    ['authors', true, 1, '\u0000'],
    ['recent', 0, `${id.slice(0, -1)}\u0000`],
    ['search', 'body\u0000', 0, id],
  ]) {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
    for (const address of lists) assert.equal(await statusOf(`${address}cursor=${cursor}`), 400, String(parts))
  }
  await sendBodies(['"a\\u0000"', 'a\u0000'])
})

malformed(8, 'lone and reversed surrogates', async () => {
  for (const half of ['%ED%A0%80', '%ED%B0%80%ED%A0%80']) for (const address of everywhere(half)) await decent(address)
  for (const slug of ['\ud800', '\udc00\ud800']) {
    const cursor = Buffer.from(JSON.stringify(['authors', true, 1, slug])).toString('base64url')
    await decent(`${lists[0]}cursor=${cursor}`)
  }
  await sendBodies(['{"headline":"\\ud800"}', '{"headline":"\\udc00\\ud800"}'])
})

malformed(9, 'bytes that are not UTF-8, and other charsets', async () => {
  for (const bytes of ['%ff%fe', '%c0%ae', '%c0%ae%c0%ae/', '%f8%88%80%80%80', '%', '%zz', '%u0041', '%e2%82']) {
    for (const address of everywhere(bytes)) await decent(address)
  }
  await sendBodies([Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from([0x22, 0xc0, 0xae, 0x22])])
  for (const charset of ['utf-16', 'utf-7']) {
    await sendBodies([Buffer.from('{}', 'utf16le'), '+AHsAfQ-'], `application/json; charset=${charset}`)
  }
})

malformed(10, 'BOM, U+2028, U+FFFE and U+0085', async () => {
  for (const sign of ['\uFEFF', '\u2028', '\uFFFE', '\u0085']) {
    for (const address of everywhere(encodeURIComponent(sign))) await decent(address)
    await sendBodies([`${sign}{}`, `"${sign}"`])
  }
})

malformed(11, '200 and 201 astral characters, heaps of combining marks, 1.2 MB of escapes', async () => {
  const heap = `e${'\u0301'.repeat(50)}`
  for (const address of searches) {
    assert.equal(await statusOf(`${address}?q=${encodeURIComponent('😀'.repeat(200))}`), 200)
    assert.equal(await statusOf(`${address}?q=${encodeURIComponent('😀'.repeat(201))}`), 400)
    assert.equal(await statusOf(`${address}?q=${encodeURIComponent(heap.repeat(3))}`), 200)
    assert.equal(await statusOf(`${address}?q=${encodeURIComponent(heap.repeat(20))}`), 400)
    assert.equal(await statusOf(`${address}?q=${encodeURIComponent(heap.repeat(200))}`), 414)
  }
  await sendBodies([`{"body_md":"${'\\ud83d\\ude00'.repeat(100_000)}"}`])
})

malformed(12, 'a term of nothing that can be seen', async () => {
  for (const address of searches) {
    for (const q of ['\u3164', '\u00AD', '\u200B', '   ', '\u2060\uFEFF']) {
      assert.equal(await statusOf(`${address}?q=${encodeURIComponent(q)}`), 400, JSON.stringify(q))
    }
    await decent(`${address}?q=${encodeURIComponent('\u200D')}`)
    await decent(`${address}?q=${encodeURIComponent('\u202Egnp.exe')}`)
  }
})

malformed(14, 'slugs that look like others, climb, or never end', async () => {
  const alike = ['аda', 'аdmin', 'ｓearch', 'Search', 'Recent'].map(encodeURIComponent)
  for (const slug of [...alike, '%2e%2e%2f', '..%2fada', '..;', 'a'.repeat(5000)]) {
    assert.equal(await statusOf(`/api/public/authors/${slug}`), 404, slug.slice(0, 40))
    assert.equal(await statusOf(`/api/public/pieces/${slug}`), 404, slug.slice(0, 40))
  }
  assert.equal(await statusOf('/api/public/authors/..;/ada'), 404)
  assert.equal(await statusOf('/api/public/authors/search'), 400)
})

malformed(16, 'categories that are no categories', async () => {
  for (const address of lists.slice(1)) {
    for (const category of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(await statusOf(`${address}category=${category}`), 400, category)
    }
    assert.equal(await statusOf(`${address}category=civic`), 200)
  }
})

malformed(17, 'UUIDs in other clothes', async () => {
  assert.equal(await statusOf(`/api/public/pieces/${id.toUpperCase()}`), 200)
  for (const other of [`{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), ` ${id}`, `${id}\n`, `${id}/`, `0x${id}`]) {
    assert.equal(await statusOf(`/api/public/pieces/${encodeURIComponent(other)}`), 404, other)
  }
  assert.equal(await statusOf('/api/public/pieces/00000000-0000-0000-0000-000000000000'), 404)
  assert.equal(await statusOf('/api/public/pieces/ffffffff-ffff-ffff-ffff-ffffffffffff'), 404)
})

test('input 17: the UUID v7 of a draft', async () => {
  const draft = await makeDraft(admin, writer, { id: '01980000-0000-7000-8000-000000000001' })
  const absent = await decent(`/api/public/pieces/${randomUUID()}`)
  assert.equal(withoutId((await decent(`/api/public/pieces/${draft}`)).body), withoutId(absent.body))
})

malformed(18, 'terms that are patterns elsewhere', async () => {
  const many = ['%'.repeat(200), 'a%'.repeat(100), '_'.repeat(200), '\\'.repeat(199)]
  const none = ['_', '\\', "'", '(a+)+$', "'; drop table pub.pieces; --", '$1', '{{7*7}}', 'a\\', ...many]
  for (const q of none) {
    for (const address of searches) {
      const answer = await decent(`${address}?q=${encodeURIComponent(q)}`)
      assert.deepEqual([answer.statusCode, answer.json().count], [200, 0], q)
      assert.equal(answer.json().query, q)
    }
  }
  assert.equal((await decent('/api/public/authors/search?q=%25')).json().count, 1)
  assert.equal((await decent('/api/public/pieces/search?q=%25')).json().count, 0)
  assert.equal((await decent('/api/public/pieces/search?q=e')).json().count, 1)
})

malformed(22, 'markup in a term comes back as JSON and is never sniffed', async () => {
  for (const address of searches) {
    for (const q of ['</script><script>alert(1)</script>', ']]>', '<!DOCTYPE x [<!ENTITY lol "lol">]>&lol;']) {
      const { headers, statusCode } = await decent(`${address}?q=${encodeURIComponent(q)}`)
      assert.equal(statusCode, 200)
      assert.match(String(headers['content-type']), /^application\/json/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    }
  }
})

malformed(25, 'CR and LF in every path and parameter split no header', async () => {
  for (const address of everywhere('%0d%0aX-Injected:%20yes%0d%0a%0d%0a')) {
    assert.equal((await decent(address)).headers['x-injected'], undefined, address)
  }
  const paged = await decent('/api/public/pieces/search?q=a%0d%0aX-Injected:1&limit=1&x=%0d%0aX-Injected:1')
  assert.equal(paged.headers['x-injected'], undefined)
})

malformed(26, 'content types that are almost JSON', async () => {
  for (const type of [
    ' application/json',
    'application/json\ta',
    'application/json garbage',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-7',
    'application/x-www-form-urlencoded',
    ',',
    '',
  ]) {
    await sendBodies(['{}', 'no JSON', ''], type)
  }
  for (const method of bodied) await decent({ method, url: author, payload: '{}', headers: {} })
})

malformed(30, 'compressed bodies, bombs among them', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  for (const encoding of ['gzip', 'identity,gzip', 'br', 'nonsense']) {
    for (const method of bodied) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      for (const payload of [bomb, gzipSync('{}')]) await decent({ method, url: author, payload, headers })
    }
  }
})

malformed(31, 'credentials of every spelling change nothing', async () => {
  const { body } = await ask(author)
  const key = `pk_live_${'a'.repeat(64)}`
  for (const authorization of [
    'Bearer',
    `bearer ${key}`,
    `Bearer  ${key}`,
    `Bearer\t${key}`,
    `Basic ${key}`,
    ` ${key}`,
  ]) {
    assert.equal((await decent({ url: author, headers: { authorization } })).body, body)
  }
  assert.equal((await decent(`${author}?key=${key}`)).body, body)
})

malformed(35, 'ETags by the thousand, stars, and ranges', async () => {
  const { etag } = (await ask(author)).headers
  const many = Array.from({ length: 1000 }, (_, number) => `"${number}"`)
  const withTags = (known: string) => statusOf({ url: author, headers: { 'if-none-match': known } })
  assert.equal(await withTags(many.join(', ')), 200)
  assert.equal(await withTags([...many, etag].join(', ')), 304)
  assert.equal(await withTags('*'), 304)
  assert.equal(await statusOf({ url: '/api/public/authors/nobody', headers: { 'if-none-match': '*' } }), 404)
  for (const range of ['bytes=0-10', 'bytes=-1', 'bytes=5-1', 'bytes=0-0,2-2,4-4', 'lines=1']) {
    assert.equal((await decent({ url: author, headers: { range } })).body, (await ask(author)).body)
  }
})

test('input 35: the ETag of a piece now unpublished is 404, not 304', async () => {
  const gone = await makePiece(admin, writer, { headline: 'Gone' })
  const { etag } = (await ask(`/api/public/pieces/${gone}`)).headers
  await unpublish(admin, writer, gone)
  for (const known of [String(etag), '*']) {
    assert.equal(await statusOf({ url: `/api/public/pieces/${gone}`, headers: { 'if-none-match': known } }), 404)
  }
})
