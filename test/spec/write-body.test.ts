import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { idOf, minimalPiece, type Problem, problemsOf, writeApiSite } from '../../testkit/write-api.ts'

/** Section 2, CreatePieceBody: valid bodies, and the errors of invalid ones. */

const { create, read } = await writeApiSite()

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
        assert.deepEqual(created.json().warnings, [
          { pointer: `/${field}`, detail: 'was cut: 200 characters of it are kept.' },
        ])
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
