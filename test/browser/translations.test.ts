import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../testkit/waiting.ts'
import { painted } from './browser.ts'
import { openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** Translations: naming the original, asking its author, reading, agreeing, publishing and withdrawing. */

const site = await openDeskSite()

interface PublicPiece {
  readonly url: string
  readonly translations?: readonly { readonly title: string }[]
}

async function pieceOf(id: string): Promise<PublicPiece> {
  const answer = await fetch(`${site.base}/api/public/pieces/${id}`)
  return ((await answer.json()) as { piece: PublicPiece }).piece
}

const translationsOf = async (id: string): Promise<string[]> =>
  ((await pieceOf(id)).translations ?? []).map(({ title }) => title)

/** In the narrowest window that pages are made for; a dialog covers the page, so it alone is measured. */
async function fitsNarrow(page: Page): Promise<void> {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 640 })
  await painted(page)
  const overflow = await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
    document.querySelector('dialog[open]') ?? document.documentElement)`)
  await page.setViewportSize(size)
  assert.ok(Number(overflow) <= 0, `${page.url()}: ${overflow} px wider than the window`)
}

const confirm = async (page: Page, name: string) => {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

test('a writer asks the author of the original, who reads the draft, agrees, and withdraws later', async () => {
  const author = await writerAtDesk(site, 'Ada Okafor')
  const translator = await writerAtDesk(site, 'Berta Lindqvist')
  const original = await author.publish('On slow tea', 'Tea takes four minutes.')
  const { url } = await pieceOf(original)

  await author.go('/desk/translations')
  await author.page.getByRole('heading', { name: 'No translations yet' }).waitFor()
  await author.look('translations-none')
  await author.go('/desk')
  await author.page.getByRole('link', { name: 'On slow tea' }).waitFor()
  assert.equal(await author.page.getByRole('link', { name: 'Translations' }).count(), 0, 'no entry before anybody asks')

  // The translator names the original.
  const { page } = translator
  const id = await translator.begin('Über langsamen Tee', 'Tee braucht vier Minuten.', {
    locale: 'de',
    sub: 'Eine Verteidigung.',
  })
  await translator.go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  const field = page.getByLabel('Translation of')
  await field.fill(`${site.base}/author/nobody/nothing`)
  await page.getByText('The original must be a public piece of this site.').waitFor()
  await field.fill(url)
  const drawer = page.getByRole('dialog', { name: 'Details' })
  const group = drawer.getByRole('group', { name: 'Translation of' })
  await group.getByRole('link', { name: '“On slow tea”' }).waitFor()
  await group.getByText('by Ada Okafor · English').waitFor()
  await group.getByText('Before you publish, Ada Okafor must agree.').waitFor()
  await translator.look('translations-not-asked')
  await fitsNarrow(page)

  // Publishing waits for the answer.
  await page.getByRole('button', { name: 'Done' }).click()
  await saved(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Ask Ada Okafor' }).waitFor()
  assert.ok(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled())
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Ask Ada Okafor' }).waitFor()
  await translator.look('translations-publish-blocked')
  await fitsNarrow(page)
  await page.getByRole('link', { name: 'Back to editor' }).click()
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Ask Ada Okafor' }).click()
  await group.getByText('Waiting for Ada Okafor to answer.').waitFor()
  await translator.look('translations-asked')

  // The author finds the request, reads the draft and agrees.
  const reader = author.page
  await author.go('/desk')
  await reader.getByText('1 translation of one of your pieces is waiting for your answer.').waitFor()
  await author.look('translations-notice')
  await reader.getByRole('navigation', { name: 'Desk' }).getByRole('link', { name: 'Translations 1' }).click()
  const waiting = reader.getByRole('list', { name: 'Waiting for your answer' })
  await waiting.getByText('German').waitFor()
  await waiting.getByText('Translated by Berta Lindqvist').waitFor()
  assert.equal(
    await waiting.getByRole('link', { name: 'On slow tea' }).evaluate((link) => (link as { href: string }).href),
    `${site.base}/p/${original}`,
  )
  await author.look('translations-waiting')
  await waiting.getByRole('button', { name: 'Read “Über langsamen Tee”' }).click()
  const frame = reader.frameLocator('iframe[title*="Über langsamen Tee"]')
  await frame.getByText('Tee braucht vier Minuten.').waitFor()
  await author.look('translations-reading')
  await fitsNarrow(reader)

  // What the translator changes meanwhile is read as it is now.
  await waiting.getByRole('button', { name: 'Close “Über langsamen Tee”' }).click()
  await translator.ask('PATCH', `/pieces/${id}`, { body_md: 'Tee braucht fünf Minuten.' })
  await waiting.getByRole('button', { name: 'Read “Über langsamen Tee”' }).click()
  await frame.getByText('Tee braucht fünf Minuten.').waitFor()
  await waiting.getByRole('button', { name: 'Agree to “Über langsamen Tee”' }).click()
  await author.look('translations-agree')
  await confirm(reader, 'Agree')
  const answered = reader.getByRole('list', { name: 'Answered' })
  await answered.getByText('You agreed').waitFor()
  await reader.getByText('Nothing is waiting for your answer.').waitFor()
  await author.look('translations-answered')

  // The translator publishes, and each piece names the other.
  await translator.go(`/desk/edit/pieces/${id}/publish`)
  await page.getByText('Ada Okafor has agreed. You can publish this as a translation.').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  assert.deepEqual(await translationsOf(original), ['Über langsamen Tee'])

  // The author withdraws: both stay public, and no longer link to each other.
  await author.go('/desk/translations')
  await answered.getByRole('link', { name: 'View' }).waitFor()
  await answered.getByRole('button', { name: 'Withdraw consent to “Über langsamen Tee”' }).click()
  await reader.getByText('The translation stays public').waitFor()
  await author.look('translations-withdraw')
  await confirm(reader, 'Withdraw consent')
  await answered.getByText('You declined').waitFor()
  assert.deepEqual([await translationsOf(original), await translationsOf(id)], [[], []])
  await fitsNarrow(reader)

  // What to do next is in the details, and without the original it is published again.
  await translator.go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  await group.getByText('Ada Okafor didn’t agree').waitFor()
  await translator.look('translations-declined')
  await group.getByRole('button', { name: 'Remove the original' }).click()
  await field.waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await until(
    async () => (await translator.ask('GET', `/pieces/${id}`)).piece.translation_of === null,
    'the original is removed',
  )
})

test('consent that ends while the publish page is open is noticed, with the reason', async () => {
  const author = await writerAtDesk(site, 'Cara Osei')
  const translator = await writerAtDesk(site, 'Dora Petrov')
  const original = await author.publish('On rain')
  const id = await translator.begin('Über Regen', 'Regen.', { locale: 'de', translation_of: original })
  await translator.ask('POST', `/pieces/${id}/ask-author`)
  await author.ask('POST', `/translations/${id}/answer`, { original, agreed: true })
  const { page, go } = translator
  await go(`/desk/edit/pieces/${id}/publish`)
  const publish = page.getByRole('button', { name: 'Publish', exact: true })
  await publish.waitFor()
  await author.ask('POST', `/translations/${id}/answer`, { original, agreed: false })
  await publish.click()
  await page.getByText('The author of the original has not agreed to this translation.').waitFor()
  await page.getByText('Cara Osei didn’t agree').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled())
  await author.go('/desk/translations')
  await author.page.getByRole('button', { name: 'Change answer about “Über Regen”' }).click()
  await confirm(author.page, 'Agree')
  await author.page.getByText('You agreed', { exact: true }).waitFor()
})

test('a writer translates a piece of their own, which needs nobody’s consent', async () => {
  const { page, go, look, ask, publish } = await writerAtDesk(site, 'Emma Ito')
  const more = { sub: 'In short.', category: 'culture', tags: ['tea'] }
  const original = await publish('On green tea', 'Cooler water.', more)
  await go('/desk')
  await page.getByRole('button', { name: 'More actions for “On green tea”' }).click()
  await page.getByRole('menuitem', { name: 'Translate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Translate “On green tea”' })
  assert.ok(await dialog.getByRole('button', { name: 'Create draft' }).isDisabled(), 'the language is asked for')
  await dialog.getByLabel('Language of the translation').fill('pt-BR')
  await dialog.getByText('Brazilian Portuguese').waitFor()
  await look('translations-translate')
  await fitsNarrow(page)
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('textbox', { name: 'Headline' }).fill('Sobre chá verde')
  await saved(page)
  const id = page.url().split('/').at(-1)!
  const { piece } = await ask('GET', `/pieces/${id}`)
  assert.deepEqual(
    [piece.headline, piece.sub, piece.body_md, piece.category, piece.tags, piece.locale],
    ['Sobre chá verde', 'In short.', 'Cooler water.', 'culture', ['tea'], 'pt-BR'],
  )
  assert.deepEqual([piece.translation_of.id, piece.translation_of.consent], [original, 'own'])
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByText('You wrote the original, so you can publish without asking.').waitFor()
  await look('translations-own')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  assert.deepEqual(await translationsOf(original), ['Sobre chá verde'])
})

test('the original of a draft survives a restored version and a reload while offline', async () => {
  const { page, context, go, ask, begin, publish } = await writerAtDesk(site, 'Finn Moreau')
  const original = await publish('On salt')
  const { url } = await pieceOf(original)
  const id = await begin('Über Salz', 'Salz.')
  await ask('PUT', `/pieces/${id}/revisions/1/name`, { name: 'As it was first' })
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByLabel('Translation of').fill(url)
  await page.getByRole('group', { name: 'Translation of' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await until(
    async () => (await ask('GET', `/pieces/${id}`)).piece.translation_of?.id === original,
    'the original is saved',
  )
  await ask('PATCH', `/pieces/${id}`, { body_md: 'Salz und Pfeffer.' })
  await go(`/desk/edit/pieces/${id}/history`)
  await page.getByRole('button', { name: /As it was first/ }).click()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await page.waitForURL(`**/desk/edit/pieces/${id}`)
  const { piece } = await ask('GET', `/pieces/${id}`)
  assert.deepEqual([piece.body_md, piece.translation_of.id], ['Salz.', original])

  // Removed while the server cannot be reached: the journal of the device has it.
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Remove the original' }).waitFor()
  await context.route('**/desk/api/pieces/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await page.getByRole('button', { name: 'Remove the original' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page
    .getByText(/saved on this device/)
    .first()
    .waitFor()
  await page.reload()
  await context.unroute('**/desk/api/pieces/**')
  await until(async () => (await ask('GET', `/pieces/${id}`)).piece.translation_of === null, 'the removal is sent')
})
