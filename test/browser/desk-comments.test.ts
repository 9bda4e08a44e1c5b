import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../testkit/waiting.ts'
import { axeViolations, screenshot } from './browser.ts'
import { openDeskSite } from './desk-site.ts'

/** Comments and suggestions: in the editor's margin, in a sheet on phones, by a private link without scripts, and in review. */

const site = await openDeskSite()
const body = 'Tea needs time.\n\nFour minutes are enough for a black one.\n\nThe last word belongs to the cup.'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

const textOf = async (
  { ask }: { ask: Awaited<ReturnType<typeof site.signedIn>>['ask'] },
  id: string,
): Promise<string> => (await ask('GET', `/pieces/${id}`)).piece.body_md

test('a reader of a private link comments and suggests without a script; the writer answers, accepts and resolves', async () => {
  const writer = await site.signedIn({ name: 'Ada Okafor' })
  const { page, go, look } = writer
  const id = await writer.begin('On tea', body)
  const { link } = await writer.ask('POST', `/pieces/${id}/links`, { days: 7 })

  const context = await site.browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })
  after(() => context.close())
  const reader = await context.newPage()
  await reader.goto(link.url)
  await reader.getByLabel('Your name').last().fill('Grace')
  await reader.getByLabel('Passage').selectOption({ label: 'Tea needs time.' })
  await reader.getByLabel('Comment', { exact: true }).last().fill('How much?')
  await screenshot(reader, 'comments-link-form', { fullPage: true })
  await reader.getByRole('button', { name: 'Send comment' }).click()
  await reader.getByText('Sent. Thank you.').waitFor()
  await reader.getByLabel('Your name').last().fill('Grace')
  await reader.getByLabel('Exact words').fill('Four minutes')
  await reader.getByLabel('Suggested replacement').fill('Three minutes')
  await reader.getByRole('button', { name: 'Send comment' }).click()
  await reader.getByText('Three minutes').waitFor()
  await screenshot(reader, 'comments-link-sent', { fullPage: true })

  await go(`/desk/edit/pieces/${id}`)
  const margin = page.getByRole('complementary', { name: 'Comments' })
  await margin.getByText('How much?').waitFor()
  assert.deepEqual(await page.locator('.md-comment').allTextContents(), ['Tea needs time.', 'Four minutes'])
  await page.getByRole('button', { name: 'Comments (2)' }).waitFor()
  await look('comments-margin')
  const card = (words: string) => margin.getByRole('listitem').filter({ hasText: words }).first()
  await card('How much?').getByRole('button', { name: 'Reply' }).click()
  await margin.getByLabel('Your reply').fill('Four minutes of it.')
  await margin.getByRole('button', { name: 'Send reply' }).click()
  await card('How much?').getByText('Four minutes of it.').waitFor()

  await card('Three minutes').getByRole('button', { name: 'Accept' }).click()
  await margin.getByRole('button', { name: 'Resolved (1)' }).waitFor()
  const changed = body.replace('Four minutes', 'Three minutes')
  await until(async () => (await textOf(writer, id)) === changed, 'only the passage is changed and saved')
  await page.keyboard.press('Control+z')
  await until(async () => (await textOf(writer, id)) === body, 'one step takes it back')
  await page.keyboard.press('Control+Shift+z')
  await until(async () => (await textOf(writer, id)) === changed, 'and does it again')
  await card('How much?').getByRole('button', { name: 'Resolve' }).click()
  await margin.getByRole('button', { name: 'Resolved (2)' }).click()
  await card('How much?').getByRole('button', { name: 'Reopen' }).waitFor()
  assert.equal(await page.locator('.md-comment').count(), 0)

  await reader.reload()
  await reader.getByText('Resolved: the writer accepted the suggestion').waitFor()
  await reader.getByText('Four minutes of it.').waitFor()
})

