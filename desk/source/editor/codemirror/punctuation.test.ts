import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensureSyntaxTree } from '@codemirror/language'
import { renderMarkdown } from '../../../../server/platform/markdown/render.ts'
import { typographicHtml } from '../../../../server/platform/text/typography.ts'
import { stateOf } from './marked-state.ts'
import { signsIn } from './punctuation.ts'

/** The text as the editor shows it. */
function shown(text: string, locale = 'en'): string {
  const begun = stateOf(text)
  ensureSyntaxTree(begun, begun.doc.length, 60_000)
  const { state } = begun.update({})
  const { doc } = state
  let at = 0
  let result = ''
  for (const { from, to, sign } of signsIn(state, 0, doc.length, locale)) {
    // The editor hides the backslash before an escaped mark.
    result += doc.sliceString(at, from).replace(/\\$/, '') + sign
    at = to
  }
  return result + doc.sliceString(at)
}

test('quotation marks, apostrophes, dashes and ellipses are those of the language', () => {
  assert.equal(shown(`"Tea," he said -- it's "hot"...`), '“Tea,” he said – it’s “hot”…')
  assert.equal(shown('Er rief: "Tee!"', 'de'), 'Er rief: „Tee!“')
  assert.equal(shown('Elle dit "oui" !', 'fr'), 'Elle dit «\u202foui\u202f» !')
})

test('code, addresses, titles and HTML stay as they are typed', () => {
  for (const text of [
    '`"a"` and ``it\'s``',
    '```\n"code"...\n```',
    '    "indented"',
    '[tea](https://a.example/"b"--c "A \'title\'")',
    '<https://a.example/b--c...d>',
    'https://a.example/b--c',
    '![A "cup"](/media/a "It\'s")',
    '<div class="a">"b"</div>',
    'A <span title="it\'s">b</span>',
    '[tea]: https://a.example "A title..."',
  ])
    assert.equal(shown(text), text)
})

/** Blocks of every kind, with all that a line can have. */
const texts = [
  `He said "wait", and I *"did"* it -- 'tis the '90s, rock 'n' roll... and **it's** "a 'nested' one".`,
  `# "Tea"\n\nHeading --- "two"\n===\n\n- "one"\n- [ ] it's\n  "done"\n  - 'inner'\n\n> "Quoted\n> text," he said...`,
  '| "a" | it\'s |\n| --- | --- |\n| "b" -- c | `"d"` "e" |',
  '"A [link "in" words](https://a.example/b--c \'title\')" and [sic] "it"...',
  'A "`word`" and `a`\'s end, "*em*", **"strong"** and ~~"gone"~~, "x*y*".',
  '"Line one,\\\n"for" two" and  \n"three"',
  'Escaped \\"marks\\" and \\\'one\\\', \\... and \\-- too',
  'An "https://a.example/b--c...d" or www.a.example/f--g try --help, <https://b.example/--x> "y"',
  'Raw <b>"bold"</b> and <br>"next" <kbd>\'x\'</kbd>',
  'A note[^1] "here"[^1].\n\n[^1]: It\'s "a note" -- with words...',
]

for (const locale of ['en', 'de', 'fr', 'sv', 'ja', 'ru']) {
  test(`what is shown in ${locale} is what pages set`, () => {
    const words = (html: string) => html.replace(/[\u202f ]+/g, ' ')
    for (const text of texts) {
      const page = typographicHtml(renderMarkdown(text).html, locale)
      // Rendered from what is shown, a page has the same words without setting any.
      assert.equal(words(renderMarkdown(shown(text, locale)).html), words(page), text)
    }
  })
}

test('a block of more than 20,000 characters is shown as it was typed', () => {
  const long = '"a" '.repeat(6_000)
  assert.equal(shown(`"b"\n\n${long}`), `“b”\n\n${long}`)
})
