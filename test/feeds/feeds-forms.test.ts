import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { unhurried } from '../../testkit/openapi-check.ts'
import { forms, type Shown, type Where } from './forms.ts'

/** One piece in all its forms: one text, one set of dates and authors. */

const { url, admin } = await testDatabase()
const app = await testApp(url)

async function body(path: string): Promise<string> {
  const answer = await unhurried(app, path)
  assert.equal(answer.statusCode, 200, path)
  return answer.body
}

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada <i>&</i> "O\'Kafor" 茶', verified: true })

const manuscripts = {
  'a plain piece': {
    headline: 'On tea',
    sub: 'Four minutes is not long.',
    body_md: 'One paragraph.\n\nAnother, with *weight* and a [link](https://x.example/?a=1&b=2).',
  },
  'a piece with everything': {
    headline: 'Tables, notes & "lists" <in> one',
    body_md: [
      '# A heading',
      'Words with `code <b>` and ~~none~~; see [above](#a-heading). A note.[^a] Fish & chips < 5 > 4 "quoted" it\'s.',
      '- one\n- two\n  1. deep\n  2. deeper',
      '> A quotation,\n> on two lines',
      '| a | b |\n|---|--:|\n| 1 | 2 & 3 |',
      '```js\nconst x = "<script>" && 1\n```',
      '![A *cup* of tea](https://x.example/cup.png "Mine")',
      '***',
      '[^a]: What it says,\n    twice.',
    ].join('\n\n'),
    tags: ['tea', 'R&D', '<x>'],
  },
  'a piece in many scripts': {
    headline: 'Grüße, 茶 و שלום 🫖',
    sub: 'ไทย क्षि — 👩‍👩‍👧‍👦 e\u0301',
    body_md:
      'العربية and עברית, then \u202Eturned\u202C back. 👍🏽 𝔘 \u200Bhidden\n\nline two\r\nline three ]]> &amp; &#x41;',
  },
} as const

/** As far as it goes: no milliseconds where there are none, no time where there is none. */
const told = (date: Date): string => date.toISOString().replace(/(T00:00:00)?\.000Z$/, '')

const published = new Map<string, Where>()
for (const [what, given] of Object.entries(manuscripts)) {
  const id = await makePiece(admin, writer, { ...given, publishedAt: new Date('2026-03-04T05:06:07.891Z') })
  const { rows } = await admin.query<{ slug: string }>('select slug from pub.pieces where id = $1', [id])
  published.set(what, { id, author: 'ada', slug: rows[0]!.slug })
}

for (const [what, where] of published) {
  describe(what, () => {
    const read = (name: string): Promise<Shown> => forms[name]!(body, where)

    for (const name of Object.keys(forms)) {
      test(`as ${name} is the same as over REST`, async () => {
        const [shown, rest] = [await read(name), await read('REST')]
        assert.equal(shown.words, rest.words)
        assert.equal(shown.url, rest.url)
        assert.equal(shown.title, rest.title)
        // Some forms tell time to the second, or the day.
        assert.ok(rest.published.toISOString().startsWith(told(shown.published)), 'another date')
        if (shown.modified) assert.ok(rest.modified!.toISOString().startsWith(told(shown.modified)), 'another change')
        for (const [at, { name: author, url: profile }] of shown.authors.entries()) {
          assert.equal(author, rest.authors[at]!.name)
          if (profile) assert.equal(profile, rest.authors[at]!.url)
        }
        assert.equal(shown.authors.length, rest.authors.length)
        for (const field of ['id', 'summary', 'tags', 'category'] as const)
          if (shown[field] !== undefined) assert.deepEqual(shown[field], rest[field], field)
      })
    }

    test('has words', async () => {
      assert.ok((await read('REST')).words.split(' ').length > 3)
    })
  })
}
