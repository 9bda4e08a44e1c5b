import assert from 'node:assert/strict'
import { test } from 'node:test'
import { largestTextBody } from '../../server/platform/http/caching.ts'
import { deskOf } from '../../testkit/desk.ts'
import { heavyBodies } from '../../testkit/hard-bodies.ts'
import { malformedSite, minimalPiece, pieces } from '../../testkit/write-api.ts'

/**
 * Those of the 40 malformed inputs that are values sent to the write API with a live key, by their numbers.
 * malformed-write-bytes.test.ts tests how they are sent.
 */

const { app, key, writer, otherWriter, draft, theirs, create, edit, list, read, remove, decent, both, malformed } =
  await malformedSite()

malformed(1, 'what only the site decides, in the body of a create and of a change', async () => {
  for (const own of [
    { editor_status: 'approved' },
    { status: 'approved', published: true, published_at: '2026-01-01T00:00:00Z' },
    { writer_id: otherWriter.id, id: theirs, owner: otherWriter.id },
    { slug: 'mine', first_published_at: '2026-01-01', review_required: false, revision: 99 },
    { fields: { external_url: 'javascript:alert(1)' } },
    { piece: { ...minimalPiece, status: 'approved' } },
  ]) {
    assert.deepEqual(await both({ ...minimalPiece, ...own }), [201, 412])
  }
})

malformed(2, '__proto__ and constructor.prototype reach nothing', async () => {
  const rest = JSON.stringify(minimalPiece).slice(1)
  for (const poison of [
    '"__proto__":{"poison":1}',
    '"\\u005f_proto__":{"poison":1}',
    '"constructor":{"prototype":{"poison":1}}',
    '"fields":{"__proto__":{"poison":1}}',
    '"tags":[{"__proto__":{"poison":1}}]',
    '"__proto__":{"editor_status":"approved"}',
  ]) {
    assert.deepEqual(await both(`{${poison},${rest}`), [400, 400], poison)
  }
})

malformed(3, 'of duplicate keys the last counts, for the check and for the piece', async () => {
  const long = 'x'.repeat(201)
  assert.deepEqual(await both(`{"headline":"ok","headline":"${long}","body_md":"b"}`), [400, 400])
  const answer = await decent(create(`{"headline":"${long}","headline":"ok","body_md":"b"}`))
  assert.equal((await read(answer.json().id)).json().piece.headline, 'ok')
  assert.deepEqual(await both('{"headline":"a","body_md":"b","tags":["x"],"tags":[5]}'), [400, 400])
})

