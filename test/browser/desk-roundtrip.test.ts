import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { build } from 'rolldown'
import { openBrowser } from './browser.ts'
import { openDeskSite } from './desk-site.ts'
import { saved, writerAtDesk } from './desk-writing.ts'
import { trickyDocuments } from './tricky-documents.ts'

/** A text that nobody touched comes back as it was, byte for byte; and where one letter is typed, only that is new. */

const entry = new URL('../../desk/source/editor/codemirror/testing.ts', import.meta.url).pathname
const { output } = await build({ input: entry, write: false, output: { format: 'iife', name: 'desk' } })
const browser = await openBrowser()
after(() => browser.close())

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

/** In the page: a surface of its own for each document. */
const trips = `async (documents) => {
  const found = []
  for (const [index, text] of documents.entries()) {
    const surface = desk.openSurface({ parent: document.body, text, isReadOnly: false, locale: 'en', onText() {}, send() {} })
    const view = desk.EditorView.findFromDOM(document.querySelector('.cm-editor'))
    const untouched = surface.text()
    const at = (index * 7919) % (view.state.doc.length + 1)
    view.focus()
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
    document.execCommand('insertText', false, 'x')
    // What the browser did to the page is read in a microtask.
    await null
    await null
    found.push({ untouched, typed: surface.text() })
    surface.destroy()
  }
  return found
}`

async function takeTrips(documents: readonly string[]): Promise<Trip[]> {
  const page = await browser.newPage()
  await page.addScriptTag({ content: output[0].code })
  const found = await page.evaluate(`(${trips})(${JSON.stringify(documents)})`)
  await page.close()
  return found as Trip[]
}

/** Where exactly is the browser's to say: it types beside, not inside, what a reader sees as one sign. */
function holdAgainst(documents: readonly string[], found: readonly Trip[]): void {
  for (const [index, { untouched, typed }] of found.entries()) {
    const text = documents[index]!
    assert.equal(untouched, text)
    let place = 0
    while (place < text.length && typed[place] === text[place]) place += 1
    assert.equal(typed, `${text.slice(0, place)}x${text.slice(place)}`)
  }
}

test('2,000 generated documents', async () => {
  const documents = fc.sample(anyDocument, { numRuns: 2000, seed: 20_261_115 }).map((text) => text.toWellFormed())
  for (let from = 0; from < documents.length; from += 250) {
    const some = documents.slice(from, from + 250)
    holdAgainst(some, await takeTrips(some))
  }
})

test('50 tricky ones, in the writing surface', async () => {
  assert.ok(trickyDocuments.length >= 50)
  holdAgainst(trickyDocuments, await takeTrips(trickyDocuments))
})

test('50 tricky ones, by way of the whole desk: read, one letter typed, saved', async () => {
  const site = await openDeskSite()
  const { page, go, ask, complaints } = await writerAtDesk(site)
  await go('/desk/edit/pieces/new')
  for (const [index, text] of trickyDocuments.entries()) {
    const begun = await ask('POST', '/pieces', { headline: `Tricky ${index}`, body_md: text })
    assert.equal(begun.status, 201, JSON.stringify(begun.body))
    const { id } = begun.body.piece
    await page.evaluate(
      `history.pushState(null, '', '/desk/edit/pieces/${id}'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await page.getByRole('heading', { level: 1, name: `Tricky ${index}`, exact: true }).waitFor()
    const body = page.getByRole('textbox', { name: 'Text', exact: true })
    // Looking at it changes nothing.
    await body.focus()
    assert.equal((await ask('GET', `/pieces/${id}`)).body.piece['body_md'], text)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('x')
    await page.keyboard.press('Control+s')
    await saved(page)
    assert.equal((await ask('GET', `/pieces/${id}`)).body.piece['body_md'], `x${text}`)
  }
  assert.deepEqual(complaints, [])
})
