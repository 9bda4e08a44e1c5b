import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './markdown.ts'

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
    const { html } = renderMarkdown(source)
    assert.doesNotMatch(html, /<(script|svg|style|iframe|object|form|input|img)[\s>]/i, source)
    assert.doesNotMatch(html, /href="(?!https?:|mailto:|#)/i, source)
    assert.doesNotMatch(html, /<[^>]* on\w+=/i, source)
  }
})

test('links say that readers wrote them, and images come over https', () => {
  assert.equal(
    renderMarkdown('[a](https://a.example "t") ![b](https://b.example/b.png)').html,
    '<p><a href="https://a.example" title="t" rel="ugc nofollow noopener noreferrer">a</a> <img src="https://b.example/b.png" alt="b" /></p>\n',
  )
})

test('what cannot be seen is left out, however it was written', () => {
  const { html, text } = renderMarkdown('a&#x200B;b&shy;c\u200Bd&#xE0041;e `f&#x200B;g\u2060h`')
  assert.equal(text, 'abcde f&#x200B;gh')
  assert.equal(html, '<p>abcde <code>f&amp;#x200B;gh</code></p>\n')
})

test('plain text has the words of every block, apart from each other', () => {
  const source =
    '# A\n\nb *c* `d`\n\n- e\n- f\n  - g\n\n1. h\n2. i\n\n> j\n\n```\nk\nl\n```\n\n![m](https://m.example/m.png)'
  assert.equal(renderMarkdown(source).text, 'A\n\nb c d\n\ne\nf\ng\n\nh\ni\n\nj\n\nk\nl\n\nm')
})

test('text is in composed form, wherever its parts came from', () => {
  const { text } = renderMarkdown('e*\u0301* &#x958;')
  assert.equal(text, text.normalize('NFC'))
})
