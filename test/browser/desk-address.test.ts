import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../testkit/waiting.ts'
import { chooseCategory, openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** What the publish page asks for and shows before a piece is public: headline, address and details. */

const site = await openDeskSite()

test('a piece without a headline cannot be published, and the page leads to the field', async () => {
  const { page, go, look, ask } = await writerAtDesk(site)
  await go('/desk/edit/pieces/new')
  await page.getByRole('textbox', { name: 'Text', exact: true }).click()
  await page.keyboard.type('Tea needs time.')
  await page.keyboard.press('Control+s')
  await saved(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'No headline yet' }).waitFor()
  const publish = page.getByRole('button', { name: 'Publish', exact: true })
  assert.equal(await publish.isDisabled(), true)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'No headline yet' }).waitFor()
  await look('publishing-no-headline')

  await page.getByRole('link', { name: 'Add a headline' }).click()
  const headline = page.getByRole('textbox', { name: 'Headline' })
  await headline.waitFor()
  assert.equal(await headline.and(page.locator(':focus')).count(), 1, 'it has the focus')
  assert.equal(new URL(page.url()).search, '')
  await page.keyboard.type('On tea')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 1, name: 'On tea' }).waitFor()
  await page.getByText('Choose a category before you publish. Readers find the piece there.').waitFor()
  assert.equal(await publish.isDisabled(), true, 'a category is asked for')
  await chooseCategory(page, 'Life')
  await publish.click()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  const { pieces } = await ask('GET', '/pieces')
  assert.match(pieces[0].url, /\/on-tea$/)
})

test('the address is shown and can be edited until the first publication', async () => {
  const { page, go, look, begin, publish, writer } = await writerAtDesk(site)
  await publish('Tea')
  const id = await begin('What I learned of tea')
  await go(`/desk/edit/pieces/${id}/publish`)
  const host = new URL(site.base).host
  const shown = (slug: string) => page.getByText(`${host}/author/${writer.slug}/${slug}`, { exact: true })
  await shown('what-i-learned-of-tea').waitFor()

  const edit = page.getByRole('button', { name: 'Edit address' })
  const field = page.getByRole('textbox', { name: 'End of the address' })
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
  await edit.click()
  await look('publishing-address')
  await field.fill('?!')
  await save.click()
  await page.getByText('Use at least one letter or digit, or leave it empty to use the headline.').waitFor()
  await field.fill('Tea')
  await save.click()
  await page.getByText('Another of your pieces is at “tea”, so this one will be at “tea-2”.').waitFor()
  await shown('tea-2').waitFor()
  await edit.click()
  await field.fill('Über Tee 茶')
  await field.press('Enter')
  await shown('uber-tee-茶').waitFor()
  assert.equal(await page.getByText('Another of your pieces').count(), 0)

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
  await shown('uber-tee-茶').waitFor()
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
  assert.equal(await edit.count(), 0)
})

test('More details opens the others in the editor, and closing them leaves the editor', async () => {
  const { page, go, begin } = await writerAtDesk(site)
  const id = await begin('On details')
  await go(`/desk/edit/pieces/${id}/publish`)
  await page.getByText('English', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'More details' }).click()
  const details = page.getByRole('dialog', { name: 'Details' })
  await details.getByRole('combobox', { name: 'Category' }).selectOption('Ideas')
  await details.getByLabel('Language').fill('pt-BR')
  await details.getByRole('button', { name: 'Done' }).click()
  await saved(page)
  assert.equal(new URL(page.url()).search, '')
  await page.goBack()
  await page.getByText('Brazilian Portuguese', { exact: true }).waitFor()
  assert.equal(await page.getByRole('radio', { name: 'Ideas' }).isChecked(), true)
})

test('a public piece can be shared from its publish page: its link is copied, and the sites are plain links', async () => {
  const { page, go, look, publish, context } = await writerAtDesk(site)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await publish('On sharing & more')
  await go(`/desk/edit/pieces/${id}/publish`)
  const share = page.getByRole('region', { name: 'Share' })
  await share.getByRole('button', { name: 'Copy link' }).click()
  await share.getByRole('button', { name: 'Copied' }).waitFor()
  const link = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(link, /\/on-sharing-more$/)
  const links = await share.getByRole('link').all()
  const targets = await Promise.all(links.map(async (one) => [await one.textContent(), await one.getAttribute('href')]))
  assert.deepEqual(
    targets.map(([name]) => name),
    ['Email', 'Bluesky', 'Facebook', 'LinkedIn', 'X'],
  )
  for (const [name, href] of targets) assert.ok(href!.includes(encodeURIComponent(link)), name!)
  await look('publishing-share')
})

test('while its typeface loads, the preview shows no text in another', async () => {
  const { page, go, begin } = await writerAtDesk(site)
  const id = await begin('On faces')
  const held: (() => Promise<void>)[] = []
  let isHolding = true
  await page.route('**/fonts/**', async (route) => {
    if (isHolding && route.request().frame() !== page.mainFrame()) held.push(() => route.continue())
    else await route.continue()
  })
  await go(`/desk/edit/pieces/${id}/publish`)
  await page.frameLocator('iframe').getByRole('heading', { level: 1, name: 'On faces' }).waitFor({ state: 'attached' })
  // An invisible fallback is used for a face whose `display` is `block` until it is loaded.
  const faces = (): Promise<string[]> =>
    page.frames()[1]!.evaluate(`[...document.fonts]
      .filter(({ family, unicodeRange }) => family.includes('Standfirst') && unicodeRange.startsWith('U+20-7E'))
      .map(({ weight, style, display, status }) => [weight, style, display, status].join(' '))`)
  await until(async () => (await faces()).includes('600 700 normal block loading'), 'the headline waits for its face')
  assert.equal((await faces()).filter((face) => face.includes(' block ')).length, 3)
  isHolding = false
  for (const answer of held) await answer()
  await until(async () => (await faces()).includes('600 700 normal block loaded'), 'the headline has its face')
})
