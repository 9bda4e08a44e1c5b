import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newHighlightBudget } from './code.ts'
import { markdown } from './render.ts'
import { sanitise } from './sanitise.ts'

/** The second barrier alone, as if the first did not exist. */

test('a clean text passes unchanged', () => {
  const source =
    '# A[^1]\n\n*b* **c** ~~d~~ `e` [f](https://g.example "h") ![i](https://j.example/k.png)\\\nl\n\n---\n\n> m\n\n3. n\n\n- [x] o\n\n' +
    '| p | q |\n|--:|---|\n| r | s |\n\n```js\nclass T extends U { v() {} }\n```\n\n' +
    '![x](https://j.example/k.png#full "y *z*")\n\n[^1]: w'
  const html = markdown.renderer.render(markdown.parse(source, {}), markdown.options, { budget: newHighlightBudget() })
  assert.match(html, /hljs-title class_ inherited__/)
  assert.equal(sanitise(html), html)
})

test('tags, attributes, classes and ids that are not ours are dropped, and words stay', () => {
  const cases: [given: string, left: string][] = [
    ['<script>a</script><style>b</style>', ''],
    ['<iframe src="https://a"></iframe><object></object><form><button>b</button></form>', 'b'],
    ['<p onclick="a" style="b" class="c" id="s-d">e</p>', '<p>e</p>'],
    ['<h2 id="menu">a</h2><h2 id="s-b c">d</h2><h2 id="s-e">f</h2>', '<h2>a</h2><h2>d</h2><h2 id="s-e">f</h2>'],
    ['<li id="fn-1" class="task-list-item admin">a</li>', '<li id="fn-1" class="task-list-item">a</li>'],
    ['<span class="hljs-string evil hljs-">a</span>', '<span class="hljs-string">a</span>'],
    ['<code class="language-js x">a</code>', '<code class="language-js">a</code>'],
    ['<section class="footnotes" role="dialog">a</section>', '<section class="footnotes" role>a</section>'],
    ['<td align="evil" colspan="9">a</td>', '<td align>a</td>'],
    ['<figure class="wide evil" id="s-a">b</figure>', '<figure class="wide">b</figure>'],
    ['<figcaption class="wide">a</figcaption>', '<figcaption>a</figcaption>'],
    ['<ol start="1e9">a</ol><ol start="3">b</ol>', '<ol>a</ol><ol start="3">b</ol>'],
  ]
  for (const [given, left] of cases) assert.equal(sanitise(given), left)
})

test('a link leads to http, https, mailto or a fragment, a picture comes over https', () => {
  for (const address of [
    'javascript:a',
    ' javascript:a',
    'java\tscript:a',
    'data:a',
    '//a',
    '/a',
    'a',
    'blob:https://a',
  ]) {
    assert.equal(sanitise(`<a href="${address}">b</a>`), '<a>b</a>', address)
    assert.equal(sanitise(`<img src="${address}" alt="b">`), '<span>b</span>', address)
  }
  assert.equal(sanitise('<img src="http://a" alt="b">'), '<span>b</span>')
  assert.equal(
    sanitise('<img src="https://a" onerror="b" srcset="c">'),
    '<img src="https://a" loading="lazy" decoding="async" />',
  )
})

test('a link that leads out says that a reader wrote it, whatever it said before', () => {
  const rel = 'rel="ugc nofollow noopener noreferrer"'
  assert.equal(sanitise('<a href="https://a">b</a>'), `<a href="https://a" ${rel}>b</a>`)
  assert.equal(sanitise('<a href="https://a" rel="me" target="_blank">b</a>'), `<a href="https://a" ${rel}>b</a>`)
})

test('the only control is a box that does nothing', () => {
  for (const input of [
    '<input name="a" value="b">',
    '<input type="password" autofocus>',
    '<input type="image" src="a">',
  ]) {
    assert.equal(sanitise(input), '<input type="checkbox" disabled="" />')
  }
})

test('a picture of the site passes with its size, and nothing that only looks like one', () => {
  const own = `/media/${'a'.repeat(64)}`
  const written = `<p><img src="${own}" alt="A" width="640" height="480" loading="lazy" decoding="async" /></p>`
  assert.equal(sanitise(written), written)
  for (const other of [
    `${own}b`,
    `/media/${'a'.repeat(63)}`,
    `/desk${own}`,
    `/${own}`,
    `${own}?x`,
    `${own}/..`,
    `x${own}`,
  ]) {
    assert.equal(sanitise(`<img src="${other}" alt="A">`), '<span>A</span>', other)
  }
  for (const size of ['100%', '0', '99999', '1e3', '-1', '']) {
    assert.doesNotMatch(sanitise(`<img src="${own}" alt="A" width="${size}" height="9">`), /width|height/, size)
  }
})
