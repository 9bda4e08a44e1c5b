import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closing } from './cleanup.ts'
import { longestBlockLocation } from './limits.ts'
import { renderMarkdown } from './render.ts'

const html = (source: string) => renderMarkdown(source).html
const text = (source: string) => renderMarkdown(source).text
const rel = 'rel="ugc nofollow noopener noreferrer"'

test('raw HTML is text, and no address but http, https, mailto and a fragment is a link', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html,<script>)',
    '[x](blob:https://x)',
    '[x](//evil.example)',
    '[x](intent://x)',
    '![x](http://insecure.example/x.png)',
    '<svg><style><img src=x onerror=alert(1)>',
  ]
  for (const source of hostile) {
    assert.doesNotMatch(html(source), /<(script|svg|style|iframe|object|form|input|img)[\s>]/i, source)
    assert.doesNotMatch(html(source), /href="(?!https?:|mailto:|#)/i, source)
    assert.doesNotMatch(html(source), /<[^>]* on\w+=/i, source)
  }
})

test('links say that readers wrote them', () => {
  assert.equal(
    html('[a](https://a.example "t") <https://b.example/%C3%A9>'),
    `<p><a href="https://a.example" title="t" ${rel}>a</a> <a href="https://b.example/%C3%A9" ${rel}>https://b.example/é</a></p>\n`,
  )
})

test('pictures are loaded late and over https, and another one is its description', () => {
  assert.equal(
    html('a ![b *c*](https://b.example/b.png "d")'),
    '<p>a <img src="https://b.example/b.png" alt="b c" title="d" loading="lazy" decoding="async" /></p>\n',
  )
  assert.equal(html('a ![b & c](http://b.example/b.png)'), '<p>a b &amp; c</p>\n')
  assert.equal(text('![b *c*](https://b.example/b.png) ![d](http://d.example/d.png)'), 'b c d')
})

test('a heading has an id of its own words, and no two have the same', () => {
  assert.equal(
    html('# Tea, *twice*\n\n## Tea twice\n\n## Tea twice 2\n\n## Tea twice\n\n### 日本語 & हिन्दी\n\n#### &#33;'),
    [
      '<h1 id="s-tea-twice">Tea, <em>twice</em></h1>',
      '<h2 id="s-tea-twice-2">Tea twice</h2>',
      '<h2 id="s-tea-twice-2-2">Tea twice 2</h2>',
      '<h2 id="s-tea-twice-3">Tea twice</h2>',
      '<h3 id="s-日本語-हिन्दी">日本語 &amp; हिन्दी</h3>',
      '<h4 id="s-section">!</h4>\n',
    ].join('\n'),
  )
})

test('a fragment leads to a heading of the same piece and to nothing of the page', () => {
  const source = '# Tea, twice\n\n[a](#tea-twice) [b](#s-tea-twice) [c](#Tea%2C%20twice) [d](#menu)'
  assert.deepEqual(
    [...html(source).matchAll(/href="([^"]+)"/g)].map(([, address]) => address),
    ['#s-tea-twice', '#s-tea-twice', '#s-tea-twice', '#s-menu'],
  )
})

test('a table has its alignment and all its cells', () => {
  const source = '| a | b |\n|:--|--:|\n| *c* | d \\| e |\n| f |'
  assert.equal(
    html(source).replaceAll('\n', ''),
    '<table><thead><tr><th align="left">a</th><th align="right">b</th></tr></thead><tbody>' +
      '<tr><td align="left"><em>c</em></td><td align="right">d | e</td></tr>' +
      '<tr><td align="left">f</td><td align="right"></td></tr></tbody></table>',
  )
  assert.equal(text(`x\n\n${source}\n\ny`), 'x\n\na\tb\nc\td | e\nf\n\ny')
})

test('struck words are struck', () => {
  assert.equal(html('~~a *b*~~ c'), '<p><del>a <em>b</em></del> c</p>\n')
  assert.equal(text('~~a *b*~~ c'), 'a b c')
})

test('a task shows its box, in HTML and in text', () => {
  const source = '- [ ] a *b*\n- [x] c\n  1. [X] d\n- e [x]\n- [ ]\n- [y] f'
  assert.equal(
    html(source),
    `<ul class="contains-task-list">
<li class="task-list-item"><label><input type="checkbox" disabled="" /> a <em>b</em></label></li>
<li class="task-list-item"><label><input type="checkbox" disabled="" checked="" /> c</label>
<ol class="contains-task-list">
<li class="task-list-item"><label><input type="checkbox" disabled="" checked="" /> d</label></li>
</ol>
</li>
<li>e [x]</li>
<li>[ ]</li>
<li>[y] f</li>
</ul>
`,
  )
  assert.equal(text(source), '[ ] a b\n[x] c\n[x] d\ne [x]\n[ ]\n[y] f')
})

test('what cannot be seen is left out, however it was written', () => {
  const source = 'a&#x200B;b&shy;c\u200Bd&#xE0041;e `f&#x200B;g\u2060h` <https://a.example/%E2%80%8Bi>'
  assert.equal(text(source), 'abcde f&#x200B;gh https://a.example/i')
  assert.equal(html('f `&#x200B;g\u2060`'), '<p>f <code>&amp;#x200B;g</code></p>\n')
})