test('by keyboard a passage is commented, its mark moves with the text, and a removed passage is said to be removed', async () => {
  const writer = await site.signedIn()
  const { page, go } = writer
  const id = await writer.begin('By keyboard', body)
  await go(`/desk/edit/pieces/${id}`)
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.focus()
  await page.keyboard.press('Control+Home')
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Control+Alt+m')
  const margin = page.getByRole('complementary', { name: 'Comments' })
  await margin.getByLabel('Comment', { exact: true }).waitFor()
  await page.keyboard.type('Which tea?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await margin.getByText('Which tea?').waitFor()
  await until(async () => (await page.locator('.md-comment').allTextContents()).join() === 'Tea', 'the mark is there')
  await text.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Green ')
  assert.deepEqual(await page.locator('.md-comment').allTextContents(), ['Tea'])
  await margin.getByRole('button', { name: 'Show in text: Tea' }).click()
  await page.keyboard.press('Backspace')
  await margin.getByText('The passage was removed').waitFor()
  await page.keyboard.press('Control+z')
  await until(async () => (await page.locator('.md-comment').count()) === 1, 'the passage is back')
  await margin.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete this comment?' }).getByRole('button', { name: 'Delete' }).click()
  await until(async () => (await page.locator('.md-comment').count()) === 0, 'nothing is marked')
})

test('on a phone comments are in a sheet, and one is begun from the bar above the keyboard', async () => {
  const writer = await site.signedIn({}, phone)
  const { page, go } = writer
  const id = await writer.begin('On a phone', body)
  await go(`/desk/edit/pieces/${id}`)
  await page.getByRole('textbox', { name: 'Text', exact: true }).getByText('The last word').tap()
  await page.getByRole('toolbar').getByRole('button', { name: 'Comment' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Comments' })
  await sheet.getByText('The last word belongs to the cup.').waitFor()
  await sheet.getByLabel('Comment', { exact: true }).fill('Does it?')
  await sheet.getByLabel('Suggest a replacement').tap()
  await sheet.getByLabel('Replacement for the passage').fill('The cup has the last word.')
  await sheet.getByRole('button', { name: 'Add comment' }).tap()
  await sheet.getByRole('button', { name: 'Accept' }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await screenshot(page, `comments-sheet-${colorScheme}`)
    assert.deepEqual(await axeViolations(page), [])
  }
  await sheet.getByRole('button', { name: 'Accept' }).tap()
  await sheet.getByText('No open comments').waitFor()
  await sheet.getByRole('button', { name: 'Done' }).tap()
  await until(async () => (await textOf(writer, id)).endsWith('The cup has the last word.'), 'it stands in the text')
  await page.getByRole('button', { name: 'Comments', exact: true }).waitFor()
})

test('a moderator comments on a passage in review, and the writer has it after the decision', async () => {
  const writer = await site.signedIn({ name: 'Lin Ito' })
  const moderator = await site.signedIn({ role: 'moderator', name: 'Mo Reader' })
  const id = await writer.begin('In review', body)
  const { nonce } = await writer.ask('POST', `/pieces/${id}/preview`)
  await writer.ask('POST', `/pieces/${id}/submit`, { nonce })
  const { page, go, look } = moderator
  await go(`/desk/review/${id}`)
  await page.getByText('No comments yet.').waitFor()
  await page.getByLabel('Passage').fill('Five minutes')
  await page.getByLabel('Comment', { exact: true }).fill('For every tea?')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByText('These words aren’t in the piece.').waitFor()
  await page.getByLabel('Passage').fill('Four minutes')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByRole('listitem').filter({ hasText: 'For every tea?' }).waitFor()
  await look('comments-review')
  await moderator.ask('POST', `/review/${id}/request-changes`, { note: 'See the comments.' })
  await writer.go(`/desk/edit/pieces/${id}`)
  const margin = writer.page.getByRole('complementary', { name: 'Comments' })
  await margin.getByText('For every tea?').waitFor()
  assert.equal(await margin.getByText('Mo Reader').count(), 0)
  assert.deepEqual(await writer.page.locator('.md-comment').allTextContents(), ['Four minutes'])
})
