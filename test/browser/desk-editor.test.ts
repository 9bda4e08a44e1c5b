import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { makeKey } from '../../testkit/factories.ts'
import { until } from '../../testkit/waiting.ts'
import { watchRequests } from './browser.ts'
import { showSigns } from './desk-piece.ts'
import { chooseCategory, openDeskSite, pressUntil, saved, writerAtDesk } from './desk-site.ts'

const site = await openDeskSite()

const written = `Tea is **slow**, and _that_ is [the point](https://example.org/tea).

## What you need

- A kettle, better one of copper that has seen some years and keeps its warmth
  - with a lid
- A cup

1. Boil
2. Wait

> Slow is smooth.

\`\`\`js
brew()
\`\`\`

---

The end, with \`code\`.`

test('Markdown is dressed as it is written, and its marks are gone from the lines that are left', async () => {
  const { page, context, go, look, ask, begin } = await writerAtDesk(site)
  await showSigns(context)
  await go('/desk/edit/pieces/new')
  await look('editor-new')
  const id = await begin('In praise of slow tea', written, { sub: 'A short defence of the long steep.' })
  await go(`/desk/edit/pieces/${id}`)
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  assert.equal(await text.locator('.cm-line').first().textContent(), 'Tea is slow, and that is the point.')
  await look('editor-written')
  await text.focus()
  await page.keyboard.press('Control+Home')
  assert.match((await text.locator('.cm-line').first().textContent()) ?? '', /^Tea is \*\*slow\*\*/)

  await page.keyboard.type('/')
  await page.getByRole('listbox').waitFor()
  await look('editor-slash')
  await text.focus()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/quo')
  await page.getByRole('option', { name: /Quote/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Said she')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Control+s')
  await saved(page)
  const { piece: now } = await ask('GET', `/pieces/${id}`)
  assert.equal(now['body_md'], `${written}\n\n> **Said she**`)
})

test('details go with the piece; half an address and a headline that is too long hold up nothing else', async () => {
  const { page, go, look, ask, begin } = await writerAtDesk(site)
  const id = await begin('On tea', 'Tea.')
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByLabel('Category').selectOption('culture')
  await page.getByLabel('Tags', { exact: true }).fill('tea')
  await page.keyboard.press('Enter')
  await page.getByLabel('Tags', { exact: true }).fill('books, war')
  await page.getByLabel('First published at').fill('https:')
  await page.getByLabel('Language').fill('en-GB')
  await page.getByText('Enter a full web address, starting with https://.').waitFor()
  await look('editor-details')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('“https:” isn’t a full web address, so it wasn’t saved.').waitFor()
  await page.getByRole('textbox', { name: 'Headline' }).fill('x'.repeat(203))
  await page.getByText('3 characters too long', { exact: true }).waitFor()
  await page.getByText('Headline not saved: 3 characters too long.').first().waitFor()
  const { piece } = await ask('GET', `/pieces/${id}`)
  assert.deepEqual(
    [piece['headline'], piece['category'], piece['tags'], piece['locale'], piece['external_url']],
    ['On tea', 'culture', ['tea', 'books', 'war'], 'en-GB', null],
  )
})

test('a piece goes from the first word to its public page, is updated and unpublished', async () => {
  const { page, go, look, writer } = await writerAtDesk(site)
  await go('/desk/edit/pieces/new')
  await page.keyboard.type('On slow tea')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A defence.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Tea takes four minutes.')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  const frame = page.frameLocator('iframe')
  await frame.getByText('Tea takes four minutes.').waitFor()
  assert.equal(await frame.getByRole('link').count(), 0, 'a link of the preview leads away from the decision')
  await look('publishing-draft')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('Here’s your link.').waitFor()
  await chooseCategory(page, 'Life')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  await look('publishing-done')
  const address = `${site.base}/author/${writer.slug}/on-slow-tea`
  assert.equal(await page.getByRole('link', { name: /on-slow-tea/ }).getAttribute('href'), address)
  const reader = await site.visit()
  const read = async () => {
    await reader.page.goto(address)
    return (await reader.page.locator('body').textContent()) ?? ''
  }
  assert.match(await read(), /Tea takes four minutes\./)
  const feed = await reader.context.request.get(`${site.base}/author/${writer.slug}/feed.json`)
  assert.match(await feed.text(), /on-slow-tea/)

  await page.getByRole('link', { name: 'Back to editor' }).click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Or five.')
  await saved(page)
  assert.doesNotMatch(await read(), /Or five/)
  await page.getByText(/· Unpublished changes ·/).waitFor()
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Update published' }).waitFor()
  assert.match(await read(), /Or five/)

  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('heading', { level: 1, name: 'Unpublished', exact: true }).waitFor()
  await page.getByText('Readers can no longer see it. 1 private link still works.').waitFor()
  assert.equal((await reader.context.request.get(address)).status(), 404)
})

test('a draft that came by key is revised and published; the history says who wrote what, and gives it back', async () => {
  const { page, go, look, ask, writer, context } = await writerAtDesk(site)
  const { key } = await makeKey(site.admin, writer)
  const posted = await context.request.post(`${site.base}/api/v1/pieces`, {
    headers: { authorization: `Bearer ${key}` },
    data: { headline: 'By a machine', body_md: 'The first paragraph.\n\nTea takes two minutes.\n\nThe end.' },
  })
  assert.equal(posted.status(), 201)
  const { id } = await posted.json()
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('textbox', { name: 'Headline' }).fill('By a person')
  const body = page.getByRole('textbox', { name: 'Text', exact: true })
  await body.getByText('Tea takes two minutes.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' No: four.')
  await page.keyboard.press('Control+s')
  await saved(page)

  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
  await page.getByText('No: four.').waitFor()
  await look('history')
  assert.equal(await page.locator('ins').filter({ hasText: 'No: four.' }).count(), 1)
  await page.getByRole('button', { name: /^API key “/ }).click()
  await page.getByText(/^Written by “.+”$/).waitFor()
  await page.getByRole('button', { name: 'Name this version' }).click()
  await page.getByRole('textbox', { name: 'Version name' }).fill('What the machine wrote')
  await look('history-naming')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^API key “.*What the machine wrote/ }).waitFor()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await page.getByRole('heading', { level: 1, name: 'By a machine' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  await chooseCategory(page, 'Life')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.status, 'approved')
})

test('by keyboard alone: written, shown privately, published, and what was seen is what is published', async () => {
  const { page, go, ask } = await writerAtDesk(site)
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await go('/desk/edit/pieces/new')
  await page.keyboard.type('Keys only')
  await press('Enter', 'Enter')
  await page.keyboard.type('- one')
  await press('Enter', 'Tab')
  await page.keyboard.type('inner')
  await press('Control+s')
  await saved(page)
  // Tab moves an item of a list; after Escape it leaves the text.
  await press('Escape', 'Tab')
  assert.equal(await page.evaluate("document.activeElement?.closest('.cm-editor') === null"), true)
  await press('Control+Enter')
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  const id = /pieces\/([\da-f-]{36})/.exec(page.url())![1]
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.body_md, '- one\n  - inner')
  await pressUntil(page, 'Tab', 'Create link')
  await press('Enter')
  await page.getByText('Here’s your link. Copy it now: you won’t see it again.').waitFor()
  const link = (await page.locator('code').textContent()) ?? ''
  const reader = await site.visit()
  await reader.page.goto(link)
  await reader.page.getByRole('article').getByText('inner').waitFor()

  await pressUntil(page, 'Tab', 'Building')
  await press('Space')
  await page.getByRole('button', { name: 'Publish', exact: true, disabled: false }).waitFor()
  // Another device saves in between: a version the writer has not seen is not published.
  await ask('PATCH', `/pieces/${id}`, { body_md: 'Changed by another.' })
  await press('Control+Enter')
  await page.getByText('This piece was edited while this page was open.').waitFor()
  await page.frameLocator('iframe').getByText('Changed by another.').waitFor()
  await pressUntil(page, 'Tab', 'Publish')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
})

