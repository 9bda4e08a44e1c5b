import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { screenshot } from './browser.ts'
import { pieceOpener, showSigns, textOf } from './desk-piece.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** What the editor does with typed text, and how it is laid out. */

const site = await openDeskSite()
const visitor = await writerAtDesk(site)
const { page, go, ask, complaints } = visitor
await showSigns(visitor.context)
const opened = pieceOpener(visitor)
const body = textOf(page)

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('paragraphs, lists, line breaks and links are written by the keys a writer tries', async () => {
  const text = await opened('Tea.')
  await press('Enter')
  await page.keyboard.type('- a')
  await press('Enter')
  await page.keyboard.type('b')
  await press('Enter', 'Enter')
  await page.keyboard.type('after')
  await press('Shift+Enter')
  await page.keyboard.type('See ')
  await press('Control+k')
  await page.keyboard.type('this')
  await press('Tab')
  await page.keyboard.type('https://example.org/tea')
  await press('Enter')
  await page.keyboard.type('.')
  await press('Enter', 'Control+z')
  assert.equal(await text(), 'Tea.\n\n- a\n- b\n\nafter\\\nSee [this](https://example.org/tea).')
})

test('the slash menu is below the headline even at the foot of a low window, and inserts what is chosen', async () => {
  const text = await opened('Tea.')
  await page.setViewportSize({ width: 1280, height: 420 })
  await press('Enter')
  await page.keyboard.type('/')
  const list = page.getByRole('listbox')
  await list.waitFor()
  const headline = (await page.getByRole('textbox', { name: 'Headline' }).boundingBox())!
  const low = (await page.locator('.cm-tooltip-autocomplete').boundingBox())!
  assert.ok(low.y >= headline.y + headline.height, `${low.y} is above the foot of the headline`)
  assert.ok(low.y + low.height <= 420, `${low.y + low.height} is outside the window`)

  await page.setViewportSize({ width: 1280, height: 860 })
  await press('Backspace')
  await page.keyboard.type('/')
  await list.waitFor()
  await screenshot(page, 'editor-slash-menu')
  await page.keyboard.type('code')
  await page.getByRole('option', { name: /Code/ }).waitFor()
  await press('Enter')
  await page.keyboard.type('brew()')
  assert.equal(await text(), 'Tea.\n\n```\nbrew()\n```')
})

test('a headline is seen to its last descender when it is opened again', async () => {
  await opened('Tea.', 'Why gypsy jugglers enjoy quietly sipping jasmine tea by day')
  const cut = await page.evaluate(`(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(
    document.querySelector('[aria-label=Headline]'))`)
  assert.equal(cut, 0)
})

test('an empty sheet asks quietly: its placeholders are lighter than words, and publishing waits for some', async () => {
  await go('/desk/edit/pieces/new')
  const standfirst = page.getByPlaceholder('Standfirst: a sentence or two to draw readers in')
  const colours = `(() => {
    const area = document.querySelector('[aria-label=Standfirst]')
    return [getComputedStyle(area, '::placeholder').color, getComputedStyle(area).color]
  })()`
  await standfirst.waitFor()
  const [faint, ink] = (await page.evaluate(colours)) as string[]
  assert.notEqual(faint, ink)
  const ground = () =>
    page.evaluate("getComputedStyle([...document.querySelectorAll('header button')].at(-1)).backgroundColor")
  const quiet = await ground()
  await page.getByRole('textbox', { name: 'Headline' }).fill('On tea')
  assert.notEqual(await ground(), quiet)
})

/** Clipboard contents as common writing programs produce them, and the Markdown they should become. */
interface Sample {
  readonly name: string
  readonly html: string
  readonly markdown: string
}

const word = (
  body: string,
) => `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm; font-size:12.0pt;} --></style></head>
<body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->${body}<!--EndFragment--></body></html>`

