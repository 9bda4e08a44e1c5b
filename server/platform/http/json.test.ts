import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { handleErrors } from './errors.ts'
import { faultOf, readJson } from './json.ts'

/** Returns what was parsed. */
const app = fastify()
handleErrors(app)
readJson(app)
app.post('/', async ({ body }, reply) => reply.send({ body }))
app.delete('/', async ({ body }) => ({ isNothing: body === undefined }))
await app.ready()

const json = 'application/json'
const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': json, ...headers } })

async function isRead(payload: string | Buffer, expected: unknown, headers?: Record<string, string>): Promise<void> {
  const answer = await post(payload, headers)
  assert.equal(answer.statusCode, 200, answer.body)
  assert.deepEqual(answer.json().body, expected)
}

async function isRefused(status: number, payload: string | Buffer, headers?: Record<string, string>): Promise<void> {
  const answer = await post(payload, headers)
  assert.equal(answer.statusCode, status, answer.body.slice(0, 200))
  assert.equal(answer.json().ok, false)
}

const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('depth', () => {
  test('of 32 is read, of 33 is refused, in lists and in objects', async () => {
    await isRead(arrays(32), JSON.parse(arrays(32)))
    await isRead(objects(32), JSON.parse(objects(32)))
    await isRefused(400, arrays(33))
    await isRefused(400, objects(33))
    await isRefused(400, `[${'{"a":['.repeat(16)}1${']}'.repeat(16)}]`)
  })
  test('of 30,000 and more is refused before it is parsed', async () => {
    for (const text of [arrays(30_000), '['.repeat(200_000), '{"a":'.repeat(150_000), '[{"":'.repeat(100_000)]) {
      await isRefused(400, text)
    }
  })
  test('is not the number of brackets side by side', async () => {
    const wide = `[${'[],{},'.repeat(1000)}1]`
    await isRead(wide, JSON.parse(wide))
  })
  for (const text of ['['.repeat(100), '{'.repeat(100), ']}'.repeat(100)]) {
    test(`is not made by brackets in a string, such as ${text.slice(0, 4)}…`, async () => {
      await isRead(JSON.stringify(text), text)
      await isRead(JSON.stringify({ [text]: text }), { [text]: text })
    })
  }
  test('is not hidden by quotation marks and backslashes', async () => {
    await isRead(JSON.stringify(['"', '\\', '\\"', '\\\\"', arrays(40)]), ['"', '\\', '\\"', '\\\\"', arrays(40)])
    await isRefused(400, `["\\\\",${arrays(33)}]`)
    await isRefused(400, `["\\"",${arrays(33)}]`)
    await isRefused(400, `["\\u0022",${arrays(33)}]`)
    await isRefused(400, `"${arrays(40)}`)
  })
  test('is not hidden by closing brackets that close nothing', async () => {
    await isRefused(400, `${']'.repeat(100)}${arrays(50)}`)
  })
})

describe('names that poison objects are refused', () => {
  for (const text of [
    '{"__proto__":{"poison":1}}',
    '{"__proto__":1}',
    '{"a":[{"__proto__":{"poison":1}}]}',
    '{"\\u005f_proto__":{"poison":1}}',
    '{"\\u005f\\u005f\\u0070roto__":{"poison":1}}',
    '{"constructor":{"prototype":{"poison":1}}}',
    '{"\\u0063onstructor":{"prototype":{"poison":1}}}',
    '{ "__proto__" : null }',
  ]) {
    test(text, async () => {
      await isRefused(400, text)
      assert.equal(({} as Record<string, unknown>)['poison'], undefined)
    })
  }
  test('and others that only look like them are read', async () => {
    for (const value of [{ constructor: 1 }, { prototype: {} }, { proto: 1 }, { a: '__proto__' }, { _proto_: 1 }]) {
      await isRead(JSON.stringify(value), value)
    }
  })
})

