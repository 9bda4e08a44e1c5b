import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { publish } from '../../testkit/factories.ts'
import { countRows, idOf, minimalPiece, type Problem, problemsOf, writeApiSite } from '../../testkit/write-api.ts'

/** Section 2, CreatePieceBody: valid bodies, and the errors of invalid ones. */

const { create, read, admin, ask, writer } = await writeApiSite()

/** Creates a draft and reads it back. */
const stored = async (body: object) => (await read(idOf(await create(body)))).json().piece

/** The only problem reported for a body. */
async function problem(body: unknown): Promise<Problem> {
  const found = problemsOf(await create(body))
  assert.equal(found.length, 1, JSON.stringify(found))
  return found[0]!
}
const withField = (field: string, value: unknown) => ({ ...minimalPiece, [field]: value })

describe('2 CreatePieceBody', () => {
  for (const field of ['headline', 'body_md'] as const) {
    test(`${field} is required`, async () => {
      const { [field]: _left, ...rest } = minimalPiece
      const { pointer, code } = await problem(rest)
      assert.deepEqual([pointer, code], [`/${field}`, 'missing'])
    })

    for (const [what, text] of [
      ['nothing', ''],
      ['spaces', '  \t\n '],
      ['zero-width joiners', '\u200d\u200d'],
      ['a Hangul filler', '\u3164'],
      ['a soft hyphen', '\u00ad'],
      ['a blank of Braille', '\u2800'],
      ['direction marks', '\u202e\u2066\u200f'],
      ['tag characters', '\u{e0041}\u{e0042}\u{e007f}'],
      ['variation selectors', '\ufe0f\u{e0100}'],
    ] as const) {
      test(`${field} of ${what} is 400, for it needs one visible character`, async () => {
        const { pointer, code } = await problem(withField(field, text))
        assert.deepEqual([pointer, code], [`/${field}`, 'empty'])
      })
    }

    for (const text of ['.', '0', '茶', '😀', '\u200d!', '🏴\u{e0067}\u{e007f}']) {
      test(`${field} of ${JSON.stringify(text)} is enough`, async () => {
        idOf(await create(withField(field, text)))
      })
    }
  }

  test('what is left out gets its default', async () => {
    const { category, frame, style, locale, sub, tags, external_url } = await stored(minimalPiece)
    assert.deepEqual(
      { category, frame, style, locale, sub, tags, external_url },
      { category: 'building', frame: 'lesson', style: 'essay', locale: 'en', sub: null, tags: [], external_url: null },
    )
  })

  test('what is sent is what is stored', async () => {
    const whole = {
      headline: 'The case for slow tea',
      sub: 'Four minutes is not long.',
      body_md: '# Tea\n\nThe *kettle*.\n',
      category: 'civic',
      tags: ['tea', 'Attention'],
      frame: 'before_after',
      style: 'interview',
      locale: 'pt-BR',
      external_url: 'https://elsewhere.test/tea?a=1#b',
    }
    const { id: _id, status: _status, created_at: _c, updated_at: _u, edit_url: _e, ...rest } = await stored(whole)
    assert.deepEqual(rest, whole)
  })

  for (const category of ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society']) {
    test(`category may be ${category}`, async () => {
      assert.equal((await stored(withField('category', category))).category, category)
    })
  }
  for (const frame of ['lesson', 'origin', 'contrarian', 'before_after']) {
    test(`frame may be ${frame}`, async () => {
      assert.equal((await stored(withField('frame', frame))).frame, frame)
    })
  }
  for (const [field, values] of [
    ['category', ['', 'sport', 'Life', 'life ', 'lifé', '__proto__', 'constructor', 'toString', 'life\u0000']],
    ['frame', ['', 'Lesson', 'before-after', '__proto__', 'hasOwnProperty']],
  ] as const) {
    for (const value of values) {
      test(`${field} may not be ${JSON.stringify(value)}, and what it may be is named`, async () => {
        const { pointer, code, detail } = await problem(withField(field, value))
        assert.deepEqual([pointer, code], [`/${field}`, 'unknown_value'])
        assert.match(detail, field === 'category' ? /building.*society/ : /lesson.*before_after/)
      })
    }
  }

  for (const field of ['sub', 'external_url']) {
    test(`${field} may be null`, async () => {
      assert.equal((await stored(withField(field, null)))[field], null)
    })
  }
  for (const field of ['headline', 'body_md', 'category', 'tags', 'frame', 'style', 'locale']) {
    test(`${field} may not be null`, async () => {
      const { pointer, code } = await problem(withField(field, null))
      assert.deepEqual([pointer, code], [`/${field}`, 'wrong_type'])
    })
  }

  for (const field of ['headline', 'sub', 'body_md', 'category', 'frame', 'style', 'locale', 'external_url']) {
    for (const value of [5, true, {}, [], ['a'], { toString: 'a' }]) {
      test(`${field} may not be ${JSON.stringify(value)}: nothing is turned into text`, async () => {
        const { pointer, code } = await problem(withField(field, value))
        assert.deepEqual([pointer, code], [`/${field}`, 'wrong_type'])
      })
    }
  }
  for (const tags of ['tea', 5, {}, { 0: 'tea', length: 1 }]) {
    test(`tags may not be ${JSON.stringify(tags)}`, async () => {
      const { pointer, code } = await problem(withField('tags', tags))
      assert.deepEqual([pointer, code], ['/tags', 'wrong_type'])
    })
  }
  for (const tag of [5, null, true, {}, ['tea']]) {
    test(`a tag may not be ${JSON.stringify(tag)}, and which one it is is said`, async () => {
      const { pointer, code } = await problem(withField('tags', ['tea', tag]))
      assert.deepEqual([pointer, code], ['/tags/1', 'wrong_type'])
    })
  }
  for (const body of ['null', '[]', '"tea"', '5', 'true', '[{"headline":"a","body_md":"b"}]']) {
    test(`the whole may not be ${body}`, async () => {
      problemsOf(await create(body))
    })
  }

  for (const [field, fallback] of [
    ['style', 'essay'],
    ['locale', 'en'],
  ] as const) {
    for (const text of [
      'en',
      'pt-BR',
      'zh-Hant-TW',
      'en_US',
      'e',
      '!',
      '<b>',
      '../en',
      'Großes Gespräch',
      'x'.repeat(200),
    ]) {
      test(`${field} may be ${JSON.stringify(text.slice(0, 40))}, for it may be any text`, async () => {
        assert.equal((await stored(withField(field, text)))[field], text)
      })
    }
    for (const text of ['', ' ', '\u200b', '\n']) {
      test(`${field} of ${JSON.stringify(text)} says nothing and is the default`, async () => {
        assert.equal((await stored(withField(field, text)))[field], fallback)
      })
    }
    for (const [letter, times] of [
      ['x', 201],
      ['x', 1_300_000],
      ['😀', 300_000],
      ['e\u0301', 100_000],
    ] as const) {
      test(`${field} of ${times} ${letter} is taken, 200 characters of it are kept, and a warning says so`, async () => {
        const created = await create(withField(field, letter.repeat(times)))
        assert.deepEqual(created.json().warnings, [{ pointer: `/${field}`, detail: 'was cut to 200 characters.' }])
        const kept = (await read(idOf(created))).json().piece[field]
        assert.equal(kept, letter.normalize('NFC').repeat(200))
      })
    }
    test(`${field} with NUL or half of a pair is no text`, async () => {
      for (const text of ['a\u0000', '\ud800']) {
        const { pointer, code } = await problem(withField(field, text))
        assert.deepEqual([pointer, code], [`/${field}`, 'control_character'])
      }
    })
  }
})

