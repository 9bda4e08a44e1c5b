import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { translatorOf } from '#messages/translator.ts'
import { htmlToMarkdown } from './import-html.ts'
import { renderMarkdown } from './render.ts'

/** HTML of other programs as Markdown, and what it cannot express. */

const markdown = (html: string) => htmlToMarkdown(html).markdown

const cases: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['words in boxes are paragraphs', '<div>One<div>two</div>three</div>', 'One\n\ntwo\n\nthree\n'],
  ['two line breaks are a paragraph, one is a line', 'a<br> <br>b<br>c', 'a\n\nb\\\nc\n'],
  ['spaces leave their mark', '<p>the<b> only </b>clock</p>', 'the **only** clock\n'],
  ['old marks are new ones', '<b>b</b> <i>i</i> <strike>s</strike> <tt>t</tt> <u>u</u>', '**b** *i* ~~s~~ `t` u\n'],
  [
    'a caption is the title of its picture, with its marks and links',
    '<figure><img src="https://a.b/c.png" alt="C" title="t"><figcaption>Of <i>C</i>, "by" <a href="https://x.y">X</a></figcaption></figure>',
    '![C](https://a.b/c.png "Of *C*, \\"by\\" [X](https://x.y/)")\n',
  ],
  [
    'a picture in frames, that leads to itself, is a picture',
    '<figure><a href="https://a.b/d.jpeg"><div><picture><source><img src="https://a.b/c.png" alt="C"></picture></div></a><figcaption>Of C</figcaption></figure>',
    '![C](https://a.b/c.png "Of C")\n',
  ],
  [
    'a picture that leads elsewhere keeps its link, and its caption stands under it',
    '<figure><a href="https://x.y/"><img src="https://a.b/c.png" alt="C"></a><figcaption>Of C</figcaption></figure>',
    '[![C](https://a.b/c.png)](https://x.y/)\n\n*Of C*\n',
  ],
  [
    'the caption of a player stands under it',
    '<figure><iframe src="https://v.w/x"></iframe><figcaption>A film</figcaption></figure>',
    '<https://v.w/x>\n\n*A film*\n',
  ],
  [
    'pictures of Ghost, WordPress, Medium and this site keep their width',
    ['kg-card kg-width-wide', 'wp-block-image alignfull', 'graf graf--layoutFillWidth', 'wide']
      .map((name) => `<figure class="${name}"><img src="https://a.b/c.png" alt="C"></figure>`)
      .join(''),
    '![C](https://a.b/c.png#wide)\n\n![C](https://a.b/c.png#full)\n\n![C](https://a.b/c.png#full)\n\n![C](https://a.b/c.png#wide)\n',
  ],
  [
    'a bare address becomes a link, without the full stop',
    '<p>See <b>https://a.b/c_d</b>. <code>https://a.b</code> <a href="https://x.y/">https://a.b</a></p>',
    'See **<https://a.b/c_d>**. `https://a.b` [https\\://a.b](https://x.y/)\n',
  ],
  ['a list in a list belongs to the item before it', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  * b\n'],
  ['items of paragraphs stand apart', '<ol start="3"><li><p>x</p><p>y</p></li></ol>', '3. x\n\n   y\n'],
  ['code keeps its lines and its language', '<pre class="lang-js">a<br>b  c</pre>', '```js\na\nb  c\n```\n'],
  [
    'a ragged table is made even',
    '<table><tr><td>1</td></tr><tr><td>2</td><td>3</td></tr></table>',
    '| 1 |  |\n| --- | --- |\n| 2 | 3 |\n',
  ],
  ['what looks like Markdown is words', '<p># no * heading_ [x]</p>', '\\# no \\* heading\\_ \\[x\\]\n'],
  ['a term and what it means', '<dl><dt>Tea</dt><dd>A drink</dd></dl>', '**Tea**\n\nA drink\n'],
  ['spaces beside a line break are none', '<p>a <br>\n b</p>', 'a\\\nb\n'],
  [
    'a heading and a cell are one line',
    '<h3>a<br>b</h3><table><tr><td>a<br>b<td><p>c</p><p>d</p></table>',
    '### a b\n\n| a b | c d |\n| --- | --- |\n',
  ],
  ['a space that does not break leaves its mark', '<b>a&nbsp;</b>b', '**a** b\n'],
  ['a line break leaves its mark', '<p><strong>Title<br>\n</strong>Text</p>', '**Title**\\\nText\n'],
  ['empty paragraphs are none', '<p></p><p>&nbsp;</p><p><b> </b></p><p>x</p>', 'x\n'],
]

