import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { until } from '../../testkit/waiting.ts'
import { screenshot } from './browser.ts'
import { textOf } from './desk-piece.ts'
import { chooseCategory, openDeskSite, saved, writerAtDesk } from './desk-site.ts'

/** What writers come for, from its beginning to its end, by means that other files do not try for it. */

const site = await openDeskSite()

interface Means {
  readonly name: 'mouse' | 'touch' | 'keyboard'
  readonly options: { viewport?: { width: number; height: number }; hasTouch?: boolean; isMobile?: boolean }
  /** Puts the cursor into a field. */
  into(field: Locator): Promise<void>
  press(target: Locator): Promise<void>
  choose(item: Locator): Promise<void>
}

const isFocused = async (target: Locator) => (await target.and(target.page().locator(':focus')).count()) > 0

const reachBy =
  (key: 'Tab' | 'ArrowDown' | 'ArrowRight') =>
  async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let presses = 0; presses < 80; presses += 1) {
      if (await isFocused(target)) return
      await target.page().keyboard.press(key)
    }
    assert.fail(`${target} is not reached by ${key}`)
  }
const enter = (reach: (target: Locator) => Promise<void>, key: 'Enter' | 'Space') => async (target: Locator) => {
  await reach(target)
  await target.page().keyboard.press(key)
}

const mouse: Means = {
  name: 'mouse',
  options: {},
  into: (field) => field.click(),
  press: (target) => target.click(),
  choose: (item) => item.click(),
}
const touch: Means = {
  name: 'touch',
  options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  into: (field) => field.tap(),
  press: (target) => target.tap(),
  choose: (item) => item.tap(),
}
const keyboard: Means = {
  name: 'keyboard',
  options: {},
  into: reachBy('Tab'),
  press: enter(reachBy('Tab'), 'Enter'),
  choose: enter(reachBy('ArrowDown'), 'Enter'),
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const type = (page: Page, text: string) => page.keyboard.type(text)
const idOf = (page: Page) => /pieces\/([\da-f-]{36})/.exec(page.url())![1]!

/** Makes words bold and a line a heading without knowing Markdown. */
const format = {
  async mouse(page: Page) {
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
    await type(page, 'Slow\nNeeds')
    for (const [words, act] of [
      ['Needs', 'Heading'],
      ['Slow', 'Bold'],
    ] as const) {
      await textOf(page)
        .getByText(words, { exact: true })
        .dblclick({ position: { x: 12, y: 12 } })
      await toolbar.getByRole('button', { name: act, exact: true }).click()
      // A click beside the words ends the selection, whose toolbar covers the lines above.
      await textOf(page).click({ position: { x: 400, y: 150 } })
      await toolbar.waitFor({ state: 'hidden' })
    }
  },
  async touch(page: Page) {
    const bar = page.getByRole('toolbar', { name: 'Formatting' })
    await bar.getByRole('button', { name: 'Bold', exact: true }).tap()
    await type(page, 'Slow')
    await bar.getByRole('button', { name: 'Bold', exact: true }).tap()
    await type(page, '\n')
    await bar.getByRole('button', { name: 'Heading', exact: true }).tap()
    await type(page, 'Needs')
  },
  async keyboard(page: Page) {
    await page.keyboard.press('Control+b')
    await type(page, 'Slow')
    await page.keyboard.press('Control+b')
    await type(page, '\n/head')
    await page.getByRole('option', { name: 'Heading' }).first().waitFor()
    await page.keyboard.press('Enter')
    await type(page, 'Needs')
    await page.keyboard.press('Escape')
  },
}

for (const by of [mouse, touch, keyboard]) {
  test(`by ${by.name}: a first piece is begun, formatted and published by a writer who knows no Markdown`, async () => {
    const { page, go, ask } = await writerAtDesk(site, 'Ada Okafor', by.options)
    await go('/desk')
    await by.press(page.getByRole('link', { name: 'Write your first piece' }))
    await by.into(page.getByRole('textbox', { name: 'Headline' }))
    await type(page, 'On tea')
    await by.into(textOf(page))
    await format[by.name](page)
    await saved(page)
    await screenshot(page, `journey-first-piece-${by.name}`)
    await by.press(page.getByRole('link', { name: 'Publish', exact: true }).or(button(page, 'Publish')))
    const category = page.getByRole('radio', { name: 'Building', exact: true })
    if (by === keyboard) await enter(reachBy('Tab'), 'Space')(category)
    else await chooseCategory(page, 'Building')
    await page.getByRole('button', { name: 'Publish', exact: true, disabled: false }).waitFor()
    await by.press(button(page, 'Publish'))
    await page.getByRole('heading', { level: 1, name: 'Published', exact: true }).waitFor()
    const { body_md, status } = (await ask('GET', `/pieces/${idOf(page)}`)).piece
    assert.deepEqual([body_md, status], ['**Slow**\n\n## Needs', 'approved'])
  })
}

const wordDocument = `<html xmlns:w="urn:schemas-microsoft-com:office:word"><body lang=EN-GB><!--StartFragment--><h2>Needs<o:p></o:p></h2>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>Kettle</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>Cup</p>
<p class=MsoNormal>Tea is <b>slow</b>.<o:p></o:p></p><!--EndFragment--></body></html>`
const docsDocument = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1f0a7c3e-7fff-9a"><p dir="ltr"><span style="font-weight:400;">And </span><span style="font-weight:700;">old</span><span style="font-weight:400;">: </span><a href="https://www.google.com/url?q=https://example.org/tea&amp;sa=D"><span style="font-weight:400;">more</span></a></p></b>`

/** Puts HTML on the clipboard as another program does: nothing of it is taken out. */
async function copy(context: BrowserContext, html: string): Promise<void> {
  const other = await context.newPage()
  await other.setContent('<input value="words">')
  await other.evaluate(`addEventListener('copy', (event) => {
    event.clipboardData.setData('text/html', ${JSON.stringify(html)})
    event.clipboardData.setData('text/plain', 'words')
    event.preventDefault()
  })`)
  await other.locator('input').focus()
  await other.keyboard.press('Control+a')
  await other.keyboard.press('Control+c')
  await other.close()
}

for (const by of [mouse, touch, keyboard]) {
  test(`by ${by.name}: a document of Word and one of Google Docs are pasted, with headings, lists, bold and links`, async () => {
    const { page, context, devtools, go, ask, begin } = await writerAtDesk(site, 'Ada Okafor', by.options)
    const id = await begin('On tea', 'Given.')
    await go(`/desk/edit/pieces/${id}`)
    await by.into(textOf(page))
    await page.keyboard.press('Control+End')
    for (const html of [wordDocument, docsDocument]) {
      await page.keyboard.press('Enter')
      await copy(context, html)
      await page.bringToFront()
      if (by === keyboard) await page.keyboard.press('Control+v')
      // As the browser's own menu does.
      else await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['paste'] })
      await textOf(page)
        .getByText(html === wordDocument ? 'Kettle' : 'more')
        .waitFor()
    }
    await page.keyboard.press('Control+s')
    await saved(page)
    await screenshot(page, `journey-pasted-${by.name}`)
    assert.equal(
      (await ask('GET', `/pieces/${id}`)).piece.body_md,
      'Given.\n\n## Needs\n\n- Kettle\n- Cup\n\nTea is **slow**.\n\nAnd **old**: [more](https://example.org/tea)',
    )
  })
}

