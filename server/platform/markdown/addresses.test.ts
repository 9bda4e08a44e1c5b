import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderMarkdown } from './render.ts'

/** Links as `[words](address)`, and the rest as it is. */
const links = (source: string): string =>
  renderMarkdown(source)
    .html.replace(/<a href="([^"]*)" rel="ugc nofollow noopener noreferrer">(.*?)<\/a>/g, '[$2]($1)')
    .replace(/<\/?p>|\n$/g, '')

const linked = (address: string, words = address) => `[${words}](${address})`

test('a bare address is a link, without the punctuation after it', () => {
  const address = 'https://a.example/b?c=d#e'
  for (const [before, after] of [
    ['', ''],
    ['(', ')'],
    ['See ', '.'],
    ['', ', and'],
    ['', '!'],
    ['“', '”'],
    ['“', '.”'],
    ['', '…'],
    ['', ': this'],
    ['', '。'],
  ])
    assert.equal(links(`${before}${address}${after}`), `${before}${linked(address)}${after}`)
  assert.equal(links('https://a.example/b_(c)'), linked('https://a.example/b_(c)'))
  assert.equal(links('www.a.example/b.'), `${linked('http://www.a.example/b', 'www.a.example/b')}.`)
  assert.equal(links('http://localhost:8080/a'), linked('http://localhost:8080/a'))
})

test('marks around an address are marks, and within it they are part of it', () => {
  assert.equal(
    links('**https://a.example** _www.a.example_'),
    `<strong>${linked('https://a.example')}</strong> <em>${linked('http://www.a.example', 'www.a.example')}</em>`,
  )
  assert.equal(links('~~https://a.example/b~~'), `<del>${linked('https://a.example/b')}</del>`)
  assert.equal(links('https://a.example/b_c_d*e*f'), linked('https://a.example/b_c_d*e*f'))
})

test('hosts and paths of any script are links', () => {
  assert.equal(links('https://例え.テスト/'), linked('https://xn--r8jz45g.xn--zckzah/', 'https://例え.テスト/'))
  assert.equal(links('https://a.example/道'), linked('https://a.example/%E9%81%93', 'https://a.example/道'))
})

test('code, links, other schemes, hosts and mail addresses stay as they are', () => {
  for (const source of [
    'Node.js',
    'a.example',
    'ada@a.example',
    'ftp://a.example',
    '//a.example',
    'mailto:ada@a.example',
    'javascript:alert(1)',
    'www.',
    'www.a',
    'https://',
  ])
    assert.equal(links(source), source)
  assert.equal(links('`https://a.example`'), '<code>https://a.example</code>')
  assert.equal(links('[https://a.example](https://b.example)'), '[https://a.example](https://b.example)')
  assert.equal(links('https\\://a.example'), 'https://a.example')
})

test('an address that hides its host behind a user name is no link', () => {
  for (const source of [
    'https://bank.example@evil.example',
    'https://bank.example:443@evil.example/',
    'https://a:b@c.example',
  ])
    assert.equal(links(source), source)
})

test('whatever stands in an address, its link leads to http or https and breaks out of nothing', () => {
  const part = fc.constantFrom(
    ...'"\'<>&@:/?#[]()*_~%\\ \t.a1',
    'https://',
    'www.',
    'javascript:',
    '&quot;',
    '&#x3a;',
    '%00',
    '\u202E',
    '漢',
    '\u200b',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const { html } = renderMarkdown(`https://a.example/${parts.join('')}`)
      assert.doesNotMatch(html, /href="(?!https?:\/\/)/i)
      assert.doesNotMatch(
        html.replace(/<\/?(?:p|a|em|strong|del|code|br)(?: (?:href|rel|title)="[^"<>]*")*(?: \/)?>/g, ''),
        /[<>]/,
      )
    }),
    { numRuns: 1_000 },
  )
})
