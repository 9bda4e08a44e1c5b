import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './render.ts'

const html = (source: string) => renderMarkdown(source).html
const text = (source: string) => renderMarkdown(source).text

const own = `/media/${'a'.repeat(64)}`
const pictures = { ['a'.repeat(64)]: [640, 480] } as const
const image = '<img src="https://b.example/c.png" alt="a" loading="lazy" decoding="async" />'

test('a picture alone in its paragraph has its title for a caption, in words that are read', () => {
  assert.equal(
    html('![a](https://b.example/c.png "The *old* kettle. Photo: [Ada](https://ada.example)")'),
    `<figure>${image}<figcaption>The <em>old</em> kettle. Photo: <a href="https://ada.example" rel="ugc nofollow noopener noreferrer">Ada</a></figcaption>\n</figure>\n`,
  )
  assert.equal(text('![a](https://b.example/c.png "The *old*\nkettle")'), 'a\n\nThe old kettle')
})

test('a picture without title and width, or among words, is no figure', () => {
  assert.equal(html('![a](https://b.example/c.png)'), `<p>${image}</p>\n`)
  assert.equal(html('![a](https://b.example/c.png " ")').includes('figure'), false)
  assert.match(html('x ![a](https://b.example/c.png "t")'), /^<p>x <img [^>]+ title="t"/)
  assert.equal(html('# ![a](https://b.example/c.png "t")').includes('figure'), false)
})

test('the fragment of its address says how wide a picture is, and is no part of what is loaded', () => {
  assert.equal(html('![a](https://b.example/c.png#wide)'), `<figure class="wide">${image}</figure>\n`)
  assert.match(
    html('![a](https://b.example/c.png#full "t")'),
    /^<figure class="full"><img src="https:\/\/b.example\/c.png"/,
  )
  assert.match(html('![a](https://b.example/c.png#other "t")'), /^<figure><img src="https:\/\/b.example\/c.png#other"/)
  // What publishes an uploaded picture finds it by this form alone (show_media_of_piece.sql).
  const uploaded = `<img src="${own}" alt="a" width="640" height="480" loading="lazy" decoding="async" />`
  assert.equal(renderMarkdown(`![a](${own}#wide)`, pictures).html, `<figure class="wide">${uploaded}</figure>\n`)
  assert.equal(renderMarkdown(`x ![a](${own}#wide)`, pictures).html, `<p>x ${uploaded}</p>\n`)
  assert.match(renderMarkdown(`[x](${own}#full)`, pictures).html, new RegExp(`<a href="${own}" rel`))
})

test('a figure may stand in a list, a quotation or a note, and its caption may have a note', () => {
  const source =
    '- ![a](https://b.example/c.png "d[^1]")\n\n> ![a](https://b.example/c.png#wide)\n\n[^1]: ![a](https://b.example/c.png "e")'
  const found = html(source)
  assert.equal(found.match(/<figure/g)?.length, 3)
  assert.match(found, /<figcaption>d<sup class="footnote-ref">/)
  assert.equal(text(source), 'a\nd[1]\n\na\n\n[1] a\ne')
})

test('a picture that is not shown leaves its description and its caption', () => {
  assert.equal(html('![a](http://b.example/c.png "d")'), '<figure>a<figcaption>d</figcaption>\n</figure>\n')
})

test('a caption that many pictures share is refused before it fills the memory', () => {
  const source = `${'![a]\n\n'.repeat(14_000)}[a]: https://b.example/c.png "${'*d* '.repeat(1_500)}"`
  assert.throws(() => renderMarkdown(source), { status: 422, reason: 'render_too_large' })
})
