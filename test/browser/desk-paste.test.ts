import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeskSite } from './desk-site.ts'
import { saved, writerAtDesk } from './desk-writing.ts'
import { samples } from './paste-samples.ts'

/** What other programs copied becomes clean Markdown, under the desk's own policy and in the real editor. */

const site = await openDeskSite()
const { page, go, ask, complaints } = await writerAtDesk(site)
await go('/desk/edit/pieces/new')
const text = page.getByRole('textbox', { name: 'Text', exact: true })

/** What is in the text after this was pasted over everything; nothing of it is saved before the end. */
async function pasted(clipboard: Record<string, string>): Promise<string> {
  await text.focus()
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
  return String((await ask('GET', `/pieces/${id}`)).body.piece['body_md'])
}

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
  // Putting such HTML on the clipboard is what the policy minds; no page of the desk does.
  complaints.length = 0
  for (const [keys, expected] of [
    ['Control+v', 'This is **bold**.'],
    ['Control+Shift+v', 'This is plain.'],
  ] as const) {
    await text.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press(keys)
    await page.locator('.cm-line').filter({ hasText: expected }).waitFor()
  }
  assert.deepEqual(complaints, [])
})
