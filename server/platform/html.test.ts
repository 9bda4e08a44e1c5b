import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'

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
