import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { build } from 'rolldown'
import { compile } from '../../server/messages/compile.ts'
import { catalogueOf } from '../../server/messages/translator.ts'
import { openBrowser } from './browser.ts'
import { showSigns } from './desk-piece.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** Documents that editors are known to change behind a writer's back. Each has something a reader would see. */
const trickyDocuments: readonly string[] = [
  'Ends with a line feed.\n',
  'Ends with three.\n\n\n',
  '\n\nBegins with two.',
  'Lines end\r\nas on Windows.\r\n',
  'Lines end\ras on an old Mac.\r',
  'Mixed\nendings\r\nof all\rkinds\n\r\n\rhere.',
  'Mostly\r\nWindows\r\nbut one\nis not.\r\n',
  'Hard break by two spaces  \nand on.',
  'Hard break by a backslash\\\nand on.',
  'Trailing spaces   \n   and leading ones   ',
  '\tTabbed first line.\n\t\tTwice.',
  'Tabs\tinside\ta line.',
  '- dash\n* star\n+ plus',
  '-   wide list\n-  narrower\n- narrow',
  '1) one\n2) two',
  '1. one\n1. one again\n7. seven',
  '* * *\n\n---\n\n___\n\n- - -',
  'Setext\n======\n\nSecond\n---',
  '#No space\n\n# One  \n\n## Closed ##',
  '__bold__ **bold** _it_ *it* ***both*** **_mix_**',
  'un*frigging*believable snake_case_word __init__',
  '\\*not emphasis\\* \\# \\\\ \\` 1\\. &amp; &copy; &#x41;',
  '`code` ``co`de`` ``` x `` y ```',
  '```js\nconst a = 1\n\n\n```\n\n~~~\ntilde\n~~~',
  '````\n```\ninner\n```\n````',
  '```\nnever closed',
  '    indented code\n\n        deeper',
  '> quote\nlazy\n> > nested\n>no space',
  '[a](http://x.test "title") [b](<http://x.test/a b>) [c][1]\n\n[1]: http://x.test  \'T\'',
  '![alt *x*](https://x.test/a.png "t") ![](/media/abc)',
  '<https://x.test> https://bare.test www.x.test a@b.test',
  'A note[^1] and another[^long].\n\n[^1]: Here.\n[^long]:\n    Two\n\n    paragraphs.',
  '| a | b |\n|---|:-:|\n| `x\\|y` | **z** |\nno pipes here',
  '- [ ] open\n- [x] done\n- [X] DONE\n- [] neither',
  '<div align="center">\n  <b>HTML</b> stays\n</div>\n\n<!-- a comment -->',
  '<details><summary>More</summary>\n\nText\n\n</details>',
  'Emoji 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇩🇪 👍🏽 ❤️',
  'Composed é and decomposed é, ﬁ ligature, Å Å Å',
  'שלום עולם, hello, مرحبا بالعالم ‏mark‎',
  '日本語。改行\nなし　全角空白',
  'Hard\u00a0space, thin\u2009space, zero\u200bwidth, soft\u00adhyphen, word\u2060joiner',
  '\ufeffA byte order mark first.',
  'Line\u2028separator, paragraph\u2029separator, next\u0085line',
  '“Curly” ‘quotes’ -- --- ... (c) "straight"',
  '$x^2$ and $$\n\\int\n$$ and :::note\nx\n:::',
  '---\ntitle: Front matter\n---\n\nText.',
  '   ',
  '/slash at the start\n/ and alone\n/heading',
  '- a\n\n  b\n\n      code\n- c\n  - d\n\n    e',
  `${'A very long line without an end. '.repeat(400)}`,
  'x'.repeat(20_000),
  [...Array(300).fill('*_'), ...Array(200).fill('['), 'x'].join(''),
].map((text) => (text.trim() === '' ? `${text}.` : text))

/** An untouched text round-trips byte for byte; typing one character changes only that. */

const entry = new URL('../../desk/source/editor/codemirror/testing.ts', import.meta.url).pathname
const { output } = await build({ input: entry, write: false, output: { format: 'iife', name: 'desk' } })
const messages = Object.fromEntries(
  Object.entries(catalogueOf('en'))
    .filter(([id]) => /^desk\.(?:common|editor)\./.test(id))
    .map(([id, message]) => [id, compile(message)]),
)
const browser = await openBrowser()