describe('encoding', () => {
  test('UTF-8 is read, in one and in four bytes', () => isRead('"aé茶😀"', 'aé茶😀'))
  test('white space around it is read', () => isRead(' \r\n\t{"a":1}\n', { a: 1 }))
  for (const [what, bytes] of [
    ['bytes that are not UTF-8', [0x22, 0xff, 0xfe, 0x22]],
    ['an overlong dot', [0x22, 0xc0, 0xae, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a character cut short', [0x22, 0xe2, 0x82, 0x22]],
    ['a code point beyond the last', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['UTF-16', [0x7b, 0x00, 0x7d, 0x00]],
    ['NUL', [0x00]],
    ['NUL behind it', [0x7b, 0x7d, 0x00]],
  ] as const) {
    test(`${what} is refused`, () => isRefused(400, Buffer.from(bytes)))
  }
  test('a byte order mark inside a string is a character like any other', () => isRead('"\ufeff"', '\ufeff'))

  for (const charset of ['utf-8', 'UTF-8', '"utf-8"', ' utf-8 ']) {
    test(`charset=${charset} is taken`, () => isRead('{}', {}, { 'content-type': `${json}; charset=${charset}` }))
  }
  for (const charset of ['utf-7', 'utf-16', 'utf-16le', 'latin1', 'iso-8859-1', '"utf-7"', 'utf-8-but-not']) {
    test(`charset=${charset} is 415`, () => isRefused(415, '{}', { 'content-type': `${json}; charset=${charset}` }))
  }
  for (const encoding of ['gzip', 'br', 'deflate', 'identity,gzip', 'nonsense']) {
    test(`Content-Encoding: ${encoding} is 415, whatever the bytes are`, async () => {
      await isRefused(415, gzipSync('{}'), { 'content-encoding': encoding })
      await isRefused(415, '{}', { 'content-encoding': encoding })
    })
  }
  test('Content-Encoding: identity is taken', () => isRead('{}', {}, { 'content-encoding': 'identity' }))
})

describe('what is no JSON is 400', () => {
  for (const text of [
    '{',
    '}',
    'x',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    '{"a":1}{"b":2}',
    'NaN',
    '01',
    '"\n"',
    '//',
    '\\',
    '"\\x"',
  ]) {
    test(JSON.stringify(text), () => isRefused(400, text))
  }
  test('and the answer says where, without what was sent', async () => {
    const { reason, detail } = (await post('{"headline": "secret",\n "body_md": secret}')).json()
    assert.equal(reason, 'validation_failed')
    assert.match(detail, /^The body is not JSON: at line 2, column 13, there should be a value/)
    assert.doesNotMatch(detail, /secret/)
    assert.match((await post('{"__proto__": 1}')).json().detail, /^The body has a member __proto__/)
  })
})

describe('nothing at all', () => {
  test('is no body, with the type of one', async () => {
    const answer = await app.inject({ method: 'DELETE', url: '/', headers: { 'content-type': json } })
    assert.deepEqual([answer.statusCode, answer.json()], [200, { isNothing: true }])
  })
})

describe('what is not JSON is told by place and by what is wrong there', () => {
  for (const [text, place, words] of [
    ['{"headline": "On tea" "sub": 1}', 'line 1, column 23', /a comma or }$/],
    ['{\n  "a": 1,\n}', 'line 3, column 1', /a name in double quotes$/],
    ['{\r\n  "a": 1,\r\n  b: 2}', 'line 3, column 3', /a name in double quotes$/],
    ["{'a': 1}", 'line 1, column 2', /a name in double quotes$/],
    ['{"a" 1}', 'line 1, column 6', /a colon$/],
    ['{"a": }', 'line 1, column 7', /a value: /],
    ['[1, 2,]', 'line 1, column 7', /a value: /],
    ['[1 2]', 'line 1, column 4', /a comma or ]$/],
    ['headline=On+tea', 'line 1, column 1', /a value: /],
    ['{"body_md": "One.\nTwo."}', 'line 1, column 18', /write it as \\n$/],
    ['{"a": "\t"}', 'line 1, column 8', /control character/],
    ['{"a": "C:\\Users"}', 'line 1, column 10', /invalid escape/],
    ['{"a": "\\u00g0"}', 'line 1, column 8', /invalid escape/],
    ['"😀😀" x', 'line 1, column 6', /after its end$/],
    ['01', 'line 1, column 2', /after its end$/],
    ['{"a": "b', 'line 1, column 9', /ends too soon$/],
    ['{"a": [1, 2', 'line 1, column 12', /ends too soon$/],
    ['[1,\n', 'line 2, column 1', /ends too soon$/],
    [' ', 'line 1, column 2', /ends too soon$/],
  ] as const) {
    test(JSON.stringify(text), () => {
      const fault = faultOf(text)!
      assert.ok(fault.startsWith(`at ${place}, `), fault)
      assert.match(fault, words)
    })
  }
})

/** Reproducible: a seeded generator. */
function picker(seed: number) {
  let state = seed
  return <Item>(items: readonly Item[]): Item => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return items[Math.floor((state / 2_147_483_648) * items.length)]!
  }
}

test('it finds a fault in exactly what the parser refuses, in 20,000 texts', () => {
  const pick = picker(20_261_115)
  const pieces = ['{', '}', '[', ']', '"', ':', ',', ' ', '\n', '\\', 'u00e9', 'a', '"b"', '-', '0', '12', '.5', 'e3']
  const more = ['true', 'null', 'é', '😀', '\u0000', '\u2028', '\\n', '{"a":', '[1', '"c":1']
  const counts = { good: 0, bad: 0 }
  for (let round = 0; round < 20_000; round += 1) {
    const length = pick([1, 2, 3, 4, 6, 9])
    const text = Array.from({ length }, () => pick([...pieces, ...more])).join('')
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    assert.equal(faultOf(text) === undefined, isJson, JSON.stringify(text))
    counts[isJson ? 'good' : 'bad'] += 1
  }
  assert.ok(counts.good > 100 && counts.bad > 1000, JSON.stringify(counts))
})

test('a fault is found behind a text as long as may be', () => {
  for (const [what, length] of [
    ['a', 1_300_000],
    ['\\n', 650_000],
    ['é\\"', 400_000],
  ] as const)
    assert.match(faultOf(`{"body_md":"${what.repeat(length)}" "sub":1}`)!, /a comma or }$/)
})