const docs = (body: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1f0a7c3e-7fff-9a">${body}</b><br class="Apple-interchange-newline">`

const docsSpan = (style: string, text: string) =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;${style};font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre;white-space:pre-wrap;">${text}</span>`

const plain = 'font-weight:400;font-style:normal'

const samples: readonly Sample[] = [
  {
    name: 'Word: paragraphs, a heading, bold and italic',
    html: word(`<h1><span lang=EN-GB>On tea<o:p></o:p></span></h1>
<p class=MsoNormal><span lang=EN-GB>Tea is <b>slow</b>, and<span style='mso-spacerun:yes'>  </span>that is <i
style='mso-bidi-font-style:normal'>the point</i>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoNormal>The end.</p>`),
    markdown: '# On tea\n\nTea is **slow**, and that is *the point*.\n\nThe end.',
  },
  {
    name: 'Word: lists that are paragraphs, nested and numbered',
    html: word(`<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Kettle</p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><![endif]>Copper</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>Cup</p>
<p class=MsoNormal>Then:</p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><![endif]>Boil</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>2.<span>&nbsp;&nbsp; </span></span><![endif]>Wait</p>`),
    markdown: '- Kettle\n  - Copper\n- Cup\n\nThen:\n\n1. Boil\n2. Wait',
  },
  {
    name: 'Word: a list that begins deeper than it goes on',
    html: word(`<p class=MsoListParagraph style='mso-list:l0 level2 lfo1'>Copper</p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'>Cup</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'>Spoon</p>`),
    markdown: '- Copper\n- Cup\n- Spoon',
  },
  {
    name: 'a web page: bold terms, and a picture within a line',
    html: `<dl><dt><b>Tea</b></dt><dd>A drink.</dd></dl><p>See <picture><source srcset="/c.webp"><img src="https://a.b/c.png" alt="C"></picture> here.</p>`,
    markdown: '**Tea**\n\nA drink.\n\nSee ![C](https://a.b/c.png) here.',
  },
  {
    name: 'Word: a table',
    html: word(`<table class=MsoTableGrid border=1><tr><td><p class=MsoNormal><b>Leaf<o:p></o:p></b></p></td><td><p class=MsoNormal>Minutes</p></td></tr>
<tr><td><p class=MsoNormal>Sencha</p></td><td><p class=MsoNormal>2 | 3</p></td></tr></table>`),
    markdown: '| **Leaf** | Minutes |\n| --- | --- |\n| Sencha | 2 \\| 3 |\n\n',
  },
  {
    name: 'Google Docs: bold by weight inside a <b> that is not bold',
    html: docs(
      `<p dir="ltr" style="line-height:1.38;margin-top:0pt;">${docsSpan(plain, 'Tea is ')}${docsSpan('font-weight:700;font-style:normal', 'slow')}${docsSpan(plain, ', and ')}${docsSpan('font-weight:400;font-style:italic', 'that')}${docsSpan(plain, ' is it.')}</p><br /><p dir="ltr">${docsSpan(plain, 'The end.')}</p>`,
    ),
    markdown: 'Tea is **slow**, and *that* is it.\n\nThe end.',
  },
  {
    name: 'Google Docs: a heading, a list with one inside, a link by a detour',
    html: docs(
      `<h2 dir="ltr">${docsSpan('font-weight:700', 'What you need')}</h2><ul style="margin-top:0;"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${docsSpan(plain, 'A kettle')}</p></li><ul><li dir="ltr" aria-level="2"><p role="presentation">${docsSpan(plain, 'of copper')}</p></li></ul><li aria-level="1"><p role="presentation"><a href="https://www.google.com/url?q=https://example.org/cups&amp;sa=D" style="text-decoration:none;">${docsSpan(plain, 'A cup')}</a></p></li></ul>`,
    ),
    markdown: '## What you need\n\n- A kettle\n  - of copper\n- [A cup](https://example.org/cups)',
  },
  {
    name: 'a web page: quote, code, picture with a caption, rule',
    html: `<article><blockquote><p>Slow is smooth.</p><p>Smooth is fast.</p></blockquote>
<pre class="highlight"><code class="language-js">const tea = 1

brew(tea)
</code></pre>
<figure><img src="https://example.org/a_(b).jpg" alt="A pot"><figcaption>The old pot</figcaption></figure><hr>
<p>Use <code>brew()</code> or <kbd>Ctrl</kbd>.</p><script>alert(1)</script><p style="display:none">gone</p></article>`,
    markdown:
      '> Slow is smooth.\n>\n> Smooth is fast.\n\n```js\nconst tea = 1\n\nbrew(tea)\n```\n\n![A pot](https://example.org/a_(b).jpg "The old pot")\n\n---\n\nUse `brew()` or `Ctrl`.',
  },
  {
    name: 'marks that share words, and spaces beside them',
    html: '<p><strong>All <em>of it </em></strong><em> and more</em> <del>not this</del>, un<b>believ</b>able.</p>',
    markdown: '**All *of it*** *and more* ~~not this~~, un**believ**able.',
  },
  {
    name: 'signs that would be marks are kept as signs',
    html: '<p>2 * 3 * 4, snake_case and _so_, [1](2), &lt;b&gt;, <i>a</i></p><p># not a heading</p><p>1. not a list</p><p>- nor this</p>',
    markdown:
      '2 \\* 3 \\* 4, snake_case and \\_so\\_, \\[1](2), \\<b>, *a*\n\n\\# not a heading\n\n1\\. not a list\n\n\\- nor this',
  },
  {
    name: 'a list of tasks, and one whose items are long',
    html: '<ul class="contains-task-list"><li><input type="checkbox" checked disabled> Boil</li><li><input type="checkbox" disabled> Wait</li></ul><ol start="3"><li><p>One.</p><p>And more.</p></li><li><p>Two.</p></li></ol>',
    markdown: '- [x] Boil\n- [ ] Wait\n\n3. One.\n\n   And more.\n\n4. Two.',
  },
  {
    name: 'lines that were broken on purpose, and two breaks for a paragraph',
    html: '<div>Roses are <b>red</b>,<br>violets are blue.<br><br>The end.</div>',
    markdown: 'Roses are **red**,\\\nviolets are blue.\n\nThe end.',
  },
  {
    name: 'links that go nowhere a reader can follow are text',
    html: '<p onmouseover="x()" title="a > b style=c"><a href="javascript:alert(1)">One</a>, <a href="/here">two</a>, <a href="mailto:a@b.test">three</a>, <a href="https://a.test/">https://a.test/</a></p>',
    markdown: 'One, two, [three](mailto:a@b.test), <https://a.test/>',
  },
  {
    name: 'a table of a web page, with its sides',
    html: '<table><thead><tr><th>Leaf</th><th align="right">Grams</th></tr></thead><tbody><tr><td><a href="https://x.test">Sencha</a></td><td style="text-align:right">5</td></tr></tbody></table>',
    markdown: '| Leaf | Grams |\n| --- | ---: |\n| [Sencha](https://x.test) | 5 |\n\n',
  },
  {
    name: 'Apple Pages and mail: divs in divs, hard spaces, an empty line',
    html: '<div><div style="font-weight: bold">Dear reader,</div><div><br></div><div>&nbsp;this is&nbsp; all.</div></div>',
    markdown: '**Dear reader,**\n\nthis is all.',
  },
]

/** The text after pasting this over everything; nothing is saved before the end. */
async function pasted(clipboard: Record<string, string>): Promise<string> {
  await body.focus()
  await page.keyboard.press('Control+a')
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    for (const [type, value] of Object.entries(${JSON.stringify(clipboard)})) data.setData(type, value)
    document.querySelector('.cm-content')
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)
  await page.keyboard.press('Control+s')
  await saved(page)
  const id = /pieces\/([\da-f-]{36})/.exec(page.url())![1]
  return (await ask('GET', `/pieces/${id}`)).piece.body_md
}