const fragments = [
  ...['# Heading', '## Two ##', 'Text', '**bold**', '_it_', '`code`', '```', '~~~', '> ', '- ', '* ', '1. ', '3) '],
  ...['[a](http://x.test)', '![b](https://x.test/p.png)', '[^1]', '[^1]: note', '| a | b |', '|---|', '---', '***'],
  ...[
    '\\',
    '\\*',
    '&amp;',
    '<b>',
    '</b>',
    '<!-- c -->',
    '    ',
    '\t',
    '  ',
    ' ',
    '\u00a0',
    '\u200b',
    '\u2028',
    '\ufeff',
  ],
  ...[
    'é',
    'e\u0301',
    '👩‍👩‍👧',
    '🏴',
    'שלום',
    '日本',
    '“',
    '/',
    '[ ]',
    '[x]',
    ':',
    '|',
    '*',
    '_',
    '~~',
    'https://x.test/a_b',
  ],
]
const endings = ['\n', '\n\n', '\r\n', '\r\n\r\n', '\r', '  \n', '\\\n', '\n\r\n\r']
const anyDocument = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, fc.constantFrom(...endings), fc.string()), {
    minLength: 1,
    maxLength: 60,
  })
  .map((parts) => parts.join('').replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, ''))

interface Trip {
  readonly untouched: string
  readonly typed: string
}

/** In the page: one editor for each document. */
const trips = `async (documents, isHidingSigns) => {
  const found = []
  for (const [index, text] of documents.entries()) {
    const editor = desk.createMarkdownEditor({ parent: document.body, text, isReadOnly: false, locale: 'en', isHidingSigns, onText() {}, onFocus() {}, upload() {} })
    const view = desk.EditorView.findFromDOM(document.querySelector('.cm-editor'))
    const untouched = editor.text()
    const at = (index * 7919) % (view.state.doc.length + 1)
    view.focus()
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
    document.execCommand('insertText', false, 'x')
    // What the browser did to the page is read in a microtask.
    await null
    await null
    found.push({ untouched, typed: editor.text() })
    editor.destroy()
  }
  return found
}`

async function takeTrips(documents: readonly string[], isHidingSigns: boolean): Promise<Trip[]> {
  const page = await browser.newPage()
  await page.addScriptTag({ content: output[0].code })
  await page.evaluate(`desk.addMessages(${JSON.stringify(messages)})`)
  const found = await page.evaluate(`(${trips})(${JSON.stringify(documents)}, ${isHidingSigns})`)
  await page.close()
  return found as Trip[]
}

/**
 * The browser decides where exactly: it types beside a grapheme, not inside it. Where signs are hidden, italic words that get
 * a character beside them are marked by the sign that works there.
 */
function holdAgainst(documents: readonly string[], found: readonly Trip[], isHidingSigns: boolean): void {
  const plain = (text: string) => (isHidingSigns ? text.replaceAll('_', '*') : text)
  for (const [index, trip] of found.entries()) {
    assert.equal(trip.untouched, documents[index])
    const [text, typed] = [plain(documents[index]!), plain(trip.typed)]
    let place = 0
    while (place < text.length && typed[place] === text[place]) place += 1
    assert.equal(typed, `${text.slice(0, place)}x${text.slice(place)}`)
  }
}

for (const isHidingSigns of [true, false]) {
  const how = isHidingSigns ? 'signs are hidden' : 'signs are shown'

  test(`2,000 generated documents, while ${how}`, async () => {
    const documents = fc.sample(anyDocument, { numRuns: 2000, seed: 20_261_115 }).map((text) => text.toWellFormed())
    for (let from = 0; from < documents.length; from += 250) {
      const some = documents.slice(from, from + 250)
      holdAgainst(some, await takeTrips(some, isHidingSigns), isHidingSigns)
    }
  })

  test(`50 tricky ones, in the writing surface, while ${how}`, async () => {
    assert.ok(trickyDocuments.length >= 50)
    holdAgainst(trickyDocuments, await takeTrips(trickyDocuments, isHidingSigns), isHidingSigns)
  })
}

test('50 tricky ones, by way of the whole desk: read, one letter typed, saved', async () => {
  const site = await openDeskSite()
  const { page, context, go, ask, begin } = await writerAtDesk(site)
  await showSigns(context)
  await go('/desk/edit/pieces/new')
  for (const [index, text] of trickyDocuments.entries()) {
    const id = await begin(`Tricky ${index}`, text)
    await page.evaluate(
      `history.pushState(null, '', '/desk/edit/pieces/${id}'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await page.getByRole('heading', { level: 1, name: `Tricky ${index}`, exact: true }).waitFor()
    const body = page.getByRole('textbox', { name: 'Text', exact: true })
    // Looking at it changes nothing.
    await body.focus()
    assert.equal((await ask('GET', `/pieces/${id}`)).piece.body_md, text)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('x')
    await page.keyboard.press('Control+s')
    await saved(page)
    // The first place of a table is in its first cell.
    const typed = text.startsWith('| a') ? text.replace('a', 'xa') : `x${text}`
    assert.equal((await ask('GET', `/pieces/${id}`)).piece.body_md, typed)
  }
})