for (const by of [touch, keyboard]) {
  test(`by ${by.name}: a reader of a private link suggests other words; the writer answers and accepts them`, async () => {
    const writer = await writerAtDesk(site, 'Ada Okafor', by.options)
    const { page } = writer
    const body = 'Tea needs time.\n\nFour minutes are enough.'
    const id = await writer.begin('On tea', body)
    const { link } = await writer.ask('POST', `/pieces/${id}/links`, { days: 7 })
    const context = await site.browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', ...by.options })
    after(() => context.close())
    const reader = await context.newPage()
    await reader.goto(link.url)
    for (const [label, words] of [
      ['Your name', 'Grace'],
      ['Exact words', 'Four minutes'],
      ['Suggested replacement', 'Three minutes'],
    ] as const) {
      await by.into(reader.getByLabel(label).last())
      await type(reader, words)
    }
    await by.press(reader.getByRole('button', { name: 'Send comment' }))
    await reader.getByText('Three minutes').waitFor()

    await writer.go(`/desk/edit/pieces/${id}`)
    if (by === touch) await by.press(button(page, 'Comments (1)'))
    const comments = page.getByRole(by === touch ? 'dialog' : 'complementary', { name: 'Comments' })
    await by.press(comments.getByRole('button', { name: 'Reply' }))
    await by.into(comments.getByLabel('Your reply'))
    await type(page, 'So be it.')
    await by.press(comments.getByRole('button', { name: 'Send reply' }))
    await comments.getByText('So be it.').waitFor()
    await by.press(comments.getByRole('button', { name: 'Accept' }))
    const now = async () => (await writer.ask('GET', `/pieces/${id}`)).piece.body_md
    await until(async () => (await now()) === body.replace('Four', 'Three'), 'the words are replaced and saved')
    await reader.reload()
    await reader.getByText('So be it.').waitFor()
  })

  test(`by ${by.name}: a co-author is invited, reads the piece, agrees and withdraws`, async () => {
    const ada = await writerAtDesk(site, 'Ada Okafor', by.options)
    const berta = await writerAtDesk(site, 'Berta Lindqvist', by.options)
    const id = await ada.begin(`On tea by ${by.name}`, 'Tea takes four minutes.')
    await ada.go(`/desk/edit/pieces/${id}`)
    await by.press(button(ada.page, 'Details'))
    await by.into(ada.page.getByRole('searchbox', { name: 'Find a writer by name or address' }))
    await type(ada.page, berta.writer.slug)
    await by.press(button(ada.page, 'Invite Berta Lindqvist'))
    await ada.page.getByText('Invited, no answer yet').waitFor()

    const { page } = berta
    const act = (name: string) => button(page, `${name} “On tea by ${by.name}”`)
    const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
    await berta.go('/desk')
    await by.press(page.getByRole('link', { name: 'Read it and answer' }))
    await by.press(act('Read'))
    await page.frameLocator('iframe').getByText('Tea takes four minutes.').waitFor()
    await screenshot(page, `journey-co-author-${by.name}`)
    await by.press(act('Agree to'))
    await by.press(confirm('Agree'))
    await page.getByText('You agreed', { exact: true }).waitFor()
    await by.press(act('Withdraw my name from'))
    await by.press(confirm('Withdraw my name'))
    await page.getByText('You withdrew your name', { exact: true }).waitFor()
  })

  test(`by ${by.name}: a piece is scheduled, a change cancels it, and it is scheduled again and cancelled`, async () => {
    const { page, go, ask, begin } = await writerAtDesk(site, 'Ada Okafor', by.options)
    const id = await begin('Tomorrow’s tea', 'It will be green.')
    const schedule = async () => {
      if (by === keyboard) {
        await by.into(page.getByRole('radio', { name: 'Now' }))
        await page.keyboard.press('ArrowRight')
      } else await by.press(page.getByText('At a time', { exact: true }))
      await page.getByRole('button', { name: 'Schedule', exact: true, disabled: false }).waitFor()
      await screenshot(page, `journey-schedule-${by.name}`)
      await by.press(button(page, 'Schedule'))
      await page.getByRole('heading', { level: 1, name: 'Scheduled', exact: true }).waitFor()
      assert.equal((await ask('GET', `/pieces/${id}`)).piece.schedule.problem, null)
    }
    await go(`/desk/edit/pieces/${id}/publish`)
    await schedule()
    await go(`/desk/edit/pieces/${id}`)
    await by.into(textOf(page))
    await page.keyboard.press('Control+End')
    await type(page, ' Or white.')
    await saved(page)
    await page.keyboard.press('Escape')
    await page.getByText(/The schedule for .+ was cancelled/).waitFor()
    await by.press(page.getByRole('link', { name: 'Publish or schedule' }))
    await schedule()
    await go(`/desk/edit/pieces/${id}/publish`)
    await by.press(button(page, 'Cancel schedule'))
    await page.getByRole('heading', { level: 1, name: 'Schedule cancelled', exact: true }).waitFor()
    assert.equal((await ask('GET', `/pieces/${id}`)).piece.schedule, null)
  })

  test(`by ${by.name}: a piece is moved to the trash, and restored from there`, async () => {
    const { page, go, ask, begin } = await writerAtDesk(site, 'Ada Okafor', by.options)
    await begin('A mistake', 'Of mine.')
    await go('/desk')
    await by.press(button(page, 'More actions for “A mistake”'))
    await by.choose(page.getByRole('menuitem', { name: 'Move to trash' }))
    await page.getByRole('link', { name: 'A mistake' }).waitFor({ state: 'detached' })
    await by.press(page.getByRole('link', { name: 'Check the trash' }))
    await by.press(button(page, 'Restore “A mistake”'))
    await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
    await by.press(page.getByRole('link', { name: 'Go to your pieces' }))
    await page.getByRole('link', { name: 'A mistake' }).waitFor()
    assert.equal((await ask('GET', '/pieces/counts')).counts.draft, 1)
  })
}
