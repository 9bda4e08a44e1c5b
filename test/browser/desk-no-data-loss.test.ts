import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from './browser.ts'
import { openPiece, textOf } from './desk-piece.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** No written text is lost, whatever happens, and the writer sees a message about it. */

const site = await openDeskSite()

const atPiece = (body?: string) => openPiece(site, body)

/** Waits until the text is stored on the device: a tab that dies within these few milliseconds loses the last key. */
async function untilStored(page: Page, words: string): Promise<void> {
  await until(
    page,
    `new Promise((resolve) => {
      const opening = indexedDB.open('standfirst-desk')
      opening.onsuccess = () => {
        const reading = opening.result.transaction('journal').objectStore('journal').getAll()
        reading.onsuccess = () => {
          opening.result.close()
          resolve(reading.result.some(({ manuscript }) => manuscript.body_md.includes(${JSON.stringify(words)})))
        }
      }
    })`,
  )
}

describe('a tab that ends', () => {
  test('in the middle of a sentence: the text is back when the piece is opened again', async () => {
    const writer = await atPiece()
    // However slowly this is typed, no request gets through.
    const saving = `**/desk/api/pieces/${writer.id}`
    await writer.page.route(saving, (route) => (route.request().method() === 'PATCH' ? undefined : route.continue()))
    await writer.page.keyboard.type(' It takes four minu')
    await untilStored(writer.page, 'four minu')
    const crashed = writer.page.waitForEvent('crash')
    void writer.devtools.send('Page.crash').catch(() => undefined)
    await crashed
    assert.equal(await writer.body(), 'Tea is slow.', 'the server has not heard of it')

    const page = await writer.context.newPage()
    await page.goto(`${site.base}/desk/edit/pieces/${writer.id}`)
    await page.getByText(/^Unsaved changes restored\. Last edit on this device: /).waitFor()
    assert.equal(await textOf(page).textContent(), 'Tea is slow. It takes four minu')
    await saved(page)
    assert.equal(await writer.body(), 'Tea is slow. It takes four minu')
  })

  test('before a piece had any text: its headline is back after loading anew, and offered in another tab', async () => {
    const { page, go, context } = await writerAtDesk(site)
    await go('/desk/edit/pieces/new')
    await page.keyboard.type('A headline first')
    await page.getByText('Saved on this device only. Add some text to save it to your account.').first().waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'A headline first' }).waitFor()
    await page.close()
    const other = await context.newPage()
    await other.goto(`${site.base}/desk/edit/pieces/new`)
    await other.getByText('You have an unsaved draft on this device: “A headline first”').waitFor()
    await other.getByRole('button', { name: 'Discard' }).click()
    await other.getByRole('button', { name: 'Undo' }).click()
    await other.getByRole('button', { name: 'Continue writing' }).click()
    await other.getByRole('heading', { level: 1, name: 'A headline first' }).waitFor()
    await textOf(other).focus()
    await other.keyboard.type('And its text.')
    await saved(other)
    assert.match(other.url(), /\/pieces\/[\da-f-]{36}$/)
  })
})