test('a block that turns the direction of reading turns it back at its end', () => {
  assert.equal(html('a \u202Eb **\u2066c**\n\nd'), '<p>a \u202Eb <strong>\u2066c</strong>\u2069\u202C</p>\n<p>d</p>\n')
  assert.equal(text('a &#x202E;b\n\nd'), 'a \u202Eb\u202C\n\nd')
  assert.equal(html('| \u202Ea | b |\n|---|---|').includes('<th>\u202Ea\u202C</th>'), true)
  assert.equal(html('```\na\u202E\nb\n```'), '<pre><code>a\u202E\u202C\nb\n</code></pre>\n')
  assert.match(html('d ![\u202Ea](https://b "\u2067c")'), /alt="\u202Ea\u202C" title="\u2067c\u2069"/)
  assert.match(html('![\u202Ea](https://b "\u2067c")'), /alt="\u202Ea\u202C".*<figcaption>\u2067c\u2069<\/figcaption>/)
})

test('plain text has the words of every block, apart from each other', () => {
  const source =
    '# A\n\nb *c* `d`\n\n- e\n- f\n  - g\n\n1. h\n2. i\n\n> j\n\n```\nk\nl\n```\n\n![m](https://m.example/m.png)\n\n    n'
  assert.equal(text(source), 'A\n\nb c d\n\ne\nf\ng\n\nh\ni\n\nj\n\nk\nl\n\nm\n\nn')
})

test('an excerpt begins with words, not with what a picture shows', () => {
  const excerpt = (source: string) => renderMarkdown(source).excerpt
  assert.equal(
    excerpt('![a](https://m.example/m.png)\n\n![b](https://m.example/m.png "c")\n\nd ![e](https://m.example/m.png) f'),
    'd  f',
  )
  assert.equal(excerpt('![a](https://m.example/m.png)'), '')
  assert.ok(excerpt('word '.repeat(200).concat('\n\n').repeat(100)).length < 2_100)
})

test('text is in composed form, wherever its parts came from', () => {
  assert.equal(text('e*\u0301* &#x958;'), text('e*\u0301* &#x958;').normalize('NFC'))
})

test('no word is lost, however deep it stands', () => {
  for (const open of ['> ', '- ', '> - ', '1. ']) {
    for (const depth of [10, 24, 25, 48, 49, 50, 200]) {
      const { html, text } = renderMarkdown(`${open.repeat(depth)}deep\n\nafter`)
      assert.match(html, /deep/, `${depth} times ${open}`)
      assert.match(text, /deep\n\nafter$/, `${depth} times ${open}`)
    }
  }
  assert.match(text(`${'*'.repeat(3_000)}deep${'*'.repeat(3_000)}`), /deep/)
})

test('the words of the HTML are the words of the text', () => {
  const source =
    '# A *b*\n\nc `d < e` &amp; ~~f~~\n\n> g\n>\n> - h\n\n| i | j |\n|---|---|\n| k | l |\n\n```js\nconst m = "n" // o\n```'
  const { html, text } = renderMarkdown(source)
  const words = html
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>' })[name as string]!)
  assert.equal(words.replace(/\s+/g, ' ').trim(), text.replace(/\s+/g, ' '))
})

test('what one definition would make too much of is refused with its place', () => {
  const source = `a\n\n${'![b]\n'.repeat(2_000)}\n[b]: https://c.example "${'d'.repeat(1_000)}"`
  assert.throws(() => renderMarkdown(source), {
    status: 422,
    reason: 'render_too_large',
    message: /The largest part is the paragraph that starts on line 3\./,
  })
})

test('tables that fill up their rows are refused before they fill the memory', () => {
  const table = `${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'b\n'.repeat(217)}\n`
  assert.throws(() => renderMarkdown(table.repeat(20)), {
    reason: 'render_too_large',
    message: /the table that starts on line 1\./,
  })
})

test('the longest part is named by what it is and where it begins', () => {
  const long = 'word '.repeat(50)
  const cases: [source: string, kind: string, line: number][] = [
    [long, 'paragraph', 1],
    [`a\n\n\n${long}\n${long}\n\nb`, 'paragraph', 4],
    [`a\r\n\r\n- ${long}\r\n\r\nb`, 'list', 3],
    [`# a\n\n> ${long}`, 'quote', 3],
    [`a\n\n| ${long} |\n|---|\n`, 'table', 3],
    [`a\n\`\`\`js\n${long}\n\n${long}\n\`\`\`\n${long}`, 'code', 2],
    [`~~~\n${long}\n\n\`\`\`\n${long}`, 'code', 1],
    ['', 'block', 1],
  ]
  for (const [source, kind, line] of cases)
    assert.deepEqual(longestBlockLocation(source), { kind, line }, JSON.stringify(source))
})

/** Marks of the direction of writing, which must not reach beyond the text they are in. */
const [lre, rlo, pdf, rli, fsi, pdi] = ['\u202A', '\u202E', '\u202C', '\u2067', '\u2068', '\u2069']

test('what is open is closed in the opposite order', () => {
  assert.equal(closing(`a${lre}b${rli}c${rlo}`), `${pdf}${pdi}${pdf}`)
})

test('what is closed already stays as it is', () => {
  assert.equal(closing(`${rlo}a${pdf} ${fsi}b${pdi} c\u200Fd`), '')
})

test('the end of an isolate ends what was opened inside it, and no other mark ends an isolate', () => {
  assert.equal(closing(`${rli}${rlo}${lre}${pdi}`), '')
  assert.equal(closing(`${rli}${pdf}`), pdi)
  assert.equal(closing(`${pdi}${pdf}${rlo}${pdi}`), pdf)
})
