import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { until } from './browser.ts'
import { pieceOpener } from './desk-piece.ts'
import { openDeskSite, writerAtDesk } from './desk-site.ts'

/** Writing and formatting with the keys and the clipboard. */

const site = await openDeskSite()
const visitor = await writerAtDesk(site)
const { page } = visitor
const opened = pieceOpener(visitor)

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

const paste = (clipboard: Record<string, string>) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    for (const [type, value] of Object.entries(${JSON.stringify(clipboard)})) data.setData(type, value)
    document.querySelector('.cm-content')
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)

test('what is typed after a picture was inserted is below the picture', async () => {
  const text = await opened('Before.')
  const background = { r: 40, g: 90, b: 140 }
  const bytes = await sharp({ create: { width: 64, height: 36, channels: 3, background } })
    .png()
    .toBuffer()
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.type(' /pict')
  await page.getByRole('option', { name: /Picture/ }).waitFor()
  await press('Enter')
  await (await chooser).setFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: bytes })
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await page.getByLabel('Alt text').fill('A harbour')
  await press('Enter')
  await page.locator('.md-picture img').waitFor()
  await page.keyboard.type('After.')
  assert.match(String(await text()), /^Before\. ?\n\n!\[A harbour\]\(\/media\/[\w-]+\)\n\nAfter\.$/)
})

test('Ctrl and / show the shortcuts while writing, and comment nothing out', async () => {
  const text = await opened('Tea.')
  await press('Control+/')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByText('Bold').waitFor()
  await press('Escape')
  await list.waitFor({ state: 'hidden' })
  await press('Shift+Alt+a')
  assert.doesNotMatch(String(await text()), /<!--/)
})

test('Tab goes through the cells of a table and makes a row at its end; in a paragraph it leaves the text', async () => {
  const text = await opened('Tea.')
  await press('Enter')
  await page.keyboard.type('/table')
  await page.getByRole('option', { name: /Table/ }).waitFor()
  await press('Enter')
  await page.locator('.md-cell:focus').waitFor()
  for (const word of ['Leaf', 'Minutes', 'Grams', 'Sencha', '2', '3', 'Assam']) {
    await page.keyboard.type(word)
    await press('Tab')
  }
  await press('Shift+Tab', 'Shift+Tab')
  await page.keyboard.type('!')
  assert.equal(
    await text(),
    'Tea.\n\n| Leaf | Minutes | Grams |\n| --- | --- | --- |\n| Sencha | 2 | 3! |\n| Assam |  |  |',
  )
  await press('Escape', 'Control+Home', 'Tab')
  assert.equal(await page.evaluate("document.activeElement?.closest('.cm-content') === null"), true)
})