malformed(4, 'JSON 32, 33, 30,000 and 200,000 deep', async () => {
  const deep = (depth: number) => `{"headline":"a","body_md":"b","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  assert.deepEqual(await both(deep(32)), [201, 412])
  for (const depth of [33, 30_000, 200_000]) assert.deepEqual(await both(deep(depth)), [400, 400], String(depth))
  assert.deepEqual(await both('['.repeat(200_000)), [400, 400])
})

malformed(5, 'numbers, finite or not, are no text', async () => {
  for (const number of ['1e999', '-0', '9007199254740993', '1e1', '0x10', 'NaN', '1'.repeat(100_000)]) {
    const body = JSON.stringify(minimalPiece).replace('"On tea"', number)
    assert.deepEqual(await both(body), [400, 400], number.slice(0, 20))
  }
  assert.deepEqual(await both(`{"headline":"a","body_md":"b","x":1e999,"y":-0,"z":${'9'.repeat(400)}}`), [201, 412])
})

malformed(6, 'limits beyond their bounds, repeated and in brackets', async () => {
  for (const query of ['limit=0', 'limit=51', 'limit=-1', `limit=${'9'.repeat(20)}`, 'limit=5&limit=6', 'limit=1e1']) {
    assert.equal((await decent(list(`?${query}`))).statusCode, 400, query)
  }
  assert.equal((await decent(list('?limit[]=5&__proto__=1&constructor=2&__proto__[poison]=1'))).statusCode, 200)
})

malformed(7, 'NUL in every string, in the path, in the query and in the names of members', async () => {
  for (const field of Object.keys(minimalPiece))
    assert.deepEqual(await both({ ...minimalPiece, [field]: 'a\u0000' }), [400, 400])
  assert.deepEqual(await both({ ...minimalPiece, 'a\u0000b': 1, status: '\u0000' }), [201, 412])
  for (const id of ['%00', `${draft}%00`, `%00${draft}`]) assert.equal((await decent(read(id))).statusCode, 404)
  for (const query of ['status=%00', 'limit=%00', 'cursor=%00']) {
    assert.equal((await decent(list(`?${query}`))).statusCode, 400, query)
  }
  assert.equal((await decent(list('?%00=1'))).statusCode, 200)
})

malformed(8, 'lone and reversed surrogates, also in the names of members', async () => {
  for (const half of ['\\ud800', '\\udc00\\ud800']) {
    assert.deepEqual(await both(`{"headline":"${half}","body_md":"b"}`), [400, 400])
    assert.deepEqual(await both(`{"headline":"a","body_md":"b","${half}":1,"x":"${half}"}`), [201, 412])
  }
})

malformed(9, 'bytes that are not UTF-8, and other charsets', async () => {
  for (const bytes of [
    [0xff, 0xfe],
    [0xc0, 0xae],
    [0xed, 0xa0, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
  ]) {
    const body = Buffer.concat([Buffer.from('{"headline":"a'), Buffer.from(bytes), Buffer.from('","body_md":"b"}')])
    assert.deepEqual(await both(body), [400, 400])
  }
  const json = JSON.stringify(minimalPiece)
  assert.deepEqual(await both(Buffer.from(json, 'utf16le')), [400, 400])
  for (const charset of ['utf-16', 'utf-16le', 'utf-7', 'latin1']) {
    const type = { 'content-type': `application/json; charset=${charset}` }
    assert.deepEqual(await both(json, type), [415, 415], charset)
    assert.deepEqual(await both(Buffer.from(json, 'utf16le'), type), [415, 415], charset)
  }
})

malformed(10, 'a byte order mark is refused; U+2028, U+FFFE and U+0085 are characters', async () => {
  assert.deepEqual(await both(`\ufeff${JSON.stringify(minimalPiece)}`), [400, 400])
  for (const sign of ['\u2028', '\ufffe', '\u0085', '\ufeff']) {
    assert.deepEqual(
      await both({ headline: `a${sign}b`, body_md: sign + minimalPiece.body_md, tags: [sign] }),
      [201, 412],
    )
  }
})

malformed(11, 'heaps of combining marks count as what they are', async () => {
  const heap = `e${'\u0301'.repeat(50)}`
  assert.deepEqual(await both({ ...minimalPiece, headline: heap.repeat(200) }), [400, 400])
  assert.deepEqual(await both({ headline: heap.repeat(3), body_md: heap.repeat(1900) }), [201, 412])
})

malformed(15, 'tags of every wrong kind', async () => {
  for (const tags of [Array(9).fill('a'), ['x'.repeat(33)], [['a']], [{}], 'a', { 0: 'a' }, [null], [[[[]]]]]) {
    assert.deepEqual(await both({ ...minimalPiece, tags }), [400, 400], JSON.stringify(tags).slice(0, 40))
  }
  const alike = ['Tea', 'tea', 'TE\u0041', 'Te\u0301', 'T\u00e9', '', ' ', 'tea ']
  const answer = await decent(create({ ...minimalPiece, tags: alike }))
  assert.deepEqual((await read(answer.json().id)).json().piece.tags, ['Tea', 'T\u00e9'])
})

test('every body of the desk that holds thousands of values is refused before it is looked into', async () => {
  const values = Array(5_001).fill(1)
  const desk = deskOf(app, writer)
  for (const [path, body] of [
    ['keys', { name: values }],
    ['keys', { name: 'A key', more: { and: { more: values } } }],
    [`pieces/${draft}/publish`, { nonce: values }],
    [`review/${draft}/reject`, { reason: values }],
    ['sign-in', { email: values, password: values }],
  ] as const) {
    const answer = await desk.ask('POST', path, body)
    assert.deepEqual(
      [answer.statusCode, answer.json().detail],
      [400, 'The body has more than 5000 values. Send fewer.'],
    )
  }
})

malformed(16, 'categories and frames that every object has', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '0']) {
    assert.deepEqual(await both({ ...minimalPiece, category: name }), [400, 400], name)
    assert.deepEqual(await both({ ...minimalPiece, frame: name }), [400, 400], name)
    assert.equal((await decent(list(`?status=${name}`))).statusCode, 400, name)
  }
})

malformed(17, 'UUIDs in other clothes are no id', async () => {
  const others = [`{${draft}}`, `urn:uuid:${draft}`, draft.replaceAll('-', ''), ` ${draft}`, `${draft}\n`, `${draft}/`]
  for (const other of others) {
    const id = encodeURIComponent(other)
    for (const ask of [() => read(id), () => edit(id, { sub: 'x' }, '*'), () => remove(id, '*')]) {
      assert.equal((await decent(ask())).statusCode, 404, other)
    }
  }
})

/** test/nightly/heavy-bodies.test.ts measures how much work these make. */

for (const [what, payload] of Object.entries(heavyBodies)) {
  test(`a body full of ${what} is refused with 400, by key and at the desk`, async () => {
    assert.ok(Buffer.byteLength(payload) <= largestTextBody)
    const desk = { cookie: `__Host-desk=${writer.sessionToken}`, 'sec-fetch-site': 'same-origin' }
    for (const [url, credential] of [
      [pieces, { authorization: `Bearer ${key}` }],
      ['/desk/api/pieces', desk],
    ] as const) {
      const headers = { ...credential, 'content-type': 'application/json' }
      const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
      assert.equal(statusCode, 400, `${url}: ${body.slice(0, 200)}`)
      assert.match(body, /"detail":"[^"]+"/)
    }
  })
}