for (const [what, html, expected] of cases) test(what, () => assert.equal(markdown(html), expected))

test('pictures, players, forms, scripts and drawings are named', () => {
  const { pictures, embeds, lost, markdown } = htmlToMarkdown(
    `<img src="//a.b/c.png"><img src="data:x"><iframe src="//www.youtube.com/embed/x"></iframe><video><source src="/v.mp4"></video>
     <form><button>Send</button></form><script>x</script><svg><title>t</title></svg>H<sub>2</sub>O <a href="page.html">on</a>`,
  )
  assert.deepEqual(pictures, ['https://a.b/c.png'])
  assert.deepEqual(embeds, ['https://www.youtube.com/embed/x', '/v.mp4'])
  assert.deepEqual(lost.map((one) => translatorOf('en').say(one)).sort(), [
    'A drawing or formula',
    'A form or button',
    'A picture: the export doesn’t include its link',
    'A script',
    'Superscript and subscript (the text is imported)',
    'The target of a link (page.html)',
  ])
  assert.doesNotMatch(markdown, /Send|script/)
})

test('addresses are made whole where it is known what they are relative to', () => {
  const html = '<a href="/about">a</a> <a href="#top">b</a> <img src="i.png">'
  const { markdown, lost } = htmlToMarkdown(html, { base: 'https://site.example/' })
  assert.equal(markdown, '[a](https://site.example/about) [b](#top) ![](https://site.example/i.png)\n')
  assert.deepEqual(lost, [])
})

test('boxes in boxes, deeper than any page has them, end and keep their words', () => {
  for (const tag of ['div', 'b', 'blockquote', 'ul><li', 'table><tr><td', 'span', 'em'])
    assert.match(markdown(`${`<${tag}>`.repeat(20_000)}within`), /within/, tag)
})

test('no HTML, however broken, breaks it, and every visible word is there once more when it is rendered', () => {
  const pieces = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<div>',
      '</div>',
      '<b>',
      '</b>',
      '<i>',
      '</em>',
      '<ul>',
      '<li>',
      '</ul>',
      '<a href="https://a.b">',
      '</a>',
    ],
    ...[
      '<blockquote>',
      '</blockquote>',
      '<pre>',
      '</pre>',
      '<table><tr><td>',
      '</table>',
      '<br>',
      '<hr>',
      '<',
      '&amp;',
      '"',
      '<!--',
      '-->',
    ],
    ...[
      '<h2>',
      '</h2>',
      '<figure>',
      '<img src="https://a.b/c">',
      '*',
      '_',
      '`',
      '\n',
      ' ',
      '<span',
      '<code>',
      '</code>',
      '<sup>',
    ],
  )
  let number = 0
  const word = fc.constant(null).map(() => ` word${number++} `)
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, word), { maxLength: 40 }), (parts) => {
      const html = parts.join('')
      const { text } = renderMarkdown(markdown(html))
      const shown = html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<[a-z/][^>]*(?:>|$)/gi, ' ')
      for (const [one] of shown.matchAll(/word\d+/g)) assert.ok(text.includes(one), `${one} of ${JSON.stringify(html)}`)
    }),
    { numRuns: 2000 },
  )
})