/** Also in the first line and in the last one of a long text. */
const isMenuSeen = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
  document.querySelector('.cm-tooltip-autocomplete').getBoundingClientRect())`

test('within a sentence / adds a footnote, and every entry of the menu is on the screen', async () => {
  const text = await opened('Tea is old.')
  await page.keyboard.type(' Very /')
  const options = page.getByRole('option')
  await options.first().waitFor()
  assert.equal(await options.count(), 12)
  await until(page, isMenuSeen)
  const list = (await page.getByRole('listbox').boundingBox())!
  const last = (await options.last().boundingBox())!
  assert.ok(last.y + last.height <= list.y + list.height + 1, 'the last entry has to be scrolled to')
  await page.keyboard.type('footn')
  await until(page, "document.querySelectorAll('[role=option]').length === 1")
  await press('Enter')
  await page.locator('.md-note textarea:focus').waitFor()
  await page.keyboard.type('Ask China.')
  assert.equal(await text(), 'Tea is old. Very [^1]\n\n[^1]: Ask China.')
})

test('the menu is seen at the end of a long text', async () => {
  await opened('A paragraph.\n\n'.repeat(40))
  await page.keyboard.type('/')
  await page.getByRole('option').first().waitFor()
  await until(page, isMenuSeen)
})

test('in a low window the last entry of the menu is reached by the arrow keys', async () => {
  await opened('Tea.')
  await page.setViewportSize({ width: 390, height: 420 })
  await page.keyboard.type(' /')
  await page.getByRole('option').first().waitFor()
  await press('ArrowUp')
  const chosen = page.locator('[role=option][aria-selected]')
  await chosen.filter({ hasText: 'Footnote' }).waitFor()
  await until(
    page,
    "(({ top, bottom }) => top >= 0 && bottom <= 420)(document.querySelector('[aria-selected]').getBoundingClientRect())",
  )
  await page.setViewportSize({ width: 1280, height: 860 })
})

test('an address pasted over words makes a link of them, and over an address replaces it', async () => {
  const text = await opened('See the tea page')
  await press('Control+Shift+ArrowLeft', 'Control+Shift+ArrowLeft')
  const address = 'https://example.org/tea_(drink)'
  await paste({ 'text/plain': address, 'text/html': `<a href="${address}">${address}</a>` })
  assert.equal(await text(), `See the [tea page](${address})`)
  await press('Control+a')
  await page.keyboard.type('https://old.example/')
  await press('Control+a')
  await paste({ 'text/plain': address })
  assert.equal(await text(), address)
})

test('bold and italic over two paragraphs mark each, and the second time take the marks away', async () => {
  const text = await opened('One.\n\nTwo.')
  await press('Control+a', 'Control+b')
  assert.equal(await text(), '**One.**\n\n**Two.**')
  await press('Control+a', 'Control+b')
  assert.equal(await text(), 'One.\n\nTwo.')
  await press('Control+a')
  await page.keyboard.type('*one*')
  await press('Control+a', 'Control+i')
  assert.equal(await text(), 'one')
})

test('brackets look like a link only where they are one', async () => {
  await opened(
    'He wrote [sic] that. See [a](/b), [here][1], [Here] and[^1].\n\n[1]: /one\n[here]: /two\n\n[^1]: A note.',
  )
  await press('Control+End')
  assert.deepEqual(await page.locator('.cm-line').first().locator('.md-link').allTextContents(), [
    'a',
    '[here][1]',
    '[Here]',
    '[^1]',
  ])
})

const wordMention = (name: string, number: string) =>
  `<a style='mso-footnote-id:ftn${name}' href="#_ftn${name}" name="_ftnref${name}" title=""><span class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference><span style='font-size:12.0pt'>${number}</span></span><![endif]></span></span></a>`
const wordNote = (name: string, number: string, words: string) =>
  `<div style='mso-element:footnote' id=ftn${name}><p class=MsoFootnoteText><a style='mso-footnote-id:ftn${name}' href="#_ftnref${name}" name="_ftn${name}" title=""><span class=MsoFootnoteReference><span style='mso-special-character:footnote'><![if !supportFootnotes]><span>${number}</span><![endif]></span></span></a> ${words}</p></div>`

test('footnotes of Word become footnotes with the next free numbers, at the end of the text', async () => {
  const text = await opened('Old[^1] and \n\nEnd.\n\n[^1]: First.')
  await press('Control+Home', 'End')
  await paste({
    'text/plain': 'Tea[1] is old[2].',
    'text/html': `<html xmlns:w="urn:schemas-microsoft-com:office:word"><body><!--StartFragment--><p class=MsoNormal>Tea${wordMention('1', '[1]')} is <b>old</b>${wordMention('2', '[2]')}${wordMention('3', '[3]')}.</p>
<div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]>
${wordNote('1', '[1]', 'From <i>China</i>.')}${wordNote('2', '[2]', 'Very.</p><p class=MsoFootnoteText>Indeed.')}${wordNote('3', '[3]', 'So.')}</div><!--EndFragment--></body></html>`,
  })
  await page.keyboard.type(' Yes.')
  assert.equal(
    await text(),
    'Old[^1] and Tea[^2] is **old**[^3][^4]. Yes.\n\nEnd.\n\n[^1]: First.\n\n[^2]: From *China*.\n\n[^3]: Very.\n\n    Indeed.\n\n[^4]: So.',
  )
})

test('footnotes of a page that Google Docs has made become footnotes', async () => {
  const text = await opened('x')
  await press('Control+a')
  await paste({
    'text/plain': 'Tea[1].',
    'text/html': `<html><body class="c3 doc-content"><p class="c1"><span class="c0">Tea</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span class="c0">.</span></p><hr class="c5"><div><p class="c4"><a href="#ftnt_ref1" id="ftnt1">[1]</a><span class="c2">&nbsp;From China.</span></p></div></body></html>`,
  })
  assert.equal(await text(), 'Tea[^1].\n\n[^1]: From China.')
})
