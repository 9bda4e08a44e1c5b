import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from './browser.ts'
import { textOf } from './desk-piece.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** The desk opened without a network. */

const site = await openDeskSite()

/** A writer who has opened the desk and this piece once. */
async function writerWithPiece() {
  const writer = await writerAtDesk(site, 'Mary Anning', { serviceWorkers: 'allow' })
  const { page, go, begin } = writer
  const id = await begin('On tea', 'Tea is slow.')
  await go('/desk')
  await until(page, 'navigator.serviceWorker.controller !== null')
  await go(`/desk/edit/pieces/${id}`)
  await textOf(page).waitFor()
  return { ...writer, id }
}

test('the desk opens without a network with the list and the pieces seen before, and sends what is written when it is back', async () => {
  const { page, go, ask, context, look, id } = await writerWithPiece()
  await textOf(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Very slow.')
  await page.keyboard.press('Control+s')
  await saved(page)

  await context.setOffline(true)
  const nonceOf = async () => {
    const answer = await page.goto(`${site.base}/desk`)
    return /'nonce-([^']+)'/.exec(answer!.headers()['content-security-policy']!)![1]
  }
  assert.equal(await nonceOf(), await nonceOf(), 'the server would make another for every page')
  await page.getByText('You’re offline.').waitFor()
  const inList = page.getByRole('link', { name: 'On tea' })
  await inList.waitFor()
  await look('desk-offline')
  await inList.click()
  await textOf(page).getByText('Tea is slow. Very slow.').waitFor()
  await textOf(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' And good.')
  await page.getByText('Saved on this device').first().waitFor()

  await go(`/desk/edit/pieces/${id}`)
  await textOf(page).getByText('Tea is slow. Very slow. And good.').waitFor()
  await context.setOffline(false)
  await saved(page)
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.body_md, 'Tea is slow. Very slow. And good.')
  await go('/desk')
  assert.equal(await page.getByText('You’re offline.').count(), 0)
})

test('a piece begun without a network is sent when it is back', async () => {
  const { page, go, ask, context } = await writerWithPiece()
  await context.setOffline(true)
  await go('/desk/edit/pieces/new')
  await page.getByRole('textbox', { name: 'Headline' }).fill('On rain')
  await textOf(page).click()
  await page.keyboard.type('Rain is quick.')
  await page.getByText('Saved on this device').first().waitFor()
  await context.setOffline(false)
  await saved(page)
  const { pieces } = await ask('GET', '/pieces')
  assert.deepEqual(
    pieces.map(({ headline }: { headline: string }) => headline),
    ['On rain', 'On tea'],
  )
})

test('after signing out the device shows nothing of the account without a network', async () => {
  const { page, go, context } = await writerWithPiece()
  await go('/desk/account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await context.setOffline(true)
  await page.goto(`${site.base}/desk`)
  await page.getByText('The site can’t be reached.').waitFor()
  assert.equal(await page.getByText('On tea').count(), 0)
})

test('public pages are read without the service worker', async () => {
  const { page } = await writerWithPiece()
  await page.goto(site.base)
  assert.equal(await page.evaluate('navigator.serviceWorker.controller'), null)
})

test('what was written without a network is not merged with an older version that the device has seen', async () => {
  const { page, go, ask, context, id } = await writerWithPiece()
  const answers = `caches.open('desk-answers').then((cache) => cache`
  const path = `'/desk/api/pieces/${id}'`
  const older = await page.evaluate(`${answers}.match(${path})).then((answer) => answer.text())`)
  const append = async (words: string) => {
    await textOf(page).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(words)
  }
  await append(' Very slow.')
  await page.keyboard.press('Control+s')
  await saved(page)
  await context.setOffline(true)
  await append(' And good.')
  await page.getByText('Saved on this device').first().waitFor()
  await page.evaluate(`${answers}.put(${path}, new Response(${JSON.stringify(older)})))`)

  await go(`/desk/edit/pieces/${id}`)
  await textOf(page).getByText('Tea is slow. Very slow. And good.').waitFor()
  await context.setOffline(false)
  await saved(page)
  assert.equal((await ask('GET', `/pieces/${id}`)).piece.body_md, 'Tea is slow. Very slow. And good.')
})