describe('a body that is refused names the members that there are not', () => {
  test('with the one that may have been meant', async () => {
    const found = problemsOf(await create({ headline: 'On tea', body: 'Four minutes.' }))
    assert.deepEqual(found, [
      { pointer: '/body_md', code: 'missing', detail: 'is required' },
      { pointer: '/body', code: 'unknown_member', detail: 'is not a member and was ignored; did you mean body_md?' },
    ])
  })
  test('without a guess where there is none, or where that one is there', async () => {
    const found = problemsOf(await create({ ...minimalPiece, title: 'On tea', Headline: 'On tea', category: 'sport' }))
    assert.deepEqual(
      found.map(({ pointer, detail }) => [pointer, detail.includes('mean')]),
      [
        ['/category', false],
        ['/title', false],
        ['/Headline', false],
      ],
    )
  })
  test('five of them at most, and none that is no name: a key or a text is not repeated', async () => {
    const strange = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`x${at}`, at]))
    const others = {
      'y y': 1,
      [`pk_live_${'0'.repeat(64)}`]: 1,
      ['y'.repeat(100_000)]: 1,
      'z\u0000': 1,
      '': 1,
      'a/b': 1,
    }
    const found = problemsOf(await create({ ...others, ...strange }))
    assert.deepEqual(
      found.map(({ pointer }) => pointer),
      ['/headline', '/body_md', '/x0', '/x1', '/x2', '/x3', '/x4'],
    )
  })
  test('but one that is taken ignores them, with a warning', async () => {
    const { statusCode, warnings } = await create({ ...minimalPiece, body: 'Four.' }).then((answer) => ({
      statusCode: answer.statusCode,
      warnings: answer.json().warnings,
    }))
    assert.deepEqual([statusCode, warnings.length], [201, 1])
  })
})

/** Section 2, external_url of CreatePieceBody; section 8, maximum lengths; and the body of a 400. */

describe('2 external_url', () => {
  const address = 'https://elsewhere.test/2026/tea'

  test('is stored as fields.external_url', async () => {
    const id = idOf(await create({ ...withField('external_url', address), category: 'ideas', frame: 'origin' }))
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
