import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { publish } from '../../testkit/factories.ts'
import { countRows, idOf, minimalPiece, type Problem, problemsOf, writeApiSite } from '../../testkit/write-api.ts'

/** Section 2, external_url of CreatePieceBody; section 8, maximum lengths; and the body of a 400. */

const { admin, ask, writer, create, read } = await writeApiSite()

/** Creates a draft and reads it back. */
const stored = async (body: object) => (await read(idOf(await create(body)))).json().piece

/** The only problem reported for a body. */
async function problem(body: unknown): Promise<Problem> {
  const found = problemsOf(await create(body))
  assert.equal(found.length, 1, JSON.stringify(found))
  return found[0]!
}
const withField = (field: string, value: unknown) => ({ ...minimalPiece, [field]: value })

describe('2 external_url', () => {
  const address = 'https://elsewhere.test/2026/tea'

  test('is stored as fields.external_url', async () => {
    const id = idOf(await create(withField('external_url', address)))
    const { rows } = await admin.query('select fields from app.pieces where id = $1', [id])
    assert.deepEqual(rows[0].fields, { external_url: address })
  })

  test('is shown on the piece once that is public', async () => {
    const id = idOf(await create(withField('external_url', address)))
    await publish(admin, writer, id)
    assert.equal((await ask(`/api/public/pieces/${id}`)).json().piece.external_url, address)
  })

  for (const good of [
    'http://elsewhere.test/',
    'https://elsewhere.test/a%20b',
    'http://[::1]/',
    'https://xn--tst-6la.de/',
  ]) {
    test(`may be ${good}`, async () => {
      assert.equal((await stored(withField('external_url', good))).external_url, good)
    })
  }

  for (const bad of [
    '',
    ' ',
    '#',
    '/tea',
    '//elsewhere.test/',
    'elsewhere.test',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<b>',
    'blob:https://a.test/1',
    'file:///etc/passwd',
    'ftp://elsewhere.test/',
    'mailto:a@b.test',
    'urn:uuid:5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44',
    'https://user@elsewhere.test/',
    'https://user:password@elsewhere.test/',
    'https://exa mple.test/',
    'https://x\\@y.test/',
    'https://',
    'https://[::1',
    'https://elsewhere.test:99999/',
    ' https://elsewhere.test/',
    'https://elsewhere.test/\u0000',
    'https://elsewhere.test/\r\nX-Injected: 1',
    `https://elsewhere.test/${'a'.repeat(10_000)}`,
  ]) {
    test(`may not be ${JSON.stringify(bad.slice(0, 50))}, and that is said once`, async () => {
      assert.equal((await problem(withField('external_url', bad))).pointer, '/external_url')
    })
  }
})

describe('8 lengths, in code points', () => {
  const letter = ['x', '😀', 'e\u0301'] as const
  for (const [field, most] of [
    ['headline', 200],
    ['sub', 400],
    ['body_md', 100_000],
  ] as const) {
    for (const one of letter) {
      const times = most / [...one].length
      const what = `${JSON.stringify(one)} that make`
      test(`${field} of ${times} ${what} ${most} characters is taken`, async () => {
        const text = one.repeat(times)
        const expected = field === 'body_md' ? text : text.normalize('NFC')
        assert.equal((await stored(withField(field, text)))[field], expected)
      })
      test(`${field} of one more than ${times} ${what} ${most} characters is 400 and says by how much`, async () => {
        const { pointer, code, limit, actual } = await problem(withField(field, one.repeat(times + 1)))
        const expected = { pointer: `/${field}`, code: 'too_long', limit: most, actual: most + [...one].length }
        assert.deepEqual({ pointer, code, limit, actual }, expected)
      })
    }
  }

  test('8 tags are taken, and 9 are 400', async () => {
    const tags = Array.from({ length: 9 }, (_, number) => `tag ${number}`)
    assert.deepEqual((await stored(withField('tags', tags.slice(0, 8)))).tags, tags.slice(0, 8))
    const { pointer, code, limit, actual } = await problem(withField('tags', tags))
    assert.deepEqual({ pointer, code, limit, actual }, { pointer: '/tags', code: 'too_many', limit: 8, actual: 9 })
  })
  for (const one of ['x', '😀']) {
    test(`a tag of 32 ${one} is taken, and of 33 is 400`, async () => {
      assert.deepEqual((await stored(withField('tags', ['a', one.repeat(32)]))).tags, ['a', one.repeat(32)])
      const { pointer, code, limit, actual } = await problem(withField('tags', ['a', one.repeat(33)]))
      const expected = { pointer: '/tags/1', code: 'too_long', limit: 32, actual: 33 }
      assert.deepEqual({ pointer, code, limit, actual }, expected)
    })
  }

  test('the longest piece there is, every character escaped, 1.2 MB and more, is taken', async () => {
    const escaped = (times: number) => '\\ud83d\\ude00'.repeat(times)
    const json = `{"headline":"${escaped(200)}","sub":"${escaped(400)}","body_md":"${escaped(100_000)}","tags":["${escaped(32)}"]}`
    assert.ok(json.length > 1_200_000)
    const { piece } = (await read(idOf(await create(json)))).json()
    assert.deepEqual([piece.headline, piece.sub], ['😀'.repeat(200), '😀'.repeat(400)])
    assert.equal(piece.body_md, '😀'.repeat(100_000))
  })

  test('letters that grow when they are made whole do not make a line too long', async () => {
    // U+0958 becomes two characters in NFC.
    const { headline, sub, tags } = await stored({
      ...minimalPiece,
      headline: '\u0958'.repeat(200),
      sub: '\u0958'.repeat(400),
      tags: ['\u0958'.repeat(32)],
    })
    assert.deepEqual([[...headline].length, [...sub].length, [...tags[0]].length], [200, 400, 32])
  })
})

describe('400', () => {
  let untouched: number
  before(async () => {
    untouched = await countRows(admin, 'app.pieces')
  })

  test('names every failed field at once', async () => {
    const found = problemsOf(
      await create({
        headline: 'x'.repeat(201),
        sub: 'x'.repeat(402),
        body_md: '',
        category: 'sport',
        tags: ['a', 'x'.repeat(41), 5],
        frame: 1,
        style: 'a\u0000',
        locale: null,
        external_url: 'javascript:1',
      }),
    )
    assert.deepEqual(
      found.map(({ pointer, code, limit, actual }) => ({ pointer, code, ...(limit ? { limit, actual } : {}) })),
      [
        { pointer: '/headline', code: 'too_long', limit: 200, actual: 201 },
        { pointer: '/sub', code: 'too_long', limit: 400, actual: 402 },
        { pointer: '/body_md', code: 'empty' },
        { pointer: '/category', code: 'unknown_value' },
        { pointer: '/tags/1', code: 'too_long', limit: 32, actual: 41 },
        { pointer: '/tags/2', code: 'wrong_type' },
        { pointer: '/frame', code: 'wrong_type' },
        { pointer: '/style', code: 'control_character' },
        { pointer: '/locale', code: 'wrong_type' },
        { pointer: '/external_url', code: 'not_an_address' },
      ],
    )
  })

  test('names at most 20', async () => {
    const wrong = `${'x'.repeat(401)}\u0000`
    const tags = Array<string>(8).fill(wrong)
    assert.equal(problemsOf(await create({ headline: wrong, sub: wrong, body_md: 5, style: wrong, tags })).length, 20)
  })

  test('stores nothing', async () => {
    assert.equal(await countRows(admin, 'app.pieces'), untouched)
  })
})