/** Text copied from other programs becomes clean Markdown in the real editor, under the desk's own CSP. */

describe('what is pasted', () => {
  before(() => go('/desk/edit/pieces/new'))

  for (const { name, html, markdown } of samples) {
    test(name, async () => {
      assert.equal(await pasted({ 'text/html': html, 'text/plain': 'plain' }), markdown)
    })
  }

  test('text that HTML only paints stays as it is', async () => {
    const plain = '# A *heading*\n\n- as typed'
    assert.equal(await pasted({ 'text/plain': plain }), plain)
    const painted =
      '<meta charset="utf-8"><div style="color: #333; white-space: pre;"><span style="font-weight: bold"># A</span></div>'
    assert.equal(await pasted({ 'text/html': painted, 'text/plain': plain }), plain)
  })

  test('and the policy had nothing to say', () => {
    assert.deepEqual(complaints, [])
  })

  test('from the real clipboard: as Markdown, or with Shift as plain text', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.base })
    await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
    'text/html': new Blob(['<p onclick="x()">This is <b style="color: red">bold</b>.</p>'], { type: 'text/html' }),
    'text/plain': new Blob(['This is plain.'], { type: 'text/plain' }),
  })])`)
    // The CSP objects to putting such HTML on the clipboard, which no page of the desk does.
    complaints.length = 0
    for (const [keys, expected] of [
      ['Control+v', 'This is **bold**.'],
      ['Control+Shift+v', 'This is plain.'],
    ] as const) {
      await body.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press(keys)
      await page.locator('.cm-line').filter({ hasText: expected }).waitFor()
    }
  })
})
