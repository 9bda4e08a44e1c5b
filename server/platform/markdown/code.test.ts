import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeBlock, languages, newHighlightBudget } from './code.ts'
import { renderMarkdown } from './render.ts'
import { sanitise } from './sanitise.ts'

const block = (info: string, code: string) => codeBlock(info, code, newHighlightBudget())
const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test('code of a known language is coloured by classes', () => {
  assert.equal(
    renderMarkdown('```js title="x"\nconst a = "b" // <c>\n```').html,
    '<pre><code class="language-js"><span class="hljs-keyword">const</span> a = <span class="hljs-string">"b"</span> ' +
      '<span class="hljs-comment">// &lt;c&gt;</span>\n</code></pre>\n',
  )
})

test('code of no language, or of one nobody knows, is plain', () => {
  assert.equal(block('', 'if (a < b)\n'), '<pre><code>if (a &lt; b)\n</code></pre>\n')
  assert.equal(block('cobol', 'a & b\n'), '<pre><code class="language-cobol">a &amp; b\n</code></pre>\n')
  assert.equal(block('a"b<c', 'd\n'), '<pre><code>d\n</code></pre>\n')
})

test('names of languages know no case, and the usual short ones are known', () => {
  const short = 'js ts jsx tsx py rb rs sh zsh html svg toml yml cs c++ h golang kt md console JavaScript SQL'.split(
    ' ',
  )
  const plain = short.filter(
    (name) => !block(name, '# <a class="b"> "c" 1 [d]\n$ echo 1 -- e\nselect 1 return\n').includes('hljs-'),
  )
  assert.deepEqual(plain, ['md'])
})

test('no character of code is lost or changed by its colours, in any language, and the second wall leaves them be', () => {
  const code =
    'if (a < b && "c" != \'d\') { /* e */ return 0x1F } // <f g="h">&amp;</f>\n# i\n- j: [k] $l @m \\n\n<?php ?>\n'
  for (const language of languages) {
    const html = block(language, code)
    assert.equal(words(html), `${code}\n`, language)
    assert.equal(sanitise(html), html, language)
  }
})

test('a fence that is too long, has no breaks or comes after too much code is plain', () => {
  const line = 'const a = 1\n'
  const coloured = (html: string) => html.includes('hljs-')
  assert.ok(coloured(block('js', line.repeat(990))))
  assert.ok(!coloured(block('js', line.repeat(1_010))))
  assert.ok(!coloured(block('js', `const ${'a'.repeat(200)} = 1\n`)))
  assert.ok(!coloured(block('js', `const a${' '.repeat(200)}= 1\n`)))

  const budget = newHighlightBudget()
  const blocks = Array.from({ length: 5 }, () => codeBlock('js', line.repeat(900), budget))
  assert.deepEqual(blocks.map(coloured), [true, true, false, false, false])
})

test('code whose colours would be most of the page is plain', () => {
  const html = block('json', `[${'1,'.repeat(5_900)}1]\n`)
  assert.ok(html.length < 400_000)
  const budget = newHighlightBudget()
  const blocks = Array.from({ length: 2 }, () => codeBlock('json', `[${'1,\n'.repeat(3_900)}1]\n`, budget))
  assert.deepEqual(
    blocks.map((one) => one.includes('hljs-')),
    [true, false],
  )
})
