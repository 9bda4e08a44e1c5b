import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { typographic, typographicHtml } from './typography.ts'

const narrow = '\u202f'

test('quotation marks are those of the language', () => {
  const text = 'She said "wait", and I "did" it.'
  assert.equal(typographic(text, 'en'), 'She said “wait”, and I “did” it.')
  assert.equal(typographic(text, 'de'), 'She said „wait“, and I „did“ it.')
  assert.equal(typographic(text, 'de-CH'), 'She said «wait», and I «did» it.')
  assert.equal(typographic(text, 'fr'), `She said «${narrow}wait${narrow}», and I «${narrow}did${narrow}» it.`)
  assert.equal(typographic(text, 'pt-BR'), 'She said “wait”, and I “did” it.')
  assert.equal(typographic(text, 'ja'), 'She said 「wait」, and I 「did」 it.')
  assert.equal(typographic(text, 'ru'), 'She said «wait», and I «did» it.')
  assert.equal(typographic(text, 'sv'), 'She said ”wait”, and I ”did” it.')
  assert.equal(typographic(text, 'und'), 'She said “wait”, and I “did” it.')
})

test('a quotation within a quotation has the inner marks', () => {
  assert.equal(typographic(`"He said 'no' twice," she said.`, 'en'), '“He said ‘no’ twice,” she said.')
  assert.equal(typographic('"A "nested" one"', 'en'), '“A ‘nested’ one”')
})

test('apostrophes are not quotation marks', () => {
  assert.equal(typographic("Don't, it's the dogs' and rock 'n' roll", 'en').includes("'"), false)
  assert.equal(typographic("Don't, it's the dogs' bowl", 'en'), 'Don’t, it’s the dogs’ bowl')
  assert.equal(typographic("The '90s", 'en'), 'The ’90s')
  assert.equal(typographic("L'heure d'été", 'fr'), 'L’heure d’été')
})

test('dashes and ellipses are set, and what only looks like them is not', () => {
  assert.equal(typographic('1914--1918 --- and so on...', 'en'), '1914–1918 — and so on…')
  assert.equal(typographic('well-known, ----, .... and 3.14', 'en'), 'well-known, ----, .... and 3.14')
})

test('an address and an option of a command are exact', () => {
  assert.equal(
    typographic('See "https://a.example/b--c...d\'e", www.a.example/f--g or try --help.', 'en'),
    "See “https://a.example/b--c...d'e”, www.a.example/f--g or try --help.",
  )
  const link = '<p><a href="https://a.example/b--c">https://a.example/b--c</a> "tea"</p>'
  assert.equal(typographicHtml(link, 'en'), link.replace('"tea"', '“tea”'))
})

test('a quotation goes on after a line break', () => {
  assert.equal(typographicHtml('<p>"Tea,<br />\n"for" two"</p>', 'en'), '<p>“Tea,<br />\n‘for’ two”</p>')
})

test('as many apostrophes as a text can have are set, each looked at once', () => {
  assert.equal(typographic(" 'b".repeat(30_000), 'en'), ' ’b'.repeat(30_000))
})

test('in French the space before ; : ! and ? does not break', () => {
  assert.equal(typographic('Vraiment ? Oui !', 'fr'), `Vraiment${narrow}? Oui${narrow}!`)
  assert.equal(typographic('Really ? Yes !', 'en'), 'Really ? Yes !')
})

test('code, tags and attributes stay as they are', () => {
  const markup =
    '<p>Say "<code>"x" -- ...</code>" and <a href="https://a.test/?q=--&amp;x=\'" title="a \'b\'">"this"</a>.</p><pre><code>it\'s "raw"</code></pre>'
  assert.equal(
    typographicHtml(markup, 'en'),
    '<p>Say “<code>"x" -- ...</code>” and <a href="https://a.test/?q=--&amp;x=\'" title="a \'b\'">“this”</a>.</p><pre><code>it\'s "raw"</code></pre>',
  )
})

test('marks pair across emphasis, and a paragraph starts afresh', () => {
  assert.equal(
    typographicHtml('<p>"<em>Tea</em>" and "more</p><p>"Next"</p>', 'en'),
    '<p>“<em>Tea</em>” and “more</p><p>“Next”</p>',
  )
})

test('whatever is written, only quotes, dashes, dots and spaces change', () => {
  const bare = (text: string) => text.replace(/["'“”‘’„‚«»‹›「」『』\u202f …–—.-]/gu, '')
  const words = fc.constantFrom(
    '"',
    "'",
    '--',
    '...',
    '-',
    ' ',
    'a',
    'é',
    '茶',
    '1',
    '<em>',
    '</em>',
    '<code>',
    '</code>',
    '&amp;',
  )
  fc.assert(
    fc.property(fc.array(words), fc.constantFrom('en', 'fr', 'ja', 'sv', 'und'), (parts, locale) => {
      const markup = parts.join('')
      assert.equal(bare(typographicHtml(markup, locale)), bare(markup))
    }),
  )
})