describe('without the network', () => {
  test('writing goes on, the line says so, and it is saved when the network is back', async () => {
    const writer = await atPiece()
    const { page, context, look } = writer
    await context.setOffline(true)
    await page.keyboard.type(' It takes four minutes.')
    await page.getByText('Offline, saved on this device').first().waitFor()
    await look('editor-offline')
    await textOf(page).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Or five.')
    await context.setOffline(false)
    await saved(page)
    assert.equal(await writer.body(), 'Tea is slow. It takes four minutes. Or five.')
  })

  test('an answer that was lost on its way is not taken for somebody else’s text', async () => {
    const writer = await atPiece()
    const { page } = writer
    let isLost = false
    await page.route('**/desk/api/pieces/*', async (route) => {
      if (route.request().method() !== 'PATCH' || isLost) return route.continue()
      isLost = true
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.keyboard.type(' One.')
    await page
      .getByText(/Can’t reach the site, saved on this device/)
      .first()
      .waitFor()
    await page.keyboard.type(' Two.')
    await saved(page)
    assert.equal(await writer.body(), 'Tea is slow. One. Two.')
  })

  test('a new piece whose first answer was lost is not begun twice', async () => {
    const { page, go, ask } = await writerAtDesk(site)
    await go('/desk/edit/pieces/new')
    let isLost = false
    await page.route(/\/desk\/api\/pieces\?id=/, async (route) => {
      if (isLost) return route.continue()
      isLost = true
      await route.fetch()
      await route.abort('connectionreset')
    })
    await textOf(page).focus()
    await page.keyboard.type('Only once.')
    await page
      .getByText(/Can’t reach the site, saved on this device/)
      .first()
      .waitFor()
    await page.keyboard.type(' And on.')
    await page.getByRole('textbox', { name: 'Standfirst' }).fill('It is short.')
    await saved(page)
    const { pieces, count } = await ask('GET', '/pieces')
    assert.equal(count, 1)
    const { piece } = await ask('GET', `/pieces/${pieces[0]?.id}`)
    assert.deepEqual([piece['body_md'], piece['sub']], ['Only once. And on.', 'It is short.'])
  })

  test('an answer that is not the site’s does not end the saving', async () => {
    const writer = await atPiece()
    const { page } = writer
    let answers = 0
    await page.route('**/desk/api/pieces/*', async (route) => {
      if (route.request().method() !== 'PATCH' || ++answers > 1) return route.continue()
      return route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Welcome to our wireless network' })
    })
    await page.keyboard.type(' One.')
    await saved(page)
    assert.equal(await writer.body(), 'Tea is slow. One.')
  })
})

describe('deleted elsewhere', () => {
  test('while it was written here: the text goes on as a new piece', async () => {
    const writer = await atPiece()
    const { page } = writer
    await writer.ask('DELETE', `/pieces/${writer.id}`)
    await page.keyboard.type(' And on.')
    await page.getByRole('button', { name: 'Save as a new piece' }).click()
    await page.getByText(/deleted elsewhere\. Your unsaved changes are now a new piece/).waitFor()
    await saved(page)
    const { id } = (await writer.ask('GET', '/pieces')).pieces[0]
    assert.ok(id && id !== writer.id && page.url().endsWith(id))
    assert.equal((await writer.ask('GET', `/pieces/${id}`)).piece.body_md, 'Tea is slow. And on.')
  })

  test('before it was opened again: the text that was never sent is there all the same', async () => {
    const writer = await atPiece()
    await writer.context.setOffline(true)
    await writer.page.keyboard.type(' And on.')
    await writer.page.getByText('Offline, saved on this device').first().waitFor()
    await writer.page.close()
    await writer.context.setOffline(false)
    await writer.ask('DELETE', `/pieces/${writer.id}`)
    const page = await writer.context.newPage()
    await page.goto(`${site.base}/desk/edit/pieces/${writer.id}`)
    await page.getByText(/deleted elsewhere\. Your unsaved changes are now a new piece/).waitFor()
    assert.equal(await textOf(page).textContent(), 'Tea is slow. And on.')
    await saved(page)
  })
})

test('an editor that does not arrive at once is asked for again', async () => {
  const { page, go } = await writerAtDesk(site)
  let refusals = 0
  await page.route('**/desk/assets/page-*.js', async (route) => {
    refusals += 1
    return refusals === 1 ? route.fulfill({ status: 503 }) : route.continue()
  })
  await go('/desk/edit/pieces/new')
  await textOf(page).waitFor()
  assert.ok(refusals > 1)
})

describe('signed out in the meantime', () => {
  test('the text stays here, and is saved after signing in', async () => {
    const writer = await atPiece()
    const { page, context } = writer
    const cookies = await context.cookies()
    await context.clearCookies()
    await page.keyboard.type(' And on.')
    await page.getByText('You’re signed out. Your changes are saved on this device.').first().waitFor()
    await context.addCookies(cookies)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await saved(page)
    assert.equal(await writer.body(), 'Tea is slow. And on.')
  })

  test('and somebody else signed in: what one wrote never becomes the other’s', async () => {
    const { page, go, context } = await writerAtDesk(site)
    await go('/desk/edit/pieces/new')
    const other = await writerAtDesk(site, 'Ada Lovelace')
    await context.addCookies([{ name: 'desk', value: other.writer.sessionToken, url: site.base, httpOnly: true }])
    await textOf(page).focus()
    await page.keyboard.type('Mine alone.')
    await page.getByText('You’re signed out. Your changes are saved on this device.').first().waitFor()
    await page.reload()
    await page.getByText('Nothing written yet').first().waitFor()
    await textOf(page).focus()
    await page.keyboard.type('Of the other.')
    await saved(page)
    const { pieces } = await other.ask('GET', '/pieces')
    const bodies = await Promise.all(
      pieces.map(async ({ id }: { id: string }) => (await other.ask('GET', `/pieces/${id}`)).piece.body_md),
    )
    assert.deepEqual(bodies, ['Of the other.'])
  })
})

describe('two tabs', () => {
  test('the second one reads and follows; asked to, it writes, and has every word', async () => {
    const writer = await atPiece()
    const { page, context, id } = writer
    const second = await context.newPage()
    await second.goto(`${site.base}/desk/edit/pieces/${id}`)
    await second.getByText(/^This piece is open in another tab/).waitFor()
    assert.equal(await textOf(second).getAttribute('contenteditable'), 'false')
    await page.keyboard.type(' One.')
    await second.getByText('Tea is slow. One.').waitFor()
    await page.keyboard.type(' Two.')
    await second.getByRole('button', { name: 'Edit here instead' }).click()
    await second.getByText(/^This piece is open in another tab/).waitFor({ state: 'detached' })
    await page.getByText(/^This piece is open in another tab/).waitFor()
    assert.equal(await textOf(second).textContent(), 'Tea is slow. One. Two.')
    await textOf(second).focus()
    await second.keyboard.press('Control+End')
    await second.keyboard.type(' Three.')
    await saved(second)
    assert.equal(await writer.body(), 'Tea is slow. One. Two. Three.')
    await page.getByText('Tea is slow. One. Two. Three.').waitFor()
  })
})

test('a tab whose text is saved nowhere keeps its turn, and the other says where to look', async () => {
  const writer = await atPiece()
  const { page, context, id } = writer
  const second = await context.newPage()
  await second.goto(`${site.base}/desk/edit/pieces/${id}`)
  await second.getByText(/^This piece is open in another tab/).waitFor()
  await page.evaluate(`IDBObjectStore.prototype.put = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }`)
  await page.route('**/desk/api/pieces/*', (route) => route.abort('connectionreset'))
  await page.keyboard.type(' Nowhere else.')
  await page
    .getByText(/Can’t reach the site, not saved\. Keep this tab open\./)
    .first()
    .waitFor()
  await second.getByRole('button', { name: 'Edit here instead' }).click()
  await second.getByText('The other tab has text that isn’t saved anywhere. Check it first.').waitFor()
  assert.equal(await textOf(page).textContent(), 'Tea is slow. Nowhere else.')
  assert.equal(await textOf(page).getAttribute('contenteditable'), 'true')
  await page.unroute('**/desk/api/pieces/*')
  await saved(page)
  assert.equal(await writer.body(), 'Tea is slow. Nowhere else.')
})