test('a picture is dropped, described and put into the text; it is seen by readers once the piece is public', async () => {
  const { page, go, look, ask, begin } = await writerAtDesk(site)
  const id = await begin('A harbour', 'Before.\n\nAfter.')
  await go(`/desk/edit/pieces/${id}`)
  const background = { r: 40, g: 90, b: 140 }
  const bytes = await sharp({ create: { width: 640, height: 360, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const drop = (name: string, base64: string) =>
    page.evaluate(`(() => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob('${base64}'), (sign) => sign.charCodeAt(0))
      data.items.add(new File([bytes], '${name}', { type: 'image/jpeg' }))
      const line = document.querySelector('.cm-line')
      const { left, top } = line.getBoundingClientRect()
      line.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, clientX: left + 2, clientY: top + 2 }))
    })()`)
  await drop('harbour.jpg', bytes.toString('base64'))
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await look('editor-picture-card')
  const question = page.getByRole('dialog', { name: 'Picture not inserted yet' })
  await page.getByRole('link', { name: 'Pieces' }).click()
  await question.getByRole('button', { name: 'Leave without it' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await question.getByRole('button', { name: 'Publish without it' }).waitFor()
  await look('editor-picture-question')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.md-upload input:focus').waitFor()
  assert.equal(page.url(), `${site.base}/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Insert', exact: true }).click()
  await page.getByText('Add alt text, or mark the picture as decorative.').waitFor()
  await page.getByLabel('Alt text').fill('A harbour at dusk')
  await page.keyboard.press('Enter')
  await page.locator('.md-picture img').waitFor()
  await page.keyboard.press('Control+s')
  await saved(page)
  await look('editor-picture')
  assert.match(
    (await ask('GET', `/pieces/${id}`)).piece.body_md,
    /^Before\.\n\n!\[A harbour at dusk\]\(\/media\/[\w-]+\)\n\nAfter\.$/,
  )

  await drop('broken.jpg', Buffer.from('not a picture').toString('base64'))
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  assert.equal(await page.locator('.md-upload').count(), 0)

  await drop('again.jpg', bytes.toString('base64'))
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await question.getByRole('button', { name: 'Publish without it' }).click()
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  const reader = await site.visit()
  await reader.page.goto((await ask('GET', `/pieces/${id}`)).piece.url)
  const image = reader.page.getByRole('img', { name: 'A harbour at dusk' })
  await image.waitFor()
  // It is loaded when it comes into view.
  type Image = { decode(): Promise<void>; naturalWidth: number }
  const width = await image.evaluate(async (element) => {
    await (element as unknown as Image).decode()
    return (element as unknown as Image).naturalWidth
  })
  assert.ok(width > 0)
})

test('the first load of the editor is at most 320 kB of script, gzipped', async () => {
  const { page, go, devtools } = await writerAtDesk(site)
  const sizes = new Map<string, number>()
  const scripts = new Map<string, string>()
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type !== 'Script') return
    scripts.set(requestId, response.headers['content-encoding'] ?? response.headers['Content-Encoding'] ?? 'none')
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
  const answered = watchRequests(page)
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  await go('/desk/edit/pieces/new')
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
  await answered()
  await until(() => [...scripts.keys()].every((id) => sizes.has(id)), 'every script has come whole')
  const total = [...scripts.keys()].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
  console.log(`first load of the editor: ${scripts.size} scripts, ${Math.round(total / 1000)} kB gzipped`)
  // Bodies that fit into one packet are sent uncompressed.
  for (const [id, encoding] of scripts) assert.ok(encoding === 'gzip' || sizes.get(id)! < 2000)
  assert.ok(total <= 320_000, `${total} bytes`)
})
