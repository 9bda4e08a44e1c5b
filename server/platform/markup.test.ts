import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { html, jsonData, storedMarkup, xml } from './html.ts'

test('text put into markup is escaped, in content and in attributes', () => {
  const hostile = `"><script>alert('&')</script>`
  assert.equal(
    String(html`<p title="${hostile}">${hostile}</p>`),
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
  )
})

test('markup put into markup stays markup, and lists are joined', () => {
  const items = ['a<b', 'c'].map((item) => html`<li>${item}</li>`)
  assert.equal(
    String(html`<ul>${items}</ul>${[1, ' & ', html`<br>`]}`),
    '<ul><li>a&lt;b</li><li>c</li></ul>1 &amp; <br>',
  )
})

test('what is absent leaves nothing', () => {
  assert.equal(String(html`<p>${undefined}${null}${false}${''}${0}</p>`), '<p>0</p>')
})

test('an object from outside cannot pass for markup', () => {
  const forged = JSON.parse('{"html":"<script>","markup":"<script>","length":0}')
  assert.throws(() => html`<p>${forged}</p>`)
})

test('what the site has rendered stands as it is', () => {
  assert.equal(String(html`<div>${storedMarkup('<p>a &amp; b</p>')}</div>`), '<div><p>a &amp; b</p></div>')
})

test('only pages that show a whole text put stored markup into them', () => {
  const root = new URL('../', import.meta.url)
  const callers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'))
    .filter((path) => /\bstoredMarkup\b/.test(readFileSync(new URL(path, root), 'utf8')))
  const allowed = ['http/docs/routes.ts', 'http/site/static-pages.ts', 'http/site/piece-page.ts', 'platform/html.ts']
  assert.deepEqual(
    callers.filter((path) => !allowed.includes(path)),
    [],
  )
})

test('no data ends the script element it stands in, and it reads back as it was', () => {
  const hostile = { name: '</script><script>alert(1)</script><!-- & \u2028 \u2029 é "\\' }
  const written = String(html`<script type="application/ld+json">${jsonData(hostile)}</script>`)
  const inside = written.slice('<script type="application/ld+json">'.length, -'</script>'.length)
  assert.doesNotMatch(inside, /[<>&\u2028\u2029]/)
  assert.deepEqual(JSON.parse(inside), hostile)
})

test('text put into XML is escaped, in content and in attributes', () => {
  const hostile = `]]>"><x>'&'</x>`
  const escaped = ']]&gt;&quot;&gt;&lt;x&gt;&#39;&amp;&#39;&lt;/x&gt;'
  assert.equal(String(xml`<a b="${hostile}">${hostile}</a>`), `<a b="${escaped}">${escaped}</a>`)
})

test('XML put into XML stays XML, and lists are joined', () => {
  const items = ['a<b', 'c'].map((item) => xml`<i>${item}</i>`)
  assert.equal(String(xml`<l>${items}</l>${[1, ' & ', xml`<b/>`]}`), '<l><i>a&lt;b</i><i>c</i></l>1 &amp; <b/>')
})

test('what is absent leaves nothing', () => {
  assert.equal(String(xml`<p>${undefined}${null}${false}${''}${0}</p>`), '<p>0</p>')
})

test('exactly the characters that XML 1.0 cannot hold are left out', () => {
  for (let code = 0; code <= 0x10ffff; code += code < 0x11000 || code % 0x10000 >= 0xfff0 ? 1 : 97) {
    const character = String.fromCodePoint(code)
    const isAllowed =
      [0x9, 0xa, 0xd].includes(code) ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd) ||
      code >= 0x10000
    const written = String(xml`a${character}b`)
    assert.equal(written === 'ab', !isAllowed, `U+${code.toString(16)} became ${JSON.stringify(written)}`)
  }
})

test('half of a pair is left out, a pair stays whole', () => {
  assert.equal(String(xml`${'\ud83e\udd6f \ud83e x\udd6f \udd6f\ud83e'}`), '🥯  x ')
})

test('a carriage return is written as a reference, since a parser would read a line feed', () => {
  assert.equal(String(xml`${'a\r\nb\rc'}`), 'a&#13;\nb&#13;c')
})

test('an object from outside cannot pass for XML', () => {
  const forged = JSON.parse('{"xml":"<x/>","length":0}')
  assert.throws(() => xml`<p>${forged}</p>`)
})
