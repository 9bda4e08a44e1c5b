import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { photograph } from '../../testkit/media.ts'
import { startReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { openPiece, textOf } from './desk-piece.ts'
import { openDeskSite, saved } from './desk-site.ts'

/** Pictures that come by drop or paste: every one is taken, or a message says why not. */

const other = await startReceiver()
const site = await openDeskSite({ OUTBOUND_ALLOW: other.host })
const picture = await photograph(5)

const heic = readFileSync(new URL('../../testkit/heic/turned.heic', import.meta.url))

/** Drops a file on the middle of an element. */
const drop = (page: Page, selector: string, name: string, type: string, bytes = picture) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (sign) => sign.charCodeAt(0))
    data.items.add(new File([bytes], '${name}', { type: '${type}' }))
    const target = document.querySelector('${selector}')
    const { left, top, width, height } = target.getBoundingClientRect()
    const at = { clientX: left + width / 2, clientY: top + height / 2 }
    const event = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, ...at })
    target.dispatchEvent(event)
    return event.defaultPrevented
  })()`)

test('HEIC pictures are taken as drop, paste, choice and cover, with or without a type', async () => {
  const writer = await openPiece(site)
  const { page } = writer
  const uploaded = async (name: string) => {
    const card = page.getByRole('group', { name: `Picture ${name}` })
    const again = card.getByRole('button', { name: 'Try again' })
    await until(async () => {
      // A busy machine had no time for it.
      if (await again.isVisible()) await again.click()
      return card.getByText('Uploaded', { exact: true }).isVisible()
    }, `${name} is taken`)
    return card
  }
  const added = async (name: string) => {
    const card = await uploaded(name)
    await until(() => page.evaluate('document.querySelector(".md-upload img")?.naturalWidth === 160'), 'it is upright')
    await card.getByRole('button', { name: 'Discard' }).click()
  }
  // Many systems give such files no type.
  await drop(page, '.cm-line', 'IMG_1.HEIC', '', heic)
  await added('IMG_1.HEIC')
  await drop(page, '.cm-line', 'IMG_2.heif', 'image/heif', heic)
  await added('IMG_2.heif')
  await paste(page, `<p>Pasted</p><img src="data:image/heic;base64,${heic.toString('base64')}">`)
  await added('1.heic')
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/pict')
  await until(() => page.evaluate("document.querySelectorAll('[role=option]').length === 1"), 'the menu has it')
  await page.keyboard.press('Enter')
  const chosen = await chooser
  assert.match((await chosen.element().getAttribute('accept')) ?? '', /image\/heic,.*\.heic/)
  await chosen.setFiles({ name: 'IMG_3.HEIC', mimeType: '', buffer: heic })
  await uploaded('IMG_3.HEIC')
  await page.getByLabel('Alt text').fill('Four fields')
  await page.keyboard.press('Enter')
  await saved(page)
  assert.match(await writer.body(), /!\[Four fields\]\(\/media\/[\da-f]+\)/)
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByLabel('Cover picture').setInputFiles({ name: 'IMG_4.HEIC', mimeType: '', buffer: heic })
  await page.getByRole('slider', { name: 'Focal point' }).waitFor()
})

test('a file that is no picture is answered by a message that says what to do', async () => {
  const { page } = await openPiece(site)
  await drop(page, '.cm-line', 'notes.pdf', 'application/pdf')
  await page.getByText('“notes.pdf” wasn’t added. This file type isn’t supported.').waitFor()
  assert.equal(await page.locator('.md-upload').count(), 0)
})

test('a picture dropped beside the text is added to the text, and the page stays', async () => {
  const writer = await openPiece(site, 'Before.\n\nAfter.')
  const { page } = writer
  for (const [place, target] of ['body', 'header', 'textarea'].entries()) {
    assert.equal(await drop(page, target, `cup-${place}.jpg`, 'image/jpeg'), true, target)
    await page
      .getByRole('group', { name: `Picture cup-${place}.jpg` })
      .getByText('Uploaded', { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
  }
  await drop(page, 'article > :last-child', 'cup.jpg', 'image/jpeg')
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await page.getByLabel('Alt text').fill('A cup')
  await page.keyboard.press('Enter')
  await saved(page)
  // The caret is in a new paragraph below it.
  assert.match(await writer.body(), /^Before\.\n\nAfter\.\n\n!\[A cup\]\(\/media\/[\da-f]+\)\n\n$/)
})

/** As a program that copies formatted text puts it on the clipboard. */
const paste = (page: Page, html: string) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/html', ${JSON.stringify(html)})
    data.setData('text/plain', 'Pasted')
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    document.querySelector('.cm-content').dispatchEvent(event)
  })()`)

test('a picture that pasted text contains as data is uploaded', async () => {
  const { page } = await openPiece(site)
  await paste(page, `<p>Pasted <b>words</b></p><p><img src="data:image/jpeg;base64,${picture.toString('base64')}"></p>`)
  await page.getByText('Uploaded', { exact: true }).waitFor()
  assert.doesNotMatch((await textOf(page).textContent()) ?? '', /base64/)
})

test('pictures of other servers are copied when the writer says so, and stay otherwise', async () => {
  other.behave(
    (_request, response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture),
    '/cup.jpg',
  )
  other.behave(404, '/gone.jpg')
  const writer = await openPiece(site)
  const { page } = writer
  // The desk asks for https, and the test has a server without.
  await page.route('**/desk/api/media/copy*', (route) =>
    route.continue({ postData: route.request().postData()!.replace('https://docs.example', `http://${other.host}`) }),
  )
  const images = ['cup', 'cup', 'gone'].map(
    (name) => `<p><img src="https://docs.example/${name}.jpg" alt="A ${name}"></p>`,
  )
  await paste(page, `<p>Pasted.</p>${images.join('')}`)
  await page.getByText('2 pictures are on other servers.', { exact: false }).waitFor()
  assert.equal(other.delivered.length, 0, 'nothing is fetched before')
  await writer.look('editor-remote-pictures')
  await page.getByRole('button', { name: 'Copy to this site' }).click()
  await page.getByText('1 picture couldn’t be copied.', { exact: false }).waitFor()
  await page.getByText('1 picture copied.').waitFor()
  await saved(page)
  const own = /!\[A cup\]\(\/media\/[\da-f]+\)/g
  await until(async () => (await writer.body()).match(own)?.length === 2, 'both places have the copy')
  assert.match(await writer.body(), /!\[A gone\]\(https:\/\/docs\.example\/gone\.jpg\)/)
  await page.getByRole('button', { name: 'Leave as is' }).click()
  await page.getByText('1 picture is on another server.', { exact: false }).waitFor({ state: 'detached' })
})
