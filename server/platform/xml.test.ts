import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xml } from './html.ts'

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
