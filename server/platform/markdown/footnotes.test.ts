import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './render.ts'

const html = (source: string) => renderMarkdown(source).html
const text = (source: string) => renderMarkdown(source).text

test('a note is numbered where it is mentioned, stands at the end, and leads back', () => {
  assert.equal(
    html('A[^x] b.\n\n[^x]: The *note*.\n\nC.'),
    `<p>A<sup class="footnote-ref"><a href="#fn-1" id="fnref-1" role="doc-noteref">1</a></sup> b.</p>
<p>C.</p>
<section class="footnotes" role="doc-endnotes">
<ol>
<li id="fn-1">
<p>The <em>note</em>. <a href="#fnref-1" class="footnote-backref" role="doc-backlink">↩\uFE0E</a></p>
</li>
</ol>
</section>
`,
  )
  assert.equal(text('A[^x] b.\n\n[^x]: The *note*.\n\nC.'), 'A[1] b.\n\nC.\n\n[1] The note.')
})

test('notes are numbered in the order of their mention, those mentioned in notes last', () => {
  const source = '[^c]: C\n[^a]: A [^c] [^a]\n[^b]: B\n\nx[^a] y[^b] z[^a]'
  assert.equal(text(source), 'x[1] y[2] z[1]\n\n[1] A [3] [1]\n[2] B\n[3] C')
})

test('a note mentioned twice leads back to both', () => {
  const found = html('a[^1] b[^1]\n\n[^1]: n')
  assert.match(found, /id="fnref-1".+id="fnref-1-2"/)
  assert.match(
    found,
    /<p>n <a href="#fnref-1"[^>]+>↩\uFE0E<\/a> <a href="#fnref-1-2"[^>]+>↩\uFE0E<sup>2<\/sup><\/a><\/p>/,
  )
})

test('a note has all its blocks, its way back after the last', () => {
  const source = 'a[^1] b[^2]\n\n[^1]: one\n\n    two\n\n    - three\n[^2]:\n    four\nlazy\n\nafter'
  assert.equal(text(source), 'a[1] b[2]\n\nafter\n\n[1] one\ntwo\nthree\n[2] four\nlazy')
  assert.match(html(source), /<\/ul>\n <a href="#fnref-1"/)
  assert.match(html(source), /lazy <a href="#fnref-2"/)
})

test('a note inside a note keeps the words around it', () => {
  assert.equal(
    text('a[^1]\n\n[^1]: before [^2]\n\n    [^2]: inner\n\n    after'),
    'a[1]\n\n[1] before [2]\nafter\n[2] inner',
  )
})

test('of two notes with one name the first counts, and names know no case', () => {
  assert.equal(text('a[^Ä]\n\n[^ä]: first\n\n[^Ä]: second'), 'a[1]\n\n[1] first')
})

test('a mention without a note is text, and a note without a mention is not shown', () => {
  assert.equal(html('a[^1] b[^2]'), '<p>a[^1] b[^2]</p>\n')
  assert.equal(html('a\n\n[^1]: b [^2]\n\n[^2]: c'), '<p>a</p>\n')
})

test('a mention inside a link is a number without a link of its own', () => {
  const found = html('[a[^1]](https://b.example)\n\n[^1]: c')
  assert.match(found, />a<sup class="footnote-ref" id="fnref-1">1<\/sup><\/a>/)
  assert.match(found, /<p>c <a href="#fnref-1"/)
})

test('a mention in the description of a picture is text', () => {
  assert.match(html('![a[^1]](https://b.example)\n\n[^1]: c'), /alt="a\[\^1\]"/)
})

test('a heading with a note has the id of its words', () => {
  assert.match(html('# Tea[^1]\n\n[^1]: a'), /<h1 id="s-tea">/)
})
