import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { html, jsonData, storedMarkup } from './html.ts'

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
