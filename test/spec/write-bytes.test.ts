import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { countRows, idOf, isRefused, minimalPiece, problemsOf, writeApiSite } from '../../testkit/write-api.ts'

/** Characters: Markdown is stored as sent, single lines are cleaned, and a few characters are refused. */

const { admin, create, edit, read } = await writeApiSite()

const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('the encoding of a request', () => {
  const json = JSON.stringify({ ...minimalPiece, headline: 'Thé 茶 😀' })
  for (const charset of ['utf-8', 'UTF-8', 'utf8', 'UTF8', '"utf8"', '"utf-8"']) {
    test(`may be said to be ${charset}`, async () => {
      const created = await create(json, { 'content-type': `application/json; charset=${charset}` })
      assert.equal((await read(idOf(created))).json().piece.headline, 'Thé 茶 😀')
    })
  }
  for (const charset of ['utf-7', 'utf-16', 'latin1', 'utf-88', 'utf']) {
    test(`may not be ${charset}, and what to send is said`, async () => {
      const answer = await create(json, { 'content-type': `application/json; charset=${charset}` })
      isRefused(answer, 415, 'unsupported_media_type')
      assert.match(
        answer.json().detail,
        /^Send the body in UTF-8, as Content-Type: application\/json; charset=utf-8\.$/,
      )
    })
  }
  test('may not be packed, and what to send is said', async () => {
    const answer = await create(gzipSync(json), { 'content-encoding': 'gzip' })
    isRefused(answer, 415, 'unsupported_media_type')
    assert.match(answer.json().detail, /^Send the body as it is, without Content-Encoding/)
  })
})

describe('body_md is returned byte for byte', () => {
  for (const [what, body] of [
    ['CRLF, CR and LF', 'a\r\nb\rc\nd\r\n'],
    ['tabs and trailing spaces', '\tcode\n\nline  \n   \t\n '],
    ['white space around it', '\n\n  tea \u00a0\u2003\n\n'],
    ['letters taken apart (NFD)', 'Cafe\u0301 \u1100\u1161 \u0958'],
    ['letters out of order', 'e\u0323\u0302 and e\u0302\u0323'],
    ['invisible characters', 'a\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u180eb\u3164'],
    ['a byte order mark at its beginning', '\ufeffTea'],
    ['direction marks', '\u202egnp.exe\u202c \u2066unbalanced'],
    ['tag characters', 'x\u{e0041}\u{e0042} 🏴\u{e0067}\u{e0062}\u{e007f}'],
    ['line and paragraph separators', 'a\u2028b\u2029c\u0085d'],
    ['DEL and C1', 'a\u007fb\u0080c\u009fd'],
    ['code points that are no characters', 'a\ufffe\uffff\u{1fffe}\ufdd0b'],
    ['the replacement character', 'a\ufffdb'],
    ['characters beyond the BMP', '😀👩‍👩‍👧‍👦\u{10ffff}\u{20000}'],
    ['heaps of combining marks', `z${'\u0335'.repeat(500)}`],
    ['quotes, backslashes and dollars', `\\ ' " \\' $1 $$ \\\\ %s {{7*7}} \${x}`],
    ['markup', '<script>alert(1)</script><!-- --> ]]> &amp; &lol;'],
    ['what PostgreSQL would read', "'; drop table app.pieces; -- \\x00 E'\\n'"],
    ['what JSON would read', '\\u0000 \\ud800 \\n "__proto__"'],
  ] as const) {
    test(`with ${what}`, async () => {
      const { id, ...answer } = (await create({ ...minimalPiece, body_md: body })).json()
      assert.equal(answer.ok, true)
      assert.equal((await read(id)).json().piece.body_md, body)
      const { rows } = await admin.query(
        "select encode(sha256(convert_to(body_md, 'UTF8')), 'hex') as hash from app.pieces where id = $1",
        [id],
      )
      assert.equal(rows[0].hash, hash(body))
    })
  }

  test('after a change too', async () => {
    const id = idOf(await create(minimalPiece))
    const body_md = 'Cafe\u0301\r\n\ufeff\t \n'
    assert.equal((await edit(id, { body_md }, '*')).json().piece.body_md, body_md)
    assert.equal((await read(id)).json().piece.body_md, body_md)
  })

  test('every character that may be sent, all in one body', async () => {
    const points = Array.from({ length: 0x1_1000 }, (_, point) => point).filter(
      (point) => point > 0x1f && (point < 0xd800 || point > 0xdfff),
    )
    const body_md = points.map((point) => String.fromCodePoint(point)).join('')
    assert.equal((await read(idOf(await create({ ...minimalPiece, body_md })))).json().piece.body_md, body_md)
  })
})

describe('lines are made clean', () => {
  const cleaned = async (text: string) => {
    const { piece } = (
      await read(idOf(await create({ ...minimalPiece, headline: text, sub: text, tags: [text], style: text })))
    ).json()
    return [piece.headline, piece.sub, piece.tags[0], piece.style]
  }
  for (const [what, sent, kept] of [
    ['brought into NFC', 'Cafe\u0301', 'Caf\u00e9'],
    ['trimmed', '  \u00a0tea \u3000', 'tea'],
    ['of one line', 'a\r\nb\tc\u2028d\u2029e', 'a b c d e'],
    ['with single spaces', 'a  \u00a0 \u2003b', 'a b'],
    ['without what cannot be seen', 't\u200be\u00ada\ufeff\u2060', 'tea'],
    ['without direction overrides', '\u202egnp.exe\u202c\u2066', 'gnp.exe'],
    ['without hidden sentences of tag characters', 'tea\u{e0069}\u{e0067}', 'tea'],
    ['without DEL and C1', 'te\u007f\u0085\u009fa', 'tea'],
    ['with the joiners that scripts and emoji need', 'नि\u200dय 👩\u200d🚀', 'नि\u200dय 👩\u200d🚀'],
    ['with the flags of nations', '🏴\u{e0067}\u{e0062}\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e007f}'],
    ['and otherwise left alone', '<b>"Tea" & \\\'milk\'</b>', '<b>"Tea" & \\\'milk\'</b>'],
  ] as const) {
    test(what, async () => {
      assert.deepEqual(await cleaned(sent), [kept, kept, kept, kept])
    })
  }

  for (const sub of ['', '   ', '\u200b', '\u200d', '\u00ad\ufeff', '\u3164', '\u2800']) {
    test(`a sub of nothing visible (${JSON.stringify(sub)}) is none`, async () => {
      assert.equal((await read(idOf(await create({ ...minimalPiece, sub })))).json().piece.sub, null)
    })
  }

  test('tags of nothing visible and tags that repeat another, in other letters or other case, are dropped', async () => {
    const tags = ['Tea', '', ' ', 'tea', '\u200d', 'TEA\u200b', 'Cafe\u0301', 'CAF\u00c9']
    assert.deepEqual((await read(idOf(await create({ ...minimalPiece, tags })))).json().piece.tags, [
      'Tea',
      'Caf\u00e9',
    ])
  })

  test('a change is made clean like a first draft', async () => {
    const id = idOf(await create(minimalPiece))
    const changes = { headline: ' Cafe\u0301\n', sub: '\u200d', tags: ['a', 'A'] }
    const { headline, sub, tags } = (await edit(id, changes, '*')).json().piece
    assert.deepEqual({ headline, sub, tags }, { headline: 'Caf\u00e9', sub: null, tags: ['a'] })
  })
})

describe('7, 8: characters that no text has are 400', () => {
  const fields = ['headline', 'sub', 'body_md', 'style', 'locale', 'external_url', 'category', 'frame'] as const
  const controls = Array.from({ length: 32 }, (_, point) => point).filter((point) => ![9, 10, 13].includes(point))

  for (const point of controls) {
    const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    test(`${name} in any field, raw or escaped`, async () => {
      for (const field of fields) {
        const [problem] = problemsOf(await create({ ...minimalPiece, [field]: `a${String.fromCharCode(point)}` }))
        assert.equal(problem?.pointer, `/${field}`)
      }
      problemsOf(await create({ ...minimalPiece, tags: ['a', `a${String.fromCharCode(point)}`] }))
      // JSON allows no raw control character.
      const raw = `{"headline":"a","body_md":"b${String.fromCharCode(point)}"}`
      assert.equal((await create(raw)).statusCode, 400)
    })
  }

  for (const half of ['\\ud800', '\\udfff', '\\udc00\\ud800', 'a\\ud83d', '\\ude00b', '\\ud800\\u0041']) {
    test(`the lone surrogate ${half} in any field`, async () => {
      for (const field of fields) {
        const rest = Object.entries({ ...minimalPiece, [field]: '' }).filter(([name]) => name !== field)
        const json = `{${rest.map(([name, text]) => `"${name}":"${text}"`).join()},"${field}":"${half}"}`
        problemsOf(await create(json))
      }
      problemsOf(await create(`{"headline":"a","body_md":"b","tags":["${half}"]}`))
    })
  }

  test('the refusal says which character, and where', async () => {
    const [problem] = problemsOf(await create({ ...minimalPiece, body_md: '😀ab\u0007c' }))
    assert.deepEqual([problem!.pointer, problem!.code], ['/body_md', 'control_character'])
    assert.match(problem!.detail, /U\+0007.*\b4\b/)
  })

  test('and stores nothing', async () => {
    const before = await countRows(admin, 'app.pieces')
    problemsOf(await create({ ...minimalPiece, body_md: 'a\u0000' }))
    assert.equal(await countRows(admin, 'app.pieces'), before)
  })

  test('a change may hold them no more than a first draft', async () => {
    const id = idOf(await create(minimalPiece))
    for (const field of ['headline', 'sub', 'body_md', 'style']) problemsOf(await edit(id, { [field]: 'a\u0000' }, '*'))
    problemsOf(await edit(id, '{"body_md":"\\ud800"}', '*'))
    assert.equal((await read(id)).headers['etag'], '"1"')
  })
})
